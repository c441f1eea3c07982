import { Encoder } from '@msgpack/msgpack';
import { describe, expect, test } from 'vitest';
import { PlainWriter } from '../../storage/plain-writer.js';
import { randomFrom } from './scratch.js';

const library = new Encoder({ ignoreUndefined: true });
const writer = new PlainWriter();
const hex = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString('hex');

describe('what is written without the library', () => {
  const edges = [0, 0x7f, 0x80, 0xff, 0x100, 0xffff, 0x10000, 0xffffffff].flatMap((one) => [one, one + 0.5]);
  const lengths = [0, 1, 15, 16, 31, 32, 48, 49, 255, 256, 5_000];
  test.each([
    ['numbers', [...edges, -0, -0.5, Number.NaN, Number.POSITIVE_INFINITY, 1e300]],
    ['texts', lengths.map((length) => 'x'.repeat(length))],
    ['lists', lengths.map((length) => new Array(length).fill(7))],
    [
      'objects',
      lengths.map((length) => Object.fromEntries(Array.from({ length }, (_, at) => [`k${at}`, at]))),
    ],
    ['what is absent', [null, undefined, { a: undefined, b: null }, [undefined], {}, true, false]],
  ])('is byte for byte what it makes: %s', (_, values) => {
    for (const value of values) expect(hex(writer.write(value))).toBe(hex(library.encode(value)));
  });

  test('is so for random values, whatever was written before', () => {
    const next = randomFrom(7);
    const random = (below: number) => Math.floor(next() * below);
    const value = (depth: number): unknown => {
      const kind = random(depth > 3 ? 5 : 7);
      if (kind < 2) return 'abc~ \n'.repeat(random(20));
      if (kind === 2) return random(70_000) / (1 + random(2));
      if (kind === 3) return [null, true, false, undefined][random(4)];
      if (kind === 4) return random(200);
      const many = Array.from({ length: random(20) }, () => value(depth + 1));
      return kind === 5 ? many : Object.fromEntries(many.map((one, at) => [`k${at}`, one]));
    };
    for (let round = 0; round < 500; round += 1) {
      const one = value(0);
      expect(hex(writer.write(one))).toBe(hex(library.encode(one)));
    }
  });

  test('is nothing that is not plain, or too long', () => {
    const strange = [
      'é',
      'x'.repeat(100).concat('日'),
      '\ud800',
      -1,
      2 ** 32,
      new Date(0),
      new Uint8Array(2),
      5n,
    ];
    const long = ['x'.repeat(70_000), new Array(70_000).fill(1), ['x'.repeat(60_000), 'x'.repeat(6_000)]];
    const deep = Array.from({ length: 200 }).reduce((inner) => [inner], 1 as unknown);
    const nested = [deep, new Map(), () => 1, { a: { b: [new Date(0)] } }];
    for (const value of [...strange, ...long, ...nested]) expect(writer.write(value)).toBeUndefined();
  });
});
