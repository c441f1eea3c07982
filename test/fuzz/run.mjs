// `npm run fuzz`: bundles the fuzzer, which tries the sources as well as the build, and runs it. See `--help`.
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

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
const program = fileURLToPath(new URL(`${name}.mjs`, here));
const child = spawn(process.execPath, [program, ...process.argv.slice(2)], { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('close', (code) => process.exit(code ?? 1));
