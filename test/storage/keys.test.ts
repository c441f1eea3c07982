import { describe, expect, test } from 'vitest';
import { hashId } from '../../storage/hash.js';
import {
  compareIndexKeys,
  encodeValue,
  type IndexValue,
  indexEntry,
  indexedId,
  indexRange,
} from '../../storage/index-keys.js';
import {
  adjacencyKeyParts,
  afterPrefix,
  chunkKey,
  keySpace,
  OWNER_AND_REST,
  ownerOf,
  WHOLE_ID,
} from '../../storage/keys.js';
import { randomFrom } from './scratch.js';

const hex = (text: string, salt: number) => {
  const bytes = Buffer.alloc(8);
  hashId(text, salt, bytes, 0, 0, text.length);
  return bytes.toString('hex');
};

describe('the hash of ids', () => {
  test('is the same on every machine', () => {
    expect([
      hex('', 0),
      hex('fn:src/a.ts:login', 0),
      hex('fn:src/a.ts:login', 1),
      hex('日本', 0),
    ]).toMatchInlineSnapshot(`
      [
        "6286bff153551853",
        "233871834a635e63",
        "920a7be4d5ecd1fe",
        "aeaeff5f5c198a54",
      ]
    `);
  });

  test('separates 50,000 ids that differ in a few characters, and each half spreads on its own', () => {
    const ids = Array.from({ length: 50_000 }, (_, at) => `fn:src/file${at % 1000}.ts:method${at}`);
    const hashes = ids.map((id) => hex(id, 0));
    expect(new Set(hashes).size).toBe(ids.length);
    for (const half of [0, 8]) {
      // Of 50,000 draws among 2^32, hardly a pair is expected to meet.
      expect(new Set(hashes.map((hash) => hash.slice(half, half + 8))).size).toBeGreaterThan(ids.length - 12);
      const buckets = new Array<number>(256).fill(0);
      for (const hash of hashes) {
        const bucket = Number.parseInt(hash.slice(half, half + 2), 16);
        buckets[bucket] = (buckets[bucket] ?? 0) + 1;
      }
      expect(Math.max(...buckets)).toBeLessThan(270);
      expect(Math.min(...buckets)).toBeGreaterThan(130);
    }
  });

  test('another salt separates what one salt joins', () => {
    const narrow = (salt: number) =>
      new Map(['a', 'b', 'c', 'd'].map((id) => [hex(id, salt).slice(0, 1), id]));
    expect(new Set([1, 2, 3, 4].map((salt) => [...narrow(salt).keys()].join())).size).toBeGreaterThan(1);
  });
});

test.each([
  ['fn:src/a.ts:Auth.login~2', 'src/a.ts'],
  ['file:src/a.ts', 'src/a.ts'],
  ['fn:src/odd:name/a.ts:login', 'src/odd:name/a.ts'],
  ['dir:src', 'dir:src'],
  ['project:x', 'project:x'],
  ['sym:requests.get', 'sym:requests.get'],
  ['pkg:@scope/name', 'pkg:@scope/name'],
  ['01J9ZK', '01J9ZK'],
])('%s belongs to %s', (id, owner) => {
  expect(ownerOf(id)).toBe(owner);
});

describe('keys', () => {
  test.each([WHOLE_ID, OWNER_AND_REST])(
    'of the form $name have fixed widths and give their parts back',
    (form) => {
      const keys = keySpace({ salt: 3, generation: 0, form });
      const head = keys.adjacency('fn:a.ts:x', 'in', 0x1234);
      expect(keys.node('fn:a.ts:x').length).toBe(1 + form.width);
      expect(head.length).toBe(1 + form.width + 3);
      expect(adjacencyKeyParts(head, form)).toEqual({ direction: 'in', typeCode: 0x1234, chunk: false });
      expect(adjacencyKeyParts(chunkKey(head, 7), form)).toEqual({
        direction: 'in',
        typeCode: 0x1234,
        chunk: true,
      });
      expect(keys.node('fn:a.ts:x').subarray(1)).toEqual(head.subarray(1, 1 + form.width));
    },
  );

  test('of two generations of the salt never share a table', () => {
    const [even, odd] = [0, 1].map((generation) => keySpace({ salt: 0, generation, form: WHOLE_ID }));
    expect(even?.node('a')[0]).not.toBe(odd?.node('a')[0]);
    expect(even?.table('nodes').to[0]).toBeLessThanOrEqual(odd?.table('nodes').from[0] ?? 0);
  });

  test('of one file share their start in the form of owners', () => {
    const keys = keySpace({ salt: 0, generation: 0, form: OWNER_AND_REST });
    const [file, symbol, other] = ['file:src/a.ts', 'fn:src/a.ts:x', 'fn:src/b.ts:x'].map((id) =>
      keys.node(id).toString('hex', 0, 7),
    );
    expect(file).toBe(symbol);
    expect(file).not.toBe(other);
  });

  test('that start with a prefix end before the next one', () => {
    expect(afterPrefix(Buffer.from([1, 2]))).toEqual(Buffer.from([1, 3]));
    expect(afterPrefix(Buffer.from([1, 0xff, 0xff]))).toEqual(Buffer.from([2]));
  });
});

describe('index keys', () => {
  const rank = (value: IndexValue) => (typeof value === 'boolean' ? 0 : typeof value === 'number' ? 1 : 2);
  const compareValues = (a: IndexValue, b: IndexValue) => rank(a) - rank(b) || (a < b ? -1 : a > b ? 1 : 0);

  test('sort as (value, id) do in JavaScript, whatever the characters', () => {
    const random = randomFrom(5);
    const alphabet = ['\0', '\u0001', '\u0002', 'a', 'b', 'é', '\uffff', '\ue000', '😀', '\ud83d', ' '];
    const word = () =>
      Array.from({ length: random() * 4 }, () => alphabet[Math.floor(random() * alphabet.length)]).join('');
    const number = () =>
      [0, -0, 1, -1, 1e9, -1e-9, random() * 100, -random() * 100, Infinity, -Infinity][
        Math.floor(random() * 10)
      ] ?? 0;
    const values = Array.from({ length: 400 }, () => {
      const roll = random();
      return { value: roll < 0.1 ? roll < 0.05 : roll < 0.4 ? number() : word(), id: `i${word()}` };
    });
    const byBytes = values
      .map(({ value, id }) => ({ value, id, ...{ entry: indexEntry(9, 1, value, id) } }))
      .sort((a, b) => compareIndexKeys(a.entry.key, b.entry.key));
    const byValue = [...values].sort(
      (a, b) => compareValues(a.value, b.value) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0),
    );
    expect(byBytes.map(({ value, id }) => [value === 0 ? 0 : value, id])).toEqual(
      byValue.map(({ value, id }) => [value === 0 ? 0 : value, id]),
    );
    for (const { entry, id } of byBytes) expect(indexedId(entry.key, entry.value)).toBe(id);
  });

  test('of equal values are found by one range, of others not', () => {
    const key = (value: IndexValue) => indexEntry(9, 1, value, 'id').key;
    const inside = (value: IndexValue, range: { from: Buffer; to: Buffer }) =>
      Buffer.compare(range.from, key(value)) <= 0 && Buffer.compare(key(value), range.to) < 0;
    expect(inside('ab', indexRange(9, 1, { equals: 'ab' }))).toBe(true);
    expect(inside('abc', indexRange(9, 1, { equals: 'ab' }))).toBe(false);
    expect(inside('abc', indexRange(9, 1, { prefix: 'ab' }))).toBe(true);
    expect(inside('ac', indexRange(9, 1, { prefix: 'ab' }))).toBe(false);
    expect([1, 2, 3, 4].filter((value) => inside(value, indexRange(9, 1, { gte: 2, lt: 4 })))).toEqual([
      2, 3,
    ]);
    expect(inside('a', indexRange(9, 1, { gte: 2 }))).toBe(false);
    expect(inside(7, indexRange(9, 1, { lt: 'a' }))).toBe(false);
    expect(inside(true, indexRange(9, 1, { equals: true }))).toBe(true);
  });

  test('take negative zero for zero', () => {
    expect(encodeValue(-0)).toEqual(encodeValue(0));
  });
});
