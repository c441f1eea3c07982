import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { chmod, copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { bundles } from './bundles.mjs';
import { writeDeclarations } from './declarations.mjs';
import { sourceHash } from './sources.mjs';

/** The repository that this script builds. */
export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

const DIST = join(ROOT, 'dist');
const STAMP = join(DIST, '.stamp');

/** Grammars that `@vscode/tree-sitter-wasm` has not: `source/parser.ts` finds them in `dist/grammars/`, compressed. */
const GRAMMARS = [
  '@repomix/tree-sitter-wasms/out/tree-sitter-c.wasm',
  '@repomix/tree-sitter-wasms/out/tree-sitter-dart.wasm',
  '@repomix/tree-sitter-wasms/out/tree-sitter-swift.wasm',
  '@tree-sitter-grammars/tree-sitter-kotlin/tree-sitter-kotlin.wasm',
  '@tree-sitter-grammars/tree-sitter-lua/tree-sitter-lua.wasm',
  'tree-sitter-scala/tree-sitter-scala.wasm',
].map((path) => join('node_modules', path));

/** What is in which file of `dist/`: `test/scripts/start-up.test.ts` looks at what a start loads. */
const OUTPUTS = join(DIST, '.outputs.json');

/** Whether `dist/` is what the sources of now would give. */
export function isBuilt() {
  return existsSync(STAMP) && readFileSync(STAMP, 'utf8') === sourceHash(ROOT);
}

/**
 * Makes `dist/` from the sources.
 *
 * @returns the compiler's complaints about types; empty when there are none
 * @throws Error with code `ERR_MODULE_NOT_FOUND` when the development dependencies are not installed
 */
export async function build() {
  const { build: bundle } = await import('esbuild');
  const hash = sourceHash(ROOT);
  await rm(DIST, { recursive: true, force: true });
  await mkdir(DIST, { recursive: true });
  const all = bundles(ROOT);
  const program = join(ROOT, all.manifest.outfile);
  const [complaints, ...built] = await Promise.all([
    writeDeclarations(ROOT),
    ...Object.values(all).map((options) => bundle(options)),
  ]);
  // What thin clients know of the walkers without loading them.
  await promisify(execFile)(process.execPath, [program, DIST]);
  await rm(program);
  await makeExecutable(join(DIST, 'cli.js'));
  await copyFile(join(ROOT, 'host/journal/record.sh'), join(DIST, 'record.sh'));
  await chmod(join(DIST, 'record.sh'), 0o755);
  const inputs = Object.assign({}, ...built.map(({ metafile }) => metafile.inputs));
  const outputs = Object.assign({}, ...built.map(({ metafile }) => metafile.outputs));
  await writeFile(OUTPUTS, JSON.stringify(outputs));
  await copyPage(join(ROOT, 'web/page'), join(DIST, 'web'));
  await mkdir(join(DIST, 'grammars'));
  for (const path of GRAMMARS) {
    if (!existsSync(join(ROOT, path)))
      throw Object.assign(new Error(`${path} is missing`), { code: 'ERR_MODULE_NOT_FOUND' });
    const bytes = await promisify(brotliCompress)(await readFile(join(ROOT, path)), {
      params: { [constants.BROTLI_PARAM_QUALITY]: 6 },
    });
    await writeFile(join(DIST, 'grammars', `${basename(path)}.br`), bytes);
  }
  await writeFile(join(DIST, 'licenses.txt'), await noticesOf(ROOT, [...Object.keys(inputs), ...GRAMMARS]));
  await writeFile(STAMP, hash);
  return complaints;
}

/** Copies what of the page is no program. Browsers may store its files: their addresses say what is in them. */
async function copyPage(from, to) {
  const page = await readFile(join(from, 'index.html'), 'utf8');
  const named = page.replace(/(?<=(?:src|href)=")(app\.(?:js|css))(?=")/gu, (name) => {
    const hash = createHash('sha256')
      .update(readFileSync(join(to, name)))
      .digest('hex');
    return `${name}?v=${hash.slice(0, 12)}`;
  });
  await writeFile(join(to, 'index.html'), named);
  await copyFile(join(from, 'icon.svg'), join(to, 'icon.svg'));
}

async function makeExecutable(file) {
  const code = (await readFile(file, 'utf8')).replace(/^#!.*\n/u, '');
  await writeFile(file, `#!/usr/bin/env node\n${code}`);
  await chmod(file, 0o755);
}

/**
 * The licences of the packages that `dist/` holds, as one text: their authors ask that it goes along.
 *
 * @param inputs the files that were bundled or copied, relative to the root
 */
async function noticesOf(root, inputs) {
  const folders = inputs.map((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/u.exec(path)?.[0]);
  const packages = [...new Set(folders.filter((folder) => folder !== undefined))].sort();
  const notices = await Promise.all(packages.map((folder) => noticeOf(join(root, folder))));
  return `Codewalk holds these packages.\n\n${notices.join('\n\n')}\n`;
}

async function noticeOf(folder) {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const file = (await readdir(folder)).find((entry) => /^licen[cs]e/iu.test(entry));
  const text = file === undefined ? '' : `\n\n${(await readFile(join(folder, file), 'utf8')).trim()}`;
  return `## ${name} ${version} (${license})${text}`;
}

const run = process.argv[1] === undefined ? '' : pathToFileURL(realpathSync(process.argv[1])).href;
if (run === import.meta.url && !isBuilt()) {
  try {
    const complaints = await build();
    if (complaints !== '') process.stderr.write(`${complaints}\n`);
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
