import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CodewalkError } from '../../schema/index.js';
import type { KeyRange, KeyValueReader, KeyValueStore } from '../../storage/index.js';

/** What every storage engine must do. `open` gives an empty store. */
export function storageSuite(engine: string, open: () => Promise<KeyValueStore>): void {
  describe(`the ${engine} engine`, () => {
    let store: KeyValueStore;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());

    test('names itself', () => {
      expect(store.engine).toBe(engine);
    });

    test('answers many keys at once, in their order, without making callers wait', async () => {
      await store.write([put('a', '1'), put('b', '2')]);
      const values = store.getMany([bytes('b'), bytes('missing'), bytes('a')]);
      expect(values).not.toBeInstanceOf(Promise);
      expect((await values).map(text)).toEqual(['2', undefined, '1']);
    });

    test('keeps binary keys and values as they are, empty values too', async () => {
      const key = Uint8Array.of(0, 255, 128);
      const value = Uint8Array.from({ length: 256 }, (_, at) => at);
      await store.write([
        { key, value },
        { key: bytes('empty'), value: new Uint8Array() },
      ]);
      const [found, empty] = await store.getMany([key, bytes('empty')]);
      expect(Array.from(found ?? [])).toEqual(Array.from(value));
      expect(empty?.length).toBe(0);
    });

    test('scans a range in byte order, its end excluded', async () => {
      await store.write(['b', 'a', 'c', 'd', 'aa'].map((key) => put(key, key)));
      expect(await scanned(store, range('a', 'c'))).toEqual(['a', 'aa', 'b']);
      expect(await scanned(store, { ...range('a', 'c'), reverse: true })).toEqual(['b', 'aa', 'a']);
      expect(await scanned(store, { ...range('a', 'z'), limit: 2 })).toEqual(['a', 'aa']);
      expect(await scanned(store, { ...range('a', 'z'), limit: 0 })).toEqual([]);
      expect(await scanned(store, range('x', 'z'))).toEqual([]);
    });

    test('sorts keys by unsigned bytes, a prefix first', async () => {
      const keys = [[0x7f], [0x80], [0xfe, 0], [0], [0, 0], [0xfe]].map((key) => Uint8Array.from(key));
      await store.write(keys.map((key) => ({ key, value: key })));
      const found: number[][] = [];
      for await (const page of store.scan({ from: Uint8Array.of(), to: Uint8Array.of(0xff) }))
        found.push(...page.map(([key]) => Array.from(key)));
      expect(found).toEqual([[0], [0, 0], [0x7f], [0x80], [0xfe], [0xfe, 0]]);
    });

    test('gives a long range in pages, each key once', async () => {
      const keys = Array.from({ length: 5000 }, (_, at) => `k${String(at).padStart(5, '0')}`);
      await store.write(keys.map((key) => put(key, key.repeat(20))));
      let pages = 0;
      const found: (string | undefined)[] = [];
      for await (const page of store.scan(range('k', 'l'))) {
        pages += 1;
        found.push(...page.map(([key]) => text(key)));
      }
      expect(found).toEqual(keys);
      expect(pages).toBeGreaterThan(1);
    });

    test('lets a scan be left early', async () => {
      await store.write(['a', 'b'].map((key) => put(key, key)));
      for await (const page of store.scan(range('a', 'z'))) {
        expect(page.length).toBeGreaterThan(0);
        break;
      }
      expect(await scanned(store, range('a', 'z'))).toEqual(['a', 'b']);
    });

    test('writes a batch in its order, deletes included', async () => {
      await store.write([put('a', '1'), put('b', '1')]);
      await store.write([put('a', '2'), { key: bytes('b'), value: undefined }, put('c', '1'), put('c', '2')]);
      expect((await store.getMany(['a', 'b', 'c'].map(bytes))).map(text)).toEqual(['2', undefined, '2']);
    });

    test('writes all of a batch or nothing', async () => {
      const unfit = { key: bytes('b'), value: null } as unknown as ReturnType<typeof put>;
      await expect(store.write([put('a', '1'), unfit])).rejects.toThrow();
      expect(await store.getMany([bytes('a')])).toEqual([undefined]);
    });

    test('writes a batch that takes turns with others at its end, and not at all when it fails', async () => {
      const [key, value] = ['a', 'b'].map(bytes) as [Uint8Array, Uint8Array];
      const slow = (end: () => void) =>
        store.write(async (batch) => {
          batch.put(key, value);
          await new Promise((resolve) => setImmediate(resolve));
          expect(await store.getMany([key])).toEqual([undefined]);
          batch.put(value, key);
          end();
        });
      const failing = slow(() => {
        throw new Error('half made');
      });
      await expect(failing).rejects.toThrow('half made');
      expect(await store.getMany([key, value])).toEqual([undefined, undefined]);
      await slow(() => undefined);
      expect((await store.getMany([key, value])).map(text)).toEqual(['b', 'a']);
    });

    test('takes an empty batch', async () => {
      await expect(store.write([], { sync: true })).resolves.toBeUndefined();
    });

    test('keeps a snapshot as it was, for gets and scans', async () => {
      await store.write([put('a', 'old'), put('b', 'old')]);
      const snapshot = store.snapshot();
      await store.write([put('a', 'new'), { key: bytes('b'), value: undefined }, put('c', 'new')]);
      expect((await snapshot.getMany(['a', 'b', 'c'].map(bytes))).map(text)).toEqual([
        'old',
        'old',
        undefined,
      ]);
      expect(await scanned(snapshot, range('a', 'z'))).toEqual(['a', 'b']);
      expect((await store.getMany([bytes('a')])).map(text)).toEqual(['new']);
      await snapshot.close();
    });

    test('clears a range and nothing else', async () => {
      await store.write(['a', 'b', 'c'].map((key) => put(key, key)));
      await store.clear(range('a', 'c'));
      expect(await scanned(store, range('a', 'z'))).toEqual(['c']);
    });

    test('rejects everything with STORE_CLOSED once it is closed, and may be closed twice', async () => {
      await store.close();
      await store.close();
      const uses = [
        async () => store.getMany([bytes('a')]),
        async () => scanned(store, range('a', 'z')),
        async () => store.write([put('a', '1')]),
        async () => store.snapshot(),
        async () => store.clear(range('a', 'z')),
        async () => store.sizeOnDisk(),
      ];
      for (const use of uses) expect(await codeOf(use)).toBe('STORE_CLOSED');
    });
  });
}

export async function codeOf(action: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await action();
    return undefined;
  } catch (thrown) {
    return (thrown as CodewalkError).code;
  }
}

const bytes = (content: string): Uint8Array => Buffer.from(content, 'utf8');
const text = (content: Uint8Array | undefined): string | undefined =>
  content === undefined ? undefined : Buffer.from(content).toString('utf8');
const put = (key: string, value: string) => ({ key: bytes(key), value: bytes(value) });
const range = (from: string, to: string): KeyRange => ({ from: bytes(from), to: bytes(to) });

async function scanned(reader: KeyValueReader, asked: KeyRange): Promise<(string | undefined)[]> {
  const keys: (string | undefined)[] = [];
  for await (const page of reader.scan(asked)) keys.push(...page.map(([key]) => text(key)));
  return keys;
}
