import { expect, test } from 'vitest';
import { memoriesMarkdown } from '../../../graphs/memory/index.js';
import { Memory, MemoryAbout } from '../../../schema/index.js';
import { MemoryActivity } from '../../../walkers/memory/memory-activity.js';
import { MemoryContextualSearch } from '../../../walkers/memory/memory-contextual-search.js';
import { MemoryRecall } from '../../../walkers/memory/memory-recall.js';
import { MemoryRelated } from '../../../walkers/memory/memory-related.js';
import { MemorySearch } from '../../../walkers/memory/memory-search.js';
import { MemoryStore } from '../../../walkers/memory/memory-store.js';
import { TraceImpact } from '../../../walkers/trace/trace-impact.js';
import { Sessions } from '../agent-sessions.js';
import { contextOf, index, indexed, write } from '../project.js';
import { emptyGraph, relate, storeIn } from './memories.js';

const CODE = 'export function login(name) {\n  return name.trim();\n}\n';

async function remembering() {
  const { root, graph } = await indexed({ 'src/auth.js': CODE });
  await storeIn(graph, 'Names have -> <spaces>', { type: 'fix', importance: 0.9, about: ['login'] });
  await storeIn(graph, 'Ada wrote it', { about: ['src/auth.js'], importance: 0.2 });
  await storeIn(graph, 'later');
  return { root, graph, agents: new Sessions(graph) };
}

test('recall and search say of each memory how what it is about stands now', async () => {
  const { root, graph } = await remembering();
  write({ 'src/auth.js': CODE.replace('trim', 'trimEnd') }, root);
  const { results } = (await graph.spawn(MemoryRecall, null, { query: 'names with spaces' })).output;
  expect(results[0]).toMatchObject({
    freshness: 'drifted',
    about: [{ id: 'fn:src/auth.js:login', kind: 'symbol', state: 'drifted' }],
  });
  const found = (await graph.spawn(MemorySearch, null, { query: 'Ada' })).output;
  expect(found.results[0]).toMatchObject({ freshness: 'drifted' });
  expect(memoriesMarkdown(found.results, 'best first')).toContain('\n  Changed since: file:src/auth.js\n');
});

test('what is related, what was remembered of late and what is found around a memory say so, too', async () => {
  const { root, graph } = await remembering();
  await storeIn(graph, 'start', { type: 'problem', about: ['login'] });
  await relate(graph, 'start SOLVES later');
  write({ 'src/auth.js': CODE.replace('trim', 'trimEnd') }, root);
  const { output: related } = await graph.spawn(MemoryRelated, null, { memory_id: 'later' });
  expect(related.results).toMatchObject([{ id: 'start', freshness: 'drifted' }]);
  const { output: activity } = await graph.spawn(MemoryActivity, null, {});
  expect(activity.unresolved).toMatchObject([{ id: 'start', freshness: 'drifted' }]);
  expect(activity.recent).toContainEqual(expect.objectContaining({ id: 'start', freshness: 'drifted' }));
  const around = { memory_id: 'later', query: 'start' };
  const { output: found } = await graph.spawn(MemoryContextualSearch, null, around);
  expect(found.results).toMatchObject([{ id: 'start', freshness: 'drifted' }]);
});

test('a search in a project where nothing is remembered says so', async () => {
  const graph = await emptyGraph();
  for (const walker of [MemorySearch, MemoryRecall]) {
    const { output } = await graph.spawn(walker, null, { query: 'login' });
    expect(output).toMatchObject({
      results: [],
      state: { cut: [expect.stringMatching(/^Nothing is remem/)] },
    });
  }
  await storeIn(graph, 'logout');
  const { output } = await graph.spawn(MemorySearch, null, { query: 'login' });
  expect(output).toMatchObject({ results: [], state: { cut: [] } });
});

test('before a file is changed an agent is told what is remembered of it and of what is in it', async () => {
  const { root, graph, agents } = await remembering();
  const text = await agents.answer('before_edit', { file_paths: ['src/auth.js'] }, 's1');
  expect(text).toContain('- remembered (fix): Names have -&gt; &lt;spaces&gt;');
  expect(text).toContain('- remembered (general): Ada wrote it');
  expect(text).not.toMatch(/[<>]/u);
  write({ 'src/auth.js': CODE.replace('trim', 'trimEnd') }, root);
  await index(graph);
  expect(await agents.answer('before_edit', { file_paths: ['src/auth.js'] }, 's2')).toContain(
    'remembered (fix, its code changed since)',
  );
});

test('a session begins with what matters most, and with nothing of less weight', async () => {
  const { agents } = await remembering();
  const text = await agents.answer('session_start', {}, 's1');
  expect(text).toContain('- remembered (fix): Names have -&gt; &lt;spaces&gt;');
  expect(text).not.toContain('Ada');
  expect(text).not.toMatch(/[<>]/u);
});

test('a session begins with what replaced a memory in its place, not with what was replaced', async () => {
  const { graph, agents } = await remembering();
  for (const [title, importance] of [
    ['old', 1],
    ['older', 0.9],
    ['new', 0.2],
    ['doubted', 0.8],
  ] as const)
    await storeIn(graph, title, { importance });
  await relate(graph, 'new REPLACES old', 'older DEPRECATED_BY new', 'old PREFERRED_OVER doubted');
  const text = await agents.answer('session_start', {}, 's1');
  expect(text?.match(/^- remembered.*/gmu)).toEqual([
    '- remembered (general): new',
    '- remembered (fix): Names have -&gt; &lt;spaces&gt;',
  ]);
});

test('an impact tells what is remembered of what was touched', async () => {
  const { graph, agents } = await remembering();
  const { task_id } = await agents.log('task_start', { user_prompt: 'Trim less' }, 's1');
  await agents.use('s1', { file_path: 'src/auth.js', old_string: 'trim', new_string: 'trimEnd' });
  const { output, figures } = await graph.spawn(TraceImpact, null, { from: task_id ?? '' });
  expect(figures.visits).toBeGreaterThan(1);
  expect(output.memories).toEqual([
    'Names have -> <spaces> (fix): Names have -> <spaces> (about fn:src/auth.js:login)',
    'Ada wrote it (general): Ada wrote it (about file:src/auth.js)',
  ]);
});

const SAID = {
  type: 'fix' as const,
  title: 'Sessions end too soon',
  content: 'The clock of the test has no time zone, so that what it compares is an hour off: compare in UTC.',
};

test('what is remembered nearly word for word is answered with the memory that says it', async () => {
  const graph = await emptyGraph();
  const store = async (said: object = {}) =>
    (await graph.spawn(MemoryStore, null, { ...SAID, ...said })).output;
  const { memory_id } = await store();
  await expect(store({ about: ['gone.js'] })).rejects.toMatchObject({ code: 'NODE_NOT_FOUND' });
  const again = await store({ title: 'Sessions end  too soon!', content: `${SAID.content.toLowerCase()}\n` });
  expect(again).toMatchObject({ memory_id, created: false, duplicate: 1 });
  for (const other of [
    { type: 'problem' as const },
    { content: SAID.content.replace('in UTC', 'as numbers') },
    { content: SAID.content.replace('an hour', '2 hours') },
    { anyway: true },
  ])
    expect(await store(other)).toMatchObject({ created: true, duplicate: null });
  expect(await store({ title: 'a causes b', content: 'x' })).toMatchObject({ created: true });
  expect(await store({ title: 'b causes a', content: 'x' })).toMatchObject({ created: true });
});

test('of very many memories about a file those come first that are worth most, looked at on disk or not', async () => {
  const { graph } = await indexed({ 'src/auth.js': CODE });
  const time = '2026-01-01T00:00:00Z';
  const stamps = { created_at: time, updated_at: time };
  await graph.write(async (tx) => {
    const [file] = await tx.nodes(['file:src/auth.js']);
    if (!file) throw new Error('not indexed');
    for (let i = 0; i < 400; i++) {
      const said = { type: 'fix' as const, title: `note ${i}`, content: 'x', importance: i / 1000 };
      // What the file was for the best sixty is not what it is: they are worth less.
      const content_hash = i < 340 ? null : 'another';
      await tx.connect(
        await tx.create(Memory({ ...said, ...stamps }, { id: `m${i}` })),
        file,
        MemoryAbout({ content_hash }),
      );
    }
  });
  const { memories } = await contextOf(graph, ['src/auth.js']);
  expect(memories?.map(({ id }) => id)).toEqual(Array.from({ length: 10 }, (_, i) => `m${339 - i}`));
});
