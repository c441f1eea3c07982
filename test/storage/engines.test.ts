import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { countRoundTrips, type KeyValueStore, openLevelStore, openMemoryStore } from '../../storage/index.js';
import { storeError } from '../../storage/store-error.js';
import { scratchFolders } from './scratch.js';
import { codeOf, storageSuite } from './suite.js';

const folder = scratchFolders();
storageSuite('memory', openMemoryStore);
storageSuite('level', () => openLevelStore(folder()));
storageSuite('memory', async () => countRoundTrips(await openMemoryStore()));

const entry = { key: Buffer.from('a'), value: Buffer.from('1') };

describe('the LevelDB store', () => {
  test('makes its folder for the user alone', async () => {
    const path = join(folder(), 'new', 'derived');
    const store = await openLevelStore(path);
    await store.close();
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o700);
  });

  test('is still there when it is opened again, and says how big it is', async () => {
    const path = folder();
    const first = await openLevelStore(path);
    await first.write([entry], { sync: true });
    await first.close();
    const second = await openLevelStore(path);
    expect((await second.getMany([entry.key]))[0]).toEqual(entry.value);
    expect(await second.sizeOnDisk()).toBeGreaterThan(0);
    await second.close();
  });

  test('is STORE_LOCKED while somebody else holds it, and says what to do', async () => {
    const path = folder();
    const holder = await openLevelStore(path);
    await expect(openLevelStore(path)).rejects.toMatchObject({
      code: 'STORE_LOCKED',
      message: expect.stringContaining(`The store ${path} is held by another process`),
      suggestion: expect.stringContaining('that process'),
    });
    await holder.close();
  });

  test('is waited for while somebody else holds it', async () => {
    const path = folder();
    const holder = await openLevelStore(path);
    const waiting = openLevelStore(path, { waitMs: 60_000 });
    await expect(openLevelStore(path)).rejects.toMatchObject({ code: 'STORE_LOCKED' });
    await holder.close();
    await (await waiting).close();
  });

  test('leaves nothing in its log if most of it was written since it was opened, and all as it was else', async () => {
    const path = folder();
    const logged = () =>
      readdirSync(path).reduce(
        (sum, name) => sum + (/log$/.test(name) ? statSync(join(path, name)).size : 0),
        0,
      );
    const write = async (store: KeyValueStore, name: string, size: number) =>
      store.write([{ key: Buffer.from(name), value: randomBytes(size) }]);
    const store = await openLevelStore(path);
    for (const name of ['a', 'b', 'c']) await write(store, name, 2_000_000);
    expect(logged()).toBeGreaterThan(6_000_000);
    await store.close();
    expect(logged()).toBe(0);
    const again = await openLevelStore(path);
    expect((await again.getMany([Buffer.from('b')]))[0]?.length).toBe(2_000_000);
    await write(again, 'd', 1000);
    await again.close();
    expect(logged()).toBeGreaterThan(1000);
  });

  test('is STORE_CORRUPT when its files are damaged', async () => {
    const path = folder();
    const store = await openLevelStore(path);
    await store.write([entry]);
    await store.close();
    for (const name of readdirSync(path)) {
      if (name.startsWith('MANIFEST') || name === 'CURRENT') writeFileSync(join(path, name), 'nonsense');
    }
    expect(await codeOf(() => openLevelStore(path))).toBe('STORE_CORRUPT');
  });

  test('is STORE_FULL where its folder cannot be made', async () => {
    const path = join(folder(), 'file');
    writeFileSync(path, '');
    expect(await codeOf(() => openLevelStore(join(path, 'store')))).toBe('STORE_FULL');
    // It is there, and takes no folders: Node's own way of making some would never end.
    if (process.platform === 'linux')
      expect(await codeOf(() => openLevelStore('/proc/codewalk/store'))).toBe('STORE_FULL');
    expect(existsSync(join(path, 'store'))).toBe(false);
  });
});

test.each([
  ['ENOSPC', 'write /x/000004.log: No space left on device', 'STORE_FULL'],
  ['LEVEL_IO_ERROR', 'IO error: /x/000004.log: No space left on device', 'STORE_FULL'],
  ['LEVEL_IO_ERROR', 'IO error: /x/LOCK: Permission denied', 'STORE_FULL'],
  ['LEVEL_CORRUPTION', 'Corruption: block checksum mismatch', 'STORE_CORRUPT'],
  ['LEVEL_IO_ERROR', 'IO error: /x/000005.ldb: Invalid argument', 'STORE_CORRUPT'],
  ['LEVEL_IO_ERROR', 'IO error: /x/000005.ldb: No such file or directory', 'STORE_CORRUPT'],
  ['LEVEL_IO_ERROR', 'IO error: /x/000005.ldb: Too many open files', 'INTERNAL'],
  ['LEVEL_LOCKED', 'IO error: lock /x/LOCK: Resource temporarily unavailable', 'STORE_LOCKED'],
  ['LEVEL_ITERATOR_NOT_OPEN', 'Iterator is not open', 'STORE_CLOSED'],
  ['EWHATEVER', 'something else', 'INTERNAL'],
])('an engine failure %s (%s) is %s, also when it is wrapped', (code, message, expected) => {
  const reason = Object.assign(new Error(message), { code });
  const wrapped = Object.assign(new Error('Database failed to open', { cause: reason }), {
    code: 'LEVEL_DATABASE_NOT_OPEN',
  });
  expect(storeError(reason, '/x').code).toBe(expected);
  if (expected !== 'INTERNAL') expect(storeError(wrapped, '/x').code).toBe(expected);
});

test('round trips are counted per read, page, write and clear, in snapshots too', async () => {
  const store = countRoundTrips(await openMemoryStore());
  await store.write([entry]);
  await store.getMany([entry.key, entry.key]);
  const snapshot = store.snapshot();
  await snapshot.getMany([entry.key]);
  for await (const page of snapshot.scan({ from: Buffer.from([0]), to: Buffer.from([0xff]) }))
    expect(page.length).toBe(1);
  await snapshot.close();
  expect(store.roundTrips).toBe(4);
  store.resetRoundTrips();
  expect(store.roundTrips).toBe(0);
  await store.close();
});
