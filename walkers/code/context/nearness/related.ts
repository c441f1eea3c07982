import type { NodeRef, ReadContext } from '../../../../runtime/index.js';
import {
  CodeSymbol,
  FileContainsSymbol,
  fileId,
  LIMITS,
  ownNameIn,
  parseId,
} from '../../../../schema/index.js';
import { blended, ranking, type Scores } from '../../../../search/index.js';
import { isTestPath } from '../../../../source/index.js';
import type { RelatedRow, TestRow } from '../context-rows.js';
import type { Focus } from '../focus.js';
import { type FileNearness, fileNearness } from './file-nearness.js';
import { CALLING } from './links.js';

/** What does something: a class is named by its methods. */
const KINDS = ['function', 'method', 'component', 'route'] as const;

/**
 * What each kind of evidence counts. History and length tell what is likely to change at all: a long function, one
 * that changed before, one in a file that changes with the files asked for.
 */
const WEIGHTS = {
  speaking: 1,
  links: 0.5,
  fileHistory: 0.5,
  length: 0.5,
  together: 0.25,
  ever: 0.25,
  naming: 0.125,
} as const;

/** A symbol near the files that were asked for. */
interface NearSymbol {
  readonly symbol: NodeRef<typeof CodeSymbol>;
  readonly score: number;
  readonly why: string;
}

const { contextRelated, contextRelatedSymbols, contextTests } = LIMITS;

/** Test files that are named though nothing in them leads to the files asked for. */
const GUESSED_TESTS = 10;
/** Files whose nearest symbol is named with them. */
const FILES_WITH_SYMBOL = 10;
/** Cases that a test file's row names: the closest. */
const MOST_CASES = 5;

/** What stands near the files asked for: the nearest first. */
export interface Related {
  /** Files, then symbols of theirs; tests are apart. */
  readonly related: readonly RelatedRow[];
  readonly tests: readonly TestRow[];
  /** How many there are that edges join to the files, listed or not. */
  readonly linked: { readonly files: number; readonly tests: number };
}

/** The files, symbols and tests near files. @param asked Paths. @param own The ids of their symbols. @param focus What of them is about to change. */
export async function relatedTo(
  context: Pick<ReadContext, 'q' | 'findIds' | 'blobs' | 'projectRoot' | 'cached'>,
  asked: readonly string[],
  own: readonly string[],
  focus: Focus | null,
): Promise<Related> {
  const nearness = await fileNearness(context, asked, own, focus);
  const { scores, testScores, links, callerTests, why, isJoined } = nearness;
  const linked = [...links.files.keys()];
  const isIntended = (key: string) => links.inFocus?.has(key) ?? true;
  /** Files of what calls, extends or implements what is about to change. */
  const breaking = new Set(
    [...(links.inFocus ?? [])]
      .filter((id) => CALLING.some((way) => links.ways.get(id)?.has(way)))
      .flatMap((id) => parseId(id)?.path ?? []),
  );
  const files = first(
    joinedOrAll(
      ranking(scores).filter((path) => !isTestPath(path)),
      isJoined,
    ),
    (path) => breaking.has(path),
  ).slice(0, contextRelated.max);
  const isCaller = ({ symbol: { id } }: NearSymbol) =>
    isIntended(id) && CALLING.some((way) => links.ways.get(id)?.has(way));
  const symbols = await nearSymbols(context, files, own.map(ownNameIn), nearness);
  const nearest = new Map<string, NearSymbol>();
  for (const near of focus === null ? symbols : first(symbols, isCaller))
    if (!nearest.has(near.symbol.path)) nearest.set(near.symbol.path, near);
  const fileRows = files.map((path, rank) => {
    const near = rank < FILES_WITH_SYMBOL ? nearest.get(path) : undefined;
    const symbol = near?.symbol;
    return {
      id: fileId(path),
      name: path.slice(path.lastIndexOf('/') + 1),
      path,
      symbol: symbol ? (parseId(symbol.id)?.name ?? symbol.name) : null,
      line: symbol?.start_line ?? (nearest.has(path) ? null : (links.lines.get(path) ?? null)),
      score: rounded(scores.get(path)),
      why: why(path),
      ...(near ? { symbol_why: near.why } : {}),
    };
  });
  const most = contextRelatedSymbols.max;
  // Callers of what is about to change are shown however far down they are ranked.
  const symbolRows = first(focus === null ? symbols.slice(0, most) : symbols, isCaller)
    .slice(0, most)
    .map(({ symbol, score, why }) => ({
      id: symbol.id,
      name: parseId(symbol.id)?.name ?? symbol.name,
      path: symbol.path,
      line: symbol.start_line,
      score: rounded(score),
      why,
    }));
  const ranked = joinedOrAll(ranking(testScores).filter(isTestPath), isJoined);
  const tests = first(ranked, isIntended);
  const others = tests.slice(GUESSED_TESTS);
  const named = [
    ...tests.slice(0, GUESSED_TESTS),
    ...others.filter((path) => links.files.has(path)),
    ...others.filter((path) => callerTests.files.has(path)),
  ].slice(0, contextTests.max);
  return {
    related: [...fileRows, ...symbolRows],
    tests: named.map((path) => testRow(path, nearness)),
    linked: {
      files: linked.filter((path) => !isTestPath(path)).length,
      tests: linked.filter(isTestPath).length,
    },
  };
}

/** Those that more than words joins to the files; all, where there are none. */
function joinedOrAll(ranked: readonly string[], isJoined: (path: string) => boolean): readonly string[] {
  const joined = ranked.filter(isJoined);
  return joined.length > 0 ? joined : ranked;
}

/** Those of a kind before the others, each as they are ranked. */
function first<T>(ranked: readonly T[], isFirst: (one: T) => boolean): readonly T[] {
  return [...ranked.filter(isFirst), ...ranked.filter((one) => !isFirst(one))];
}

function testRow(path: string, { testScores, links, callerTests, why }: FileNearness): TestRow {
  const reaching = callerTests.files.has(path) ? callerTests.cases : links.symbols;
  const all = [...reaching]
    .map(([id, weight]) => ({ id, weight, parsed: parseId(id) }))
    .filter(({ parsed }) => parsed?.path === path && parsed.name !== null);
  const intended = all.filter(({ id }) => links.inFocus?.has(id));
  const cases = (intended.length > 0 ? intended : all).sort(
    (a, b) => b.weight - a.weight || (a.id < b.id ? -1 : 1),
  );
  return {
    id: fileId(path),
    path,
    line: links.lines.get(path) ?? null,
    score: rounded(testScores.get(path)),
    why: why(path),
    cases: cases.slice(0, MOST_CASES).map(({ parsed }) => parsed?.name ?? ''),
  };
}

function rounded(score = 0): number {
  return Math.round(score * 1000) / 1000;
}

/**
 * The symbols of near files by how near they are themselves: what edges join them to the files asked for, how much
 * they and the files speak of each other and of the same, and how much they changed together.
 *
 * @param files Paths.
 * @param own The names that the files asked for define.
 */
async function nearSymbols(
  { q }: Pick<ReadContext, 'q'>,
  files: readonly string[],
  own: readonly string[],
  { links, texts, history, changedSymbols }: FileNearness,
): Promise<NearSymbol[]> {
  if (files.length === 0) return [];
  const symbols = await q(files.map(fileId))
    .out(FileContainsSymbol)
    .of(CodeSymbol, { kind: { in: KINDS } });
  const byId = new Map(symbols.map((symbol) => [symbol.id, symbol]));
  const { speaking, naming } = texts.ofParts(symbols, own);
  const { together, ever } = changedSymbols(symbols);
  const scores = (of: (symbol: NodeRef<typeof CodeSymbol>) => number): Scores =>
    new Map(symbols.map((symbol) => [symbol.id, of(symbol)]));
  const near = blended([
    { scores: speaking, weight: WEIGHTS.speaking },
    { scores: scores(({ id }) => Math.log(1 + (links.symbols.get(id) ?? 0))), weight: WEIGHTS.links },
    { scores: scores(({ path }) => history.get(path) ?? 0), weight: WEIGHTS.fileHistory },
    { scores: scores(lengthOf), weight: WEIGHTS.length },
    { scores: together, weight: WEIGHTS.together },
    { scores: ever, weight: WEIGHTS.ever },
    { scores: naming, weight: WEIGHTS.naming },
  ]);
  // Length and habit alone join nothing.
  const isJoined = (id: string) =>
    links.symbols.has(id) || [speaking, naming, together].some((scores) => (scores.get(id) ?? 0) > 0);
  return ranking(near)
    .filter(isJoined)
    .flatMap((id) => {
      const symbol = byId.get(id);
      if (!symbol) return [];
      const ways = [...(links.ways.get(id) ?? []), ...(together.get(id) ? ['changed together'] : [])];
      const similar = naming.get(id) ? 'same names' : 'same words';
      const why = ways.join(', ') || (links.symbols.has(id) ? 'joined to other parts of it' : similar);
      return [{ symbol, score: near.get(id) ?? 0, why }];
    });
}

function lengthOf({ start_line, end_line }: NodeRef<typeof CodeSymbol>): number {
  return Math.log(1 + end_line - start_line);
}
