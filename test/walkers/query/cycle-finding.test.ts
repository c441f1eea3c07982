import { describe, expect, test } from 'vitest';
import { shortestCycles, strongComponents } from '../../../walkers/query/query-cycles.js';

const linked = (...pairs: string[]) => {
  const links = new Map<string, string[]>();
  for (const pair of pairs) {
    const [from = '', to = ''] = pair.split('>');
    links.set(from, [...(links.get(from) ?? []), to]);
  }
  return links;
};
const cyclesOf = async (...pairs: string[]) =>
  (await shortestCycles(linked(...pairs))).map((one) => one.join(''));

describe('circles', () => {
  test('a graph without any has none', async () => {
    expect(await cyclesOf('a>b', 'b>c', 'a>c')).toEqual([]);
  });

  test('what leads to itself is one of length 1', async () => {
    expect(await cyclesOf('a>a', 'a>b')).toEqual(['a']);
  });

  test('each is told once, from its smallest id on, the shortest first', async () => {
    expect(await cyclesOf('c>a', 'b>c', 'a>b', 'y>x', 'x>y')).toEqual(['xy', 'abc']);
  });

  test('of a component every pair that needs each other is told, and a longer way round only where it adds a link', async () => {
    expect(await cyclesOf('a>b', 'b>a', 'b>c', 'c>b', 'c>a', 'a>c')).toEqual(['ab', 'ac', 'bc']);
    expect(await cyclesOf('a>b', 'b>a', 'a>c', 'c>d', 'd>a')).toEqual(['ab', 'acd']);
  });

  test('of two as short the one whose ids come first is told', async () => {
    expect(await cyclesOf('a>c', 'a>b', 'b>d', 'c>d', 'd>a')).toEqual(['abd', 'acd']);
    expect(await cyclesOf('d>a', 'a>c', 'a>b', 'c>e', 'b>e', 'e>d')).toEqual(['abed', 'aced']);
  });

  test('do not depend on the order in which links are given', async () => {
    const pairs = ['a>b', 'b>c', 'c>a', 'c>d', 'd>b', 'd>e', 'e>e'];
    expect(await cyclesOf(...[...pairs].reverse())).toEqual(await cyclesOf(...pairs));
  });

  test('a chain as long as a program is no matter', async () => {
    const links = new Map(Array.from({ length: 50_000 }, (_, at) => [`n${at}`, [`n${at + 1}`]]));
    expect(strongComponents(links)).toEqual([]);
  });

  test('every link that lies on a circle is in one, in any graph', async () => {
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      return Math.floor((seed / 2147483648) * below);
    };
    for (let round = 0; round < 200; round++) {
      const size = 2 + random(9);
      const pairs = Array.from({ length: random(3 * size) }, () => `${random(size)}>${random(size)}`);
      const links = linked(...pairs);
      const told = new Set<string>();
      for (const cycle of await shortestCycles(links))
        for (const [at, node] of cycle.entries()) told.add(`${node}>${cycle[(at + 1) % cycle.length]}`);
      const closing = pairs.filter((pair) => {
        const [from = '', to = ''] = pair.split('>');
        return reaches(links, to, from);
      });
      expect([...told].sort()).toEqual([...new Set(closing)].sort());
    }
  });
});

function reaches(links: ReadonlyMap<string, readonly string[]>, from: string, to: string): boolean {
  const seen = new Set([from]);
  for (const node of seen) for (const far of links.get(node) ?? []) seen.add(far);
  return seen.has(to);
}
