import { describe, expect, test } from 'vitest';
import {
  countRoundTrips,
  type KeyValueStore,
  type LayerOptions,
  openLayer,
  openMemoryStore,
} from '../../storage/index.js';
import { putAll, type WriteBatch } from '../../storage/kv.js';
import { CATALOG } from './catalog.js';
import { changes, edge } from './model.js';

const open = async (options: LayerOptions = {}) =>
  openLayer(await openMemoryStore(), 'durable', CATALOG, options);

describe('a hub', () => {
  test('is read in two round trips, and one more edge is one small write', async () => {
    const store = countRoundTrips(await openMemoryStore());
    const written: number[] = [];
    const weighing: KeyValueStore = {
      ...store,
      async write(batch, options) {
        let bytes = 0;
        await store.write((to) => {
          const make = typeof batch === 'function' ? batch : (one: WriteBatch) => putAll(one, batch);
          return make({
            put(key, value) {
              bytes += key.length + value.length;
              to.put(key, value);
            },
            del(key) {
              bytes += key.length;
              to.del(key);
            },
          });
        }, options);
        written.push(bytes);
      },
    };
    const layer = await openLayer(weighing, 'durable', CATALOG);
    const callers = Array.from({ length: 5_000 }, (_, at) => `fn:src/f${at}.ts:caller`);
    await layer.commit(
      changes({ edges: callers.map((from, at) => edge('Calls', from, 'hub', { line: at })) }),
    );
    await layer.commit(changes({ edges: [edge('Calls', 'fn:src/f77x.ts:late', 'hub', { line: 1 })] }));
    expect(written[1]).toBeLessThan(8_000);
    store.resetRoundTrips();
    const reading = countRoundTrips(store);
    const snapshot = await openLayer(reading, 'durable', CATALOG);
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
