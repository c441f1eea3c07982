import { describe, expect, test } from 'vitest';
import { defineEdge } from '../../schema/index.js';
import { openLayer, openMemoryStore } from '../../storage/index.js';
import { HEADER_KEY } from '../../storage/keys.js';
import { CATALOG, catalogOf, Fn } from './catalog.js';
import { changes, drop, edge, fn, put } from './model.js';
import { codeOf } from './suite.js';

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
      message: expect.stringMatching(/7.*4/),
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
