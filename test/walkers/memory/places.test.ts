import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { OpenGraph } from '../../../index.js';
import { projectHomes } from '../../../storage/index.js';
import { MemoryAsOf } from '../../../walkers/memory/memory-as-of.js';
import { MemorySearch } from '../../../walkers/memory/memory-search.js';
import { open, scratch, write } from '../project.js';
import { emptyGraph, exported, imported, relate, storeIn } from './memories.js';

const found = async (graph: OpenGraph, project_path: string) =>
  (await graph.spawn(MemorySearch, null, { project_path })).output.results.map(({ id }) => id).sort();

test('a project path finds what was stored in any worktree of the repository, and nothing of other projects', async () => {
  const root = write({ 'a.txt': 'a\n' });
  const tree = join(scratch(), 'tree');
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], {
      cwd: root,
      stdio: 'ignore',
    });
  git('init');
  git('add', '.');
  git('commit', '-m', 'a');
  git('worktree', 'add', tree);
  const home = scratch();
  const main = await open(root, home);
  await storeIn(main, 'of main');
  await storeIn(main, 'elsewhere', { context: { project_path: '/elsewhere' } });
  expect(await found(main, tree)).toEqual(['of main']);
  await main.close();
  const other = await open(tree, home);
  await storeIn(other, 'of tree');
  for (const path of [root, tree, '.']) expect(await found(other, path)).toEqual(['of main', 'of tree']);
  expect(await found(other, '/elsewhere')).toEqual(['elsewhere']);
  expect(await found(other, '/nowhere')).toEqual([]);
});

test('what two places know of a moved memory is one export, byte for byte, whatever was done to it', async () => {
  const graph = await emptyGraph();
  for (const title of ['b', 'a', 'c', 'gone']) await storeIn(graph, title, { tags: ['z', 'a'], about: [] });
  await storeIn(graph, 'a', {
    content: 'second',
    context: { files_involved: ['/abs/x.ts', './y.ts', 'z.ts'] },
  });
  await relate(
    graph,
    'b SOLVES c',
    'a CAUSES b',
    'a SOLVES c 0.9',
    'b CAUSES c',
    'gone BLOCKS a',
    'a SOLVES c 0.4',
  );
  await graph.spawn('memory_outcome', null, { memory_id: 'a', success: true, evidence: 'Green.' });
  await graph.spawn('memory_read', null, { ids: ['a', 'b'] });
  await graph.spawn('memory_delete', null, { memory_id: 'gone' });
  await storeIn(graph, 'again');
  await graph.spawn('memory_delete', null, { memory_id: 'again' });
  await storeIn(graph, 'again', { content: 'a second life' });
  const text = await exported(graph);
  const other = await emptyGraph();
  await imported(other, text);
  expect(await exported(other)).toBe(text);
  expect(await imported(other, text)).toMatchObject({
    memories: { created: 0, updated: 0 },
    relations: { created: 0, updated: 0 },
  });
  expect(await exported(other)).toBe(text);
});

test('as of a time a deleted memory is there, with the relations as they were', async () => {
  const graph = await emptyGraph();
  const pause = () => new Promise((resolve) => setTimeout(resolve, 3));
  await storeIn(graph, 'cause', { content: 'The clock is wrong.' });
  await storeIn(graph, 'effect');
  await relate(graph, 'cause CAUSES effect 0.9');
  await pause();
  const strong = Date.now();
  await pause();
  await relate(graph, 'cause CAUSES effect 0.2');
  await pause();
  const weak = Date.now();
  await pause();
  await graph.spawn('memory_delete', null, { memory_id: 'cause' });
  const then = async (input: object) =>
    (await graph.spawn(MemoryAsOf, null, { time: weak, ...input })).output.results;
  expect(await then({ query: 'clock' })).toMatchObject([
    { memory_id: 'cause', relationships: [{ id: 'CAUSES:cause:effect', strength: 0.2 }] },
  ]);
  expect(await then({ memory_id: 'effect', time: strong })).toMatchObject([
    { relationships: [{ from: 'cause', type: 'CAUSES', to: 'effect', strength: 0.9 }] },
  ]);
  expect(await then({ memory_id: 'cause', time: strong })).toMatchObject([
    { content: 'The clock is wrong.' },
  ]);
  expect(await then({ memory_id: 'effect', time: Date.now() + 9 })).toMatchObject([{ relationships: [] }]);
  await expect(then({ memory_id: 'cause', time: Date.now() + 9 })).rejects.toMatchObject({
    code: 'NODE_NOT_FOUND',
  });
  await graph.spawn('trace_forget', null, { memory: 'cause' });
  expect(await exported(graph)).not.toContain('clock');
  expect(await then({ query: 'clock' })).toEqual([]);
});

test('a project that moved is found by its new path', async () => {
  const home = scratch();
  const [root, moved] = [write({ 'a.txt': 'a\n' }), scratch()];
  const graph = await open(root, home);
  await storeIn(graph, 'before');
  await graph.close();
  const durableOf = (path: string) =>
    projectHomes(path, { env: { GRAPHS_HOME: home }, userHome: home }).durable;
  cpSync(durableOf(root), durableOf(moved), { recursive: true });
  expect(await found(await open(moved, home), moved)).toEqual(['before']);
});
