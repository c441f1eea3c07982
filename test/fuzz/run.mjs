// `npm run fuzz`: bundles the fuzzer, which tries the sources as well as the build, and runs it. See `--help`.
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, stop } from 'esbuild';

// In this folder, so that what the sources find by their own place is where the bundle looks for it.
const outfile = fileURLToPath(new URL(`.built-${process.pid}.mjs`, import.meta.url));
await build({
  entryPoints: [fileURLToPath(new URL('main.ts', import.meta.url))],
  outfile,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  packages: 'external',
  logLevel: 'warning',
});
process.on('exit', () => rmSync(outfile, { force: true }));
// It is a process of its own.
await stop();
process.argv[1] = outfile;
await import(outfile);
