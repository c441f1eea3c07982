import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { besideStore, openLevelStore, settleSwap, swapStore } from '../../storage/index.js';

const scratch = mkdtempSync(join(tmpdir(), 'codewalk-swap-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const KEY = Buffer.from('k');
let made = 0;

async function storeWith(folder: string, value: string): Promise<string> {
  const store = await openLevelStore(folder);
  await store.write([{ key: KEY, value: Buffer.from(value) }]);
  await store.close();
  return folder;
}

async function valueIn(folder: string): Promise<string> {
  const store = await openLevelStore(folder);
  const [value] = await store.getMany([KEY]);
  await store.close();
  return Buffer.from(value ?? []).toString();
}

const fresh = () => join(scratch, `store-${++made}`);

describe('a store that makes way for another one', () => {
  it('is gone when the new one is in its place', async () => {
    const folder = await storeWith(fresh(), 'old');
    await storeWith(besideStore(folder), 'new');
    swapStore(folder);
    settleSwap(folder);
    expect(await valueIn(folder)).toBe('new');
    expect(existsSync(`${folder}.old`)).toBe(false);
  });

  it('is not lost to an empty folder that somebody made in between', async () => {
    const folder = await storeWith(fresh(), 'old');
    await storeWith(besideStore(folder), 'new');
    rmSync(folder, { recursive: true });
    await storeWith(`${folder}.old`, 'old');
    mkdirSync(folder);
    writeFileSync(join(folder, 'LOCK'), '');
    expect(await valueIn(folder)).toBe('new');
  });

  it('comes back where the new one was never whole', async () => {
    const folder = fresh();
    await storeWith(`${folder}.old`, 'old');
    mkdirSync(besideStore(folder));
    expect(await valueIn(folder)).toBe('old');
  });
});
