import { expect, test } from 'vitest';
import type { OpenGraph } from '../../../index.js';
import { MemoryHistory } from '../../../walkers/memory/memory-history.js';
import { MemoryOutcome } from '../../../walkers/memory/memory-outcome.js';
import { MemorySearch } from '../../../walkers/memory/memory-search.js';
import { indexed } from '../project.js';
import { emptyGraph, exported, imported, relate, storeIn } from './memories.js';

/** Two related memories, one of them with a history and about a function, a file and nothing more. */
async function remembering() {
  const { graph } = await indexed({ 'src/auth.js': 'export function login() {}\n' });
  const context = { git_branch: 'main', files_involved: ['src/auth.js'] };
  await storeIn(graph, 'fix', { type: 'fix', tags: ['time'], context, about: ['login', 'src/auth.js'] });
  await storeIn(graph, 'fix', { type: 'fix', content: 'Compare in UTC.' });
  await storeIn(graph, 'problem', { type: 'problem', importance: 0.9 });
  await relate(graph, 'fix SOLVES problem 0.7');
  await graph.spawn(MemoryOutcome, null, {
    relationship_id: 'SOLVES:fix:problem',
    success: true,
    evidence: 'Green.',
  });
  await graph.spawn(MemoryOutcome, null, { memory_id: 'fix', success: true });
  return graph;
}

test('what is exported and imported elsewhere is exported from there byte for byte, and found by its words', async () => {
  const text = await exported(await remembering());
  const other = await emptyGraph();
  expect(await imported(other, text)).toMatchObject({
    memories: { created: 2, updated: 0 },
    versions: 1,
    relations: { created: 1 },
    abouts: { created: 2 },
    left_out_count: 0,
  });
  expect(await exported(other)).toBe(text);
  const { results } = (await other.spawn(MemorySearch, null, { query: 'UTC' })).output;
  expect(results.map(({ id }) => id)).toEqual(['fix']);
});

test('relations are counted as the header counts them: what they were before, too', async () => {
  const graph = await remembering();
  await relate(graph, 'fix SOLVES problem 0.9');
  const text = await exported(graph);
  expect(text).toMatch(/^\{"record":"header",.*"relations":2,/u);
  const other = await emptyGraph();
  expect(await imported(other, text)).toMatchObject({ relations: { created: 2, unchanged: 0 } });
  expect(await imported(other, text)).toMatchObject({ relations: { created: 0, unchanged: 2 } });
});

test('of two relations the one with more evidence counts, of equal ones that of the file', async () => {
  const text = await exported(await remembering());
  const other = await emptyGraph();
  await imported(other, text);
  const weaker = text.replace('"strength":0.7', '"strength":0.4');
  expect(await imported(other, weaker)).toMatchObject({ relations: { created: 0, updated: 1 } });
  expect(await exported(other)).toBe(weaker);
  const unproven = text.replace(/("strength":0.7.*?"evidence_count":)1/u, '$10');
  expect(await imported(other, unproven)).toMatchObject({ relations: { updated: 0, unchanged: 1 } });
  expect(await exported(other)).toBe(weaker);
});

test('imported again nothing changes, and a dry run writes nothing', async () => {
  const text = await exported(await remembering());
  const other = await emptyGraph();
  expect(await imported(other, text, { dry_run: true })).toMatchObject({
    dry_run: true,
    memories: { created: 2 },
  });
  expect(await exported(other)).toContain('"memories":0');
  await imported(other, text);
  expect(await imported(other, text)).toMatchObject({
    memories: { created: 0, updated: 0, unchanged: 2 },
    versions: 0,
    relations: { created: 0, updated: 0, unchanged: 1 },
    abouts: { created: 0, updated: 0, unchanged: 2 },
  });
  expect(await exported(other)).toBe(text);
});

test('what two places said of one memory becomes one history, whichever is imported', async () => {
  const first = await remembering();
  const other = await emptyGraph();
  await imported(other, await exported(first));
  await storeIn(other, 'fix', { type: 'fix', content: 'Compare in local time.' });
  const theirs = await exported(other);
  await storeIn(first, 'fix', { type: 'fix', content: 'Store no times.' });
  const mine = await exported(first);
  expect(await imported(first, theirs)).toMatchObject({ memories: { updated: 1 } });
  await imported(other, mine);
  const said = async (graph: OpenGraph) =>
    (await graph.spawn(MemoryHistory, null, { memory_id: 'fix' })).output.versions.map(
      ({ content }) => content,
    );
  expect(await said(first)).toEqual(['Store no times.', 'Compare in local time.', 'Compare in UTC.', 'fix']);
  expect(await said(other)).toEqual(await said(first));
  expect(await exported(other)).toBe(await exported(first));
});

const WRONG = [
  ['an unknown relation (S4-24)', '"SOLVES"', '"SOLVE"', /line 5: type: .*SOLVE.*SOLVES/],
  ['an unknown type', '"type":"problem"', '"type":"wish"', /line 3: type: .*wish/],
  ['a doubled id', /(.*"record":"memory".*\n)/, '$1$1', /line 3: memory 'fix' stands in line 2 already/],
  ['a relation to nobody (S4-25)', '"to":"problem"', '"to":"gone"', /line 5: to: there is no memory 'gone'/],
  ['a torn last line', /.{9}\n$/, '', /line 7: it is no JSON: the last line is torn/],
  ['a cut file', /.*\n$/, '', /the file: the header announces 2 abouts, there are 1/],
  ['a number out of range', '"importance":0.9', '"importance":9', /line 3: importance: .*given: 9/],
  ['an unknown field', '"git_branch"', '"git_brunch"', /line 2: context: .*git_brunch/],
] as const;

test.each(WRONG)('%s is refused with its line, and nothing is written', async (_, right, wrong, message) => {
  const text = (await exported(await remembering())).replace(right, wrong);
  const other = await emptyGraph();
  await expect(imported(other, text)).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    message: expect.stringMatching(message),
  });
  expect(await exported(other)).toContain('"memories":0');
});

test('what is wrong can be left out, with what hangs on it, and is named', async () => {
  const lines = (await exported(await remembering())).trimEnd().split('\n');
  const other = await emptyGraph();
  const text = lines.map((one) => one.replace('"type":"problem"', '"type":"wish"')).join('\n');
  expect(await imported(other, text, { skip_invalid: true })).toMatchObject({
    memories: { created: 1 },
    relations: { created: 0 },
    left_out: [{ line: 3 }, { line: 5, why: expect.stringContaining("no memory 'problem'") }],
    left_out_count: 2,
  });
});

test('other words for types are accepted, and secrets are masked before they are stored', async () => {
  const other = await emptyGraph();
  const memory = {
    record: 'memory',
    id: 'one',
    type: 'pattern',
    title: 'Keys',
    content: 'password = "correct-horse-battery-1"',
    created_at: '2026-05-01T12:00:00Z',
    updated_at: '2026-05-01T12:00:00Z',
  };
  await imported(other, JSON.stringify(memory));
  const text = await exported(other);
  expect(text).not.toContain('correct-horse');
  expect(JSON.parse(text.split('\n')[1] ?? '')).toMatchObject({ type: 'code_pattern' });
  expect(await imported(other, JSON.stringify(memory))).toMatchObject({ memories: { unchanged: 1 } });
});

test('a memory whose earlier versions a file lacks begins a history of its own, and loses none of it', async () => {
  const lines = (await exported(await remembering())).trimEnd().split('\n');
  const other = await emptyGraph();
  const text = lines.filter((one) => !/"record":"(?:header|version)"/u.test(one)).join('\n');
  await imported(other, text);
  await storeIn(other, 'fix', { type: 'fix', content: 'Store no times.' });
  const { versions } = (await other.spawn(MemoryHistory, null, { memory_id: 'fix' })).output;
  expect(versions.map(({ version, content }) => [version, content])).toEqual([
    [2, 'Store no times.'],
    [1, 'Compare in UTC.'],
  ]);
  const copy = await emptyGraph();
  await imported(copy, await exported(other));
  expect(await exported(copy)).toBe(await exported(other));
});

test('a memory of 100 kB is exported and imported whole', async () => {
  const graph = await emptyGraph();
  const content = 'é'.repeat(50_000);
  await storeIn(graph, 'long', { content });
  const text = await exported(graph);
  const other = await emptyGraph();
  await imported(other, text);
  expect(await exported(other)).toBe(text);
  expect(JSON.parse(text.split('\n')[1] ?? '')).toMatchObject({ content });
});

test('a line of the graph export is a node whatever type the memory has', async () => {
  const lines = (await (await remembering()).spawn('graph_export', null, { layer: 'durable' })).reports;
  expect(lines).toContainEqual(
    expect.objectContaining({ type: 'node', kind: 'Memory', id: 'fix', memory_type: 'fix' }),
  );
});
