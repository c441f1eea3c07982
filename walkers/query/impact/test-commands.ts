import { posix } from 'node:path';
import type { NodeRef, ReadContext } from '../../../runtime/index.js';
import {
  CodeSymbol,
  ExternalPackage,
  FileContainsSymbol,
  FileImportsPackage,
  fileId,
} from '../../../schema/index.js';
import type { ReachingFile } from './tests-reaching.js';

/** What runs the tests of a file. */
interface Runner {
  /** The module that its test files import. */
  readonly imported: RegExp;
  /** The key of a manifest, or the key with its value, that says that a project uses it. */
  readonly key: RegExp;
  readonly command: string;
}

const DEPENDENCY = '^(?:devD|peerD|optionalD|d)ependencies\\.';
/** Runners of scripts, the first that fits is taken. */
const SCRIPT_RUNNERS: readonly Runner[] = [
  { imported: /^vitest$/, key: new RegExp(`${DEPENDENCY}vitest$`), command: 'npx vitest run' },
  { imported: /^@jest\/globals$/, key: new RegExp(`${DEPENDENCY}jest$|^jest$`), command: 'npx jest' },
  { imported: /^mocha$/, key: new RegExp(`${DEPENDENCY}mocha$`), command: 'npx mocha' },
  { imported: /^bun:test$/, key: /^scripts\.\S+ .*\bbun test\b/, command: 'bun test' },
  { imported: /^(?:node:)?test$/, key: /^scripts\.\S+ .*\bnode\b.* --test\b/, command: 'node --test' },
];
const PYTEST: Runner = { imported: /^pytest$/, key: /\bpytest\b/, command: 'python -m pytest' };
const UNITTEST: Runner = { imported: /^unittest$/, key: /$^/, command: 'python -m unittest' };
/** The manifest that names the runners of a file's tests. */
const MANIFESTS = { python: 'pyproject.toml', script: 'package.json' } as const;

type Look = Pick<ReadContext, 'q'>;

/** The shell commands that run files of tests, from the project's root; null where the runner is not known. */
export class TestCommands {
  readonly #context: Look;
  /** By folder and name of a manifest, its keys, alone and with their values. */
  readonly #manifests = new Map<string, Promise<readonly string[]>>();

  constructor(context: Look) {
    this.#context = context;
  }

  async of({ path, tests }: Pick<ReachingFile, 'path' | 'tests'>): Promise<string | null> {
    const isPython = /\.pyi?$/u.test(path);
    if (!isPython && !/\.[cm]?[jt]sx?$|\.vue$/u.test(path)) return null;
    const imported = await this.#context.q(fileId(path)).out(FileImportsPackage).of(ExternalPackage);
    const imports = ({ imported: module }: Runner) => imported.some(({ name }) => module.test(name));
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
  async #folderWith(path: string, manifest: string, { key }: Runner): Promise<string[]> {
    for (let folder = posix.dirname(path); ; folder = posix.dirname(folder)) {
      const keys = await this.#keysOf(posix.join(folder, manifest));
      if (keys.some((one) => key.test(one))) return [folder === '.' ? '' : folder];
      if (folder === '.') return [];
    }
  }

  #keysOf(manifest: string): Promise<readonly string[]> {
    const read = async () => {
      const symbols: NodeRef<typeof CodeSymbol>[] = await this.#context
        .q(fileId(manifest))
        .out(FileContainsSymbol)
        .of(CodeSymbol);
      return symbols.flatMap(({ id, signature }) => [
        id.slice(id.indexOf(`${manifest}:`) + manifest.length + 1),
        signature.replace(/: /u, ' '),
      ]);
    };
    const known = this.#manifests.get(manifest) ?? read();
    this.#manifests.set(manifest, known);
    return known;
  }
}

function line(folder: string, { command }: Runner, path: string): string {
  const run = `${command} ${quoted(folder === '' ? path : posix.relative(folder, path))}`;
  return folder === '' ? run : `cd ${quoted(folder)} && ${run}`;
}

/** A path as a shell takes it as one word. */
function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/u.test(path) && !path.startsWith('-')
    ? path
    : `'${path.replaceAll("'", "'\\''")}'`;
}
