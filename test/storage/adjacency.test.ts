import { describe, expect, test } from 'vitest';
import { decodeItems, encodeItems } from '../../storage/adjacency.js';
import { valueCodec } from '../../storage/msgpack.js';
import { type PackedItem, packPosition, unpackPosition } from '../../storage/packed-item.js';
import { randomFrom } from './scratch.js';
import { codeOf } from './suite.js';

const values = valueCodec();

describe('packed adjacency', () => {
  test('gives back what was packed, at every width of its columns', () => {
    const random = randomFrom(11);
    const scales = [1, 200, 60_000, 2 ** 31, 2 ** 32 + 5];
    for (let round = 0; round < 300; round += 1) {
      const order = random() < 0.5 ? 'creation' : 'canonical';
      const scale = () => scales[Math.floor(random() * scales.length)] ?? 1;
      const limit = order === 'canonical' ? 2 ** 32 - 1 : 2 ** 47;
      const number = () => Math.min(limit, Math.floor(random() * scale()));
      const ends = random();
      const extras = random() < 0.5 ? [] : [[undefined], [null], ['x'], [[1, 2]], [[]]];
      const items = Array.from(
        { length: random() * 8 },
        (): PackedItem => ({
          far: ['fn:a.ts:x', 'é', '日本😀', '\ud800', 'x'.repeat(300)][Math.floor(random() * 5)] ?? '',
          farType: 1 + Math.floor(random() * 400),
          outgoing: ends < 0.5 || random() < 0.5,
          undirected: ends > 0.8 && random() < 0.5,
          seq: order === 'creation' ? number() : 0,
          line: order === 'canonical' ? number() : 0,
          column: order === 'canonical' ? number() : 0,
          extra: extras[Math.floor(random() * extras.length)] ?? [],
        }),
      );
      const decoded = decodeItems(encodeItems(items, { order, version: 258 }, values), values);
      expect(decoded.version).toBe(258);
      expect(decoded.items.map(withoutHoles)).toEqual(items.map(withoutHoles));
    }
  });

  test('tells absent from null and from zero in positions, and refuses what is no position', async () => {
    for (const position of [undefined, null, 0, 7])
      expect(unpackPosition(packPosition(position))).toBe(position);
    for (const position of [-1, 1.5, '3', Number.NaN])
      expect(await codeOf(async () => packPosition(position))).toBe('INVALID_INPUT');
  });
});

function _item(part: Partial<PackedItem>): PackedItem {
  return {
    far: 'x',
    farType: 5,
    outgoing: true,
    undirected: false,
    seq: 0,
    line: 0,
    column: 0,
    extra: [],
    ...part,
  };
}

/** An extra list of absent values is the same as none. */
function withoutHoles(packed: PackedItem) {
  return { ...packed, extra: packed.extra.every((value) => value === undefined) ? [] : packed.extra };
}
