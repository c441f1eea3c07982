import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { build, isBuilt, ROOT } from './build.mjs';

// npm start -- PATH …: builds what is needed, then runs `codewalk index PATH …` where the user stands.

const NOT_INSTALLED = `The build needs the development dependencies (esbuild, typescript), and they are not installed.
Run \`npm install\` without --omit=dev, then \`npm start\` again.`;

if (!isBuilt()) await buildWithNotice();
const given = process.argv.slice(2);
const cli = spawn(
  process.execPath,
  [join(ROOT, 'dist/cli.js'), 'index', ...(given.length > 0 ? given : ['.'])],
  { cwd: process.env.INIT_CWD ?? process.cwd(), stdio: 'inherit' },
);
// A terminal interrupts the child too; staying until it has gone keeps its exit code.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => cli.kill('SIGTERM'));
cli.on('exit', (code) => {
  process.exitCode = code ?? 1;
});

async function buildWithNotice() {
  const start = performance.now();
  process.stderr.write('Building Codewalk…');
  try {
    await build();
  } catch (error) {
    const missing = error.code === 'ERR_MODULE_NOT_FOUND' || error.code === 'MODULE_NOT_FOUND';
    process.stderr.write(` failed.\n${missing ? NOT_INSTALLED : error.message}\n`);
    process.exit(1);
  }
  process.stderr.write(` done in ${((performance.now() - start) / 1000).toFixed(1)} s.\n`);
}
