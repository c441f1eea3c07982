import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { expect, it, onTestFinished } from 'vitest';
import { AnswerState, answer, Freshness, isEligible, type OpenGraph } from '../../host/index.js';
import { exportText, type Files, freshExport, open, write } from '../walkers/project.js';

const PROJECT: Files = {
  'package.json': '{"name": "shop"}',
  ...Object.fromEntries(
    Array.from({ length: 60 }, (_, at) => [
      `src/f${at}.ts`,
      `import { f${(at + 1) % 60} } from './f${(at + 1) % 60}';\nexport const f${at} = () => f${(at + 1) % 60}();\n`,
    ]),
  ),
};

/** @param waitMs how long a question waits for the index that it began. */
function freshnessOf(graph: OpenGraph, autoIndex = true, waitMs?: number): Freshness {
  const freshness = new Freshness({
    graph,
    cookies: null,
    autoIndex: () => autoIndex,
    clock: () => performance.now(),
    ...(waitMs === undefined ? {} : { firstIndexMs: waitMs }),
  });
  onTestFinished(() => freshness.close());
  return freshness;
}

async function ask(graph: OpenGraph, freshness: Freshness, walker = 'graph_stats', input = {}) {
  const { body, markdown } = await answer(graph, walker, input, {}, freshness);
  return { body, markdown, state: AnswerState.parse(body.state) };
}

it('a question begins the index of a project that has none, and is answered from it', async () => {
  const graph = await open(write(PROJECT));
  const { body, state } = await ask(graph, freshnessOf(graph));
  expect(state).toMatchObject({ pending: 0, cut: [] });
  expect(state).not.toHaveProperty('indexed');
  expect(body).toMatchObject({ complete: true, nodes_by_type: { File: 61 } });
  expect(await exportText(graph)).toBe(await freshExport(PROJECT));
});

it('one that cannot wait is answered with what there is, and says how much that is', async () => {
  const graph = await open(write(PROJECT));
  const freshness = freshnessOf(graph, true, 0);
  const input = { file_paths: ['src/f1.ts'] };
  const { state, markdown } = await ask(graph, freshness, 'graph_context_for_files', input);
  expect(state).toMatchObject({ indexed: { total: 61 }, freshness: 'unchecked' });
  expect(markdown).toContain(`(${state.indexed?.done} of 61 files)`);
  const stats = await ask(graph, freshness);
  if (stats.state.indexed) expect(stats.body).toMatchObject({ complete: false });
  const joined = await answer(graph, 'graph_index_project', {}, {}, freshness);
  expect(joined.body).toMatchObject({ files_total: 61, files_indexed: 61 });
  expect((await ask(graph, freshness)).state).toMatchObject({ pending: 0, cut: [] });
});

it('two callers of one index share its run and its progress, and one that leaves does not end it', async () => {
  const graph = await open(write(PROJECT));
  const freshness = freshnessOf(graph);
  const leaving = new AbortController();
  const heard = { gone: 0, stays: 0 };
  const index = (caller: 'gone' | 'stays', signal?: AbortSignal) =>
    answer(
      graph,
      'graph_index_project',
      {},
      { onProgress: () => heard[caller]++, ...(signal ? { signal } : {}) },
      freshness,
    );
  const gone = index('gone', leaving.signal);
  const stays = index('stays');
  leaving.abort();
  await expect(gone).rejects.toMatchObject({ code: 'CANCELLED' });
  const { body } = await stays;
  expect(body).toMatchObject({ files_indexed: 61 });
  expect(heard.stays).toBeGreaterThan(0);
  expect(freshness.jobs.progress).toBeNull();
});

it('an index that all callers left ends, and the next question goes on with it', async () => {
  const graph = await open(write(PROJECT));
  const freshness = freshnessOf(graph);
  const leaving = new AbortController();
  const gone = answer(
    graph,
    'graph_index_project',
    {},
    { signal: leaving.signal, onProgress: ({ phase }) => phase === 'extract' && leaving.abort() },
    freshness,
  );
  await expect(gone).rejects.toMatchObject({ code: 'CANCELLED' });
  expect((await ask(graph, freshness)).body).toMatchObject({ complete: true });
  expect(await exportText(graph)).toBe(await freshExport(PROJECT));
});

it('an index with a limit is cut off at its own, and one without it is not, whoever was first', async () => {
  const graph = await open(write(PROJECT));
  const freshness = freshnessOf(graph);
  const indexed = (limits: object) => answer(graph, 'graph_index_project', {}, { limits }, freshness);
  const [whole, cut] = await Promise.allSettled([indexed({}), indexed({ deadlineMs: 1 })]);
  expect(whole).toMatchObject({ status: 'fulfilled', value: { truncated: null } });
  expect(cut).toMatchObject({ reason: { code: 'DEADLINE' } });
  expect((await ask(graph, freshness)).body).toMatchObject({ complete: true });
});

it('nothing is indexed where the configuration or the root says no', async () => {
  for (const [files, autoIndex] of [
    [PROJECT, false],
    [{ 'notes.txt': 'x' }, true],
  ] as const) {
    const root = write(files);
    const graph = await open(root);
    const freshness = new Freshness({
      graph,
      cookies: null,
      autoIndex: () => autoIndex && isEligible(root),
      clock: () => performance.now(),
    });
    onTestFinished(() => freshness.close());
    await expect(ask(graph, freshness)).rejects.toMatchObject({ code: 'PROJECT_NOT_INDEXED' });
  }
});

it('a project is eligible by its manifest or its work tree, and never a home directory', () => {
  const home = write({ 'package.json': '{}', '.git/HEAD': '', 'notes/a.txt': '', 'app/Makefile': '' });
  const eligible = (folder: string) => isEligible(join(home, folder), { userHome: home });
  expect(['', 'notes', 'app'].map(eligible)).toEqual([false, false, false]);
  mkdirSync(join(home, 'notes/.git'));
  write({ 'app/pyproject.toml': '' }, home);
  expect(['notes', 'app'].map(eligible)).toEqual([true, true]);
});
