import { z } from 'zod';
import { plural } from '../../../present/index.js';
import { compareText, type ReadContext } from '../../../runtime/index.js';
import {
  append,
  type EdgeType,
  File,
  FileDependsOnFile,
  FileImports,
  fileId,
  MemoryAbout,
  parseId,
  StepInvokesTool,
  SymbolCallsSymbol,
  SymbolExtendsSymbol,
  SymbolImplementsSymbol,
  SymbolMayCallSymbol,
  SymbolReferencesSymbol,
  SymbolTestsSymbol,
  Task,
  TaskHasStep,
  ToolTouchesFile,
} from '../../../schema/index.js';
import { blended, type Evidence, fused, ranking, type Scores, type Words } from '../../../search/index.js';
import { isTestPath, languageOf } from '../../../source/index.js';
import { type ChangeHistory, changeHistory, type Span } from '../history/git-history.js';
import type { Focus } from './focus.js';
import { CACHED_TEXTS, ProjectTexts } from './texts.js';

/** What the evidence is read from. */
export type Look = Pick<ReadContext, 'q' | 'findIds' | 'blobs' | 'projectRoot' | 'cached'>;

/** The files that are about to be edited. */
export interface EditedFiles {
  readonly paths: readonly string[];
  /** The ids of their symbols. */
  readonly own: readonly string[];
  /** What of them is about to change. */
  readonly focus: Focus | null;
}

/** What one edge of a type counts, and how it reads from the other end: a call says more than a mention. */
const EDGES: readonly (readonly [type: EdgeType, weight: number, out: string, into: string])[] = [
  [SymbolCallsSymbol, 1, 'called by it', 'calls it'],
  [SymbolTestsSymbol, 1, 'tested by it', 'tests it'],
  [SymbolExtendsSymbol, 1, 'extended by it', 'extends it'],
  [SymbolImplementsSymbol, 1, 'implemented by it', 'implements it'],
  [FileImports, 0.6, 'imported by it', 'imports it'],
  [SymbolReferencesSymbol, 0.5, 'used by it', 'uses it'],
  [SymbolMayCallSymbol, 0.2, 'perhaps called by it', 'may call it'],
];
/** The ways of what breaks first when the files change. */
const BREAKING: readonly string[] = ['calls it', 'extends it', 'implements it'];
/** What an edge or a commit counts that is of the lines about to change, and one that is of other lines. */
const IN_FOCUS = 3;
const OUT_OF_FOCUS = 0.5;

/** What is read at most: of a hub more says no more. */
const MOST_EDGES = 2000;
const MOST_NEIGHBOURS = 60;
const MOST_DEPENDENTS = 200;
const MOST_TASKS = 50;
const MOST_MEMORIES = 500;
const MOST_CALLERS = 100;
const MOST_TESTS = 500;
/** Files whose texts are compared: the nearest by all other evidence. In a small project that is all of them. */
const MOST_TEXTS = 300;

/**
 * What each kind of evidence counts for files, and for tests among themselves: the code graph, words, git history and
 * earlier tasks one vote each; memories and names half a vote. Two ways to measure one thing share its vote. What a
 * test imports is often only what it needs to begin. docs/internals/ranking.md says what each is worth.
 */
const KINDS = {
  walked: { files: 0.5, tests: 1 },
  linked: { files: 0.5, tests: 0 },
  speaking: { files: 0.5, tests: 0.5 },
  similar: { files: 0.5, tests: 0.5 },
  history: { files: 1, tests: 1 },
  tasks: { files: 1, tests: 1 },
  memories: { files: 0.5, tests: 0.5 },
  names: { files: 0.5, tests: 0.5 },
} as const;
type Kind = keyof typeof KINDS;
/** Few tests are of one file: what any kind of evidence puts first counts most. */
const TEST_CONSTANT = 5;
/** What of a step of the walk goes on to the neighbours; the rest starts over at the files asked for. */
const DAMPING = 0.6;
const WALK_STEPS = 4;
/** Commits after which what changed together counts half. */
const HALF_LIFE = 600;
/** A commit that touched more files of code says nothing of any two of them. */
const MOST_FILES = 20;
/** Changes that are added to a file's own: of few, a common one may be chance. */
const PRIOR = 10;
/** What an earlier task counts of the next one: the tenth last a third. */
const FADING = 0.9;
/** What reading a file says of what changing it says. */
const READ_SHARE = 0.5;
/** What a file counts in a folder that repeats another one. */
const REPEATED = 0.25;
/** Files of which it is worth saying that they use the same words. */
const DISTINCTIVE_TEXTS = 10;

/** What is joined to the files asked for by edges of the code graph. */
interface CodeLinks {
  /** Weights of the other files, by path, and of their symbols, by id. */
  readonly files: Map<string, number>;
  readonly symbols: Map<string, number>;
  /** The first line where each names the files, by path or id; absent where only they name it. */
  readonly lines: Map<string, number>;
  /** How each is joined, by path or id, in the order of {@link EDGES}; of a symbol only to what is in focus. */
  readonly ways: Map<string, Set<string>>;
  /** What is joined to the lines about to change, by path or id; null where no lines are. */
  readonly inFocus: Set<string> | null;
  /** The ids of what calls them, in the order of the edges. */
  readonly callers: Set<string>;
}

/** What all of these edges have; a FileImports that says nothing of its confidence is sure. */
const LinkProps = z.object({ line: z.number(), confidence: z.number().default(1) });

/** The edges between the files and everything else, both ways: the weight of the type times the confidence. */
async function codeLinks({ q }: Look, { paths, own, focus }: EditedFiles): Promise<CodeLinks> {
  const links: CodeLinks = {
    files: new Map(),
    symbols: new Map(),
    lines: new Map(),
    ways: new Map(),
    inFocus: focus && new Set(),
    callers: new Set(),
  };
  // What is in focus first: of a hub's edges not all are read.
  const origin = new Set([...(focus?.ids ?? []), ...paths.map(fileId), ...own]);
  const asked = new Set(paths);
  for (const [type, weight, out, into] of EDGES)
    for (const [path, way, far] of [
      [q([...origin]).out(type), out, 'to'],
      [q([...origin]).in(type), into, 'from'],
    ] as const)
      for (const edge of await path.slice(0, MOST_EDGES).edges()) {
        const [id, near] = far === 'to' ? [edge.to, edge.from] : [edge.from, edge.to];
        const place = pathOf(id);
        if (place === null || origin.has(id) || asked.has(place)) continue;
        if (type === SymbolCallsSymbol && far === 'from') links.callers.add(id);
        const { line, confidence } = LinkProps.parse(edge);
        const isIntended = focus === null || focus.ids.has(near) || (far === 'to' && isIn(focus, near, line));
        const share = isIntended ? IN_FOCUS : OUT_OF_FOCUS;
        const counts = weight * confidence * (focus === null ? 1 : share);
        for (const key of new Set([place, id])) {
          if (isIntended || key === place) setOf(links.ways, key).add(way);
          if (isIntended) links.inFocus?.add(key);
          // An import stands above everything; where its names are used says more.
          if (far === 'from' && type !== FileImports)
            links.lines.set(key, Math.min(line, links.lines.get(key) ?? line));
        }
        add(links.files, place, counts);
        if (type !== FileImports) add(links.symbols, id, counts);
      }
  return links;
}

/** Whether a line of a symbol's file is about to change. */
function isIn({ ranges }: Focus, near: string, line: number): boolean {
  const path = pathOf(near);
  return ranges.some((range) => range.path === path && range.start_line <= line && line <= range.end_line);
}

/**
 * How near files are in the code graph: by a walk with restart over dependencies, each edge divided by the roots of
 * both its ends' degrees (the symmetric form of personalised PageRank; Zhou et al., "Learning with local and global
 * consistency", 2004), so that a hub that everything uses is not near to everything; and by direct links, of which each
 * further one adds less, and less to a file that has many neighbours.
 */
async function nearInGraph(
  { q }: Look,
  { paths }: EditedFiles,
  links: Scores,
): Promise<{ walked: Scores; linked: Scores }> {
  const edges = new Map<string, Map<string, number>>();
  const join = (a: string, b: string, weight: number) => {
    for (const [from, to] of [
      [a, b],
      [b, a],
    ] as const) {
      const row = edges.get(from) ?? new Map<string, number>();
      edges.set(from, row.set(to, Math.max(row.get(to) ?? 0, weight)));
    }
  };
  for (const path of paths)
    for (const [other, weight] of links) join(path, other, Math.log2(1 + weight) / paths.length);
  for (const path of ranking(links).slice(0, MOST_NEIGHBOURS)) {
    const node = fileId(path);
    for (const hop of [q(node).out(FileDependsOnFile), q(node).in(FileDependsOnFile)])
      for (const { from, to, imports, calls } of await hop.slice(0, MOST_DEPENDENTS).edges()) {
        const other = pathOf(from === node ? to : from);
        if (other === null || paths.includes(other)) continue;
        join(path, other, Math.log2(1 + (imports ? 0.6 : 0) + calls));
      }
  }
  const degree = (path: string) =>
    [...(edges.get(path)?.values() ?? [])].reduce((sum, weight) => sum + weight, 0) || 1;
  const degrees = new Map([...edges.keys()].map((path) => [path, degree(path)]));
  const start = 1 / paths.length;
  let walked = new Map(paths.map((path) => [path, start]));
  for (let step = 0; step < WALK_STEPS; step++) {
    const next = new Map(paths.map((path) => [path, (1 - DAMPING) * start]));
    for (const [node, mass] of walked)
      for (const [other, weight] of edges.get(node) ?? []) {
        const both = Math.sqrt((degrees.get(node) ?? 1) * (degrees.get(other) ?? 1));
        add(next, other, (DAMPING * mass * weight) / both);
      }
    walked = next;
  }
  for (const path of paths) walked.delete(path);
  const linked = new Map(
    [...links].map(([path, weight]) => {
      const neighbours = edges.get(path)?.size ?? 0;
      return [path, (1 + Math.log(1 + weight) / 2) / Math.log2(3 + neighbours)];
    }),
  );
  return { walked, linked };
}

/** Weights of tests, by id, and of their files, by path, that reach the files asked for only through their callers. */
async function testsOfCallers(
  { q }: Look,
  { paths }: EditedFiles,
  links: CodeLinks,
): Promise<{ files: Map<string, number>; cases: Map<string, number> }> {
  const found = { files: new Map<string, number>(), cases: new Map<string, number>() };
  const all = [...links.callers].filter((id) => !isTestPath(pathOf(id) ?? ''));
  const intended = all.filter((id) => links.inFocus?.has(id));
  const callers = (intended.length > 0 ? intended : all).slice(0, MOST_CALLERS);
  if (callers.length === 0) return found;
  for (const { from, confidence } of await q(callers).in(SymbolTestsSymbol).slice(0, MOST_TESTS).edges()) {
    const path = pathOf(from);
    if (path === null || paths.includes(path) || links.files.has(path)) continue;
    add(found.files, path, confidence);
    add(found.cases, from, confidence);
  }
  return found;
}

/** Scores by path, and how many commits, tasks or memories they come from. */
interface Together {
  readonly scores: Map<string, number>;
  readonly counts: Map<string, number>;
}

/** How much symbols changed, by their ids. */
interface ChangedSymbols {
  /** In commits that touched the files asked for. */
  readonly together: Scores;
  /** In any commit: what changed often will again. */
  readonly ever: Scores;
}

/** What a change of some age still counts. */
const worth = (age: number): number => 0.5 ** (age / HALF_LIFE);

/** Which files and symbols changed together with the files asked for. */
class CoChange implements Together {
  readonly scores = new Map<string, number>();
  readonly counts = new Map<string, number>();
  /** What each commit that touched a file asked for says of the others that it touched, by its age. */
  readonly #weights = new Map<number, number>();

  /**
   * A file scores the share of its own changes that it has in common with the files asked for: what changes with
   * everything is near to nothing. Common changes count less in commits of many files, and more by the files asked for
   * and the lines about to change that the commit touched.
   */
  constructor(
    private readonly history: ChangeHistory,
    { paths, focus }: EditedFiles,
  ) {
    const inside = new Set(paths);
    const touching = focus && agesTouching(history, focus);
    for (const age of new Set(paths.flatMap((path) => history.changesOf(path).map((one) => one.age)))) {
      const touched = history.commits[age] ?? [];
      const code = touched.filter((path) => inside.has(path) || languageOf(path)?.grammar);
      if (code.length > MOST_FILES) continue;
      const others = code.filter((path) => !inside.has(path));
      const share = touching?.has(age) ? IN_FOCUS : OUT_OF_FOCUS;
      const weight = ((touching ? share : 1) * worth(age)) / Math.sqrt(Math.max(1, code.length - 1));
      this.#weights.set(age, weight);
      for (const path of others) {
        add(this.scores, path, weight * (code.length - others.length));
        add(this.counts, path, 1);
      }
    }
    for (const [path, weight] of this.scores) {
      const changes = history.changesOf(path).reduce((sum, { age }) => sum + worth(age), 0);
      this.scores.set(path, weight / (PRIOR + changes));
    }
  }

  /** How much symbols of other files changed. */
  symbols(symbols: readonly SpanOfFile[]): ChangedSymbols {
    const [together, ever] = [new Map<string, number>(), new Map<string, number>()];
    for (const path of new Set(symbols.map(({ path }) => path))) {
      const spans = symbols.filter((symbol) => symbol.path === path);
      for (const [age, ids] of this.history.spansTouched(path, spans))
        for (const id of ids) {
          add(together, id, this.#weights.get(age) ?? 0);
          add(ever, id, worth(age));
        }
    }
    return { together, ever };
  }
}

interface SpanOfFile extends Span {
  readonly path: string;
}

/** The commits that touched lines which are about to change. */
function agesTouching(history: ChangeHistory, { ranges }: Focus): Set<number> {
  const ages = new Set<number>();
  for (const path of new Set(ranges.map(({ path }) => path))) {
    const spans = ranges.flatMap((range, at) => (range.path === path ? [{ ...range, id: `${at}` }] : []));
    for (const [age, ids] of history.spansTouched(path, spans)) if (ids.length > 0) ages.add(age);
  }
  return ages;
}

/** Files that the same tasks touched: the latest tasks and those that touched few files count most. */
async function sameTasks({ q }: Look, { paths }: EditedFiles): Promise<Together> {
  const found: Together = { scores: new Map(), counts: new Map() };
  const tasks = await q(paths.map(fileId)).in(ToolTouchesFile).in(StepInvokesTool).in(TaskHasStep).of(Task);
  const latest = [...tasks].sort(
    (a, b) => compareText(b.created_at, a.created_at) || compareText(a.id, b.id),
  );
  for (const [age, task] of latest.slice(0, MOST_TASKS).entries()) {
    const shares = new Map<string, number>();
    const touched = await q(task).out(TaskHasStep).out(StepInvokesTool).out(ToolTouchesFile).edges();
    for (const { to, use } of touched) {
      const path = pathOf(to);
      if (path === null || paths.includes(path)) continue;
      shares.set(path, Math.max(shares.get(path) ?? 0, use === 'write' ? 1 : READ_SHARE));
    }
    addShares(found, shares, FADING ** age);
  }
  return found;
}

/** Files that the same memories are about, themselves or by what is in them. */
async function sameMemories({ q }: Look, { paths, own }: EditedFiles): Promise<Together> {
  const found: Together = { scores: new Map(), counts: new Map() };
  const memories = await q([...paths.map(fileId), ...own])
    .in(MemoryAbout)
    .slice(0, MOST_MEMORIES)
    .ids();
  const about = new Map(memories.map((id) => [id, new Map<string, number>()]));
  for (const { from, to } of await q(memories).out(MemoryAbout).edges()) {
    const path = pathOf(to);
    if (path !== null && !paths.includes(path)) about.get(from)?.set(path, 1);
  }
  for (const shares of about.values()) addShares(found, shares, 1);
  return found;
}

/** Adds what one task or memory says of files: the less of each, the more there are. */
function addShares({ scores, counts }: Together, shares: Scores, weight: number): void {
  for (const [path, share] of shares) {
    add(scores, path, (share * weight) / Math.log2(1 + shares.size));
    add(counts, path, 1);
  }
}

/** Parts of a path that say where tests are kept, not what they are of. */
const TEST_FOLDERS = new Set(['test', 'tests', '__tests__', 'spec', 'specs']);
/** Files named after their folder's role: the folder is what they are about. */
const ROLE_NAMES = new Set(['index', '__init__', 'mod', 'main']);

/**
 * How similar two paths are named, 0 to 2: at most 1 for the stem, which is `auth` of `test_auth.py`, `auth.test.ts`
 * and `auth/index.ts`, by the share of common words; and at most 1 for the folders, by the share that both are in.
 */
export function nameSimilarity(words: Words): (a: string, b: string) => number {
  const known = new Map<string, { folders: string[]; stem: string; words: ReadonlySet<string> }>();
  const partsOf = (path: string) => {
    const before = known.get(path);
    if (before) return before;
    const parts = path.split('/');
    const bare = (parts.pop() ?? '')
      .replace(/(?<=.)\.[^.]*$/, '')
      .replace(/[._-](?:test|spec)s?$/i, '')
      .replace(/^(?:test|spec)s?[_-]/i, '');
    const folders = parts.filter((part) => !TEST_FOLDERS.has(part));
    const stem = ROLE_NAMES.has(bare) ? (folders.at(-1) ?? bare) : bare;
    const named = { folders, stem: stem.toLowerCase(), words: new Set(words.of(stem)) };
    known.set(path, named);
    return named;
  };
  return (one, other) => {
    const [a, b] = [partsOf(one), partsOf(other)];
    const common = [...a.words].filter((word) => b.words.has(word)).length;
    const stems = a.stem === b.stem ? 1 : common / Math.max(1, a.words.size + b.words.size - common);
    const differ = a.folders.findIndex((folder, at) => folder !== b.folders[at]);
    const most = a.folders.length + b.folders.length;
    const shared = differ < 0 ? a.folders.length : differ;
    return stems + (most === 0 ? 1 : (2 * shared) / most);
  };
}

/** Adds to the score of a key. */
function add(scores: Map<string, number>, key: string, score: number): void {
  scores.set(key, (scores.get(key) ?? 0) + score);
}

function setOf(sets: Map<string, Set<string>>, key: string): Set<string> {
  const set = sets.get(key) ?? new Set();
  sets.set(key, set);
  return set;
}

function pathOf(id: string): string | null {
  return parseId(id)?.path ?? null;
}

/** Folders that hold files of the same paths may be copies from so many common ones on; fewer are habits of naming. */
const FEWEST_COMMON = 10;
/** What share of the smaller folder the other one has as well, at least. */
const LEAST_SHARE = 0.7;
/** Copies of a whole source tree are near the root. */
const MOST_DEEP = 3;
/** A path that more siblings have says nothing of any two of them. */
const MOST_SIBLINGS = 8;

/**
 * Which paths lie in a folder that repeats a sibling, as `deno_dist/` repeats `src/`. The one with the files asked for is
 * the original, else the one with more files.
 */
export function repeatedPaths(paths: readonly string[], asked: readonly string[]): (path: string) => boolean {
  const sizes = new Map<string, number>();
  // What each path below the children of a folder is found in.
  const children = new Map<string, string[]>();
  for (const path of paths) {
    let at = -1;
    for (let depth = 0; depth < MOST_DEEP; depth++) {
      const next = path.indexOf('/', at + 1);
      if (next < 0) break;
      const child = path.slice(0, next + 1);
      add(sizes, child, 1);
      append(children, `${path.slice(0, at + 1)}\0${path.slice(next + 1)}`, child);
      at = next;
    }
  }
  const common = new Map<string, number>();
  for (const folders of children.values()) {
    if (folders.length < 2 || folders.length > MOST_SIBLINGS) continue;
    const sorted = folders.toSorted(compareText);
    for (const [i, one] of sorted.entries())
      for (const other of sorted.slice(i + 1)) add(common, `${one}\0${other}`, 1);
  }
  const size = (folder: string) => sizes.get(folder) ?? 0;
  const hasAsked = (folder: string) => asked.some((path) => path.startsWith(folder));
  const copies = [...common].flatMap(([pair, count]) => {
    const [one = '', other = ''] = pair.split('\0');
    if (count < FEWEST_COMMON || count < LEAST_SHARE * Math.min(size(one), size(other))) return [];
    const [original, copy] = size(other) > size(one) ? [other, one] : [one, other];
    if (!hasAsked(copy)) return [copy];
    return hasAsked(original) ? [] : [original];
  });
  return (path) => copies.some((folder) => path.startsWith(folder));
}

/** The files of a project by how near they are to those that were asked for. */
export interface NearFiles {
  /** By path; the files asked for are not in it. */
  readonly scores: Scores;
  /** The tests among them alone, ranked among themselves. */
  readonly testScores: Scores;
  readonly links: CodeLinks;
  readonly callerTests: Awaited<ReturnType<typeof testsOfCallers>>;
  readonly texts: ProjectTexts;
  readonly coChange: CoChange;
  /** Whether something calls, extends or implements what is about to change: an id. */
  readonly isBroken: (id: string) => boolean;
  /** Why a file is near, in words. */
  readonly why: (path: string) => string;
  /** Whether anything but words and names says that a file is near. */
  readonly isJoined: (path: string) => boolean;
}

/** All evidence on what other files have to do with the files asked for. */
export async function nearFiles(context: Look, edited: EditedFiles): Promise<NearFiles> {
  const { paths, focus } = edited;
  const links = await codeLinks(context, edited);
  const { walked, linked } = await nearInGraph(context, edited, links.files);
  const callerTests = await testsOfCallers(context, edited, links);
  const coChange = new CoChange(await changeHistory(context), edited);
  const tasks = await sameTasks(context, edited);
  const memories = await sameMemories(context, edited);
  const all = (await context.findIds(File)).map((id) => id.slice(fileId('').length));
  const similarity = nameSimilarity(context.cached(CACHED_TEXTS).words);
  const names = new Map(
    all
      .filter((path) => !paths.includes(path) && languageOf(path)?.grammar)
      .map((path) => [path, Math.max(...paths.map((one) => similarity(one, path)))]),
  );
  // Commits, tasks and memories also name files that are gone since.
  const known = new Set(all);
  const there = ({ scores }: Together) => new Map([...scores].filter(([path]) => known.has(path)));
  const before = {
    ...{ walked, linked, names },
    ...{ history: there(coChange), tasks: there(tasks), memories: there(memories) },
  };
  const isRepeated = repeatedPaths(all, paths);
  const added = (kinds: Partial<Record<Kind, Scores>>) =>
    new Map(
      [...blended(evidenceOf(kinds, 'files'))].map(([path, score]) => [
        path,
        isRepeated(path) ? REPEATED * score : score,
      ]),
    );
  const compared = [...new Set([...ranking(added(before)), ...ranking(names)])].slice(0, MOST_TEXTS);
  const texts = new ProjectTexts(context, paths, compared, focus);
  const speaking = texts.speaking();
  const kinds = { ...before, speaking, similar: texts.similar() };
  const distinctive = new Set(ranking(speaking).slice(0, DISTINCTIVE_TEXTS));
  const joining = [walked, links.files, callerTests.files, coChange.counts, tasks.counts, memories.counts];
  return {
    scores: added(kinds),
    testScores: fused(
      evidenceOf(kinds, 'tests').map(({ scores, weight }) => ({
        scores: new Map([...scores].filter(([path]) => isTestPath(path))),
        weight,
      })),
      TEST_CONSTANT,
    ),
    ...{ links, callerTests, texts, coChange },
    isBroken: (id) =>
      (links.inFocus?.has(id) ?? true) && BREAKING.some((way) => links.ways.get(id)?.has(way)),
    isJoined: (path) => joining.some((one) => one.has(path)),
    why: (path) => {
      const [commits, shared] = [coChange.counts.get(path), tasks.counts.get(path)];
      const reasons = [
        ...(links.ways.get(path) ?? []),
        callerTests.files.has(path) && 'exercises its caller',
        commits && `changed together in ${plural(commits, 'commit')}`,
        shared && `touched together in ${plural(shared, 'task')}`,
        memories.counts.has(path) && 'remembered with it',
        distinctive.has(path) && 'same words',
      ].filter((reason) => typeof reason === 'string');
      if (reasons.length > 0) return reasons.join(', ');
      return walked.has(path) ? 'a few dependencies away' : 'named alike';
    },
  };
}

/** Kinds of evidence with what each counts. */
function evidenceOf(kinds: Partial<Record<Kind, Scores>>, of: 'files' | 'tests'): Evidence[] {
  return Object.entries(KINDS).flatMap(([kind, weights]) => {
    const scores = kinds[kind as Kind];
    return scores ? [{ scores, weight: weights[of] }] : [];
  });
}
