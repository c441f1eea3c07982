import { z } from 'zod';
import type { NodeRef } from '../../../runtime/index.js';
import { CodeSymbol, FileContainsSymbol, fileId, LIMITS, parseId } from '../../../schema/index.js';
import { blended, ranking } from '../../../search/index.js';
import { isTestPath } from '../../../source/index.js';
import { type EditedFiles, type Look, type NearFiles, nearFiles } from './evidence.js';

const { contextRelated, contextRelatedSymbols, contextTests } = LIMITS;

/** Symbols that are named: a class is named by its methods. */
const SYMBOL_KINDS = ['function', 'method', 'component', 'route'] as const;
/** Test files that are named though nothing in them leads to the files asked for. */
const GUESSED_TESTS = 10;
/** Files whose nearest symbol is named with them. */
const FILES_WITH_SYMBOL = 10;
/** Cases that a test file's row names: the closest. */
const MOST_CASES = 5;

const line = z.number().int().nullable();

/** One file or symbol near the files asked for, with why it is named. */
export const RelatedRow = z.object({
  id: z.string(),
  name: z.string(),
  path: z.string(),
  /** Of a file, the nearest symbol in it, by its name there; of the nearest files only. */
  symbol: z.string().nullable().optional(),
  /** The first line of the symbol; of a test file the first line that speaks of the files asked for. */
  line,
  /** Larger is nearer, within one answer. */
  score: z.number(),
  why: z.string(),
  /** Of a file with a symbol: why that one; `why` is the file's. */
  symbol_why: z.string().optional(),
});
export type RelatedRow = z.infer<typeof RelatedRow>;

/** One test file that may tell whether the files asked for still work. */
export const TestRow = RelatedRow.omit({ name: true, symbol: true, symbol_why: true }).extend({
  /** Its symbols that exercise the files asked for, the closest first. */
  cases: z.array(z.string()),
});
export type TestRow = z.infer<typeof TestRow>;

/** What is near the files asked for: the nearest first. */
export interface Related {
  /** Files, then symbols of theirs; tests are apart. */
  readonly related: readonly RelatedRow[];
  readonly tests: readonly TestRow[];
  /** How many there are that edges join to the files, listed or not. */
  readonly linked: { readonly files: number; readonly tests: number };
}

/** The files, symbols and tests near files. What breaks when the lines in focus change comes first. */
export async function relatedTo(context: Look, edited: EditedFiles): Promise<Related> {
  const near = await nearFiles(context, edited);
  const { scores, testScores, links, callerTests, why, isJoined, isBroken } = near;
  const hasFocus = edited.focus !== null;
  const ranked = ranking(scores).filter((path) => !isTestPath(path));
  const broken = new Set([...(links.inFocus ?? [])].filter(isBroken).map((id) => parseId(id)?.path));
  const files = first(joinedOrAll(ranked, isJoined), (path) => broken.has(path)).slice(0, contextRelated.max);
  const found = await nearSymbols(context, files, near);
  const isCaller = ({ symbol: { id } }: NearSymbol) => isBroken(id);
  const nearest = new Map<string, NearSymbol>();
  for (const one of hasFocus ? first(found, isCaller) : found)
    if (!nearest.has(one.symbol.path)) nearest.set(one.symbol.path, one);
  const fileRows = files.map((path, rank) => {
    const one = rank < FILES_WITH_SYMBOL ? nearest.get(path) : undefined;
    return {
      id: fileId(path),
      name: path.slice(path.lastIndexOf('/') + 1),
      path,
      symbol: one ? nameOf(one.symbol) : null,
      line: one?.symbol.start_line ?? (nearest.has(path) ? null : (links.lines.get(path) ?? null)),
      score: rounded(scores.get(path)),
      why: why(path),
      ...(one ? { symbol_why: one.why } : {}),
    };
  });
  const most = contextRelatedSymbols.max;
  // What calls the lines about to change is shown however far down it is ranked.
  const symbols = first(hasFocus ? found : found.slice(0, most), isCaller).slice(0, most);
  const symbolRows = symbols.map(({ symbol, score, why }) => ({
    id: symbol.id,
    name: nameOf(symbol),
    path: symbol.path,
    line: symbol.start_line,
    score: rounded(score),
    why,
  }));
  const isIntended = (key: string) => links.inFocus?.has(key) ?? true;
  const tests = first(joinedOrAll(ranking(testScores).filter(isTestPath), isJoined), isIntended);
  const others = tests.slice(GUESSED_TESTS);
  const named = [
    ...tests.slice(0, GUESSED_TESTS),
    ...others.filter((path) => links.files.has(path)),
    ...others.filter((path) => callerTests.files.has(path)),
  ].slice(0, contextTests.max);
  const linked = [...links.files.keys()];
  const linkedTests = linked.filter(isTestPath).length;
  return {
    related: [...fileRows, ...symbolRows],
    tests: named.map((path) => testRow(path, near)),
    linked: { files: linked.length - linkedTests, tests: linkedTests },
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

function testRow(path: string, { testScores, links, callerTests, why }: NearFiles): TestRow {
  const reaching = callerTests.files.has(path) ? callerTests.cases : links.symbols;
  const all = [...reaching].flatMap(([id, weight]) => {
    const parsed = parseId(id);
    return parsed?.path === path && parsed.name !== null ? [{ id, weight, name: parsed.name }] : [];
  });
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
    cases: cases.slice(0, MOST_CASES).map(({ name }) => name),
  };
}

/** A symbol near the files that were asked for. */
interface NearSymbol {
  readonly symbol: NodeRef<typeof CodeSymbol>;
  readonly score: number;
  readonly why: string;
}

/** The symbols of near files that edges join to the files asked for, or that have some of their words; long ones are likelier to change. */
async function nearSymbols(
  { q }: Look,
  files: readonly string[],
  { links, texts }: NearFiles,
): Promise<NearSymbol[]> {
  if (files.length === 0) return [];
  const symbols = await q(files.map(fileId))
    .out(FileContainsSymbol)
    .of(CodeSymbol, { kind: { in: SYMBOL_KINDS } });
  const byId = new Map(symbols.map((symbol) => [symbol.id, symbol]));
  const words = texts.similarParts(symbols);
  const scores = (of: (symbol: NodeRef<typeof CodeSymbol>) => number) =>
    new Map(symbols.map((symbol) => [symbol.id, of(symbol)]));
  const near = blended([
    { weight: 1, scores: words },
    { weight: 0.5, scores: scores(({ id }) => Math.log(1 + (links.symbols.get(id) ?? 0))) },
    { weight: 0.5, scores: scores(({ start_line, end_line }) => Math.log(1 + end_line - start_line)) },
  ]);
  // Length alone joins nothing.
  const joined = ranking(near).filter((id) => links.symbols.has(id) || (words.get(id) ?? 0) > 0);
  return joined.flatMap((id) => {
    const symbol = byId.get(id);
    if (!symbol) return [];
    const ways = [...(links.ways.get(id) ?? [])].join(', ');
    const why = ways || (links.symbols.has(id) ? 'joined to other parts of it' : 'same words');
    return [{ symbol, score: near.get(id) ?? 0, why }];
  });
}

function nameOf({ id, name }: NodeRef<typeof CodeSymbol>): string {
  return parseId(id)?.name ?? name;
}

function rounded(score = 0): number {
  return Math.round(score * 1000) / 1000;
}
