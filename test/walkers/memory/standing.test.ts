import { expect, test } from 'vitest';
import type { OpenGraph, WalkerType } from '../../../index.js';
import { MemoryRelationVersion } from '../../../schema/index.js';
import { MemoryAsOf } from '../../../walkers/memory/memory-as-of.js';
import { MemoryContextualSearch } from '../../../walkers/memory/memory-contextual-search.js';
import { MemoryGet } from '../../../walkers/memory/memory-get.js';
import { MemoryPath } from '../../../walkers/memory/memory-path.js';
import { MemoryRecall } from '../../../walkers/memory/memory-recall.js';
import { MemoryRelated } from '../../../walkers/memory/memory-related.js';
import { MemorySearch } from '../../../walkers/memory/memory-search.js';
import { MemoryStats } from '../../../walkers/memory/memory-stats.js';
import { MemoryStore } from '../../../walkers/memory/memory-store.js';
import { MemoryUpdate } from '../../../walkers/memory/memory-update.js';
import { emptyGraph, relate, storeIn } from './memories.js';

const store = async (graph: OpenGraph, title: string, content: string, more: object = {}) =>
  (await graph.spawn(MemoryStore, null, { type: 'fix', title, content, ...more })).output;
const recall = async (graph: OpenGraph, query: string) =>
  (await graph.spawn(MemoryRecall, null, { query })).output.results;

test.each([
  ['Use port 5432 for the test database.', 'Use port 5433 for the test database.'],
  ['Retry the upload when it fails.', 'Do not retry the upload when it fails.'],
  ['Always lock the file before a write.', 'Never lock the file before a write.'],
  ['Tokens are read from src/auth.ts at the start.', 'Tokens are read from src/session.ts at the start.'],
  ['Metrics go to stats.example.com every minute.', 'Metrics go to metrics.example.org every minute.'],
  ['Call parseHeader before the body is read.', 'Call readHeader before the body is read.'],
  ["The cache doesn't survive a restart of the daemon.", 'The cache survive a restart of the daemon.'],
])(
  'a near duplicate that contradicts is stored, related as a proposal and named: %s',
  async (before, after) => {
    const graph = await emptyGraph();
    const { memory_id: old } = await store(graph, 'Note', before);
    const answer = await store(graph, 'Note', after);
    expect(answer).toMatchObject({
      created: true,
      duplicate: null,
      may_contradict: [{ id: old, title: 'Note' }],
    });
    const { relationships } = (await graph.spawn(MemoryGet, null, { memory_id: answer.memory_id })).output;
    expect(relationships).toMatchObject([
      { type: 'CONTRADICTS', direction: 'out', proposed: true, confidence: 0.3, memory: { id: old } },
    ]);
    const [, older] = await recall(graph, 'note');
    expect(older?.standing).toEqual({ state: 'disputed', by: { id: answer.memory_id, title: 'Note' } });
    await relate(graph, `${answer.memory_id} CONTRADICTS ${old}`);
    const { standing } = (await graph.spawn(MemoryGet, null, { memory_id: old })).output;
    expect(standing?.state).toBe('contradicted');
    const newer = (await graph.spawn(MemoryGet, null, { memory_id: answer.memory_id })).output;
    expect(newer.standing).toBeUndefined();
  },
);

test('what is only proposed says so wherever it is shown, selects nothing and is counted apart', async () => {
  const graph = await emptyGraph();
  await store(graph, 'Note', 'Use port 5432 for the test database.', { memory_id: 'before' });
  await store(graph, 'Note', 'Use port 5433 for the test database.', { memory_id: 'after' });
  const shown = async (walker: WalkerType, input: Record<string, unknown>) => {
    const { output } = await graph.spawn(walker.name, null, input);
    return { output, text: walker.markdown?.(output as never) };
  };
  const related = await shown(MemoryRelated, { memory_id: 'after' });
  expect(related.text).toContain('after CONTRADICTS (proposed) before (0.3');
  expect(related.output).toMatchObject({ results: [{ way: [{ type: 'CONTRADICTS', proposed: true }] }] });
  const path = await shown(MemoryPath, { from_memory_id: 'after', to_memory_id: 'before' });
  expect(path.text).toContain('CONTRADICTS (proposed) (0.3) leads to');
  const around = await shown(MemoryContextualSearch, { memory_id: 'after', query: 'port' });
  expect(around.output).toMatchObject({ results: [{ via: [{ type: 'CONTRADICTS', proposed: true }] }] });
  const then = await shown(MemoryAsOf, { memory_id: 'after', time: '2999-01-01' });
  expect(then.text).toContain('after CONTRADICTS (proposed) before');
  const recalled = await shown(MemoryRecall, { query: 'port' });
  expect(recalled.text).toContain("may be contradicted (proposed) by after 'Note'");
  const counted = await shown(MemoryStats, {});
  expect(counted.output).toMatchObject({ relationships: 0, by_relation: {}, by_group: {}, proposed: 1 });
  expect(counted.text).toContain('- relations: 0 (none), 1 more proposed\n');
  const found = async (query: string) => {
    const input = { query, relationship_filter: ['CONTRADICTS'] };
    return (await graph.spawn(MemorySearch, null, input)).output.results.map(({ id }) => id).sort();
  };
  expect([await found(''), await found('port')]).toEqual([[], []]);
  await relate(graph, 'after CONTRADICTS before');
  expect([await found(''), await found('port')]).toEqual([
    ['after', 'before'],
    ['after', 'before'],
  ]);
  expect((await shown(MemoryStats, {})).output).toMatchObject({ relationships: 1, proposed: 0 });
});

test('the same words again are a duplicate, other words are not similar', async () => {
  const graph = await emptyGraph();
  const { memory_id } = await store(graph, 'Ports', 'Use port 5432 for the test database.');
  const again = await store(graph, 'ports', 'use port 5432, for the test database');
  expect(again).toMatchObject({ memory_id, created: false, duplicate: 1, may_contradict: [] });
  const other = await store(graph, 'Ports', 'The proxy listens on 8080 and forwards nothing else.');
  expect(other).toMatchObject({ created: true, may_contradict: [] });
});

test('a replaced memory is ranked down and marked; what replaced it comes first, also without its words', async () => {
  const graph = await emptyGraph();
  await storeIn(graph, 'old', {
    content: 'Sessions expire after an hour: use the cookie jar.',
    importance: 1,
  });
  await storeIn(graph, 'new', { content: 'Tokens are rotated by the gateway.', importance: 0.1 });
  await storeIn(graph, 'other', { content: 'The jar of cookies is empty.' });
  await relate(graph, 'new REPLACES old');
  const found = await recall(graph, 'sessions expire cookie jar');
  expect(found.map(({ id }) => id)[0]).toBe('new');
  expect(found.find(({ id }) => id === 'old')?.standing).toEqual({
    state: 'replaced',
    by: { id: 'new', title: 'new' },
  });
  const { output } = await graph.spawn(MemorySearch, null, { query: 'sessions expire' });
  expect(MemorySearch.markdown?.(output as never)).toContain("replaced by new 'new'");
  const filtered = (await graph.spawn(MemorySearch, null, { query: 'sessions', min_importance: 0.5 })).output;
  expect(filtered.results.map(({ id }) => id)).toEqual(['old']);
});

test('chains of replacements are followed, circles end, and refuted relations count for nothing', async () => {
  const graph = await emptyGraph();
  await storeIn(graph, 'one', { content: 'alpha' });
  await storeIn(graph, 'two', { content: 'beta' });
  await storeIn(graph, 'three', { content: 'gamma' });
  await relate(graph, 'two REPLACES one', 'two DEPRECATED_BY three');
  expect((await recall(graph, 'alpha')).map(({ id }) => id)[0]).toBe('three');
  await relate(graph, 'one REPLACES three');
  expect((await recall(graph, 'alpha')).map(({ id }) => id).sort()).toEqual(['one', 'three', 'two']);
  for (const relationship_id of ['REPLACES:one:three', 'REPLACES:two:one'])
    await graph.spawn('memory_outcome', null, { relationship_id, success: false });
  expect((await recall(graph, 'alpha')).map(({ id }) => id)).toEqual(['one']);
});

test('contradicted, failed and less preferred memories come after equal ones', async () => {
  const graph = await emptyGraph();
  for (const title of ['good', 'contradicted', 'failed', 'less'])
    await storeIn(graph, title, { content: 'retry the upload twice' });
  await storeIn(graph, 'witness');
  await relate(graph, 'witness CONTRADICTS contradicted', 'good PREFERRED_OVER less');
  await graph.spawn('memory_outcome', null, { memory_id: 'failed', success: false });
  const found = await recall(graph, 'retry upload');
  expect(found.map(({ id, standing }) => [id, standing?.state])).toEqual([
    ['good', undefined],
    ['less', 'outranked'],
    ['failed', 'failed'],
    ['contradicted', 'contradicted'],
  ]);
});

test('parts of words are found, below whole words, in identifiers too', async () => {
  const graph = await emptyGraph();
  await storeIn(graph, 'refused', { content: 'The agent saw ECONNREFUSED at the start.' });
  await storeIn(graph, 'sessions', {
    content: 'SessionStore holds them, session_store in Python, sessionstore in Go.',
  });
  await storeIn(graph, 'lower', { content: 'mysessionstorage of the browser' });
  const search = async (input: object) =>
    (await graph.spawn(MemorySearch, null, input)).output.results.map(({ id }) => id);
  expect(await search({ query: 'CONNREFUSED' })).toEqual(['refused']);
  expect(await search({ query: 'connrefused', search_tolerance: 'strict' })).toEqual(['refused']);
  expect(await search({ query: 'CONNREFUSED agent', match_mode: 'all' })).toEqual(['refused']);
  expect(await search({ query: 'Store' })).toEqual(['sessions', 'lower']);
  expect(await search({ query: 'sessionstor' })).toEqual(['sessions', 'lower']);
  expect(await search({ query: 'kubernetes' })).toEqual([]);
});

test('an update is compared with other memories as a new one is: contradictions proposed, near duplicates named', async () => {
  const graph = await emptyGraph();
  const update = async (memory_id: string, input: object) =>
    (await graph.spawn(MemoryUpdate, null, { memory_id, ...input })).output;
  const { memory_id: old } = await store(graph, 'Ports', 'Use port 5432 for the test database.');
  await storeIn(graph, 'Other', { type: 'fix', content: 'The proxy listens nowhere.' });
  const said = { title: 'Ports', content: 'Use port 5433 for the test database.' };
  const named = [{ id: old, title: 'Ports' }];
  const changed = await update('Other', said);
  expect(changed).toEqual({
    memory_id: 'Other',
    updated: true,
    version: 2,
    duplicate_of: null,
    may_contradict: named,
  });
  expect(MemoryUpdate.markdown?.(changed as never)).toContain(`It may contradict ${old} 'Ports'.`);
  const related = async () =>
    (await graph.spawn(MemoryGet, null, { memory_id: 'Other' })).output.relationships;
  expect(await related()).toMatchObject([{ type: 'CONTRADICTS', proposed: true, memory: { id: old } }]);
  expect(await update('Other', { ...said, importance: 0.9 })).toMatchObject({ may_contradict: [] });
  const upsert = await store(graph, 'Ports', 'Use port 5434 for the test database.', { memory_id: 'Other' });
  expect(upsert).toMatchObject({ created: false, version: 4, may_contradict: named });
  expect(await related()).toHaveLength(1);
  await relate(graph, `Other REPLACES ${old}`);
  expect(await update('Other', said)).toMatchObject({ may_contradict: [] });
  expect(await update('Other', { content: 'use port 5432, for the test database' })).toMatchObject({
    updated: true,
    duplicate_of: old,
  });
});

test('what may be contradicted is so for as long as the two differ and neither is given up', async () => {
  const graph = await emptyGraph();
  const port = (memory_id: string, number: number) =>
    store(graph, 'Ports', `Use port ${number} for the test database.`, { memory_id });
  const standing = async (memory_id: string) =>
    (await graph.spawn(MemoryGet, null, { memory_id })).output.standing?.state;
  await port('one', 5432);
  await port('two', 5433);
  expect(await standing('one')).toBe('disputed');
  await graph.spawn(MemoryUpdate, null, { memory_id: 'two', importance: 0.9 });
  expect(await standing('one')).toBe('disputed');
  await port('one', 5433);
  expect([await standing('one'), await standing('two')]).toEqual([undefined, undefined]);
  const [was] = await graph.read((tx) => tx.find(MemoryRelationVersion));
  expect(was).toMatchObject({ type: 'CONTRADICTS', proposed: true, from_memory_id: 'two' });
  await port('one', 5432);
  expect(await standing('two')).toBe('disputed');
  await storeIn(graph, 'new', { content: 'Ports are chosen by the system.' });
  await relate(graph, 'new REPLACES one');
  expect([await standing('one'), await standing('two')]).toEqual(['replaced', undefined]);
  expect(await port('three', 5434)).toMatchObject({ may_contradict: [{ id: 'two' }] });
  await relate(graph, 'three CONTRADICTS two', 'three DEPRECATED_BY new');
  expect(await standing('two')).toBeUndefined();
});

test('a duplicate under an id of its own is stored and named, also beside a memory that contradicts both', async () => {
  const graph = await emptyGraph();
  const port = (number: number, more: object) =>
    graph.spawn(MemoryStore, null, {
      type: 'fix',
      title: 'Ports',
      content: `Use port ${number} for the test database.`,
      ...more,
    });
  await port(5432, { memory_id: 'one' });
  await port(5433, { memory_id: 'two' });
  const { output } = await port(5433, { memory_id: 'three' });
  expect(output).toMatchObject({
    memory_id: 'three',
    created: true,
    duplicate: null,
    duplicate_of: 'two',
    may_contradict: [{ id: 'one' }],
  });
  expect(MemoryStore.markdown?.(output as never)).toContain('two says nearly the same: one of the two');
  expect((await port(5432, {})).output).toMatchObject({ memory_id: 'one', created: false, duplicate: 1 });
});

test('what solves a problem stands below it where that is found, as it holds now', async () => {
  const graph = await emptyGraph();
  await storeIn(graph, 'logout', { type: 'problem', content: 'Sessions of the shop end too soon.' });
  await storeIn(graph, 'longer', { type: 'solution', content: 'The clock of the server was wrong.' });
  const shown = async () => {
    const { output } = await graph.spawn(MemoryRecall, null, { query: 'why do sessions end too soon?' });
    return { ...output, text: MemoryRecall.markdown?.(output as never) };
  };
  expect((await shown()).results).not.toHaveProperty('0.solved_by');
  await relate(graph, 'longer SOLVES logout');
  const { results, text } = await shown();
  const content = 'The clock of the server was wrong.';
  expect(results).toMatchObject([
    { id: 'logout', solved_by: [{ id: 'longer', type: 'solution', title: 'longer', content }] },
  ]);
  expect(text).toContain(`  solved by **longer** (solution) longer\n    ${content}\n`);
  await storeIn(graph, 'ntp', { type: 'fix', content: 'Run an NTP client.' });
  await storeIn(graph, 'again', { type: 'problem', content: 'Sessions end too soon, again.' });
  await relate(graph, 'ntp REPLACES longer', 'again REPLACES logout');
  const solved = (await shown()).results.map(({ id, solved_by = [] }) => [
    id,
    ...solved_by.map((one) => one.id),
  ]);
  expect(solved).toEqual([
    ['again', 'ntp'],
    ['logout', 'ntp'],
  ]);
});
