import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { AnswerState, answer, Freshness, type OpenGraph } from '../../host/index.js';
import { exportText, type Files, index, open, scratch, write } from '../walkers/project.js';

const COUNT = 60;

/** The files of a branch: each imports the next one, some by another name, in another folder, or not at all. */
function branch(named: string, folder: (at: number) => string, isThere: (at: number) => boolean): Files {
  const at = (one: number) => `${folder(one)}/f${one}`;
  const there = Array.from({ length: COUNT }, (_, one) => one).filter(isThere);
  const files = there.map((one, place) => {
    const next = there[(place + 1) % there.length] ?? one;
    const text = `import { ${named}${next} } from '../${at(next)}';\nexport const ${named}${one} = () => ${named}${next}();\n`;
    return [`${at(one)}.ts`, text] as const;
  });
  return { 'package.json': `{"name": "${named}"}`, ...Object.fromEntries(files) };
}

const MAIN = branch(
  'made',
  (at) => `part${at % 5}`,
  () => true,
);
const OTHER = branch(
  'built',
  (at) => `${at % 3 === 0 ? 'moved' : 'part'}${at % 5}`,
  (at) => at % 4 !== 0,
);

function git(root: string, ...words: string[]): void {
  const who = ['-c', 'user.name=t', '-c', 'user.email=t@t', '-c', 'core.hooksPath=/dev/null'];
  execFileSync('git', [...who, ...words], { cwd: root, stdio: 'pipe' });
}

/** A repository with two branches, on `main`. */
function repository(): string {
  const root = write(MAIN);
  git(root, 'init', '-q', '-b', 'main');
  git(root, 'add', '.');
  git(root, 'commit', '-qm', 'main');
  git(root, 'checkout', '-qb', 'other');
  for (const path of Object.keys(MAIN)) rmSync(join(root, path));
  write(OTHER, root);
  git(root, 'add', '-A');
  git(root, 'commit', '-qm', 'other');
  git(root, 'checkout', '-q', 'main');
  return root;
}

/** Asks until nothing is pending. */
async function settled(graph: OpenGraph, freshness: Freshness): Promise<void> {
  for (;;) {
    const { body } = await answer(graph, 'graph_stats', {}, {}, freshness);
    const { pending, freshness: unchecked } = AnswerState.parse(body.state);
    if (pending === 0 && !unchecked) return;
    await pause(20);
  }
}

for (const watched of process.platform === 'linux' ? [true, false] : [false])
  it(`a branch switch settles to what a first index gives, ${watched ? 'with' : 'without'} a watcher`, async () => {
    const root = repository();
    const graph = await open(root);
    await index(graph);
    const clock = () => performance.now();
    const freshness = new Freshness({
      graph,
      cookies: watched ? scratch() : null,
      autoIndex: () => true,
      clock,
    });
    onTestFinished(() => freshness.close());
    await settled(graph, freshness);
    for (const name of ['other', 'main']) {
      git(root, 'checkout', '-q', name);
      await settled(graph, freshness);
      const fresh = await open(root);
      await index(fresh);
      expect(await exportText(graph)).toBe(await exportText(fresh));
      await fresh.close();
    }
  });
