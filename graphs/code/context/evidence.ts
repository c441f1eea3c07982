import { z } from 'zod';
import { plural } from '../../../present/index.js';
import { compareText, type ReadContext } from '../../../runtime/index.js';
import {
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
import { type ChangeHistory, changeHistory } from '../history/git-history.js';
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

/** The edges that join files, and how each reads from its other end. */
const EDGES: readonly (readonly [type: EdgeType, out: string, into: string])[] = [
  [SymbolCallsSymbol, 'called by it', 'calls it'],
  [SymbolTestsSymbol, 'tested by it', 'tests it'],
  [SymbolExtendsSymbol, 'extended by it', 'extends it'],
  [SymbolImplementsSymbol, 'implemented by it', 'implements it'],
  [FileImports, 'imported by it', 'imports it'],
  [SymbolReferencesSymbol, 'used by it', 'uses it'],
  [SymbolMayCallSymbol, 'perhaps called by it', 'may call it'],
];
/** The ways of what breaks first when the files change. */
const BREAKING: readonly string[] = ['calls it', 'extends it', 'implements it'];
/** What is read at most: more edges of a widely used symbol add nothing. */
const MOST_EDGES = 2000;
const MOST_NEIGHBOURS = 60;
const MOST_DEPENDENTS = 200;
const MOST_TASKS = 50;
const MOST_MEMORIES = 500;
const MOST_CALLERS = 100;
const MOST_TESTS = 500;
/** Files whose texts are compared: the nearest by all other evidence. In a small project that is all of them. */
const MOST_TEXTS = 300;

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

/** The edges between the files and everything else, both ways; each weighs its confidence. */
async function codeLinks({ q }: Look, { paths, own, focus }: EditedFiles): Promise<CodeLinks> {
  const links: CodeLinks = {
    files: new Map(),
    symbols: new Map(),
    lines: new Map(),
    ways: new Map(),
    inFocus: focus && new Set(),
    callers: new Set(),
  };
  // What is in focus first: of a widely used symbol not all edges are read.
  const origin = new Set([...(focus?.ids ?? []), ...paths.map(fileId), ...own]);
  const asked = new Set(paths);
  for (const [type, out, into] of EDGES)
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
        for (const key of new Set([place, id])) {
          if (isIntended || key === place) setOf(links.ways, key).add(way);
          if (isIntended) links.inFocus?.add(key);
          // An import stands above everything; where its names are used says more.
          if (far === 'from' && type !== FileImports)
            links.lines.set(key, Math.min(line, links.lines.get(key) ?? line));
        }
        add(links.files, place, confidence);
        if (type !== FileImports) add(links.symbols, id, confidence);
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
 * consistency", 2004), so that what everything uses is not near to everything.
 */
async function nearInGraph({ q }: Look, { paths }: EditedFiles, links: Scores): Promise<Scores> {
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
  return walked;
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

/** What a change of some age still counts. */
const worth = (age: number): number => 0.5 ** (age / HALF_LIFE);

/**
 * Files that changed together with the files asked for: the share of a file's own changes that it has in common with
 * them, so that what changes with everything is near to nothing. Common changes count less in commits of many files.
 */
function coChange(history: ChangeHistory, { paths }: Pick<EditedFiles, 'paths'>): Together {
  const found: Together = { scores: new Map(), counts: new Map() };
  const inside = new Set(paths);
  for (const age of new Set(paths.flatMap((path) => history.changesOf(path)))) {
    const touched = history.commits[age] ?? [];
    const code = touched.filter((path) => inside.has(path) || languageOf(path)?.grammar);
    if (code.length > MOST_FILES) continue;
    for (const path of code) {
      if (inside.has(path)) continue;
      add(found.scores, path, worth(age) / Math.sqrt(code.length - 1));
      add(found.counts, path, 1);
    }
  }
  for (const [path, weight] of found.scores) {
    const changes = history.changesOf(path).reduce((sum, age) => sum + worth(age), 0);
    found.scores.set(path, weight / (PRIOR + changes));
  }
  return found;
}

/** Files that changed together with one, what changes with it most first: how near, and in how many commits. */
export async function changedWith(context: Pick<Look, 'blobs' | 'cached'>, path: string) {
  const { scores, counts } = coChange(await changeHistory(context), { paths: [path] });
  return ranking(scores).map((other) => {
    const weight = Math.round((scores.get(other) ?? 0) * 1000) / 1000;
    return { path: other, commits: counts.get(other) ?? 0, weight };
  });
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

/** Parts of a path that say where tests lie, not what they test. */
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

/** The files of a project by how near they are to those that were asked for. */
export interface NearFiles {
  /** By path; the files asked for are not in it. */
  readonly scores: Scores;
  /** The tests among them alone, ranked among themselves. */
  readonly testScores: Scores;
  readonly links: CodeLinks;
  readonly callerTests: Awaited<ReturnType<typeof testsOfCallers>>;
  readonly texts: ProjectTexts;
  /** Whether something calls, extends or implements what is about to change: an id. */
  readonly isBroken: (id: string) => boolean;
  /** Why a file is near, in words. */
  readonly why: (path: string) => string;
  /** Whether anything but words and names says that a file is near. */
  readonly isJoined: (path: string) => boolean;
}

/** All evidence on what other files have to do with the files asked for. docs/internals/ranking.md says what each kind is worth. */
export async function nearFiles(context: Look, edited: EditedFiles): Promise<NearFiles> {
  const { paths, focus } = edited;
  const links = await codeLinks(context, edited);
  const graph = await nearInGraph(context, edited, links.files);
  const callerTests = await testsOfCallers(context, edited, links);
  const changes = coChange(await changeHistory(context), edited);
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
  // Each kind has one vote; memories, which are about few things, and names, which tell least, have half a vote.
  const evidence: Evidence[] = [
    { weight: 1, scores: graph },
    { weight: 1, scores: there(changes) },
    { weight: 1, scores: there(tasks) },
    { weight: 0.5, scores: there(memories) },
    { weight: 0.5, scores: names },
  ];
  const compared = [...ranking(blended(evidence)), ...ranking(names)];
  const texts = new ProjectTexts(context, paths, [...new Set(compared)].slice(0, MOST_TEXTS), focus);
  const words = texts.similar();
  evidence.push({ weight: 1, scores: words });
  const distinctive = new Set(ranking(words).slice(0, DISTINCTIVE_TEXTS));
  const joining = [graph, links.files, callerTests.files, changes.counts, tasks.counts, memories.counts];
  return {
    scores: blended(evidence),
    testScores: fused(
      evidence.map(({ scores, weight }) => ({
        scores: new Map([...scores].filter(([path]) => isTestPath(path))),
        weight,
      })),
      TEST_CONSTANT,
    ),
    ...{ links, callerTests, texts },
    isBroken: (id) =>
      (links.inFocus?.has(id) ?? true) && BREAKING.some((way) => links.ways.get(id)?.has(way)),
    isJoined: (path) => joining.some((one) => one.has(path)),
    why: (path) => {
      const [commits, shared] = [changes.counts.get(path), tasks.counts.get(path)];
      const reasons = [
        ...(links.ways.get(path) ?? []),
        callerTests.files.has(path) && 'exercises its caller',
        commits && `changed together in ${plural(commits, 'commit')}`,
        shared && `touched together in ${plural(shared, 'task')}`,
        memories.counts.has(path) && 'remembered with it',
        distinctive.has(path) && 'same words',
      ].filter((reason) => typeof reason === 'string');
      if (reasons.length > 0) return reasons.join(', ');
      return graph.has(path) ? 'a few dependencies away' : 'named alike';
    },
  };
}
