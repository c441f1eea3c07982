import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Layer } from '../../schema/index.js';
import {
  compareCreation,
  type HotNode,
  type KeyValueStore,
  type LayerOptions,
  openLayer,
  openLevelStore,
  openMemoryStore,
  type StoredNode,
} from '../../storage/index.js';
import { HEADER_KEY } from '../../storage/keys.js';
import { CATALOG } from './catalog.js';
import { changes, collect, edge, everything, fn, Model, nameOf, plain, put } from './model.js';
import { narrowHash } from './narrow-hash.js';
import { randomChanges } from './random-changes.js';
import { randomFrom, scratchFolders } from './scratch.js';

const folder = scratchFolders();
const engines: [Layer, string, () => Promise<KeyValueStore>][] = (['durable', 'derived'] as const).flatMap(
  (name) => [
    [name, 'memory', openMemoryStore],
    [name, 'level', () => openLevelStore(folder())],
    [name, 'a store that answers later', async () => answeringLater(await openMemoryStore())],
  ],
);

/** A store of which every read has to be waited for, as of one on another machine. */
function answeringLater(store: KeyValueStore): KeyValueStore {
  return { ...store, getMany: async (keys) => store.getMany(keys) };
}

describe.each(engines)('the %s layer on %s', (name, engine, openStore) => {
  test.each<[string, LayerOptions, number]>([
    ['', {}, 1],
    [' with hubs of four entries', { hubs: { most: 4, chunk: 2 } }, 2],
    [' whose keys collide', { hash: narrowHash, hubs: { most: 6, chunk: 3 } }, 3],
  ])(`answers as a naive model does after random edits%s`, async (_, options, seed) => {
    const store = await openStore();
    const layer = await openLayer(store, name, CATALOG, options);
    const model = new Model();
    const random = randomFrom(seed);
    const ids = Array.from(
      { length: options.hash ? 24 : 12 },
      (_, at) => `${options.hash ? 'note' : `fn:f${at % 3}.ts`}:é${at}`,
    );
    const types = ['Knows', 'Said', 'Calls', 'Refers', 'Contains'];
    let told = 0;
    for (let round = 0; round < (engine === 'memory' ? 30 : 12); round += 1) {
      const step = randomChanges(random, model, ids, types, () => layer.nextSeq());
      await layer.commit(step);
      model.apply(step);
      // Reading does not check whose adjacency a key holds, only writing does: ids that are not here are not asked for.
      const here = new Set([
        ...model.nodes.keys(),
        ...[...model.edges.values()].flatMap(({ from, to }) => [from, to]),
      ]);
      const requests = [...here].flatMap((node) =>
        types.flatMap((edgeType) =>
          (['out', 'in'] as const).map((direction) => ({ node, direction, edgeType })),
        ),
      );
      const answers = await layer.adjacency(requests);
      const expected = requests.map(({ node, direction, edgeType }) =>
        model.adjacency(node, direction, edgeType),
      );
      expect(answers.map((entries) => entries.map(plain))).toEqual(expected);
      for (const _ of ['read', 'in memory']) {
        const hot = await layer.hot.adjacency(requests);
        expect(hot.map((entries) => entries.map(plain))).toEqual(expected);
        const nodes = await layer.hot.nodes(ids);
        expect(nodes.map(withoutShown)).toEqual(ids.map((id) => model.nodes.get(id)));
        const edges = [...model.edges.values()];
        expect(await layer.hot.edges(edges)).toEqual(edges);
      }
      expect(await layer.counts()).toEqual(model.counts());
      for (let asked = 0; asked < 6; asked += 1) {
        for (const equals of ['x', 'y', ids[0] ?? '']) {
          const query = { type: 'Symbol', property: 'name', equals };
          const kept = layer.hot.find(query);
          if (kept) expect(kept).toEqual(await collect(layer.find(query)));
          told += kept ? 1 : 0;
        }
        await setImmediate();
      }
      for (const edgeTypes of [['Knows'], types]) {
        const hop = { edgeTypes, directions: ['out', 'in'], order: compareCreation, far: null } as const;
        const asked = () => layer.hot.reach(ids.slice(0, 2), [hop, hop]);
        await asked();
        await asked();
        const reached = await asked();
        if (reached) expect(reached).toEqual(reachedIn(model, ids, edgeTypes));
      }
    }
    // Of the code graph look-ups are answered from memory.
    expect(told > 30).toBe(name === 'derived');
    const all = await everything(layer);
    expect(all.nodes.map((node) => node.id)).toEqual([...model.nodes.keys()].sort());
    expect(all.edges).toEqual([...model.edges.values()].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1)));
    expect(await layer.edges(all.edges)).toEqual(all.edges);
    expect(await layer.nodes(ids)).toEqual(ids.map((id) => model.nodes.get(id)));
    expect(await collect(layer.find({ type: 'Symbol', property: 'name' }))).toEqual(
      model.found('Symbol', 'name'),
    );
    const [header] = await store.getMany([HEADER_KEY]);
    expect(JSON.parse(String(header)).salt > 0).toBe(options.hash !== undefined && name === 'durable');
    await layer.close();
  });

  test('is the same when it is opened again', async () => {
    const path = folder();
    const store = engine === 'level' ? await openLevelStore(path) : await openStore();
    const layer = await openLayer(store, name, CATALOG);
    await layer.commit(
      changes({
        nodes: [put(fn('a'))],
        edges: [edge('Said', 'a', 'b', { text: 'hi' }, { seq: layer.nextSeq() })],
      }),
    );
    const before = await everything(layer);
    if (engine === 'level') await layer.close();
    const again = await openLayer(engine === 'level' ? await openLevelStore(path) : store, name, CATALOG);
    expect(await everything(again)).toEqual(before);
    expect([again.revision, again.nextSeq(), again.edgeTypes()]).toEqual([1, 2, ['Said']]);
    await again.close();
  });

  test('shows a snapshot as it was while commits go on, even when they change the salt', async () => {
    const layer = await openLayer(await openStore(), name, CATALOG, { hash: narrowHash });
    const first = ['a', 'b', 'c'].map((id) => fn(id));
    await layer.commit(changes({ nodes: first.map(put), edges: [edge('Calls', 'a', 'b', { line: 1 })] }));
    const snapshot = layer.snapshot();
    const before = await everything(snapshot);
    await layer.commit(
      changes({
        nodes: Array.from({ length: 20 }, (_, at) => put(fn(`n${at}`))),
        removedEdges: [edge('Calls', 'a', 'b')],
      }),
    );
    expect(await everything(snapshot)).toEqual(before);
    expect((await snapshot.adjacency([{ node: 'a', direction: 'out', edgeType: 'Calls' }]))[0]?.length).toBe(
      1,
    );
    expect((await layer.adjacency([{ node: 'a', direction: 'out', edgeType: 'Calls' }]))[0]?.length).toBe(0);
    await snapshot.close();
    await layer.close();
  });

  test('is empty after clear, and starts anew', async () => {
    const layer = await openLayer(await openStore(), name, CATALOG);
    await layer.commit(
      changes({ nodes: [put(fn('a'))], blobs: [{ name: 'mark', value: Buffer.from('x') }] }),
    );
    await layer.clear();
    expect(await everything(layer)).toEqual({ nodes: [], edges: [] });
    expect([layer.revision, layer.edgeTypes(), await layer.blobs(['mark'])]).toEqual([0, [], [undefined]]);
    await layer.commit(changes({ nodes: [put(fn('b'))] }));
    expect((await everything(layer)).nodes).toEqual([fn('b')]);
    await layer.close();
  });
});

function withoutShown(node: HotNode | undefined): StoredNode | undefined {
  return node && { id: node.id, type: node.type, props: node.props };
}

/** What two hops from the first two ids reach, both ways. */
function reachedIn(model: Model, ids: readonly string[], edgeTypes: readonly string[]): string[] {
  let frontier = ids.slice(0, 2);
  for (const _ of ['first', 'second']) {
    const far = frontier.flatMap((id) =>
      edgeTypes
        .flatMap((type) => [...model.adjacency(id, 'out', type), ...model.adjacency(id, 'in', type)])
        .sort(compareCreation)
        .map((entry) => entry.far),
    );
    frontier = [...new Set(far)];
  }
  return frontier;
}
