import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A folder in which somebody has installed the package as `npm pack` makes it from what was built. */
class Installed {
  readonly folder = mkdtempSync(join(tmpdir(), 'codewalk-packed-'));

  constructor() {
    const modules = join(this.folder, 'node_modules');
    mkdirSync(modules);
    const made = execFileSync(
      'npm',
      ['pack', '--silent', '--ignore-scripts', '--pack-destination', this.folder],
      { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
    );
    const tarball = join(this.folder, made.trim().split('\n').at(-1) ?? '');
    mkdirSync(join(modules, 'codewalk'));
    execFileSync('tar', ['-xzf', tarball, '-C', join(modules, 'codewalk'), '--strip-components=1']);
    const manifest: { dependencies: object } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    for (const name of [...Object.keys(manifest.dependencies), '@types', 'undici-types']) {
      mkdirSync(dirname(join(modules, name)), { recursive: true });
      symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
    }
  }

  /** Runs a program of the folder's; what it printed. */
  run(args: readonly string[], env: NodeJS.ProcessEnv = {}): string {
    return execFileSync(process.execPath, args, {
      cwd: this.folder,
      env: { ...process.env, ...env },
      encoding: 'utf8',
    });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

const TSC = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));
const OPTIONS = {
  target: 'es2023',
  lib: ['es2023', 'esnext.disposable'],
  module: 'nodenext',
  types: ['node'],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  // Our declarations too are checked: they are what users get.
  skipLibCheck: false,
  noEmit: true,
};

/** What a strict compiler of a user's says of files of the folder: a line each, none when they fit. */
function complaints(folder: string, files: readonly string[]): string[] {
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: OPTIONS, files }));
  const { stdout } = spawnSync(process.execPath, [TSC, '-p', '.'], { cwd: folder, encoding: 'utf8' });
  return stdout.split('\n').filter((line) => line !== '');
}

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const PAGE = read('../../docs/reference/library.md');
const blocksOf = (text: string, language: string) =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gmu'))].map(
    ([, code]) => code ?? '',
  );
const README_SNIPPETS = blocksOf(read('../../README.md'), 'js');
const SNIPPETS = blocksOf(PAGE, 'js');

/** Runs every snippet with its own `console.log`, and prints what each of them logged. */
const RUNNER = `
import { format } from 'node:util';
const logged = [];
for (const file of process.argv.slice(2)) {
  const lines = [];
  console.log = (...told) => lines.push(...format(...told).split('\\n'));
  await import('./' + file);
  logged.push(lines);
}
process.stdout.write(JSON.stringify(logged));
`;

/** The package as users get it: packed and compiled against once for all. */
let installed: Installed;
/** What the compiler says, of all files at once. */
let said: string[];
const about = (file: string) => said.filter((line) => line.startsWith(file));

beforeAll(() => {
  installed = new Installed();
  const project = join(installed.folder, 'shop');
  for (const text of blocksOf(PAGE, 'py')) {
    const [, path = ''] = /^# (\S+)\n/u.exec(text) ?? [];
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text.slice(text.indexOf('\n') + 1));
  }
  const files = new Map(README_SNIPPETS.map((code, at) => [`readme-${at}.mts`, code]));
  for (const name of ['use', 'misuse', 'wrong']) files.set(`${name}.mts`, read(`fixtures/${name}.ts`));
  for (const [at, text] of SNIPPETS.entries())
    for (const ending of ['mjs', 'mts'])
      files.set(`library-${at}.${ending}`, text.replaceAll('/path/to/project', project));
  for (const [name, text] of files) writeFileSync(join(installed.folder, name), text);
  said = complaints(
    installed.folder,
    [...files.keys()].filter((name) => name.endsWith('.mts')),
  );
});
afterAll(() => installed.remove());

describe('docs/reference/library.md', () => {
  it('shows programs that run as they say, with the package as it is packed', () => {
    expect(SNIPPETS.length).toBeGreaterThan(5);
    writeFileSync(join(installed.folder, 'runner.mjs'), RUNNER);
    const files = SNIPPETS.map((_, at) => `library-${at}.mjs`);
    const env = { GRAPHS_HOME: join(installed.folder, 'graphs') };
    const logged: string[][] = JSON.parse(installed.run(['runner.mjs', ...files], env));
    for (const [at, text] of SNIPPETS.entries()) {
      const told = text.split('\n').flatMap((line) => (line.startsWith('// ') ? [line.slice(3)] : []));
      const shown = (logged[at] ?? []).filter((line) => told.includes(line));
      expect(shown, `snippet ${at}: ${logged[at]?.join('\n')}`).toEqual(told);
    }
    expect(existsSync(join(installed.folder, 'pack.json'))).toBe(true);
  });

  it('shows programs that the published types fit', () => {
    expect(about('library-')).toEqual([]);
  });
});

describe('the types that are published', () => {
  it('know nodes, edges, walkers and their answers without a cast', () => {
    expect(about('use.')).toEqual([]);
  });

  it('refuse what would fail', () => {
    expect(about('misuse.')).toEqual([]);
  });

  it('are checked: a mistake is found', () => {
    expect(about('wrong.').join('\n')).toContain('TS2322');
  });

  it('fit what the README shows', () => {
    expect(README_SNIPPETS.length).toBeGreaterThan(0);
    expect(about('readme-')).toEqual([]);
  });

  it('stand by themselves', () => {
    expect(said.filter((line) => !line.startsWith('wrong.'))).toEqual([]);
  });
});
