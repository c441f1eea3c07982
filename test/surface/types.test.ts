import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
let folder: string;

/** A project of somebody who has installed the package. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'codewalk-types-'));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(ROOT, join(folder, 'node_modules/codewalk'));
  for (const name of ['zod', '@types', 'undici-types'])
    symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  const compilerOptions = {
    target: 'es2023',
    lib: ['es2023', 'esnext.disposable'],
    module: 'nodenext',
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    // Ours too are checked: they are what users get.
    skipLibCheck: false,
    noEmit: true,
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What the compiler says of one file. */
function complaints(name: string, text: string): Promise<string> {
  const tsconfig = JSON.stringify({ extends: './tsconfig.json', files: [name] });
  writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, `tsconfig.${name}.json`), tsconfig);
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  return new Promise((done) => {
    execFile(process.execPath, [tsc, '-p', `tsconfig.${name}.json`], { cwd: folder }, (_, stdout) =>
      done(stdout),
    );
  });
}

const fixture = (name: string) => readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8');

describe('the types that are published', () => {
  it('know nodes, edges, walkers and their answers without a cast', async () => {
    expect(await complaints('use.ts', fixture('use.ts'))).toBe('');
  });

  it('refuse what would fail', async () => {
    expect(await complaints('misuse.ts', fixture('misuse.ts'))).toBe('');
  });

  it('fit what the README shows', async () => {
    const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
    const snippets = [...readme.matchAll(/^```js\n([\s\S]*?)^```$/gmu)].map(([, code]) => code ?? '');
    expect(snippets.length).toBeGreaterThan(0);
    for (const [at, code] of snippets.entries()) expect(await complaints(`readme-${at}.ts`, code)).toBe('');
  });
});
