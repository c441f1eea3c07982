// `npm run fuzz`: bundles the fuzzer, which tries the sources as well as the build, and runs it. See `--help`.
import { rmSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, stop } from 'esbuild';

const here = new URL('.', import.meta.url);
// Beside the sources, so that what they find by their own place is where the bundle looks for it.
const name = `.built-${process.pid}`;
const { metafile } = await build({
  absWorkingDir: fileURLToPath(new URL('../..', here)),
  entryPoints: { [name]: 'test/fuzz/main.ts' },
  outdir: 'test/fuzz',
  outExtension: { '.js': '.mjs' },
  chunkNames: `${name}-[hash]`,
  bundle: true,
  splitting: true,
  metafile: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  packages: 'external',
  logLevel: 'warning',
});
const files = Object.keys(metafile.outputs).map((path) => fileURLToPath(new URL(`../../${path}`, here)));
process.on('exit', () => {
  for (const file of files) rmSync(file, { force: true });
});
// It is a process of its own.
await stop();
const program = fileURLToPath(new URL(`${name}.mjs`, here));
process.argv[1] = program;
await import(pathToFileURL(program).href);
