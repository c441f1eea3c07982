import { expect, test } from 'vitest';
import {
  FORMAT as FORMATS,
  headerWrite,
  type Migration,
  migrationPath,
  newHeader,
  readHeader,
} from '../../storage/header.js';
import { openLayer, openMemoryStore } from '../../storage/index.js';
import { HEADER_KEY } from '../../storage/keys.js';
import { CATALOG } from './catalog.js';
import { changes, edge, fn, put } from './model.js';
import { codeOf } from './suite.js';

const FORMAT = FORMATS.durable;
const mark = Buffer.from([0x05]);

const step = (from: number, to: number): Migration => ({
  from,
  to,
  async migrate(store, header) {
    const [found] = await store.getMany([mark]);
    await store.write([{ key: mark, value: Buffer.from(`${found ?? ''}${from}>${to} `) }]);
    return header;
  },
});

test('the way between formats takes the longest steps that lead there', () => {
  const steps = [step(1, 2), step(2, 3), step(1, 3), step(3, 4), step(2, 9)];
  expect(migrationPath(1, 4, steps)?.map(({ from, to }) => [from, to])).toEqual([
    [1, 3],
    [3, 4],
  ]);
  expect(migrationPath(4, 4, steps)).toEqual([]);
  expect(migrationPath(4, 5, steps)).toBeUndefined();
});

test('an older store is brought up to date step by step, and stays so', async () => {
  const store = await openMemoryStore();
  await store.write([headerWrite(newHeader('durable', 'whole'))]);
  const steps = [step(FORMAT, FORMAT + 1), step(FORMAT + 1, FORMAT + 2)];
  for (let turn = 0; turn < 2; turn += 1) {
    const header = await readHeader(store, 'durable', steps, FORMAT + 2);
    expect(header?.format).toBe(FORMAT + 2);
  }
  expect(String((await store.getMany([mark]))[0])).toBe(
    `${FORMAT}>${FORMAT + 1} ${FORMAT + 1}>${FORMAT + 2} `,
  );
});

test('a step that fails leaves the format that was reached', async () => {
  const store = await openMemoryStore();
  await store.write([headerWrite(newHeader('durable', 'whole'))]);
  const [next, last] = [FORMAT + 1, FORMAT + 2];
  const failing: Migration = {
    from: next,
    to: last,
    migrate: async () => Promise.reject(new Error('cut off')),
  };
  const steps = [step(FORMAT, next), failing];
  await expect(readHeader(store, 'durable', steps, last)).rejects.toThrow('cut off');
  expect((await readHeader(store, 'durable', [], next))?.format).toBe(next);
});

test('a store from which no step leads is STORE_CORRUPT, and says from where to where', async () => {
  const store = await openMemoryStore();
  await store.write([headerWrite(newHeader('durable', 'whole'))]);
  expect(await codeOf(() => readHeader(store, 'durable', [], FORMAT + 1))).toBe('STORE_CORRUPT');
});

test('a store of format 1 is counted when it is opened, and then knows its counts', async () => {
  const store = await openMemoryStore();
  const layer = await openLayer(store, 'durable', CATALOG, { hubs: { most: 4, chunk: 2 } });
  const ids = Array.from({ length: 9 }, (_, at) => `fn:a.ts:f${at}`);
  const calls = ids.map((id) => edge('Calls', 'fn:a.ts:f0', id, {}));
  await layer.commit(changes({ nodes: ids.map((id) => put(fn(id, { name: id }))), edges: calls }));
  const counts = await layer.counts();
  expect([...counts.edges.values()]).toEqual([9]);
  const [bytes] = await store.getMany([HEADER_KEY]);
  const { counts: _, ...old } = JSON.parse(String(bytes));
  await store.write([headerWrite({ ...old, format: 1 })]);
  expect(await (await openLayer(store, 'durable', CATALOG)).counts()).toEqual(counts);
});

test('packs in the place of records: an older store of the code graph is emptied, to be made again', async () => {
  const store = await openMemoryStore();
  const old = { ...newHeader('derived', 'owner'), format: 2, revision: 7 };
  await store.write([
    headerWrite(old),
    { key: Buffer.from([0x02, 0x70]), value: Buffer.from('mark') },
    { key: Buffer.from([0x10, 0x01]), value: Buffer.from('node') },
  ]);
  const layer = await openLayer(store, 'derived', CATALOG);
  expect([layer.revision, await layer.blobs(['p'])]).toEqual([0, [undefined]]);
  await layer.commit(changes({ nodes: [put(fn('a'))] }));
  const again = await openLayer(store, 'derived', CATALOG);
  expect([again.revision, await again.nodes(['a'])]).toEqual([1, [fn('a')]]);
});
