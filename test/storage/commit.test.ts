import { describe, expect, test } from 'vitest';
import { countRoundTrips, type LayerOptions, openLayer, openMemoryStore } from '../../storage/index.js';
import { CATALOG } from './catalog.js';
import { changes, collect, edge, everything, fn, put } from './model.js';
import { codeOf } from './suite.js';

const open = async (options: LayerOptions = {}) =>
  openLayer(await openMemoryStore(), 'durable', CATALOG, options);

describe('a layer that was empty when it was opened', () => {
  test('says so when it is closed, and not that nothing is there', async () => {
    const layer = await openLayer(await openMemoryStore(), 'derived', CATALOG);
    expect(await layer.nodes(['a'])).toEqual([undefined]);
    await layer.close();
    expect(await codeOf(async () => layer.nodes(['a']))).toBe('STORE_CLOSED');
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

  test('takes the last of several canonical edges with one address, at both ends and in its record', async () => {
    const layer = await open();
    const others = Array.from({ length: 40 }, (_, at) =>
      edge('Refers', 'a', `t${at}`, { line: at, note: 'x' }),
    );
    const again = [7, 3].map((line) => edge('Refers', 'a', 't5', { line, note: `${line}` }));
    await layer.commit(changes({ edges: [...others, ...again] }));
    const [out, back] = await layer.adjacency([
      { node: 'a', direction: 'out', edgeType: 'Refers' },
      { node: 't5', direction: 'in', edgeType: 'Refers' },
    ]);
    expect(out?.length).toBe(40);
    expect(out?.filter(({ far }) => far === 't5').map(({ props }) => props.line)).toEqual([3]);
    expect(back?.map(({ far, props }) => [far, props.line])).toEqual([['a', 3]]);
    expect((await layer.edges([edge('Refers', 'a', 't5')]))[0]?.props.note).toBe('3');
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
    await layer.commit(changes({ nodes: [put(fn('a'))], edges: [edge('Calls', 'a', 'b', { line: 1 })] }));
    store.resetRoundTrips();
    await layer.commit(changes({ nodes: [put(fn('a'))], edges: [edge('Calls', 'a', 'c', { line: 2 })] }));
    expect(store.roundTrips).toBe(2);
    store.resetRoundTrips();
    await layer.adjacency(['a', 'b', 'c'].map((node) => ({ node, direction: 'out', edgeType: 'Calls' })));
    await layer.nodes(['a', 'b']);
    await layer.edges([edge('Calls', 'a', 'b')]);
    expect(store.roundTrips).toBe(3);
  });

  test('of the code graph writes once, and what is read of it then takes one round trip for details', async () => {
    const store = countRoundTrips(await openMemoryStore());
    const layer = await openLayer(store, 'derived', CATALOG);
    await layer.commit(changes({ nodes: [put(fn('fn:a.ts:a'))] }));
    store.resetRoundTrips();
    await layer.commit(changes({ edges: [edge('Refers', 'fn:a.ts:a', 'fn:b.ts:b', { line: 1 })] }));
    // One for what the owner had.
    expect(store.roundTrips).toBe(2);
    store.resetRoundTrips();
    await layer.adjacency([{ node: 'fn:a.ts:a', direction: 'out', edgeType: 'Refers' }]);
    expect(store.roundTrips).toBe(0);
    await layer.nodes(['fn:a.ts:a']);
    await layer.edges([edge('Refers', 'fn:a.ts:a', 'fn:b.ts:b')]);
    expect(store.roundTrips).toBe(1);
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

test('blobs are kept under their names, listed by prefix, and go when they are told to', async () => {
  const layer = await open();
  const value = Buffer.from([1, 2]);
  await layer.commit(changes({ blobs: ['extract/b', 'extract/a', 'mark'].map((name) => ({ name, value })) }));
  expect(await collect(layer.blobNames('extract/'))).toEqual(['extract/a', 'extract/b']);
  const under = await collect(layer.blobsUnder('extract/'));
  expect(under.map(({ name, value: bytes }) => [name, [...bytes]])).toEqual([
    ['extract/a', [1, 2]],
    ['extract/b', [1, 2]],
  ]);
  await layer.commit(changes({ blobs: [{ name: 'mark', value: undefined }] }));
  expect((await layer.blobs(['mark', 'extract/a'])).map((found) => found?.length)).toEqual([undefined, 2]);
});
