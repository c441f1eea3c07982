import { expect, test } from 'vitest';
import { defineWalker, type InputOf, type OpenGraph, Root, z } from '../../index.js';
import {
  EMBEDDED_KINDS,
  type Embedder,
  embeddedTexts,
  ranking,
  type SemanticHits,
  semanticHits,
  VectorCache,
  withSemantic,
} from '../../search/index.js';
import { MemoryRecall } from '../../walkers/memory/memory-recall.js';
import { MemoryStore } from '../../walkers/memory/memory-store.js';
import { GraphEmbed } from '../../walkers/search/graph-embed.js';
import { QueryCodebase } from '../../walkers/search/query-codebase.js';
import { SearchCode } from '../../walkers/search/search-code.js';
import { EtgQuerySimilarAttempts } from '../../walkers/trace/etg-query-similar-attempts.js';
import { DIMENSION, HashEmbedder } from '../search/hash-embedder.js';
import { exported, index, log, open, scratch, write } from './project.js';

const FILES = {
  'shop/cart.py': [
    '"""Baskets of goods."""',
    'class Cart:',
    '    """Holds the goods of a customer."""',
    '    def total(self):',
    '        """Sum of all prices, taxes included."""',
    '        return 0',
    '',
  ].join('\n'),
  'shop/mail.py':
    'def send_receipt(to):\n    """Mails an invoice to the buyer."""\n    # TODO retry when the server is down\n',
  'settings.json': '{ "password": "hunter2hunter2" }\n',
};

const Near = defineWalker('near', {
  description: 'What embeddings say.',
  input: {
    query: z.string(),
    kinds: z.array(z.enum(EMBEDDED_KINDS)).default(['Symbol', 'File', 'Concept']),
    within: z.array(z.string()).optional(),
  },
  report: z.custom<SemanticHits>(),
  on: (w) => [
    w.entry(Root, async (_here, context) => {
      const { query, kinds, within } = context.state;
      context.report(await semanticHits(context, query, kinds, 3, within ? { within } : {}));
    }),
  ],
});

async function near(graph: OpenGraph, input: InputOf<typeof Near>): Promise<SemanticHits> {
  const { reports } = await graph.spawn(Near, null, input);
  return reports[0] ?? { hits: [], note: 'nothing was reported' };
}

const embed = async (graph: OpenGraph, input = {}) => (await graph.spawn(GraphEmbed, null, input)).output;

/** A project that is indexed and embedded. */
async function shop(embedder: Embedder | null = new HashEmbedder()) {
  const [root, home] = [write(FILES), scratch()];
  const graph = await open(root, home, { embedder });
  await index(graph);
  if (embedder) await embed(graph);
  return { graph, root, home };
}

test('a query finds the code, tasks and memories whose texts mean the same', async () => {
  const { graph } = await shop();
  expect(await near(graph, { query: 'mails an invoice' })).toMatchObject({
    hits: [{ id: 'fn:shop/mail.py:send_receipt', rank: 0 }, { rank: 1 }, { rank: 2 }],
    note: null,
  });
  const { hits } = await near(graph, { query: 'retry the server', kinds: ['Concept'] });
  expect(hits[0]?.id).toMatch(/^concept:/u);
  await log(graph, 'task_start', { user_prompt: 'Round the prices of a basket' });
  expect((await embed(graph)).vectors).toMatchObject({ File: 3, Symbol: 3, Concept: 1, Task: 1 });
  const tasks = await near(graph, { query: 'prices are rounded', kinds: ['Task', 'Step'] });
  expect(tasks.hits.map(({ rank, distance }) => [rank, distance < 1])).toEqual([[0, true]]);
});

test('the text of a symbol has its fields in their order, and neither its body nor a configuration is sent', async () => {
  const embedder = new HashEmbedder();
  await shop(embedder);
  expect(embedder.texts).toContain(
    [
      'KIND: method',
      'NAME: total',
      'QUALNAME: shop.cart.Cart.total',
      'MODULE: shop/cart.py',
      'LINE: 4',
      'DOCSTRING: Sum of all prices, taxes included.',
    ].join('\n'),
  );
  expect(embedder.texts.join('\n')).not.toMatch(/return 0|hunter2/u);
});

test('only what changed is embedded again, what is gone is found no more, another model begins anew', async () => {
  const embedder = new HashEmbedder();
  const { graph, root, home } = await shop(embedder);
  const before = embedder.texts.length;
  expect(await embed(graph)).toMatchObject({ embedded: 0, unchanged: before, removed: 0 });
  write({ 'shop/mail.py': 'def send_bill(to):\n    """Posts an invoice."""\n' }, root);
  await index(graph, { mode: 'incremental' });
  // Before its vectors are: what is gone is no hit.
  const stale = await near(graph, { query: 'mails an invoice to the buyer' });
  expect(stale.hits.map(({ id }) => id)).not.toContain('fn:shop/mail.py:send_receipt');
  expect(await embed(graph)).toMatchObject({ embedded: 1, removed: 2 });
  expect(embedder.texts.length).toBe(before + 1);
  await graph.close();
  const other = await open(root, home, { embedder: new HashEmbedder('other') });
  expect((await near(other, { query: 'invoice' })).note).toMatch(/of the model 'hash', not 'other'/u);
  expect(await embed(other)).toMatchObject({ model: 'other', unchanged: 0 });
  expect((await near(other, { query: 'posts an invoice' })).hits[0]?.id).toBe('fn:shop/mail.py:send_bill');
});

test('vectors change nothing of the graph, and made again they find the same', async () => {
  const { graph } = await shop();
  const bare = await shop(null);
  for (const layer of ['derived', 'durable'] as const)
    expect(await exported(graph, layer)).toEqual(await exported(bare.graph, layer));
  const queries = ['taxes of a basket', 'mails', 'goods', 'server'];
  const ask = async () => Promise.all(queries.map((query) => near(graph, { query })));
  const first = await ask();
  expect((await embed(graph, { wipe: true })).unchanged).toBe(0);
  expect(await ask()).toEqual(first);
});

test('vectors are kept on disk beside the graph, and a query is embedded once', async () => {
  const { graph, root, home } = await shop();
  const query = { query: 'taxes of all prices' };
  const first = await near(graph, query);
  await graph.close();
  const embedder = new HashEmbedder();
  const again = await open(root, home, { embedder });
  expect(await near(again, query)).toEqual(first);
  expect([embedder.texts, embedder.queries]).toEqual([[], ['taxes of all prices']]);
  await near(again, query);
  expect(embedder.queries.length).toBe(1);
});

test('a search can be kept to some nodes', async () => {
  const { graph } = await shop();
  const within = ['m:shop/cart.py:Cart.total', 'cls:shop/cart.py:Cart', 'fn:nowhere.py:f'];
  const { hits } = await near(graph, { query: 'goods of a customer', within });
  expect(hits.map(({ id }) => id)).toEqual(['cls:shop/cart.py:Cart']);
  expect(await near(graph, { query: 'goods', within: [] })).toEqual({ hits: [], note: null });
});

test('without an embedder nothing is asked, and nothing is said of it', async () => {
  const { graph } = await shop(null);
  expect(await near(graph, { query: 'invoice' })).toEqual({ hits: [], note: null });
  await expect(embed(graph)).rejects.toMatchObject({ code: 'EMBEDDINGS_FAILED' });
});

test('an embedder that fails is said to, and left alone for a while; what was embedded until then stays', async () => {
  const { graph, root } = await shop();
  let calls = 0;
  const failing: Embedder = {
    model: 'hash',
    embedTexts: async () => {
      calls++;
      throw new Error('out of order');
    },
  };
  await graph.close();
  const broken = await open(root, scratch(), { embedder: failing });
  await index(broken);
  await expect(embed(broken)).rejects.toThrow('out of order');
  expect((await near(broken, { query: 'invoice' })).note).toMatch(/7 texts have no embedding yet/u);
  expect(calls).toBe(1);
});

test('what words do not say, embeddings find: earlier attempts and memories, beside what words find', async () => {
  const alike: Embedder = {
    model: 'alike',
    // One direction for all that is about money, another for the rest.
    embedTexts: async (texts) =>
      texts.map((text) => (/rounded|cents|invoice|amount/u.test(text) ? [1, 0.1] : [0, 1])),
  };
  const graph = await open(':memory:', scratch(), { embedder: alike });
  const task = await log(graph, 'task_start', { user_prompt: 'The cents of a total are wrong' });
  await log(graph, 'task_start', { user_prompt: 'Show a picture of a cat' });
  const asked = async () =>
    (await graph.spawn(EtgQuerySimilarAttempts, null, { query: 'amount rounded' })).output;
  expect(await asked()).toMatchObject({ results: [] });
  await graph.spawn(MemoryStore, null, {
    type: 'solution',
    title: 'Cents',
    content: 'Count in whole cents.',
  });
  await graph.spawn(MemoryStore, null, { type: 'solution', title: 'Cats', content: 'They are cut square.' });
  await embed(graph);
  const [first] = (await asked()).results;
  expect(first?.task_id).toBe(task.task_id);
  const recalled = await graph.spawn(MemoryRecall, null, { query: 'amount rounded', limit: 1 });
  expect(recalled.output.results.map(({ title }) => title)).toEqual(['Cents']);
});

test('words deep in a list stay behind what counts, and without embeddings all stays as it is', () => {
  const byWords = new Map(Array.from({ length: 150 }, (_, i) => [`w${i}`, 1 - i / 200]));
  expect(withSemantic(byWords, { hits: [] })).toBe(byWords);
  const joined = withSemantic(byWords, { hits: [{ id: 'w149', similarity: 1, distance: 0, rank: 0 }] });
  const order = ranking(joined);
  expect([order.length, order[0], order[1], order.at(-1)]).toEqual([150, 'w0', 'w149', 'w148']);
  expect(Math.max(...joined.values())).toBeLessThanOrEqual(1);
});

test('code is found by meaning, too; an embedder that is gone costs a search its vectors and nothing else', async () => {
  const prices: Embedder = {
    model: 'prices',
    embedTexts: async (texts) => texts.map((text) => (/Sum of all|amount/u.test(text) ? [1, 0.1] : [0, 1])),
  };
  const { graph, root, home } = await shop(prices);
  const meant = await graph.spawn(SearchCode, null, { query: 'amount' });
  expect(meant.output.hits[0]?.id).toBe('m:shop/cart.py:Cart.total');
  expect(meant.output.files[0]).toBe('shop/cart.py');
  const seeds = await graph.spawn(QueryCodebase, null, { q: 'amount', k: 1, hop: 0 });
  expect(seeds.output.nodes.map(({ id }) => id)).toEqual(['m:shop/cart.py:Cart.total']);
  await graph.close();
  const gone: Embedder = { model: 'prices', embedTexts: () => Promise.reject(new Error('nobody is there')) };
  const words = await open(root, home, { embedder: null });
  const without = await open(root, scratch(), { embedder: null });
  await index(without);
  const byWords = (await words.spawn(SearchCode, null, { query: 'send an invoice' })).output;
  expect((await without.spawn(SearchCode, null, { query: 'send an invoice' })).output).toEqual(byWords);
  await words.close();
  const alone = await open(root, home, { embedder: gone });
  const { output } = await alone.spawn(SearchCode, null, { query: 'send an invoice' });
  expect(output.hits).toEqual(byWords.hits);
  expect(output).toMatchObject({ state: { cut: ['Ranked by words alone: nobody is there.'] } });
});

test('what is forgotten while its text is being embedded leaves no vector', async () => {
  const words = new HashEmbedder();
  let forget = async () => {};
  const embedder: Embedder = {
    model: 'hash',
    embedTexts: async (texts) => {
      if (texts.some((text) => text.includes('quokka'))) await forget();
      return words.embedTexts(texts);
    },
  };
  const { graph } = await shop(embedder);
  const memory = { type: 'fix' as const, title: 'About quokka', content: 'Of quokka.', memory_id: 'quokka' };
  await graph.spawn(MemoryStore, null, memory);
  const task = await log(graph, 'task_start', { user_prompt: 'Draw a quokka' });
  let forgotten = 0;
  forget = async () => {
    forgotten += 1;
    await graph.spawn('memory_delete', null, { memory_id: 'quokka' });
    await graph.spawn('trace_forget', null, { task: task.task_id });
  };
  await embed(graph);
  expect(forgotten).toBe(1);
  const names = await graph.read(async (tx) => {
    const found: string[] = [];
    for await (const page of tx.blobsUnder('vector/', 'durable')) found.push(...page.map(({ name }) => name));
    return found;
  });
  expect(names).toEqual([]);
});

test('vectors that do not fit into memory are read from the store, and the nearest are the same', async () => {
  const { graph } = await shop();
  const [query = new Float32Array()] = await embeddedTexts(new HashEmbedder(), ['sum of prices'], DIMENSION);
  const reads = { all: 0, few: 0 };
  const asked = (cache: VectorCache, key: keyof typeof reads, within?: string[]) =>
    graph.read(async (tx) => {
      const counting = {
        blobs: tx.blobs.bind(tx),
        blobsUnder: (...args: Parameters<typeof tx.blobsUnder>) => {
          reads[key]++;
          return tx.blobsUnder(...args);
        },
      };
      return (await cache.of(tx, 'derived'))?.nearest(counting, 'Symbol', query, 2, within);
    });
  const [all, few] = [new VectorCache(), new VectorCache(DIMENSION * 4)];
  const within = ['cls:shop/cart.py:Cart', 'fn:gone.py:gone'];
  for (const only of [undefined, within])
    expect(await asked(few, 'few', only)).toEqual(await asked(all, 'all', only));
  expect((await asked(all, 'all'))?.[0]?.id).toBe('m:shop/cart.py:Cart.total');
  expect(reads).toEqual({ all: 1, few: 2 });
});
