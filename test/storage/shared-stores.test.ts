import {
  copyFileSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  type KeyValueReader,
  type KeyValueStore,
  openLevelStore,
  openMemoryStore,
} from '../../storage/index.js';
import { overlayStore } from '../../storage/overlay-store.js';
import { scratchFolders } from './scratch.js';
import { storageSuite } from './suite.js';

const scratch = scratchFolders();
storageSuite('memory', async () => overlayStore(await openMemoryStore(), await openMemoryStore()));
storageSuite('level', async () => {
  const store = await openLevelStore(join(scratch(), 'derived'));
  const other = join(scratch(), 'derived');
  const first = await openLevelStore(other);
  await first.write([{ key: Buffer.from([0xf0]), value: Buffer.from('x') }]);
  await first.close();
  await store.fillFrom?.(other, async () => true);
  await store.write([{ key: Buffer.from([0xf0]), value: undefined }]);
  return store;
});

const bytes = (text: string) => Buffer.from(text);
const put = (store: KeyValueStore, records: Readonly<Record<string, string | undefined>>) =>
  store.write(
    Object.entries(records).map(([key, value]) => ({
      key: bytes(key),
      value: value === undefined ? value : bytes(value),
    })),
  );

async function recordsOf(store: KeyValueReader, reverse = false): Promise<Record<string, string>> {
  const found: [string, string][] = [];
  for await (const page of store.scan({ from: bytes('\0'), to: Buffer.from([0xff]), reverse }))
    for (const [key, value] of page) found.push([Buffer.from(key).toString(), Buffer.from(value).toString()]);
  return Object.fromEntries(found);
}

const tables = (folder: string) => readdirSync(folder).filter((name) => /^\d+\.ldb$/.test(name));

/** A store that was closed and opened again: its records are in a table. */
async function settled(folder: string, records: Readonly<Record<string, string>>): Promise<KeyValueStore> {
  const store = await openLevelStore(folder);
  await put(store, records);
  await store.close();
  return openLevelStore(folder);
}

const yes = async () => true;
const MANY = Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`k${at}`, `v${at}`]));

describe('a store that is filled from another one', () => {
  test('has its records and shares its tables, also while that one is open', async () => {
    const from = join(scratch(), 'derived');
    const other = await settled(from, MANY);
    await put(other, { late: 'not in a table' });
    const folder = join(scratch(), 'derived');
    const store = await openLevelStore(folder);
    expect(await store.fillFrom?.(from, yes)).toBe(true);
    expect(await recordsOf(store)).toEqual({ ...MANY, late: 'not in a table' });
    const [table = ''] = tables(from);
    if (process.platform !== 'win32') {
      expect(statSync(join(from, table)).nlink).toBe(2);
      expect(statSync(join(folder, 'base', table)).ino).toBe(statSync(join(from, table)).ino);
    }
    await other.close();
    await store.close();
  });

  test('goes its own way from then on, and so does the other, whatever becomes of it', async () => {
    const from = join(scratch(), 'derived');
    const other = await settled(from, { a: '1', b: '2', c: '3' });
    const folder = join(scratch(), 'derived');
    let store = await openLevelStore(folder);
    await store.fillFrom?.(from, yes);
    const before = store.snapshot();
    await put(store, { a: 'mine', b: undefined, d: '4' });
    await put(other, { a: 'theirs', e: '5' });
    expect(await recordsOf(before)).toEqual({ a: '1', b: '2', c: '3' });
    await before.close();
    expect(await recordsOf(other)).toEqual({ a: 'theirs', b: '2', c: '3', e: '5' });
    await other.close();
    rmSync(from, { recursive: true });
    await store.close();
    store = await openLevelStore(folder);
    expect(await recordsOf(store)).toEqual({ a: 'mine', c: '3', d: '4' });
    expect(Object.keys(await recordsOf(store, true))).toEqual(['d', 'c', 'a']);
    const first: string[] = [];
    for await (const page of store.scan({ from: bytes('b'), to: bytes('z'), limit: 1 }))
      for (const [key] of page) first.push(Buffer.from(key).toString());
    expect(first).toEqual(['c']);
    await store.clear({ from: bytes('a'), to: bytes('d') });
    expect(await recordsOf(store)).toEqual({ d: '4' });
    await store.close();
  });

  test('can fill a third one', async () => {
    const from = join(scratch(), 'derived');
    await (await settled(from, { a: '1', b: '2' })).close();
    const second = await openLevelStore(join(scratch(), 'derived'));
    await second.fillFrom?.(from, yes);
    await put(second, { b: undefined, c: '3' });
    const third = await openLevelStore(join(scratch(), 'derived'));
    expect(await third.fillFrom?.(second.place, yes)).toBe(true);
    expect(await recordsOf(third)).toEqual({ a: '1', c: '3' });
    await second.close();
    await third.close();
  });

  test('shows nothing to who reads a version from before', async () => {
    const from = join(scratch(), 'derived');
    await (await settled(from, { a: '1' })).close();
    const store = await openLevelStore(join(scratch(), 'derived'));
    const before = store.snapshot();
    const seen: Record<string, string>[] = [];
    await store.fillFrom?.(from, async () => {
      seen.push(await recordsOf(store));
      return true;
    });
    expect(await recordsOf(before)).toEqual({});
    expect(await before.getMany([bytes('a')])).toEqual([undefined]);
    await before.close();
    expect(seen).toEqual([{}]);
    await store.close();
  });

  test('stays as it was where the other is not there, damaged, or not wanted', async () => {
    const from = join(scratch(), 'derived');
    await (await settled(from, MANY)).close();
    const folder = join(scratch(), 'derived');
    const store = await openLevelStore(folder);
    expect(await store.fillFrom?.(join(scratch(), 'none'), yes)).toBe(false);
    expect(await store.fillFrom?.(from, async () => false)).toBe(false);
    const [table = ''] = tables(from);
    const broken = scratch();
    for (const name of readdirSync(from)) copyFileSync(join(from, name), join(broken, name));
    truncateSync(join(broken, table), 100);
    const read = async (copy: KeyValueStore) => Object.keys(await recordsOf(copy)).length > 0;
    expect(await store.fillFrom?.(broken, read)).toBe(false);
    writeFileSync(join(broken, 'CURRENT'), 'MANIFEST-999999\n');
    expect(await store.fillFrom?.(broken, read)).toBe(false);
    await put(store, { a: 'still here' });
    await store.close();
    const again = await openLevelStore(folder);
    expect(await recordsOf(again)).toEqual({ a: 'still here' });
    await again.close();
    expect(readFileSync(join(from, table)).length).toBeGreaterThan(100);
  });
});
