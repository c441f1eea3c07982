import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hasLevelStore, moveStore, openLevelStore, removeStore, rewriteStore } from '../../storage/index.js';
import { scratchFolders } from './scratch.js';
import { codeOf } from './suite.js';

const scratch = scratchFolders();
const bytes = (text: string) => Buffer.from(text);
const ALL = { from: Buffer.from([0]), to: Buffer.from([0xff]) };

async function storeWith(folder: string, records: Readonly<Record<string, string>>): Promise<string> {
  const store = await openLevelStore(folder);
  await store.write(
    Object.entries(records).map(([key, value]) => ({ key: bytes(key), value: bytes(value) })),
  );
  await store.close();
  return folder;
}

async function recordsOf(folder: string): Promise<Record<string, string>> {
  const store = await openLevelStore(folder);
  const found: [string, string][] = [];
  for await (const page of store.scan(ALL))
    for (const [key, value] of page) found.push([Buffer.from(key).toString(), Buffer.from(value).toString()]);
  await store.close();
  return Object.fromEntries(found);
}

function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file).includes(text));
}

describe('a store', () => {
  test('that is written anew has its records, and nothing of what was deleted or written over', async () => {
    const place = scratch();
    const folder = await storeWith(join(place, 'durable'), {
      a: 'zebrafish-1',
      b: 'old-zebrafish',
      c: 'stays',
    });
    await storeWith(folder, { b: 'new' });
    const store = await openLevelStore(folder);
    await store.write([{ key: bytes('a'), value: undefined }]);
    await store.close();
    expect(filesWith(place, 'zebrafish').length).toBeGreaterThan(0);
    await rewriteStore(folder);
    expect(await recordsOf(folder)).toEqual({ b: 'new', c: 'stays' });
    expect(filesWith(place, 'zebrafish')).toEqual([]);
    expect(readdirSync(place)).toEqual(['durable']);
  });

  test('whose rewriting was cut off is whole when it is opened', async () => {
    const place = scratch();
    const folder = join(place, 'durable');
    await storeWith(`${folder}.old`, { a: 'old', b: 'gone' });
    await storeWith(`${folder}.new`, { a: 'old' });
    expect(hasLevelStore(folder)).toBe(true);
    expect(await recordsOf(folder)).toEqual({ a: 'old' });
    expect(readdirSync(place)).toEqual(['durable']);
    await storeWith(`${folder}.old`, { b: 'gone' });
    expect(await recordsOf(folder)).toEqual({ a: 'old' });
    expect(readdirSync(place)).toEqual(['durable']);
    await storeWith(`${folder}.new`, { b: 'half' });
    expect(await recordsOf(folder)).toEqual({ a: 'old' });
    await rewriteStore(folder);
    expect(readdirSync(place)).toEqual(['durable']);
  });

  test('that somebody holds is neither removed, nor moved, nor written anew', async () => {
    const place = scratch();
    const folder = await storeWith(join(place, 'derived'), { a: '1' });
    const held = await openLevelStore(folder);
    const uses = [
      () => removeStore(folder),
      () => moveStore(folder, join(place, 'x')),
      () => rewriteStore(folder),
    ];
    expect(await Promise.all(uses.map(codeOf))).toEqual(['STORE_LOCKED', 'STORE_LOCKED', 'STORE_LOCKED']);
    await held.close();
    expect(readdirSync(place)).toEqual(['derived']);
    expect(await recordsOf(folder)).toEqual({ a: '1' });
  });

  test('is removed, also when it cannot be read or is not there', async () => {
    const place = scratch();
    const folder = await storeWith(join(place, 'derived'), { a: '1' });
    await removeStore(folder);
    await removeStore(folder);
    expect(readdirSync(place)).toEqual([]);
    mkdirSync(folder);
    writeFileSync(join(folder, 'CURRENT'), 'nonsense');
    await removeStore(folder);
    expect(existsSync(folder)).toBe(false);
  });

  test('moves with all that it has', async () => {
    const place = scratch();
    const folder = await storeWith(join(place, 'one', 'durable'), { a: '1' });
    await moveStore(folder, join(place, 'two', 'durable'));
    expect(await recordsOf(join(place, 'two', 'durable'))).toEqual({ a: '1' });
    expect(existsSync(folder)).toBe(false);
    renameSync(join(place, 'two', 'durable'), folder);
    expect(await recordsOf(folder)).toEqual({ a: '1' });
  });
});
