import { SourceTexts } from '../../../graphs/code/index.js';
import { compareText, type Reached, type ReadContext } from '../../../runtime/index.js';
import {
  append,
  CodeSymbol,
  FileContainsSymbol,
  fileId,
  LIMITS,
  parseId,
  SymbolContainsSymbol,
} from '../../../schema/index.js';
import { isTestPath } from '../../../source/index.js';
import { isConstructorId } from '../../constructors.js';
import { callsBetween } from '../parts/calls.js';
import { overridingMembers } from '../parts/dispatch.js';
import { type Dependent, reachingCode } from './dependents.js';
import type { Subjects } from './subjects.js';

/** Calls that a search for tests goes at most. */
const FARTHEST = 10;
/** Calls up to which a test surely comes to what it leads to (bench/tests-reached.mjs prints the share that does). */
const SURE = 2;
/** Tests of a file of which one takes the way to what it leads to, where none calls it itself. */
const ENOUGH_TESTS = 4;
/** Files that are looked at for calls that stand in branches: their source texts are read. */
const MOST_CHECKED = 50;
/** What may keep a call from being made that stands in the same line. */
const BRANCH = /\b(?:if|else|elif|case|default|for|while|except|catch|lambda)\b|\?|&&|\|\||=>/;
/** From here on a method counts only where somebody makes an instance of its class. */
const NEEDS_INSTANCE = 3;

/** Fewer files than these are joined by those that only have an instance of the class: it may be used in other ways. */
const ENOUGH = 10;

/** A test that comes to what was asked about. */
export interface ReachingTest {
  readonly id: string;
  /** 1: it calls it itself; 0: it is what was asked about. */
  readonly distance: number;
}

/** A file of such tests. */
export interface ReachingFile {
  readonly path: string;
  /** Of its nearest test, or of what else in it comes there. */
  readonly distance: number;
  /**
   * Whether it may as well not come there: it is far away for so few tests, what leads there is not a call alone, a call
   * may stand in a branch, or what they call is overridden.
   */
  readonly may: boolean;
  /** Nearest first; none where only what stands outside of its tests is known to come there. */
  readonly tests: readonly ReachingTest[];
  /** Ids of the calls from there to what was asked about, which is last. */
  readonly way: readonly string[];
}

/**
 * The files of tests that come to some symbols: those that surely do first, then those of the nearest tests, of the most.
 *
 * @param starts Ids. A test among them comes to itself.
 * @param most The largest distance. Default: as far as a test says anything of a symbol.
 */
export async function testsReaching(
  context: ReadContext,
  starts: readonly string[],
  most = FARTHEST,
): Promise<Reaching> {
  const near = await filesReaching(context, starts, most, false);
  if (near.files.length >= ENOUGH || most < FARTHEST) return near;
  const { files, notes } = await filesReaching(context, starts, most, true);
  const known = new Set(near.files.map(({ path }) => path));
  const more = files.filter(({ path }) => !known.has(path));
  return { files: [...near.files, ...more].sort(byLikelihood), notes };
}

/** The files of tests that come to a subject, or to what still uses what is gone of it. */
export function testsOf(context: ReadContext, { starts, uses }: Subjects): Promise<Reaching> {
  return testsReaching(context, [...starts, ...uses.users.keys(), ...uses.importers.keys()]);
}

function byLikelihood(a: ReachingFile, b: ReachingFile): number {
  return (
    Number(a.may) - Number(b.may) ||
    a.distance - b.distance ||
    b.tests.length - a.tests.length ||
    compareText(a.path, b.path)
  );
}

interface Reaching {
  readonly files: readonly ReachingFile[];
  readonly notes: readonly string[];
}

async function filesReaching(
  context: ReadContext,
  starts: readonly string[],
  maxDepth: number,
  isWide: boolean,
): Promise<Reaching> {
  const reached = await reachingCode(context, starts, { maxDepth, maxNodes: LIMITS.impactNodes.max }, isWide);
  const own = new Set(starts);
  const ids = [...own, ...reached.ids.filter((id) => !own.has(id))].filter((id) =>
    isTestPath(parseId(id)?.path ?? ''),
  );
  const nodes = await context.nodesOf(CodeSymbol, ids);
  const tests = new Set(nodes.flatMap((node) => (!node.gone && node.kind === 'test' ? [node.id] : [])));
  const places = new Map<string, ReachingTest[]>();
  for (const id of ids) {
    const path = parseId(id)?.path ?? '';
    const found = { id, distance: own.has(id) ? 0 : (reached.distance(id) ?? 0) };
    append(places, path, found);
  }
  const made = new Instances(context);
  const owners = await made.classesOf(starts);
  const candidates: (ReachingFile & { readonly hops: readonly Dependent[] })[] = [];
  for (const [path, all] of places) {
    const [nearest] = all;
    const named = all.filter(({ id }) => tests.has(id));
    // Helpers and fixtures have files of their own, which no runner takes.
    if (!nearest || (named.length === 0 && !(await holdsTests(context, path)))) continue;
    const { distance } = nearest;
    const ofTest = reached.path(named[0]?.id ?? nearest.id);
    const hops = ofTest.flatMap((id) => (own.has(id) ? [] : (reached.hop(id) ?? [])));
    const through = await made.classesOf(hops.flatMap(({ from, may }) => (may ? [from] : [])));
    const needed = [through, ...(distance >= NEEDS_INSTANCE ? [owners] : [])];
    if (!(await every(needed, async (classes) => classes === null || made.in(classes, path)))) continue;
    const near = named.filter((one) => one.distance <= SURE);
    const isNear = distance <= 1 || (distance <= SURE && near.length >= ENOUGH_TESTS);
    const may = !isNear || hops.some((hop) => hop.may || hop.relation === 'use');
    candidates.push({ path, distance, may, tests: named, way: reached.path(nearest.id), hops });
  }
  // What overrides a member may run in its place.
  const called = candidates.flatMap(({ may, hops }) => (may ? [] : hops.map(({ from }) => from)));
  const over = await overridingMembers(context, [...new Set(called)]);
  const calls = new Calls(context);
  const files: ReachingFile[] = [];
  let checks = 0;
  for (const { hops, ...file } of candidates.sort(byLikelihood)) {
    const isSure =
      !file.may &&
      !hops.some(({ from }) => over.has(from)) &&
      (file.distance <= 1 || checks++ < MOST_CHECKED) &&
      (await every(hops, calls.surelyMade));
    files.push({ ...file, may: !isSure });
  }
  files.sort(byLikelihood);
  return { files, notes: endedNotes(reached, 'what runs them') };
}

/** Says that a search was ended, where it was. @param what It searched for. */
export function endedNotes(reached: Reached, what: string): string[] {
  return reached.truncated
    ? [
        `The search for ${what} ended after ${LIMITS.impactNodes.max.toLocaleString('en')} symbols: there are more.`,
      ]
    : [];
}

async function every<T>(items: readonly T[], holds: (item: T) => Promise<boolean>): Promise<boolean> {
  for (const item of items) if (!(await holds(item))) return false;
  return true;
}

/** Whether functions make calls whenever they run. */
class Calls {
  readonly #known = new Map<string, Promise<boolean>>();
  readonly #texts: SourceTexts;

  constructor(private readonly context: ReadContext) {
    this.#texts = new SourceTexts(context);
  }

  /**
   * Whether a call outside of tests stands in the first level of its function's text, in a line without a branch: a deeper
   * one may be in a branch. False where the text is not what was indexed.
   */
  readonly surelyMade = ({ from, to }: Dependent): Promise<boolean> => {
    const read = async () => {
      const path = parseId(to)?.path ?? '';
      if (isTestPath(path)) return true;
      const [caller] = await this.context.nodesOf(CodeSymbol, [to]);
      // What has become a link out of the project since is told of where files are compared, not here.
      const lines = await this.#texts.linesOf(path).catch(() => null);
      const calls = await callsBetween(this.context, [to], new Set([from]));
      if (!caller || caller.gone || !lines) return false;
      const depth = (line: number) => lines[line - 1]?.search(/\S/u) ?? -1;
      const head = depth(caller.name_line ?? caller.start_line);
      let body = Number.POSITIVE_INFINITY;
      for (let line = caller.start_line; line <= caller.end_line; line++)
        if (depth(line) > head) body = Math.min(body, depth(line));
      const isPlain = (line: number) => depth(line) <= body && !BRANCH.test(lines[line - 1] ?? '');
      return calls.some(({ evidence }) => evidence.some(({ line }) => isPlain(line)));
    };
    const key = `${from} ${to}`;
    const known = this.#known.get(key) ?? read();
    this.#known.set(key, known);
    return known;
  };
}

/** Who makes instances of classes: a method runs only where there is one. */
class Instances {
  /** By class, the paths from which an instance of it, or of a class derived from it, is made. */
  readonly #paths = new Map<string, Promise<ReadonlySet<string>>>();

  constructor(private readonly context: ReadContext) {}

  /** The classes that some methods need an instance of; null where one of them needs none. */
  async classesOf(ids: readonly string[]): Promise<readonly string[] | null> {
    const symbols = await this.context.nodesOf(CodeSymbol, ids);
    const around = await this.context.entries(ids, 'in', SymbolContainsSymbol);
    const classes = new Set<string>();
    const asked = new Set(ids);
    for (const [at, node] of symbols.entries()) {
      const owner = around[at]?.[0]?.far ?? '';
      // What a method encloses runs with it.
      if (asked.has(owner)) continue;
      const isStatic =
        node.gone ||
        /^(?:\w+ )*static /u.test(node.signature) ||
        node.decorators.some((one) => /^(?:static|class)method$/u.test(one));
      if (isStatic || parseId(owner)?.form !== 'cls') return null;
      classes.add(owner);
    }
    return [...classes];
  }

  /** Whether a file makes an instance of one of some classes, itself or by what it calls. */
  async in(classes: readonly string[], path: string): Promise<boolean> {
    for (const one of classes) if ((await this.#pathsOf(one)).has(path)) return true;
    return classes.length === 0;
  }

  #pathsOf(one: string): Promise<ReadonlySet<string>> {
    const read = async () => {
      const inside = await this.context.q(one).out(SymbolContainsSymbol).ids();
      const starts = [one, ...inside.filter(isConstructorId)];
      const reached = await reachingCode(this.context, starts, {
        maxDepth: FARTHEST + 2,
        maxNodes: LIMITS.impactNodes.max,
      });
      return new Set(reached.ids.flatMap((id) => parseId(id)?.path ?? []));
    };
    const known = this.#paths.get(one) ?? read();
    this.#paths.set(one, known);
    return known;
  }
}

async function holdsTests({ q }: Pick<ReadContext, 'q'>, path: string): Promise<boolean> {
  const symbols = await q(fileId(path)).out(FileContainsSymbol).of(CodeSymbol);
  return symbols.some(({ kind }) => kind === 'test');
}
