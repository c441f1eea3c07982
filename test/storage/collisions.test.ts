import { describe, expect, test } from 'vitest';
import {
  type KeyValueStore,
  type LayerOptions,
  openLayer,
  openMemoryStore,
  type StoredEdge,
} from '../../storage/index.js';
import { CATALOG } from './catalog.js';
import { changes, edge, everything, fn, put } from './model.js';
import { narrow, narrowHash } from './narrow-hash.js';
import { codeOf } from './suite.js';

const open = async (options: LayerOptions = {}) =>
  openLayer(await openMemoryStore(), 'durable', CATALOG, options);

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
