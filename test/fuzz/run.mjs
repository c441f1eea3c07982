// `npm run fuzz`: bundles the fuzzer, which tries the sources as well as the build, and runs it. See `--help`.
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = new URL('.', import.meta.url);
// Beside the sources, so that what they find by their own place is where the bundle looks for it.
const outfile = fileURLToPath(new URL(`.built-${process.pid}.mjs`, here));
await build({
  absWorkingDir: fileURLToPath(new URL('../..', here)),
  entryPoints: ['test/fuzz/main.ts'],
  outfile,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  packages: 'external',
  logLevel: 'warning',
});
process.on('exit', () => rmSync(outfile, { force: true }));
const child = spawn(process.execPath, [outfile, ...process.argv.slice(2)], { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('close', (code) => process.exit(code ?? 1));
