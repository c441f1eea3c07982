import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { OpenGraph } from '../../../index.js';
import { MemoryActivity } from '../../../walkers/memory/memory-activity.js';
import { MemoryRecall } from '../../../walkers/memory/memory-recall.js';
import { MemorySearch } from '../../../walkers/memory/memory-search.js';
import { emptyGraph, graphWith, relate, storeIn } from './memories.js';

async function search(graph: OpenGraph, input: Parameters<typeof graph.spawn<typeof MemorySearch>>[2] = {}) {
  return (await graph.spawn(MemorySearch, null, input)).output.results.map(({ id }) => id);
}

test('without words the most important come first, then the latest, in pages', async () => {
  const graph = await graphWith(['old']);
  await storeIn(graph, 'vital', { importance: 0.9 });
  await storeIn(graph, 'new');
  expect(await search(graph)).toEqual(['vital', 'new', 'old']);
  const { output } = await graph.spawn(MemorySearch, null, { limit: 1, offset: 1 });
  expect(output).toMatchObject({ results: [{ id: 'new', score: null }], has_more: true });
});

test('words rank within the filters, none of which a hit escapes (X-12)', async () => {
  const graph = await emptyGraph();
  await storeIn(graph, 'a', { content: 'login login login', type: 'problem', importance: 0.9 });
  await storeIn(graph, 'b', { content: 'the login page is slow', type: 'fix', importance: 0.2 });
  await storeIn(graph, 'c', { content: 'login', type: 'fix', importance: 0.8, tags: ['Auth'] });
  await storeIn(graph, 'd', { content: 'something else', type: 'fix', tags: ['auth'] });
  expect((await search(graph, { query: 'login' })).sort()).toEqual(['a', 'b', 'c']);
  expect(await search(graph, { query: 'login', memory_types: ['fix'], min_importance: 0.5 })).toEqual(['c']);
  expect(await search(graph, { query: 'login', sort: 'importance' })).toEqual(['a', 'c', 'b']);
  expect(await search(graph, { tags: ['AUTH'], memory_types: ['fix'] })).toEqual(['c', 'd']);
  expect(await search(graph, { query: 'login', tags: ['nowhere'] })).toEqual([]);
});

test('a solution that was tagged as a decision before that was a type is found as one', async () => {
  const graph = await emptyGraph();
  await storeIn(graph, 'choice', { type: 'solution', tags: ['decision'] });
  await storeIn(graph, 'mend', { type: 'solution' });
  await storeIn(graph, 'bug', { type: 'problem' });
  await storeIn(graph, 'ruling', { type: 'decision' });
  expect(await search(graph, { memory_types: ['decision', 'problem'] })).toEqual(['ruling', 'bug', 'choice']);
  expect(await search(graph, { memory_types: ['solution'] })).toEqual(['mend', 'choice']);
});

test('words are met in other forms, as they are written, or mistyped, as is asked', async () => {
  const graph = await emptyGraph();
  await storeIn(graph, 'a', { content: 'The sessions expired early.' });
  await storeIn(graph, 'b', { content: 'A session has expired; the clock was wrong.' });
  const all = (query: string, search_tolerance: 'strict' | 'normal' | 'fuzzy' = 'normal') =>
    search(graph, { query, search_tolerance });
  expect((await all('session expiring')).sort()).toEqual(['a', 'b']);
  expect(await all('Sessions  Expired', 'strict')).toEqual(['a']);
  expect((await all('xpire', 'strict')).sort()).toEqual(['a', 'b']);
  expect(await all('sesion')).toEqual([]);
  expect((await all('sesion', 'fuzzy')).sort()).toEqual(['a', 'b']);
  expect(await all('clokc', 'fuzzy')).toEqual(['b']);
});

test('any of several terms is enough, or all are wanted', async () => {
  const graph = await emptyGraph();
  await storeIn(graph, 'a', { content: 'redis cache' });
  await storeIn(graph, 'b', { content: 'redis timeout' });
  await storeIn(graph, 'c', { content: 'disk' });
  expect((await search(graph, { terms: ['redis', 'disk'] })).sort()).toEqual(['a', 'b', 'c']);
  expect(await search(graph, { terms: ['redis', 'timeouts'], match_mode: 'all' })).toEqual(['b']);
  expect(await search(graph, { query: 'redis', terms: ['disc'], match_mode: 'all' })).toEqual([]);
});

test('only memories that have a relation of a type, in either direction', async () => {
  const graph = await graphWith(['a', 'b', 'c']);
  await relate(graph, 'a SOLVES b', 'b CAUSES c');
  expect(await search(graph, { relationship_filter: ['SOLVES'] })).toEqual(['b', 'a']);
});

test.each(['', '?!… ---', '🙂🙂', 'x'.repeat(1000), 'שלום עולם', 'a the of'])(
  'the query %j finds nothing that is not there, and breaks nothing',
  async (query) => {
    const graph = await emptyGraph();
    await storeIn(graph, 'שלום', { content: 'a memory about greetings' });
    const found = await search(graph, { query });
    expect(found).toEqual(query === '' || query.startsWith('ש') ? ['שלום'] : []);
    await graph.spawn(MemoryRecall, null, { query });
  },
);

test('recall lifts what matters among memories that words fit alike, and says what a score is made of', async () => {
  const graph = await emptyGraph();
  await storeIn(graph, 'weak', { content: 'retry the upload', importance: 0.1, confidence: 0.2 });
  await storeIn(graph, 'strong', { content: 'retry the upload', importance: 0.9, confidence: 0.9 });
  await storeIn(graph, 'exact', { content: 'retry retry upload upload', importance: 0 });
  const { results } = (await graph.spawn(MemoryRecall, null, { query: 'How do we retry an upload?' })).output;
  expect(results.map(({ id }) => id)).toEqual(['exact', 'strong', 'weak']);
  const [, strong] = results;
  expect(strong?.why).toMatchObject({ importance: 0.9, confidence: 0.9, usage: 0 });
  expect(strong?.score).toBeGreaterThan(strong?.why.text ?? 1);
  expect(strong?.score).toBeLessThanOrEqual(1.25 * (strong?.why.text ?? 0));
});

test('what was remembered of late is counted by type, with problems that nothing solves yet', async () => {
  const graph = await emptyGraph();
  await storeIn(graph, 'open', { type: 'problem' });
  // Times are whole milliseconds: within one, the order is that of ids.
  await setTimeout(2);
  await storeIn(graph, 'solved', { type: 'problem' });
  await setTimeout(2);
  await storeIn(graph, 'mend', { type: 'fix' });
  await relate(graph, 'mend SOLVES solved');
  const { output } = await graph.spawn(MemoryActivity, null, {});
  expect(output).toMatchObject({ total: 3, by_type: { problem: 2, fix: 1 } });
  expect(output.recent.map(({ id }) => id)).toEqual(['mend', 'solved', 'open']);
  expect(output.unresolved.map(({ id }) => id)).toEqual(['open']);
  expect(MemoryActivity.markdown?.(output as never)).toContain('## 1 memory, not resolved yet\n');
  expect((await graph.spawn(MemoryActivity, null, { project: '/elsewhere' })).output.total).toBe(0);
});
