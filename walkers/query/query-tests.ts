import { posix } from 'node:path';
import { z } from 'zod';
import {
  isConstructorId,
  isNamed,
  qualifiedName,
  SourceTexts,
  withinScope,
} from '../../graphs/code/index.js';
import { plural, quotedName, shownLine } from '../../present/index.js';
import { compareText, type ReadContext } from '../../runtime/index.js';
import {
  append,
  CodeSymbol,
  ExternalPackage,
  FileContainsSymbol,
  FileImportsPackage,
  fileId,
  parseId,
  SymbolContainsSymbol,
} from '../../schema/index.js';
import { isTestPath, languageOf, type TestRunner } from '../../source/index.js';
import { defineQuery, type QueryOutput, queryFields, rowsField } from './answer.js';
import { callsBetween } from './calls.js';
import { type Dependent, endedNotes, reachingCode } from './dependents.js';
import { overridingMembers } from './dispatch.js';
import { type Subjects, subjectFields, subjectsOf, unchangedField } from './subjects.js';

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

const MOST_NAMES = 3;

/** A file of tests that come to what was asked about. */
export const TestFileRow = z.object({
  file_path: z.string(),
  /** Calls from what is nearest in it, a test or a helper: 1 calls it itself, 0 was itself asked about. */
  distance: z.number().int(),
  /** It may as well not come there: it is far away, or not all on the way are calls that are made for sure. */
  may: z.literal(true).optional(),
  tests: z.array(z.object({ name: z.string(), line: z.number().int(), distance: z.number().int() })),
  /** How many of its tests come there. */
  test_count: z.number().int(),
  /** Qualified names from what is nearest in it to what was asked about. */
  path: z.array(z.string()).optional(),
  /** Runs the file, from the project's root; null where its runner is not known. */
  command: z.string().nullable(),
});
export type TestFileRow = z.infer<typeof TestFileRow>;

const results = {
  ...unchangedField,
  /** Nearest first. */
  tests: z.array(TestFileRow),
};
/** What `query_tests` answers. */
export type TestsOutput = QueryOutput<typeof results>;

/** The tests that come to a symbol, to what files define, or to what a change touches. */
export const QueryTests = defineQuery('query_tests', {
  description:
    'Find the tests that reach a symbol, files or what a git diff changed: nearest first, with the path of calls and the command to run them.',
  input: { ...subjectFields, limit: rowsField(), ...queryFields },
  results,
  examples: [
    { title: 'Tests of a method', input: { name: 'UserService.login' } },
    { title: 'Tests to run for a branch', input: { diff: 'main...HEAD' } },
  ],
  answer: async (state, context, page) => {
    const subjects = await subjectsOf(context, state);
    const { files: all, notes } = await testsOf(context, subjects);
    const isWithin = await withinScope(context, state.scope);
    const files = all.filter(({ path }) => isWithin({ qualified_name: '', path }));
    return {
      query: `Tests that reach ${subjects.said}`,
      noun: ['test file', 'test files'],
      rows: await testRows(context, page.of(files)),
      total: files.length,
      narrower: '`scope` narrows them',
      less: [{ of: 'results.*', field: 'path', what: 'Paths of calls' }],
      make: (tests: readonly TestFileRow[]) => ({ ...subjects.unchanged, tests: [...tests] }),
      notes: [...subjects.notes, ...notes],
      outside: all.length - files.length,
    };
  },
  markdown: ({ results: { tests, unchanged } }) =>
    unchanged
      ? `${shownLine(unchanged, 200)}\n`
      : { count: ['file', 'files'], blocks: [tests.flatMap(testLines)] },
});

/** The rows of files of tests, in their order. */
export async function testRows(context: ReadContext, files: readonly ReachingFile[]): Promise<TestFileRow[]> {
  const ids = files.flatMap(({ way, tests }) => [...way, ...tests.slice(0, MOST_NAMES).map(({ id }) => id)]);
  const found = (await context.nodes([...new Set(ids)])).filter((node) => node !== undefined).filter(isNamed);
  const nodes = new Map(found.map((node) => [node.id, node]));
  const commandOf = testCommands(context);
  const rows: TestFileRow[] = [];
  for (const file of files) {
    const { path: file_path, distance, may, tests, way } = file;
    rows.push({
      file_path,
      distance,
      ...(may ? { may } : {}),
      tests: tests.slice(0, MOST_NAMES).flatMap(({ id, distance }) => {
        const node = nodes.get(id);
        return node && 'start_line' in node ? [{ name: node.name, line: node.start_line, distance }] : [];
      }),
      test_count: tests.length,
      path: way.map((id) => {
        const node = nodes.get(id);
        return node ? qualifiedName(node) : id;
      }),
      command: await commandOf(file),
    });
  }
  return rows;
}

/** A file of tests as lines: the file, why it is named, and how to run it. */
export function testLines({
  file_path,
  distance,
  may,
  tests,
  test_count,
  path,
  command,
}: TestFileRow): string[] {
  const [, by] = path ?? [];
  const way =
    distance <= 1
      ? ''
      : `, ${plural(distance, 'call')} away${by === undefined ? '' : ` by ${quotedName(by)}`}`;
  const names = tests.map(({ name, line }) => `${quotedName(name)} (${line})`).join(', ');
  const more = test_count > tests.length ? ` and ${test_count - tests.length} more` : '';
  return [
    `- ${shownLine(file_path, 200)}${may ? ', may reach it' : ''}${way}${names === '' ? '' : `: ${names}${more}`}`,
    ...(command === null ? [] : [`  ${quotedName(command, 300)}`]),
  ];
}

/** A file of tests that come to what was asked about. */
interface ReachingFile {
  readonly path: string;
  /** Of its nearest test, or of what else in it comes there. */
  readonly distance: number;
  /**
   * Whether it may as well not come there: it is far away for so few tests, what leads there is not a call alone, a call
   * may stand in a branch, or what they call is overridden.
   */
  readonly may: boolean;
  /** Nearest first; none where only what stands outside of its tests is known to come there. Distance 1: it calls it itself; 0: it is what was asked about. */
  readonly tests: readonly { readonly id: string; readonly distance: number }[];
  /** Ids of the calls from there to what was asked about, which is last. */
  readonly way: readonly string[];
}

interface Reaching {
  readonly files: readonly ReachingFile[];
  readonly notes: readonly string[];
}

/** The files of tests that come to a subject, or to what still uses what is gone of it: those that surely do first, then those of the nearest tests, of the most. */
export async function testsOf(context: ReadContext, { starts, uses }: Subjects): Promise<Reaching> {
  const all = [...starts, ...uses.users.keys(), ...uses.importers.keys()];
  const near = await filesReaching(context, all, false);
  if (near.files.length >= ENOUGH) return near;
  const { files, notes } = await filesReaching(context, all, true);
  const known = new Set(near.files.map(({ path }) => path));
  const more = files.filter(({ path }) => !known.has(path));
  return { files: [...near.files, ...more].sort(byLikelihood), notes };
}

function byLikelihood(a: ReachingFile, b: ReachingFile): number {
  return (
    Number(a.may) - Number(b.may) ||
    a.distance - b.distance ||
    b.tests.length - a.tests.length ||
    compareText(a.path, b.path)
  );
}

async function filesReaching(
  context: ReadContext,
  starts: readonly string[],
  isWide: boolean,
): Promise<Reaching> {
  const reached = await reachingCode(context, starts, FARTHEST, isWide);
  const own = new Set(starts);
  const all = [...new Set([...own, ...reached.ids])].map((id) => ({ id, path: parseId(id)?.path ?? '' }));
  const possible = all.filter(({ path }) => isTestPath(path) || languageOf(path)?.inlineTests);
  const nodes = await context.nodesOf(
    CodeSymbol,
    possible.map(({ id }) => id),
  );
  const tests = new Set(nodes.flatMap((node) => (!node.gone && node.kind === 'test' ? [node.id] : [])));
  const ids = possible.flatMap(({ id, path }) => (isTestPath(path) || tests.has(id) ? [id] : []));
  const places = new Map<string, { id: string; distance: number }[]>();
  for (const id of ids)
    append(places, parseId(id)?.path ?? '', { id, distance: own.has(id) ? 0 : (reached.distance(id) ?? 0) });
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
  const surelyMade = callCheck(context);
  const files: ReachingFile[] = [];
  let checks = 0;
  for (const { hops, ...file } of candidates.sort(byLikelihood)) {
    const isSure =
      !file.may &&
      !hops.some(({ from }) => over.has(from)) &&
      (file.distance <= 1 || checks++ < MOST_CHECKED) &&
      (await every(hops, surelyMade));
    files.push({ ...file, may: !isSure });
  }
  return { files: files.sort(byLikelihood), notes: endedNotes(reached, 'what runs them') };
}

async function every<T>(items: readonly T[], holds: (item: T) => Promise<boolean>): Promise<boolean> {
  for (const item of items) if (!(await holds(item))) return false;
  return true;
}

async function holdsTests({ q }: Pick<ReadContext, 'q'>, path: string): Promise<boolean> {
  const symbols = await q(fileId(path)).out(FileContainsSymbol).of(CodeSymbol);
  return symbols.some(({ kind }) => kind === 'test');
}

/** A function whose answers are stored by their keys. */
function memoized<T>(read: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const known = new Map<string, Promise<T>>();
  return (key) => {
    const answer = known.get(key) ?? read(key);
    known.set(key, answer);
    return answer;
  };
}

/**
 * Whether a call outside of tests stands in the first level of its function's text, in a line without a branch: a deeper
 * one may be in a branch. False where the text is not what was indexed.
 */
function callCheck(context: ReadContext): (hop: Dependent) => Promise<boolean> {
  const texts = new SourceTexts(context);
  const check = memoized(async (key) => {
    const [from = '', to = ''] = key.split('\n');
    const path = parseId(to)?.path ?? '';
    if (isTestPath(path)) return true;
    const [caller] = await context.nodesOf(CodeSymbol, [to]);
    // What has become a link out of the project since is reported where files are compared, not here.
    const lines = await texts.linesOf(path).catch(() => null);
    const calls = await callsBetween(context, [to], new Set([from]));
    if (!caller || caller.gone || !lines) return false;
    const depth = (line: number) => lines[line - 1]?.search(/\S/u) ?? -1;
    const head = depth(caller.name_line ?? caller.start_line);
    let body = Number.POSITIVE_INFINITY;
    for (let line = caller.start_line; line <= caller.end_line; line++)
      if (depth(line) > head) body = Math.min(body, depth(line));
    const isPlain = (line: number) => depth(line) <= body && !BRANCH.test(lines[line - 1] ?? '');
    return calls.some(({ evidence }) => evidence.some(({ line }) => isPlain(line)));
  });
  return ({ from, to }) => check(`${from}\n${to}`);
}

/** Who makes instances of classes: a method runs only where there is one. */
class Instances {
  constructor(private readonly context: ReadContext) {}

  /** By class, the paths from which an instance of it, or of a class derived from it, is made. */
  readonly #pathsOf = memoized(async (one): Promise<ReadonlySet<string>> => {
    const inside = await this.context.q(one).out(SymbolContainsSymbol).ids();
    const starts = [one, ...inside.filter(isConstructorId)];
    const { ids } = await reachingCode(this.context, starts, FARTHEST + 2);
    return new Set(ids.flatMap((id) => parseId(id)?.path ?? []));
  });

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
}

/** What runs the tests of a file. */
interface Runner {
  /** The module that its test files import. */
  readonly imported: string;
  /** Whether a manifest says by a key that a project uses it. @param value The key with its value. */
  uses(key: string, value: string): boolean;
  readonly command: string;
}

const needs = (name: string) => (key: string) =>
  /^(?:\w+D|d)ependencies\./u.test(key) && key.endsWith(`.${name}`);
const scriptSays = (words: string) => (key: string, value: string) =>
  key.startsWith('scripts.') && value.includes(words);
/** Runners of scripts, the first that fits is taken. */
const SCRIPT_RUNNERS: readonly Runner[] = [
  { imported: 'vitest', uses: needs('vitest'), command: 'npx vitest run' },
  { imported: '@jest/globals', uses: needs('jest'), command: 'npx jest' },
  { imported: 'mocha', uses: needs('mocha'), command: 'npx mocha' },
  { imported: 'bun:test', uses: scriptSays('bun test'), command: 'bun test' },
  { imported: 'node:test', uses: scriptSays('node --test'), command: 'node --test' },
];
const PYTEST: Runner = {
  imported: 'pytest',
  uses: (key) => key.includes('pytest'),
  command: 'python -m pytest',
};
const UNITTEST: Runner = { imported: 'unittest', uses: () => false, command: 'python -m unittest' };
/** Makes the shell command that runs a file of tests, from the project's root; null where the runner is not known. */
function testCommands({ q, nodes }: ReadContext) {
  /** The keys of a manifest, each with its value. */
  const keysOf = memoized(async (manifest) => {
    const symbols = await q(fileId(manifest)).out(FileContainsSymbol).of(CodeSymbol);
    return symbols.map(({ id, signature }) => [parseId(id)?.name ?? '', signature] as const);
  });
  /** The nearest folder around a file whose manifest names a runner; null: none does. */
  const folderWith = async (path: string, manifest: string, { uses }: Runner): Promise<string | null> => {
    for (let folder = posix.dirname(path); ; folder = posix.dirname(folder)) {
      const keys = await keysOf(posix.join(folder, manifest));
      if (keys.some(([key, value]) => uses(key, value))) return folder === '.' ? '' : folder;
      if (folder === '.') return null;
    }
  };
  /** By the nearest manifest that a runner of the file's language works by. */
  const byManifest = async ({ path, tests }: ReachingFile, runners: readonly TestRunner[]) => {
    for (const { manifest, command } of runners) {
      const folders = foldersAround(path);
      const found = await nodes(folders.map((folder) => fileId(posix.join(folder, manifest))));
      const folder = folders[found.findIndex((node) => node !== undefined)];
      if (folder === undefined) continue;
      const names = tests.map(({ id }) => parseId(id)?.name ?? '');
      return inFolder(folder, command(posix.relative(folder, path), names).map(quoted).join(' '));
    }
    return null;
  };
  return async (file: ReachingFile): Promise<string | null> => {
    const { path, tests } = file;
    const runners = languageOf(path)?.testRunners;
    if (runners) return byManifest(file, runners);
    const isPython = /\.pyi?$/u.test(path);
    if (!isPython && !/\.[cm]?[jt]sx?$|\.vue$/u.test(path)) return null;
    const imported = await q(fileId(path)).out(FileImportsPackage).of(ExternalPackage);
    const names = new Set(imported.map(({ name }) => name));
    const imports = ({ imported: module }: Runner) => names.has(module);
    if (isPython) {
      const isNamed = (await folderWith(path, 'pyproject.toml', PYTEST)) !== null;
      // Test functions outside of classes are pytest's alone.
      const isPytest = imports(PYTEST) || isNamed || tests.some(({ id }) => id.startsWith('fn:'));
      return isPytest ? line('', PYTEST, path) : imports(UNITTEST) ? line('', UNITTEST, path) : null;
    }
    const known = SCRIPT_RUNNERS.filter(imports);
    for (const runner of known.length > 0 ? known : SCRIPT_RUNNERS) {
      const folder = await folderWith(path, 'package.json', runner);
      if (folder !== null || known.length > 0) return line(folder ?? '', runner, path);
    }
    return null;
  };
}

function line(folder: string, { command }: Runner, path: string): string {
  const file = folder === '' ? path : posix.relative(folder, path);
  return inFolder(folder, `${command} ${quoted(plainPath(file))}`);
}

/** A path that begins with a dash would be an option. */
function plainPath(path: string): string {
  return path.startsWith('-') ? `./${path}` : path;
}

function inFolder(folder: string, run: string): string {
  return folder === '' ? run : `cd ${quoted(plainPath(folder))} && ${run}`;
}

/** The folders that a file is in, the nearest first, the root ('') last. */
function foldersAround(path: string): string[] {
  const folders: string[] = [];
  for (let folder = posix.dirname(path); folder !== '.'; folder = posix.dirname(folder)) folders.push(folder);
  return [...folders, ''];
}

/** A text as a shell takes it as one word. */
function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/u.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
