import { expect, test } from 'vitest';
import { type KeyValueStore, type LayerStore, openLayer, openMemoryStore } from '../../storage/index.js';
import { CATALOG } from './catalog.js';
import { changes, collect, edge, fn, plain, put } from './model.js';

const FILES = 400;
const idOf = (at: number) => `fn:f${at % FILES}.ts:x.f${at % FILES}`;

/** A store with a file for each of many functions: each calls three others, all the first one, a few have odd values. */
async function filled(): Promise<KeyValueStore> {
  const store = await openMemoryStore();
  const layer = await openLayer(store, 'derived', CATALOG);
  const all = Array.from({ length: FILES }, (_, at) => at);
  await layer.commit(
    changes({
      nodes: all.map((at) => {
        const line = at % 100 === 7 ? at + 0.5 : at;
        return put({ ...fn(idOf(at)), props: { ...fn(idOf(at)).props, name: `n${at % 200}`, line } });
      }),
      edges: all.flatMap((at) =>
        [at + 1, at + 50, 0].map((to, n) => edge('Calls', idOf(at), idOf(to), { line: n + 1 })),
      ),
    }),
  );
  return store;
}

/** A store that counts the values of packs that are read one by one. */
function counting(store: KeyValueStore): { store: KeyValueStore; packs: () => number } {
  let packs = 0;
  const getMany: KeyValueStore['getMany'] = (keys) => {
    packs += keys.filter(([table]) => table === 4).length;
    return store.getMany(keys);
  };
  return { store: { ...store, getMany }, packs: () => packs };
}

const idsOf = async (layer: LayerStore, property: string, equals: string | number) =>
  (await collect(layer.find({ type: 'Symbol', property, equals }))).flat();
const questions: [string, most: number, (layer: LayerStore) => unknown][] = [
  ['a node', 1, (layer) => layer.nodes([idOf(5), 'fn:gone.ts:gone'])],
  ['a value of two nodes', 2, (layer) => idsOf(layer, 'name', 'n17')],
  ['a number', 6, (layer) => idsOf(layer, 'line', 40)],
  ['a number that has no column', 5, (layer) => idsOf(layer, 'line', 107.5)],
  [
    'a value of nodes whose texts end so',
    1,
    (layer) => collect(layer.find({ type: 'Symbol', property: 'name', equals: 'n17', ending: 'x.f217' })),
  ],
  ['a value that is nowhere', 1, (layer) => idsOf(layer, 'name', 'nowhere')],
  [
    'edges of a node on both sides',
    10,
    async (layer) =>
      (
        await layer.adjacency([
          { node: idOf(9), direction: 'in', edgeType: 'Calls' },
          { node: idOf(9), direction: 'out', edgeType: 'Calls' },
        ])
      ).map((entries) => entries.map(plain)),
  ],
  ['an edge', 4, (layer) => layer.edges([{ type: 'Calls', from: idOf(9), to: idOf(10), seq: 0 }])],
  [
    'edges of a node that all lead to',
    0,
    async (layer) =>
      (await layer.adjacency([{ node: idOf(0), direction: 'in', edgeType: 'Calls' }]))[0]?.map(plain),
  ],
  ['counts', 0, (layer) => layer.counts()],
  ['a range', 0, async (layer) => collect(layer.find({ type: 'Symbol', property: 'line', gte: 390 }))],
];

test.each(questions)(
  'of a graph that was just opened is answered from few packs: %s',
  async (_, most, ask) => {
    const store = await filled();
    const whole = await openLayer(store, 'derived', CATALOG);
    await collect(whole.allNodes());
    const { store: watched, packs } = counting(store);
    const first = await openLayer(watched, 'derived', CATALOG);
    expect(await ask(first)).toEqual(await ask(whole));
    expect(packs()).toBeLessThanOrEqual(most);
  },
);

test('what is asked one after the other, and then of everything, is as of a graph that was read at once', async () => {
  const store = await filled();
  const whole = await openLayer(store, 'derived', CATALOG);
  await collect(whole.allNodes());
  const first = await openLayer(store, 'derived', CATALOG);
  const before = first.snapshot();
  for (const [, , ask] of [...questions, ...questions]) expect(await ask(first)).toEqual(await ask(whole));
  const later = await openLayer(store, 'derived', CATALOG);
  const pinned = later.snapshot();
  await pinned.nodes([idOf(3)]);
  const known = await whole.nodes([idOf(1), idOf(3)]);
  await later.commit(changes({ nodes: [put({ ...fn(idOf(1)), props: { name: 'other' } })] }));
  expect(await pinned.nodes([idOf(1), idOf(3)])).toEqual(known);
  expect((await later.nodes([idOf(1)]))[0]?.props.name).toBe('other');
  await Promise.all([before.close(), pinned.close()]);
});

test('a damaged mark leaves nothing out', async () => {
  const store = await filled();
  for await (const page of store.scan({ from: Buffer.from([6]), to: Buffer.from([7]), limit: 1 }))
    for (const [key, value] of page) {
      const damaged = Buffer.from(value);
      damaged[0] = (damaged[0] ?? 0) ^ 1;
      await store.write([{ key, value: damaged }]);
    }
  const layer = await openLayer(store, 'derived', CATALOG);
  expect(await idsOf(layer, 'name', 'n17')).toHaveLength(2);
  expect(await layer.nodes(Array.from({ length: FILES }, (_, at) => idOf(at)))).not.toContain(undefined);
});
