import { changeHistory } from '../../../../graphs/code/index.js';
import { compareText, type ReadContext } from '../../../../runtime/index.js';
import {
  File,
  FileDependsOnFile,
  fileId,
  MemoryAbout,
  parseId,
  StepInvokesTool,
  SymbolTestsSymbol,
  Task,
  TaskHasStep,
  ToolTouchesFile,
} from '../../../../schema/index.js';
import { blended, type Evidence, fused, ranking, type Scores, type Words } from '../../../../search/index.js';
import { isTestPath, languageOf } from '../../../../source/index.js';
import type { Focus } from '../focus.js';
import { type ChangedSymbols, changedSymbols, changedTogether } from './co-change.js';
import { CACHED_TEXTS } from './kept-texts.js';
import { type CodeLinks, codeLinks } from './links.js';
import { mirrorsIn, repeating } from './mirrors.js';
import { namedPath, nameNearness } from './names.js';
import { add } from './scores.js';
import { ProjectTexts, type TextPart } from './texts.js';

/** What of a step goes on to the neighbours; the rest starts over at the files asked for. */
const DAMPING = 0.6;
/** Steps of the walk. What is farther has 0.6⁴ of the weight and less. */
const STEPS = 4;
/** Neighbours whose own neighbours are looked at. */
const MOST_NEIGHBOURS = 60;
/** Dependencies and dependents of one file that are looked at: a hub leads everywhere, so nowhere. */
const MOST_DEPENDENTS = 200;

/**
 * How near files are in the code graph, by direct links and by a walk with restart from the files asked for, on the files' dependencies,
 * each edge divided by the roots of both its ends' degrees (the symmetric form of personalised PageRank; Zhou et al.,
 * "Learning with local and global consistency", 2004), so that a hub that everything uses is not near to everything.
 *
 * @param links Weights of the direct links from the files asked for, by path.
 */
async function walkedFiles(
  { q }: Pick<ReadContext, 'q'>,
  asked: readonly string[],
  links: Scores,
): Promise<{ walked: Scores; linked: Scores }> {
  const graph = new WeightedGraph();
  for (const path of asked)
    for (const [other, weight] of links) graph.join(path, other, Math.log2(1 + weight) / asked.length);
  for (const path of ranking(links).slice(0, MOST_NEIGHBOURS)) {
    const node = fileId(path);
    for (const hop of [q(node).out(FileDependsOnFile), q(node).in(FileDependsOnFile)])
      for (const { from, to, imports, calls } of await hop.slice(0, MOST_DEPENDENTS).edges()) {
        const other = parseId(from === node ? to : from)?.path ?? null;
        if (other === null || asked.includes(other)) continue;
        graph.join(path, other, Math.log2(1 + (imports ? 0.6 : 0) + calls));
      }
  }
  return { walked: graph.walked(asked), linked: damped(links, (path) => graph.neighbours(path)) };
}

/** Direct links, of which each further one adds less, and less still to a file that has much to do with many. */
function damped(links: Scores, neighbours: (path: string) => number): Scores {
  const dampedWeight = (path: string, weight: number) =>
    (1 + Math.log(1 + weight) / 2) / Math.log2(3 + neighbours(path));
  return new Map([...links].map(([path, weight]) => [path, dampedWeight(path, weight)]));
}

/** An undirected graph of files, in memory. */
class WeightedGraph {
  readonly #edges = new Map<string, Map<string, number>>();

  /** Two files are seen from both their sides: the weight of a pair is the largest that was told. */
  join(a: string, b: string, weight: number): void {
    this.#half(a, b, weight);
    this.#half(b, a, weight);
  }

  /** How many files a file has to do with, as far as it was looked at. */
  neighbours(path: string): number {
    return this.#edges.get(path)?.size ?? 0;
  }

  walked(from: readonly string[]): Map<string, number> {
    const degrees = new Map<string, number>();
    for (const [node, edges] of this.#edges)
      degrees.set(
        node,
        [...edges.values()].reduce((sum, weight) => sum + weight, 0),
      );
    const start = 1 / from.length;
    let now = new Map(from.map((path) => [path, start]));
    for (let step = 0; step < STEPS; step++) {
      const next = new Map(from.map((path) => [path, (1 - DAMPING) * start]));
      for (const [node, mass] of now)
        for (const [other, weight] of this.#edges.get(node) ?? []) {
          const both = Math.sqrt((degrees.get(node) ?? 1) * (degrees.get(other) ?? 1));
          next.set(other, (next.get(other) ?? 0) + (DAMPING * mass * weight) / both);
        }
      now = next;
    }
    for (const path of from) now.delete(path);
    return now;
  }

  #half(a: string, b: string, weight: number): void {
    const edges = this.#edges.get(a);
    if (edges) edges.set(b, Math.max(edges.get(b) ?? 0, weight));
    else this.#edges.set(a, new Map([[b, weight]]));
  }
}

/** Tasks that are looked at, the latest first. */
const MOST_TASKS = 50;

/** What an earlier task counts of the next one: the tenth last a third. */
const FADING = 0.9;

/** What reading a file says of what changing it says. */
const READ_SHARE = 0.5;

/** What earlier work says about other files. */
interface WorkedTogether {
  readonly scores: Map<string, number>;
  /** How many tasks touched a file together with one that was asked for, by path. */
  readonly tasks: Map<string, number>;
}

const MOST_MEMORIES = 500;

/** Callers whose tests are looked at, and tests of theirs: what everything calls, everything tests. */
const MOST_CALLERS = 100;

const MOST_TESTS = 500;

/** Tests that only reach the files asked for through what calls them. */
interface CallerTests {
  /** Weights of their files, by path. */
  readonly files: ReadonlyMap<string, number>;
  /** Weights of the tests, by id. */
  readonly cases: ReadonlyMap<string, number>;
}

/** The kinds of evidence. */
const KINDS = [
  'walked',
  'linked',
  'speaking',
  'similar',
  'history',
  'traces',
  'remembered',
  'names',
] as const;
type Kind = (typeof KINDS)[number];
type Kinds = Partial<Record<Kind, Scores>>;
/**
 * What each kind of evidence counts where all are added up: the code graph, the words, the history and earlier work
 * one vote each, of which two ways to measure one thing have half; memories, which are about few things, and names, which
 * tell least, half a vote.
 */
const WEIGHTS = {
  walked: 0.5,
  linked: 0.5,
  speaking: 0.5,
  similar: 0.5,
  history: 1,
  traces: 1,
  remembered: 0.5,
  names: 0.5,
} as const;
/** For tests: what one imports is often only what it needs to begin, so direct links have no vote of their own. */
const TEST_WEIGHTS = { ...WEIGHTS, walked: 1, linked: 0 } as const;
/** Few tests are of one file: what any kind of evidence puts first counts most. */
const TEST_CONSTANT = 5;
/** Files whose texts are compared: the nearest by every other evidence. In a small project that is all of them. */
const MOST_TEXTS = 300;
/** What a file counts that repeats one of another folder: there stands what is to be known. */
const REPEATED = 0.25;
/** Files of which it is worth saying that they speak of the same. */
const DISTINCTIVE_TEXTS = 10;

/** The files of a project by how near they are to those that were asked for. */
export interface FileNearness {
  /** By path; the files asked for are not in it. */
  readonly scores: Scores;
  /** The tests among them alone, ranked among themselves. */
  readonly testScores: Scores;
  readonly links: CodeLinks;
  readonly callerTests: CallerTests;
  readonly texts: ProjectTexts;
  /** How much symbols of other files changed together with them, by id. */
  readonly changedSymbols: (symbols: readonly TextPart[]) => ChangedSymbols;
  /** How much the files themselves changed together with them, by path. */
  readonly history: Scores;
  /** Why a file is near, in words. */
  readonly why: (path: string) => string;
  /** Whether anything but words and names says that a file is near. */
  readonly isJoined: (path: string) => boolean;
}

/**
 * All evidence that there is on what files have to do with the files asked for.
 *
 * @param asked Paths.
 * @param own The ids of their symbols.
 * @param focus What of them is about to change.
 */
export async function fileNearness(
  context: Pick<ReadContext, 'q' | 'findIds' | 'blobs' | 'projectRoot' | 'cached'>,
  asked: readonly string[],
  own: readonly string[],
  focus: Focus | null,
): Promise<FileNearness> {
  const links = await codeLinks(context, asked, own, focus);
  const { walked, linked } = await walkedFiles(context, asked, links.files);
  const callerTests = await testsOfCallers(context, asked, links);
  const changes = await changeHistory(context);
  const history = changedTogether(
    changes,
    asked,
    focus?.ranges.map((range, at) => ({ ...range, id: `${at}` })) ?? null,
  );
  const work = await workedTogether(context, asked);
  const remembered = await rememberedTogether(context, asked, own);
  const all = (await context.findIds(File)).map((id) => id.slice(fileId('').length));
  const names = similarlyNamed(asked, all, context.cached(CACHED_TEXTS).words);
  // Commits, tasks and memories also name files that are gone since.
  const known = new Set(all);
  const there = (scores: Scores) => new Map([...scores].filter(([path]) => known.has(path)));
  const before = {
    walked,
    linked,
    history: there(history.scores),
    traces: there(work.scores),
    remembered: there(remembered),
    names,
  };
  const repeats = repeating(mirrorsIn(all), asked);
  const nearest = ranking(blendedOnce(before, repeats));
  const compared = [...new Set([...nearest, ...ranking(names)])].slice(0, MOST_TEXTS);
  const texts = new ProjectTexts(context, asked, compared, focus);
  const speaking = texts.speakingOf();
  const kinds = { ...before, speaking, similar: texts.similar() };
  const distinctive = new Set(ranking(speaking).slice(0, DISTINCTIVE_TEXTS));
  const isJoined = (path: string): boolean =>
    [walked, links.files, callerTests.files, history.commits, work.tasks, remembered].some((one) =>
      one.has(path),
    );
  const why = (path: string): string => {
    const reasons = [...(links.ways.get(path) ?? [])];
    if (callerTests.files.has(path)) reasons.push('exercises its caller');
    reasons.push(...together('changed', history.commits.get(path), 'commit'));
    reasons.push(...together('touched', work.tasks.get(path), 'task'));
    if (remembered.has(path)) reasons.push('remembered with it');
    if (distinctive.has(path)) reasons.push('same words');
    if (reasons.length === 0) reasons.push(walked.has(path) ? 'a few dependencies away' : 'named alike');
    return reasons.join(', ');
  };
  return {
    scores: blendedOnce(kinds, repeats),
    testScores: fused(evidence(kinds, TEST_WEIGHTS, isTestPath), TEST_CONSTANT),
    links,
    callerTests,
    texts,
    history: before.history,
    changedSymbols: (symbols) => changedSymbols(changes, history, symbols),
    why,
    isJoined,
  };
}

/** All evidence added up, of which what repeats other files has little: it would stand beside each of them. */
function blendedOnce(kinds: Kinds, repeats: (path: string) => boolean): Scores {
  const scores = blended(evidence(kinds, WEIGHTS));
  for (const [path, score] of scores) if (repeats(path)) scores.set(path, REPEATED * score);
  return scores;
}

/** Kinds of evidence with what each counts, on the paths that are asked for. */
function evidence(
  kinds: Kinds,
  weights: Readonly<Record<Kind, number>>,
  asked: (path: string) => boolean = () => true,
): Evidence[] {
  return KINDS.flatMap((kind) => {
    const scores = kinds[kind];
    const weight = weights[kind];
    return scores ? [{ scores: new Map([...scores].filter(([path]) => asked(path))), weight }] : [];
  });
}

function together(what: string, count: number | undefined, where: string): string[] {
  return count === undefined ? [] : [`${what} together in ${count} ${where}${count === 1 ? '' : 's'}`];
}

/** Files whose paths are like those of the files asked for; only such as are modules of a language. */
function similarlyNamed(asked: readonly string[], all: readonly string[], words: Words): Scores {
  const wanted = asked.map((path) => namedPath(path, words));
  const scores = new Map<string, number>();
  for (const path of all) {
    if (asked.includes(path) || !languageOf(path)?.grammar) continue;
    const named = namedPath(path, words);
    scores.set(path, Math.max(...wanted.map((one) => nameNearness(one, named))));
  }
  return scores;
}

/** The tests of the callers of files, those left out that have to do with the files themselves. */
async function testsOfCallers(
  { q }: Pick<ReadContext, 'q'>,
  asked: readonly string[],
  links: CodeLinks,
): Promise<CallerTests> {
  const files = new Map<string, number>();
  const cases = new Map<string, number>();
  const all = [...links.callers].filter((id) => !isTestPath(parseId(id)?.path ?? ''));
  const intended = all.filter((id) => links.inFocus?.has(id));
  const callers = (intended.length > 0 ? intended : all).slice(0, MOST_CALLERS);
  if (callers.length === 0) return { files, cases };
  for (const { from, confidence } of await q(callers).in(SymbolTestsSymbol).slice(0, MOST_TESTS).edges()) {
    const path = parseId(from)?.path ?? null;
    if (path === null || asked.includes(path) || links.files.has(path)) continue;
    add(files, path, confidence);
    add(cases, from, confidence);
  }
  return { files, cases };
}

/**
 * Files that the same memories are about, themselves or by what is in them: the more a memory is about, the less it says
 * of each.
 *
 * @param own The ids of the files' symbols.
 */
async function rememberedTogether(
  { q }: Pick<ReadContext, 'q'>,
  asked: readonly string[],
  own: readonly string[],
): Promise<Scores> {
  const scores = new Map<string, number>();
  const memories = await q([...asked.map(fileId), ...own])
    .in(MemoryAbout)
    .slice(0, MOST_MEMORIES)
    .ids();
  const inside = new Set(asked);
  const about = new Map(memories.map((id) => [id, new Set<string>()]));
  for (const { from, to } of await q(memories).out(MemoryAbout).edges()) {
    const path = parseId(to)?.path ?? null;
    if (path !== null && !inside.has(path)) about.get(from)?.add(path);
  }
  for (const paths of about.values())
    for (const path of paths) add(scores, path, 1 / Math.log2(1 + paths.size));
  return scores;
}

/** Files that the same tasks touched: the latest tasks and those that touched few files count most. */
async function workedTogether(
  { q }: Pick<ReadContext, 'q'>,
  asked: readonly string[],
): Promise<WorkedTogether> {
  const found: WorkedTogether = { scores: new Map(), tasks: new Map() };
  const inside = new Set(asked);
  const tasks = await q(asked.map(fileId)).in(ToolTouchesFile).in(StepInvokesTool).in(TaskHasStep).of(Task);
  const latest = [...tasks].sort(
    (a, b) => compareText(b.created_at, a.created_at) || compareText(a.id, b.id),
  );
  for (const [age, task] of latest.slice(0, MOST_TASKS).entries()) {
    const uses = new Map<string, number>();
    for (const { to, use } of await q(task)
      .out(TaskHasStep)
      .out(StepInvokesTool)
      .out(ToolTouchesFile)
      .edges()) {
      const path = parseId(to)?.path ?? null;
      if (path === null || inside.has(path)) continue;
      uses.set(path, Math.max(uses.get(path) ?? 0, use === 'write' ? 1 : READ_SHARE));
    }
    for (const [path, share] of uses) {
      add(found.scores, path, (share * FADING ** age) / Math.log2(1 + uses.size));
      add(found.tasks, path, 1);
    }
  }
  return found;
}
