import { execFile } from 'node:child_process';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
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

/**
 * The declarations that an entry reaches. A file that only re-exports is followed, and rewritten, for the names that others
 * import from it: its other names may need types that users do not install.
 */
async function reachable(entry, outside) {
  const wanted = new Map([[entry, new Set(['*'])]]);
  const texts = new Map();
  const queue = [entry];
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (!texts.has(file)) texts.set(file, await readFile(file, 'utf8'));
    for (const { specifier, names } of importsOf(texts.get(file), wanted.get(file))) {
      if (!specifier.startsWith('.')) {
        outside(file, specifier);
        continue;
      }
      const target = resolve(dirname(file), specifier.replace(/\.js$/u, '.d.ts'));
      const known = wanted.get(target) ?? new Set();
      const isNew = names.filter((name) => !known.has(name)).length > 0 || !wanted.has(target);
      wanted.set(target, new Set([...known, ...names]));
      if (isNew) queue.push(target);
    }
  }
  for (const [file, text] of texts) {
    const names = wanted.get(file);
    if (!isBarrel(text) || names.has('*')) continue;
    const left = text.replace(REEXPORT, (line, list) => (wantedOf(list, names).length > 0 ? line : ''));
    await writeFile(file, left || 'export {};\n');
  }
  return wanted;
}

/** `export { a, type b as c } from './x.js';` or `export * from './x.js';`, with the list and the specifier. */
const REEXPORT = /^export (?:type )?(\*|\{[^}]*\}) from ['"]([^'"]+)['"];\n/gmu;

function isBarrel(text) {
  return text.replace(REEXPORT, '').trim() === '';
}

/** What a declaration imports: the specifier and the names, `*` for all. */
function importsOf(text, wanted) {
  if (isBarrel(text) && !wanted.has('*'))
    return [...text.matchAll(REEXPORT)].flatMap(([, list, specifier]) => {
      const names = wantedOf(list, wanted);
      return names.length > 0 ? [{ specifier, names }] : [];
    });
  const code = text.replace(/\/\*[\s\S]*?\*\//gu, '');
  const named = /(\{[^{}]*\})\s*from\s*["']([^"']+)["']/gu;
  const whole = /\b(?:from|import)(?:\s+|\()["']([^"'\s,]+)["']/gu;
  return [
    ...[...code.matchAll(named)].map(([, list, specifier]) => ({ specifier, names: namesOf(list) })),
    ...[...code.replace(named, '').matchAll(whole)].map(([, specifier]) => ({ specifier, names: ['*'] })),
  ];
}

/** The names in `{ a, type b as c }` as they are exported where they come from. */
function namesOf(list) {
  return [...list.matchAll(/(?:type\s+)?(\w+)(?:\s+as\s+\w+)?\s*[,}]/gu)].map(([, name]) => name);
}

/** The names of a re-export that are wanted, as they are exported where they come from. */
function wantedOf(list, wanted) {
  if (list === '*') return [...wanted];
  return [...list.matchAll(/(?:type\s+)?(\w+)(?:\s+as\s+(\w+))?\s*[,}]/gu)].flatMap(([, name, alias]) =>
    wanted.has(alias ?? name) ? [name] : [],
  );
}

function packageName(specifier) {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}
