import { expect, it } from 'vitest';
import { MEMORY_TEXT } from '../../graphs/memory/index.js';
import { forgetEvents, openGraph, rebuildHistory } from '../../host/index.js';
import type { OpenGraph } from '../../index.js';
import { defineWalker } from '../../index.js';
import type { WriteContext } from '../../runtime/index.js';
import { Memory } from '../../schema/index.js';
import { writeIndex } from '../../search/index.js';
import { MemorySearch } from '../../walkers/memory/memory-search.js';
import { EtgQuerySimilarAttempts } from '../../walkers/trace/etg-query-similar-attempts.js';
import { log, open, scratch, write } from '../walkers/project.js';

/** Changes what is stored, as no walker of ours does. */
const alter = (change: (context: WriteContext) => Promise<void>) =>
  defineWalker('alter', { access: 'write', run: (_here, context) => change(context).then(() => ({})) });

/** All that is kept of texts, names and values in one. */
async function kept(graph: OpenGraph): Promise<string> {
  return graph.read(async (tx) => {
    const parts: string[] = [];
    for (const prefix of ['text/', 'attempts/'])
      for await (const page of tx.blobsUnder(prefix, 'durable'))
        for (const { name, value } of page) parts.push(name, Buffer.from(value).toString('latin1'));
    return parts.join('\n');
  });
}

/** One of each that is looked for. */
async function remembered(graph: OpenGraph): Promise<void> {
  await graph.spawn('memory_store', null, { type: 'fix', title: 'Quokka', content: 'Feed the quokka.' });
  const { task_id } = await log(graph, 'task_start', { user_prompt: 'Paint the wombat house green' });
  await log(graph, 'task_end', { status: 'success' }, { task_id });
}

/** More memories than one run takes in, before and behind that one, which no index has. */
async function unindexed(graph: OpenGraph): Promise<void> {
  const at = '2026-01-01T00:00:00.000Z';
  const said = { type: 'general', content: 'filler', created_at: at, updated_at: at } as const;
  const notes = Array.from({ length: 600 }, (_, nth) =>
    Memory({ ...said, title: `Note ${nth}` }, { id: `${nth % 2 === 0 ? '!' : '~'}${nth}` }),
  );
  await graph.write((tx) => tx.createAll(notes));
}

const found = async (graph: OpenGraph) => ({
  memories: (await graph.spawn(MemorySearch, null, { query: 'quokka' })).output.results.map(
    ({ title }) => title,
  ),
  attempts: (
    await graph.spawn(EtgQuerySimilarAttempts, null, { query: 'paint the wombat house' })
  ).output.results.map(({ summary }) => summary),
});
/** What {@link remembered} makes be found. */
const ALL = { memories: ['Quokka'], attempts: ['Paint the wombat house green'] };

it('makes the text indexes of a store that has none, or those of an earlier version, when it is opened', async () => {
  const [root, home] = [write({}), scratch()];
  let graph = await open(root, home);
  await remembered(graph);
  await unindexed(graph);
  expect(await found(graph)).toEqual(ALL);
  const sizes = new Set<number>();
  const earlier = { 'text/memories-1/t/quokka': 'x', 'text/attempts-told-0/header': 'x' };
  const other = JSON.stringify({ indexes: ['memories-1'], words: 1, after: null });
  for (const made of [{}, { ...earlier, 'texts/memories': other, 'texts/attempts': 'no JSON' }]) {
    const tamper = alter(async (context) => {
      for (const prefix of ['text/', 'attempts/', 'texts/'])
        for await (const page of context.blobsUnder(prefix, 'durable'))
          for (const { name } of page) context.putBlob(name, undefined, 'durable');
      for (const [name, value] of Object.entries<string>(made))
        context.putBlob(name, Buffer.from(value, 'utf8'), 'durable');
    });
    await graph.spawn(tamper);
    expect(await found(graph)).toEqual({ memories: [], attempts: [] });
    await graph.close();
    graph = await open(root, home);
    expect(await found(graph)).toEqual(ALL);
    expect(await kept(graph)).toMatch(/\/g\/!0\n/);
    expect(await kept(graph)).toMatch(/\/g\/~599\n/);
    expect(await kept(graph)).not.toMatch(/memories-1|attempts-told-0/);
    sizes.add((await kept(graph)).length);
  }
  expect(sizes.size).toBe(1);
});

it('goes on where it was cut off', async () => {
  const [root, home] = [write({}), scratch()];
  const graph = await open(root, home);
  await remembered(graph);
  await unindexed(graph);
  expect((await graph.spawn('history_texts', null, { rebuild: true })).output).toEqual({ done: false });
  expect((await graph.spawn('history_texts')).output).toEqual({ done: false });
  await graph.close();
  expect(await found(await open(root, home))).toEqual(ALL);
});

it('deletes what was there before in several runs', async () => {
  const graph = await open(write({}));
  const fill = alter(async (context) => {
    for (let nth = 0; nth < 5000; nth++)
      context.putBlob(`text/memories-1/t/${nth}`, Buffer.from('x'), 'durable');
  });
  await graph.spawn(fill);
  const left = async () => (await kept(graph)).match(/memories-1/gu)?.length ?? 0;
  await graph.spawn('history_texts', null, { rebuild: true });
  await graph.spawn('history_texts');
  expect(await left()).toBe(5000 - 4096);
  await graph.spawn('history_texts');
  expect(await left()).toBe(0);
});

it('makes all of them anew for `codewalk index --text`, and whatever should not be there is gone', async () => {
  const graph = await open(write({ 'a.ts': 'export const a = 1;\n' }));
  await graph.spawn('graph_index_project');
  await remembered(graph);
  const haunt = alter(async (context) => {
    const writer = writeIndex(context, MEMORY_TEXT);
    writer.put('ghost', { title: ['yeti'] });
    await writer.flush();
  });
  await graph.spawn(haunt);
  expect(await kept(graph)).toContain('yeti');
  await graph.spawn('project_texts');
  expect(await kept(graph)).not.toContain('yeti');
  expect(await found(graph)).toEqual(ALL);
});

it('refuses a project that is not indexed', async () => {
  const graph = await open(write({ 'a.ts': '' }));
  await expect(graph.spawn('project_texts')).rejects.toMatchObject({ code: 'PROJECT_NOT_INDEXED' });
});

it('finds memories and attempts after the durable layer was rebuilt', async () => {
  const [root, home] = [write({}), scratch()];
  const graph = await open(root, home);
  await remembered(graph);
  await graph.close();
  await rebuildHistory(root, { release: async () => undefined }, { home });
  expect(await found(await open(root, home))).toEqual(ALL);
});

it('keeps no word of what is forgotten in any text index', async () => {
  const [root, home] = [write({}), scratch()];
  const graph = await open(root, home);
  await remembered(graph);
  const { task_id } = await log(graph, 'task_start', { user_prompt: 'Hide the axolotl at once' });
  await log(graph, 'error', { error_type: 'test_failure', message: 'expected axolotl' }, { task_id });
  await log(graph, 'task_end', { status: 'failed' }, { task_id });
  expect(await kept(graph)).toContain('axolotl');
  await graph.close();
  const owner = {
    drain: async () => undefined,
    release: async () => undefined,
    spawn: async ({ walker, input }: { walker: string; input: Record<string, unknown> }) => {
      const opened = await openGraph(root, { home });
      const { output } = await opened.spawn(walker, null, input);
      await opened.close();
      return { body: output };
    },
  };
  await forgetEvents(root, { task: task_id }, owner as never, { home });
  const again = await open(root, home);
  expect(await kept(again)).not.toContain('axolotl');
  expect(await kept(again)).not.toContain(task_id);
  expect(await found(again)).toEqual(ALL);
});
