import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';

/** The engine and the graph in memory that its tests use (engine.ts), for programs: neither is part of the package's door. */
export async function engineFromSource() {
  const folder = mkdtempSync(join(tmpdir(), 'codewalk-cypher-'));
  const outfile = join(folder, 'engine.mjs');
  try {
    buildSync({
      absWorkingDir: fileURLToPath(new URL('../..', import.meta.url)),
      entryPoints: ['test/cypher/engine.ts'],
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node20.19',
      logLevel: 'warning',
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
