import { posix } from 'node:path';
import { z } from 'zod';
import { isNamed, qualifiedName, withinScope } from '../../graphs/code/index.js';
import { plural, quotedName, shownLine } from '../../present/index.js';
import type { ReadContext } from '../../runtime/index.js';
import {
  CodeSymbol,
  ExternalPackage,
  FileContainsSymbol,
  FileImportsPackage,
  fileId,
  parseId,
} from '../../schema/index.js';
import { defineQuery, type QueryOutput, queryFields, rowsField } from './answer.js';
import { subjectFields, subjectsOf, unchangedField } from './subjects.js';
import { memoized, type ReachingFile, testsOf } from './tests-reaching.js';

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
function testCommands({ q }: ReadContext) {
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
  return async ({ path, tests }: ReachingFile): Promise<string | null> => {
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
  // A path that begins with a dash would be an option of the runner.
  const run = `${command} ${quoted(file.startsWith('-') ? `./${file}` : file)}`;
  return folder === '' ? run : `cd ${quoted(folder)} && ${run}`;
}

/** A path as a shell takes it as one word. */
function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/u.test(path) && !path.startsWith('-')
    ? path
    : `'${path.replaceAll("'", "'\\''")}'`;
}

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
