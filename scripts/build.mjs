import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { chmod, copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { writeDeclarations } from './declarations.mjs';
import { noticesOf } from './notices.mjs';
import { sourceFiles, sourceHash } from './sources.mjs';

/** The repository that this script builds. */
export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

const DIST = join(ROOT, 'dist');
const STAMP = join(DIST, '.stamp');

/** Stay what users install: native, WebAssembly, or part of our public types. All else is bundled. */
const EXTERNAL = ['level', 'classic-level', 'web-tree-sitter', '@vscode/tree-sitter-wasm', 'zod'];

/** Bundled CommonJS packages still ask for Node's own modules with `require`. */
const REQUIRE = `import { createRequire as createRequire_ } from 'node:module';
const require = createRequire_(import.meta.url);`;

/** The recorder's command: a file of its own, since chunks that it shared would bring all that others need of them. */
const RECORDER = 'cli/commands/record.ts';

/** `main.ts` loads the recorder from that file. */
const recorderApart = {
  name: 'recorder apart',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/record\.js$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: './record.js', external: true } : null,
    ),
};

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
  const common = {
    absWorkingDir: ROOT,
    outdir: 'dist',
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    external: EXTERNAL,
    minifySyntax: true,
    legalComments: 'none',
    logLevel: 'warning',
  };
  const [complaints, { metafile }] = await Promise.all([
    writeDeclarations(ROOT),
    bundle({
      ...common,
      entryPoints: entryPoints(),
      splitting: true,
      // Side by side, so that a worker is found by the same relative URL from every chunk.
      chunkNames: 'chunk-[hash]',
      banner: { js: REQUIRE },
      metafile: true,
      plugins: [recorderApart],
    }),
    bundle({ ...common, entryPoints: { record: RECORDER } }),
  ]);
  await makeExecutable(join(DIST, 'cli.js'));
  await copyFile(join(ROOT, 'host/journal/record.sh'), join(DIST, 'record.sh'));
  await chmod(join(DIST, 'record.sh'), 0o755);
  await writeFile(join(DIST, 'licenses.txt'), await noticesOf(ROOT, metafile.inputs));
  await writeFile(STAMP, hash);
  return complaints;
}

/** The doors, the daemon's process, and every `*.worker.ts`: a thread needs a file of its own, `dist/<name>.worker.js`. */
function entryPoints() {
  const workers = sourceFiles(ROOT).filter((path) => path.endsWith('.worker.ts'));
  return {
    cli: 'cli/main.ts',
    daemon: 'host/daemon/daemon.ts',
    index: 'index.ts',
    ...Object.fromEntries(workers.map((path) => [basename(path, '.ts'), path])),
  };
}

async function makeExecutable(file) {
  const code = (await readFile(file, 'utf8')).replace(/^#!.*\n/u, '');
  await writeFile(file, `#!/usr/bin/env node\n${code}`);
  await chmod(file, 0o755);
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
