import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { defineEdge, defineNode } from '../../schema/index.js';
import {
  countRoundTrips,
  type KeyValueStore,
  type LayerOptions,
  openLayer,
  openLevelStore,
  openMemoryStore,
  type StoredEdge,
} from '../../storage/index.js';
import { HEADER_KEY } from '../../storage/keys.js';
import { CATALOG, catalogOf, Fn } from './catalog.js';
import { changes, collect, drop, edge, everything, fn, Model, nameOf, plain, put } from './model.js';
import { randomFrom, scratchFolders } from './scratch.js';
import { codeOf } from './suite.js';

const folder = scratchFolders();
const engines: [string, () => Promise<KeyValueStore>][] = [
  ['memory', openMemoryStore],
  ['level', () => openLevelStore(folder())],
];
const open = async (options: LayerOptions = {}) =>
  openLayer(await openMemoryStore(), 'durable', CATALOG, options);

/** Ten ids share 256 keys, so that collisions are common. */
const narrowHash: LayerOptions['hash'] = (text, salt, target, at) => {
  let sum = salt * 31;
  for (const unit of text) sum = (sum * 33 + (unit.codePointAt(0) ?? 0)) % 65_521;
  target.fill(0, at, at + 8);
  target[at + 5] = sum;
};

const narrow = (id: string) => {
  const key = Buffer.alloc(8);
  narrowHash?.(id, 0, key, 0);
  return key[5];
};

describe.each(engines)('a layer on %s', (engine, openStore) => {
  test.each<[string, LayerOptions, number]>([
    ['', {}, 1],
    [' with hubs of four entries', { hubs: { most: 4, chunk: 2 } }, 2],
    [' whose keys collide', { hash: narrowHash, hubs: { most: 6, chunk: 3 } }, 3],
  ])(`answers as a naive model does after random edits%s`, async (_, options, seed) => {
    const layer = await openLayer(await openStore(), 'durable', CATALOG, options);
    const model = new Model();
    const random = randomFrom(seed);
    const ids = Array.from({ length: 12 }, (_, at) => `fn:f${at % 3}.ts:é${at}`);
    const types = ['Knows', 'Said', 'Calls', 'Refers', 'Contains'];
    for (let round = 0; round < (engine === 'level' ? 25 : 60); round += 1) {
      const step = randomChanges(random, model, ids, types, () => layer.nextSeq());
      await layer.commit(step);
      model.apply(step);
      const requests = ids.flatMap((node) =>
        types.flatMap((edgeType) =>
          (['out', 'in'] as const).map((direction) => ({ node, direction, edgeType })),
        ),
      );
      const answers = await layer.adjacency(requests);
      for (const [at, { node, direction, edgeType }] of requests.entries())
        expect(answers[at]?.map(plain)).toEqual(model.adjacency(node, direction, edgeType));
    }
    const all = await everything(layer);
    expect(all.nodes.map((node) => node.id)).toEqual([...model.nodes.keys()].sort());
    expect(all.edges).toEqual([...model.edges.values()].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1)));
    expect(await layer.edges(all.edges)).toEqual(all.edges);
    expect(await layer.nodes(ids)).toEqual(ids.map((id) => model.nodes.get(id)));
    expect(await collect(layer.find({ type: 'Symbol', property: 'name' }))).toEqual(
      model.found('Symbol', 'name'),
    );
    await layer.close();
  });

  test('is the same when it is opened again', async () => {
    const path = folder();
    const store = engine === 'level' ? await openLevelStore(path) : await openStore();
    const layer = await openLayer(store, 'durable', CATALOG);
    await layer.commit(
      changes({
        nodes: [put(fn('a'))],
        edges: [edge('Said', 'a', 'b', { text: 'hi' }, { seq: layer.nextSeq() })],
      }),
    );
    const before = await everything(layer);
    if (engine === 'level') await layer.close();
    const again = await openLayer(
      engine === 'level' ? await openLevelStore(path) : store,
      'durable',
      CATALOG,
    );
    expect(await everything(again)).toEqual(before);
    expect([again.revision, again.nextSeq(), again.edgeTypes()]).toEqual([1, 2, ['Said']]);
    await again.close();
  });

  test('shows a snapshot as it was while commits go on, even when they change the salt', async () => {
    const layer = await openLayer(await openStore(), 'durable', CATALOG, { hash: narrowHash });
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
    const layer = await openLayer(await openStore(), 'durable', CATALOG);
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

describe('a commit', () => {
  test('that cannot be encoded writes nothing', async () => {
    const layer = await open();
    const bad = fn('b', { name: () => 'not data' });
    expect(await codeOf(() => layer.commit(changes({ nodes: [put(fn('a')), put(bad)] })))).toBe(
      'INVALID_INPUT',
    );
    expect(await codeOf(() => layer.commit(changes({ edges: [edge('Unheard', 'a', 'b')] })))).toBe(
      'INVALID_ARCHETYPE',
    );
    expect(await codeOf(() => layer.commit(changes({ nodes: [put(fn('a', { colour: 'red' }))] })))).toBe(
      'INVALID_INPUT',
    );
    expect(
      await codeOf(() => layer.commit(changes({ edges: [edge('Knows', 'a', 'b', {}, { seq: 0 })] }))),
    ).toBe('INVALID_INPUT');
    expect(await everything(layer)).toEqual({ nodes: [], edges: [] });
    expect(layer.revision).toBe(0);
    await layer.commit(changes({ nodes: [put(fn('a'))] }));
    expect(await layer.nodes(['a'])).toEqual([fn('a')]);
  });

  test('commits that are given at once are made one after the other', async () => {
    const layer = await open();
    await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        layer.commit(changes({ edges: [edge('Calls', 'a', `t${at}`, { line: at })] })),
      ),
    );
    const [out] = await layer.adjacency([{ node: 'a', direction: 'out', edgeType: 'Calls' }]);
    expect([out?.length, layer.revision]).toEqual([20, 20]);
  });

  test('reads and writes in two round trips, and a walk step reads in one', async () => {
    const store = countRoundTrips(await openMemoryStore());
    const layer = await openLayer(store, 'durable', CATALOG);
    store.resetRoundTrips();
    await layer.commit(changes({ nodes: [put(fn('a'))], edges: [edge('Calls', 'a', 'b', { line: 1 })] }));
    expect(store.roundTrips).toBe(2);
    store.resetRoundTrips();
    await layer.adjacency(['a', 'b', 'c'].map((node) => ({ node, direction: 'out', edgeType: 'Calls' })));
    await layer.nodes(['a', 'b']);
    await layer.edges([edge('Calls', 'a', 'b')]);
    expect(store.roundTrips).toBe(3);
  });

  test('of an edge to a node of another layer keeps its place without showing a node', async () => {
    const layer = await open();
    await layer.commit(
      changes({ nodes: [put(fn('a'))], edges: [edge('Calls', 'a', 'file:x.ts', { line: 1 })] }),
    );
    expect(await layer.nodes(['file:x.ts'])).toEqual([undefined]);
    expect((await everything(layer)).nodes.map((node) => node.id)).toEqual(['a']);
    await layer.commit(changes({ nodes: [put(fn('file:x.ts'))] }));
    expect(await layer.nodes(['file:x.ts'])).toEqual([fn('file:x.ts')]);
  });

  test('replaces an undirected canonical edge by a directed one at both ends', async () => {
    const layer = await open();
    await layer.commit(changes({ edges: [edge('Calls', 'a', 'b', { line: 1 }, { undirected: true })] }));
    await layer.commit(changes({ edges: [edge('Calls', 'a', 'b', { line: 2 })] }));
    const [out, into] = await layer.adjacency([
      { node: 'b', direction: 'out', edgeType: 'Calls' },
      { node: 'a', direction: 'in', edgeType: 'Calls' },
    ]);
    expect([out, into]).toEqual([[], []]);
  });
});

describe('a hub', () => {
  test('is read in two round trips, and one more edge is one small write', async () => {
    const store = countRoundTrips(await openMemoryStore());
    const written: number[] = [];
    const weighing: KeyValueStore = {
      ...store,
      write(batch, options) {
        written.push(batch.reduce((sum, { key, value }) => sum + key.length + (value?.length ?? 0), 0));
        return store.write(batch, options);
      },
    };
    const layer = await openLayer(weighing, 'derived', CATALOG);
    const callers = Array.from({ length: 20_000 }, (_, at) => `fn:src/f${at}.ts:caller`);
    await layer.commit(
      changes({ edges: callers.map((from, at) => edge('Calls', from, 'hub', { line: at })) }),
    );
    await layer.commit(changes({ edges: [edge('Calls', 'fn:src/f77x.ts:late', 'hub', { line: 1 })] }));
    expect(written[1]).toBeLessThan(8_000);
    store.resetRoundTrips();
    const reading = countRoundTrips(store);
    const snapshot = await openLayer(reading, 'derived', CATALOG);
    reading.resetRoundTrips();
    const [entries] = await snapshot.adjacency([{ node: 'hub', direction: 'in', edgeType: 'Calls' }]);
    expect(reading.roundTrips).toBe(2);
    expect(entries?.map(({ far }) => far)).toEqual([...callers, 'fn:src/f77x.ts:late'].sort());
  });

  test('shrinks to a plain record again when its edges go', async () => {
    const layer = await open({ hubs: { most: 4, chunk: 2 } });
    const edges = Array.from({ length: 30 }, (_, at) => edge('Knows', 'hub', `t${at}`, {}, { seq: at + 1 }));
    await layer.commit(changes({ edges }));
    await layer.commit(changes({ removedEdges: edges.slice(3) }));
    const request = { node: 'hub', direction: 'out', edgeType: 'Knows' } as const;
    expect((await layer.adjacency([request]))[0]?.map(({ far }) => far)).toEqual(['t0', 't1', 't2']);
    await layer.commit(changes({ removedEdges: edges.slice(0, 3) }));
    expect((await layer.adjacency([request]))[0]).toEqual([]);
  });
});

describe('keys that collide', () => {
  test('move the layer to another salt, and a cut-off move leaves it whole', async () => {
    const store = await openMemoryStore();
    let writes = 0;
    let last = Number.POSITIVE_INFINITY;
    const dying: KeyValueStore = {
      ...store,
      async write(batch, options) {
        writes += 1;
        if (writes > last) throw new Error('killed');
        await store.write(batch, options);
      },
    };
    const few = ['a', 'b'].map((id) => fn(id));
    const edges: StoredEdge[] = [
      edge('Refers', 'a', 'b', { line: 3, note: 'n' }),
      edge('Said', 'b', 'a', { text: 't' }, { seq: 1 }),
    ];
    const layer = await openLayer(dying, 'durable', CATALOG, { hash: narrowHash });
    await layer.commit(changes({ nodes: few.map(put), edges }));
    const before = await everything(layer);
    const twin = Array.from({ length: 2000 }, (_, at) => `twin${at}`).find(
      (id) => narrow(id) === narrow('a'),
    );
    const more = changes({ nodes: [put(fn(twin ?? ''))] });
    last = writes + 1;
    await expect(layer.commit(more)).rejects.toThrow('killed');
    const revived = await openLayer(store, 'durable', CATALOG, { hash: narrowHash });
    expect(await everything(revived)).toEqual(before);
    await revived.commit(more);
    expect((await everything(revived)).nodes.length).toBe(3);
    expect(await revived.edges(edges)).toEqual(edges.map((stored) => expect.objectContaining(stored)));
  });

  test('are given up with KEY_COLLISION only when no salt helps', async () => {
    const layer = await open({ hash: (_, __, target, at) => target.fill(7, at, at + 8) });
    expect(await codeOf(() => layer.commit(changes({ nodes: [put(fn('a')), put(fn('b'))] })))).toBe(
      'KEY_COLLISION',
    );
    expect(await everything(layer)).toEqual({ nodes: [], edges: [] });
  });
});

describe('archetypes that change', () => {
  const One = defineNode('Thing', { a: z.string(), b: z.number().optional() }, { indexes: ['a'] });
  const Two = defineNode('Thing', { b: z.number().optional(), c: z.string().optional() }, { indexes: ['b'] });
  const Link = defineEdge('Link', { w: z.number() }, { inline: ['w'] });
  const Longer = defineEdge(
    'Link',
    { x: z.string().optional(), w: z.number(), note: z.string().optional() },
    { inline: ['x', 'w'] },
  );
  const node = (id: string, props: Record<string, unknown>) => put({ id, type: 'Thing', props });

  test('lose unknown fields and leave new ones absent; indexes follow', async () => {
    const store = await openMemoryStore();
    const old = await openLayer(store, 'durable', catalogOf([One, Link]));
    await old.commit(
      changes({
        nodes: [node('n', { a: 'x', b: 2 }), node('m', { a: 'w', b: 1 })],
        edges: [edge('Link', 'n', 'm', { w: 5 }, { seq: 1 })],
        typeOf: () => 'Thing',
      }),
    );
    const layer = await openLayer(store, 'durable', catalogOf([Two, Longer]));
    expect(await layer.nodes(['n'])).toEqual([{ id: 'n', type: 'Thing', props: { b: 2 } }]);
    expect(await collect(layer.find({ type: 'Thing', property: 'b' }))).toEqual(['m', 'n']);
    expect(await codeOf(() => collect(layer.find({ type: 'Thing', property: 'a' })))).toBe('INVALID_INPUT');
    await layer.commit(
      changes({
        edges: [edge('Link', 'n', 'o', { w: 6, x: 'y', note: 'z' }, { seq: 2 })],
        typeOf: () => 'Thing',
      }),
    );
    const [out] = await layer.adjacency([{ node: 'n', direction: 'out', edgeType: 'Link' }]);
    expect(out?.map(({ props }) => props)).toEqual([{ w: 5 }, { x: 'y', w: 6 }]);
    const found = await layer.edges([
      edge('Link', 'n', 'm', {}, { seq: 1 }),
      edge('Link', 'n', 'o', {}, { seq: 2 }),
    ]);
    expect(found.map((stored) => stored?.props)).toEqual([{ w: 5 }, { x: 'y', w: 6, note: 'z' }]);
  });

  test('that are not loaded still decode whole', async () => {
    const store = await openMemoryStore();
    const old = await openLayer(store, 'durable', catalogOf([One, Link]));
    await old.commit(
      changes({
        nodes: [node('n', { a: 'x', b: 2 })],
        edges: [edge('Link', 'n', 'm', { w: 5 }, { seq: 1 })],
        typeOf: () => 'Thing',
      }),
    );
    const layer = await openLayer(store, 'durable', catalogOf([]));
    const all = await everything(layer);
    expect(all.nodes).toEqual([{ id: 'n', type: 'Thing', props: { a: 'x', b: 2 } }]);
    expect(all.edges.map(({ props }) => props)).toEqual([{ w: 5 }]);
  });
});

describe('find', () => {
  test('merges descendants by (value, id), and takes equality, prefixes, bounds and limits', async () => {
    const layer = await open();
    const cls = (id: string, name: string) => put({ id, type: 'Class', props: { name, doc: null } });
    await layer.commit(
      changes({
        nodes: [
          put(fn('f1', { name: 'b', line: 10, exported: true })),
          put(fn('f2', { name: 'a', line: 9 })),
          cls('c1', 'b'),
          cls('c2', 'ab'),
        ],
      }),
    );
    const find = (query: object) => collect(layer.find({ type: 'Symbol', property: 'name', ...query }));
    expect(await find({})).toEqual(['f2', 'c2', 'c1', 'f1']);
    expect(await find({ equals: 'b' })).toEqual(['c1', 'f1']);
    expect(await find({ prefix: 'a' })).toEqual(['f2', 'c2']);
    expect(await find({ gte: 'ab', lt: 'b' })).toEqual(['c2']);
    expect(await find({ limit: 3 })).toEqual(['f2', 'c2', 'c1']);
    expect(await find({ limit: 0 })).toEqual([]);
    expect(await find({ type: 'Class' })).toEqual(['c2', 'c1']);
    expect(await find({ property: null })).toEqual(['c1', 'c2', 'f1', 'f2']);
    expect(await find({ property: 'line', gte: 10 })).toEqual(['f1']);
    expect(await find({ type: 'Function', property: 'exported', equals: true })).toEqual(['f1']);
    expect(await codeOf(() => find({ equals: 'a', prefix: 'a' }))).toBe('INVALID_INPUT');
    expect(await codeOf(() => find({ property: 'doc' }))).toBe('INVALID_INPUT');
  });
});

test('blobs are kept under their names, listed by prefix, and go when they are told to', async () => {
  const layer = await open();
  const value = Buffer.from([1, 2]);
  await layer.commit(changes({ blobs: ['extract/b', 'extract/a', 'mark'].map((name) => ({ name, value })) }));
  expect(await collect(layer.blobNames('extract/'))).toEqual(['extract/a', 'extract/b']);
  await layer.commit(changes({ blobs: [{ name: 'mark', value: undefined }] }));
  expect((await layer.blobs(['mark', 'extract/a'])).map((found) => found?.length)).toEqual([undefined, 2]);
});

describe('opening a store', () => {
  const withHeader = async (header: string) => {
    const store = await openMemoryStore();
    await store.write([{ key: HEADER_KEY, value: Buffer.from(header) }]);
    return codeOf(() => openLayer(store, 'derived', CATALOG));
  };

  test('of a newer version is STORE_NEWER and names both versions', async () => {
    const store = await openMemoryStore();
    await store.write([{ key: HEADER_KEY, value: Buffer.from('{"format":7}') }]);
    await expect(openLayer(store, 'derived', CATALOG)).rejects.toMatchObject({
      code: 'STORE_NEWER',
      message: expect.stringMatching(/7.*1/),
      suggestion: expect.stringContaining('Update'),
    });
  });

  test('whose header is damaged, missing or of another layer is STORE_CORRUPT', async () => {
    expect(await withHeader('{"format":')).toBe('STORE_CORRUPT');
    expect(await withHeader('{"format":1}')).toBe('STORE_CORRUPT');
    expect(await withHeader('{"format":0}')).toBe('STORE_CORRUPT');
    const headless = await openMemoryStore();
    await headless.write([{ key: Buffer.from([0x10, 1]), value: Buffer.from('x') }]);
    expect(await codeOf(() => openLayer(headless, 'derived', CATALOG))).toBe('STORE_CORRUPT');
    const store = await openMemoryStore();
    await (await openLayer(store, 'durable', CATALOG)).commit(changes({ nodes: [put(fn('a'))] }));
    expect(await codeOf(() => openLayer(store, 'derived', CATALOG))).toBe('STORE_CORRUPT');
  });

  test('refuses an archetype whose edges are stored in another order', async () => {
    const store = await openMemoryStore();
    const layer = await openLayer(store, 'durable', CATALOG);
    await layer.commit(
      changes({ nodes: [put(fn('a')), drop(fn('z'))], edges: [edge('Contains', 'a', 'b')] }),
    );
    const turned = await openLayer(store, 'durable', catalogOf([Fn, defineEdge('Contains', {})]));
    expect(
      await codeOf(() => turned.commit(changes({ edges: [edge('Contains', 'a', 'c', {}, { seq: 1 })] }))),
    ).toBe('INVALID_ARCHETYPE');
  });
});

function randomChanges(
  random: () => number,
  model: Model,
  ids: readonly string[],
  types: readonly string[],
  nextSeq: () => number,
) {
  const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const touched = new Set(Array.from({ length: 3 }, () => one(ids)));
  const removed = new Map<string, StoredEdge>();
  const nodes = [...touched].map((id) => {
    const stored = model.nodes.get(id);
    if (stored === undefined || random() < 0.6)
      return {
        id,
        before: stored,
        after: fn(id, { name: one(['x', 'y', id]), ...(random() < 0.5 ? { line: 1 } : {}) }),
      };
    for (const [name, found] of model.edges)
      if (found.from === id || found.to === id) removed.set(name, found);
    return { id, before: stored, after: undefined };
  });
  const gone = new Set(nodes.filter(({ after }) => after === undefined).map(({ id }) => id));
  for (const [name, found] of model.edges) if (random() < 0.05) removed.set(name, found);
  const edges = new Map<string, StoredEdge>();
  for (const [name, found] of model.edges) {
    if (random() < 0.05 && !removed.has(name))
      edges.set(name, { ...found, props: propsOf(found.type, random), undirected: random() < 0.25 });
  }
  for (let at = 0; at < 12; at += 1) {
    const type = one(types);
    const [from, to] = [one(ids), one(ids)];
    if (gone.has(from) || gone.has(to)) continue;
    const creation = CATALOG.edge(type)?.order === 'creation';
    const stored = edge(type, from, to, propsOf(type, random), {
      seq: creation ? nextSeq() : 0,
      undirected: random() < 0.25,
    });
    if (!removed.has(nameOf(stored))) edges.set(nameOf(stored), stored);
  }
  return changes({ nodes, edges: [...edges.values()], removedEdges: [...removed.values()] });
}

function propsOf(type: string, random: () => number): Record<string, unknown> {
  const line = Math.floor(random() * 300);
  if (type === 'Knows') return { weight: line };
  if (type === 'Said') return { text: `t${line}`, mood: line % 2 === 0 ? null : 'glad' };
  if (type === 'Calls')
    return { line, ...(line % 3 === 0 ? { column: 7 } : {}), ...(line % 5 === 0 ? { how: 'exact' } : {}) };
  return type === 'Refers' ? { line, note: 'n' } : {};
}
