import { posix } from 'node:path';
import type { NodeRef, ReadContext } from '../../../runtime/index.js';
import {
  CodeSymbol,
  ExternalPackage,
  FileContainsSymbol,
  FileImportsPackage,
  fileId,
  parseId,
} from '../../../schema/index.js';
import type { ReachingFile } from './tests-reaching.js';

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
/** The manifest that names the runners of a file's tests. */
const MANIFESTS = { python: 'pyproject.toml', script: 'package.json' } as const;

type Look = Pick<ReadContext, 'q'>;
/** A key of a manifest, and the key with its value. */
type Key = readonly [key: string, value: string];

/** The shell commands that run files of tests, from the project's root; null where the runner is not known. */
export class TestCommands {
  readonly #context: Look;
  /** By the path of a manifest. */
  readonly #manifests = new Map<string, Promise<readonly Key[]>>();

  constructor(context: Look) {
    this.#context = context;
  }

  async of({ path, tests }: Pick<ReachingFile, 'path' | 'tests'>): Promise<string | null> {
    const isPython = /\.pyi?$/u.test(path);
    if (!isPython && !/\.[cm]?[jt]sx?$|\.vue$/u.test(path)) return null;
    const imported = await this.#context.q(fileId(path)).out(FileImportsPackage).of(ExternalPackage);
    const names = new Set(imported.map(({ name }) => name));
    const imports = ({ imported: module }: Runner) => names.has(module);
    if (isPython) {
      const [folder] = await this.#folderWith(path, MANIFESTS.python, PYTEST);
      // Test functions outside of classes are pytest's alone.
      const isPytest =
        imports(PYTEST) || folder !== undefined || tests.some(({ id }) => id.startsWith('fn:'));
      return isPytest ? line('', PYTEST, path) : imports(UNITTEST) ? line('', UNITTEST, path) : null;
    }
    const known = SCRIPT_RUNNERS.filter(imports);
    for (const runner of known.length > 0 ? known : SCRIPT_RUNNERS) {
      const [folder] = await this.#folderWith(path, MANIFESTS.script, runner);
      if (folder !== undefined || known.length > 0) return line(folder ?? '', runner, path);
    }
    return null;
  }

  /** The nearest folder around a file whose manifest names a runner. */
  async #folderWith(path: string, manifest: string, { uses }: Runner): Promise<string[]> {
    for (let folder = posix.dirname(path); ; folder = posix.dirname(folder)) {
      const keys = await this.#keysOf(posix.join(folder, manifest));
      if (keys.some(([key, value]) => uses(key, value))) return [folder === '.' ? '' : folder];
      if (folder === '.') return [];
    }
  }

  #keysOf(manifest: string): Promise<readonly Key[]> {
    const read = async () => {
      const symbols: NodeRef<typeof CodeSymbol>[] = await this.#context
        .q(fileId(manifest))
        .out(FileContainsSymbol)
        .of(CodeSymbol);
      return symbols.map(({ id, signature }): Key => [parseId(id)?.name ?? '', signature]);
    };
    const known = this.#manifests.get(manifest) ?? read();
    this.#manifests.set(manifest, known);
    return known;
  }
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
