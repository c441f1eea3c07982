import { execFile } from 'node:child_process';
import { readdir, readFile, rm } from 'node:fs/promises';
import { builtinModules, createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';

/**
 * Writes the package's `.d.ts` files: what `index.d.ts` reaches and nothing else.
 *
 * @returns what the compiler complained about; empty when nothing
 * @throws Error when a declaration names a package that users do not install
 */
export async function writeDeclarations(root) {
  const complaints = await compile(root);
  const types = join(root, 'dist/types');
  const { dependencies = {} } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const reached = await reachable(join(types, 'index.d.ts'), (file, specifier) => {
    if (specifier.startsWith('node:') || builtinModules.includes(specifier)) return;
    if (packageName(specifier) in dependencies) return;
    const where = relative(root, file);
    throw new Error(`${where} refers to '${specifier}', which is bundled: users of the types do not have it`);
  });
  for (const entry of await readdir(types, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (entry.isFile() && !reached.has(file)) await rm(file);
  }
  return complaints;
}

function compile(root) {
  const bin = join(
    dirname(createRequire(join(root, 'package.json')).resolve('typescript/package.json')),
    'bin/tsc',
  );
  return new Promise((done, fail) => {
    execFile(process.execPath, [bin, '-p', 'tsconfig.build.json'], { cwd: root }, (error, stdout) => {
      // Type errors do not keep people from running what works; `npm run check` and CI refuse them.
      if (error && typeof error.code !== 'number') fail(error);
      else done(stdout.trim());
    });
  });
}

async function reachable(entry, outside) {
  const reached = new Set();
  const queue = [entry];
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    for (const specifier of specifiersOf(await readFile(file, 'utf8'))) {
      if (specifier.startsWith('.')) queue.push(resolve(dirname(file), specifier.replace(/\.js$/u, '.d.ts')));
      else outside(file, specifier);
    }
  }
  return reached;
}

function specifiersOf(text) {
  const code = text.replace(/\/\*[\s\S]*?\*\//gu, '');
  return [...code.matchAll(/\b(?:from|import)(?:\s+|\()["']([^"'\s,]+)["']/gu)].map(
    ([, specifier]) => specifier,
  );
}

function packageName(specifier) {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}
