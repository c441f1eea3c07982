// Runs one object-spatial case (format: test/conformance/README.md) on Codewalk's own runtime.
// OSP_ENGINE=memory|level chooses the storage engine (default level). Works from any folder; builds when needed.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const repository = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
execFileSync(process.execPath, [join(repository, 'scripts', 'build.mjs')], {
  cwd: repository,
  stdio: ['ignore', 'ignore', 'inherit'],
});
const codewalk = await import(pathToFileURL(join(repository, 'dist', 'index.js')).href);
const { caseRunner } = await import('./osp-case.mjs');

export const runCase = caseRunner(codewalk, async (options) => {
  if ((process.env.OSP_ENGINE ?? 'level') === 'memory')
    return codewalk.openGraph(':memory:', { ...options, bare: true });
  const home = mkdtempSync(join(tmpdir(), 'codewalk-osp-'));
  mkdirSync(join(home, 'project'));
  const graph = await codewalk.openGraph(join(home, 'project'), {
    ...options,
    home: join(home, 'graphs'),
    bare: true,
  });
  const close = graph.close.bind(graph);
  graph.close = async () => {
    await close();
    rmSync(home, { recursive: true, force: true });
  };
  return graph;
});
