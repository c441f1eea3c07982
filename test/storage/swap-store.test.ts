import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { nextToStore, openLevelStore, swapStore } from '../../storage/index.js';

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

/** Records of a size that LevelDB brings in order when the store closes, if they came while it was open. */
async function storeWithMuch(folder: string): Promise<void> {
  const store = await openLevelStore(folder);
  const rows = Array.from({ length: 96 }, (_, at) => ({
    key: Buffer.from(`k${at}`),
    value: randomBytes(65_536),
  }));
  await store.write([...rows, { key: KEY, value: Buffer.from('new') }]);
  await store.close();
}

describe('a store that makes way for another one', () => {
  it('touches nothing of the new one when it is closed, whatever it has left to do', async () => {
    const folder = await storeWith(fresh(), 'old');
    await storeWithMuch(nextToStore(folder));
    await swapStore(folder, await openLevelStore(folder));
    expect(await valueIn(folder)).toBe('new');
  });

  it('is waited for by whoever would open it while it is being closed', async () => {
    const folder = await storeWith(fresh(), 'old');
    await storeWith(nextToStore(folder), 'new');
    let close = () => {};
    const closing = new Promise<void>((done) => {
      close = done;
    });
    const swapped = swapStore(folder, { close: () => closing });
    await expect(openLevelStore(folder)).rejects.toMatchObject({ code: 'STORE_LOCKED' });
    const opened = openLevelStore(folder, { waitMs: 10_000 });
    close();
    const store = await opened;
    await swapped;
    expect(Buffer.from((await store.getMany([KEY]))[0] ?? []).toString()).toBe('new');
    await store.close();
  });

  it('is settled when who closed it is gone', async () => {
    const folder = await storeWith(fresh(), 'old');
    await storeWith(nextToStore(folder), 'new');
    renameSync(folder, `${folder}.old`);
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    writeFileSync(`${folder}.swap`, `${pid}`);
    expect(await valueIn(folder)).toBe('new');
    expect(readdirSync(scratch).filter((name) => name.startsWith(`${basename(folder)}.`))).toEqual([]);
  });

  it('lets everybody in who waits, one after the other', async () => {
    const folder = await storeWith(fresh(), 'old');
    let isOver = false;
    const waiter = async () => {
      while (!isOver) {
        const store = await openLevelStore(folder, { waitMs: 20_000 });
        expect(await store.getMany([KEY])).not.toEqual([undefined]);
        await store.close();
      }
    };
    const waiters = [waiter(), waiter()];
    for (let turn = 0; turn < 20; turn++) {
      const held = await openLevelStore(folder, { waitMs: 20_000 });
      await storeWith(nextToStore(folder), `${turn}`);
      await swapStore(folder, held);
    }
    isOver = true;
    await Promise.all(waiters);
    expect(await valueIn(folder)).toBe('19');
  });

  it('is gone when the new one is in its place', async () => {
    const folder = await storeWith(fresh(), 'old');
    await storeWith(nextToStore(folder), 'new');
    await swapStore(folder, null);
    expect(await valueIn(folder)).toBe('new');
    expect(existsSync(`${folder}.old`)).toBe(false);
  });

  it('is not lost to an empty folder that somebody made in between', async () => {
    const folder = await storeWith(fresh(), 'old');
    await storeWith(nextToStore(folder), 'new');
    rmSync(folder, { recursive: true });
    await storeWith(`${folder}.old`, 'old');
    mkdirSync(folder);
    writeFileSync(join(folder, 'LOCK'), '');
    expect(await valueIn(folder)).toBe('new');
  });

  it('comes back where the new one was never whole', async () => {
    const folder = fresh();
    await storeWith(`${folder}.old`, 'old');
    mkdirSync(nextToStore(folder));
    expect(await valueIn(folder)).toBe('old');
  });
});
