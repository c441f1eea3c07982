import { beforeAll, describe, expect, it } from 'vitest';
import { graphOf, rowsOf } from '../ask.js';
import type { MemoryGraph } from '../memory-graph.js';

/**
 * ```
 * a -C-> b -C-> d -C-> e      a -L-> e
 * a -C-> c -C-> d             e -C-> a      z
 * ```
 */
let graph: MemoryGraph;

beforeAll(async () => {
  graph = await graphOf(
    `CREATE (a:N {name: 'a'}), (b:N {name: 'b'}), (c:N {name: 'c'}), (d:N {name: 'd'}), (e:N {name: 'e'}), (:N {name: 'z'}),
       (a)-[:C {w: 1}]->(b), (a)-[:C {w: 9}]->(c), (b)-[:C {w: 1}]->(d), (c)-[:C {w: 1}]->(d), (d)-[:C {w: 1}]->(e),
       (a)-[:L {w: 5}]->(e), (e)-[:C {w: 1}]->(a)`,
  );
});

const paths = async (pattern: string, where = '') =>
  (await rowsOf(graph, `MATCH p = ${pattern} ${where} RETURN p`)).map(([path]) => path);
const between = (from: string, hop: string, to: string) => `(:N {name: '${from}'})${hop}(:N {name: '${to}'})`;

describe('shortestPath', () => {
  it('is one path of the fewest hops', async () => {
    expect(await paths(`shortestPath(${between('a', '-[*]->', 'e')})`)).toEqual(['a-e']);
    expect(await paths(`shortestPath(${between('a', '-[:C*]->', 'e')})`)).toEqual(['a-b-d-e']);
  });

  it('goes against relationships where its arrow does, and both ways where it has none', async () => {
    expect(await paths(`shortestPath(${between('e', '<-[:C*]-', 'a')})`)).toEqual(['e-d-b-a']);
    expect(await paths(`shortestPath(${between('d', '-[:C*]-', 'a')})`)).toEqual(['d-b-a']);
    expect(await paths(`shortestPath(${between('e', '-[:C*]-', 'd')})`)).toEqual(['e-d']);
  });

  it('is all of them in allShortestPaths', async () => {
    expect(await paths(`allShortestPaths(${between('a', '-[:C*]->', 'e')})`)).toEqual(['a-b-d-e', 'a-c-d-e']);
    expect(await paths(`allShortestPaths(${between('b', '-[:C*]-', 'c')})`)).toEqual(['b-d-c', 'b-a-c']);
  });

  it('keeps to its bounds', async () => {
    expect(await paths(`shortestPath(${between('a', '-[:C*..2]->', 'e')})`)).toEqual([]);
    expect(await paths(`shortestPath(${between('a', '-[:C*..3]->', 'e')})`)).toEqual(['a-b-d-e']);
    expect(await paths(`shortestPath(${between('a', '-[*2..]->', 'e')})`)).toEqual(['a-b-d-e']);
    expect(await paths(`shortestPath(${between('a', '-[:C]->', 'b')})`)).toEqual(['a-b']);
  });

  it('is none where no path leads', async () => {
    expect(await paths(`shortestPath(${between('a', '-[*]-', 'z')})`)).toEqual([]);
    expect(
      await rowsOf(graph, `MATCH (a {name: 'a'}), (z {name: 'z'}) RETURN shortestPath((a)-[*]-(z))`),
    ).toEqual([[null]]);
  });

  it('from a node to itself is the shortest circle, or nothing but the node where no hop is allowed', async () => {
    expect(await paths(`shortestPath((n:N {name: 'a'})-[:C*]->(n))`)).toEqual(['a-b-d-e-a']);
    expect(await paths(`shortestPath((n:N {name: 'a'})-[*]-(n))`)).toEqual(['a-e-a']);
    expect(await paths(`shortestPath((n:N {name: 'a'})-[*0..]-(n))`)).toEqual(['a']);
    expect(await paths(`shortestPath((n:N {name: 'z'})-[*]-(n))`)).toEqual([]);
  });

  it('is the shortest of those that its conditions let pass', async () => {
    const whole = `shortestPath(${between('a', '-[*]->', 'e')})`;
    expect(await paths(whole, 'WHERE length(p) > 1')).toEqual(['a-b-d-e']);
    expect(await paths(whole, 'WHERE all(r IN relationships(p) WHERE r.w < 5)')).toEqual(['a-b-d-e']);
    expect(await paths(whole, "WHERE length(p) > 1 AND none(n IN nodes(p) WHERE n.name = 'b')")).toEqual([
      'a-c-d-e',
    ]);
    expect(await paths(`shortestPath(${between('a', '-[:C* {w: 1}]->', 'e')})`)).toEqual(['a-b-d-e']);
    expect(await paths(whole, 'WHERE length(p) > 9')).toEqual([]);
  });

  it('binds its relationships, and is found for each pair of rows', async () => {
    expect(
      await rowsOf(
        graph,
        `MATCH shortestPath((a:N {name: 'a'})-[r*]->(e:N {name: 'e'})) RETURN [x IN r | x.w]`,
      ),
    ).toEqual([[[5]]]);
    expect(
      await rowsOf(
        graph,
        `MATCH (a:N {name: 'a'}) MATCH (b:N) WHERE b.name IN ['c', 'e', 'z']
         OPTIONAL MATCH p = shortestPath((a)-[:C*]->(b)) RETURN b.name, length(p) ORDER BY b.name`,
      ),
    ).toEqual([
      ['c', 1],
      ['e', 3],
      ['z', null],
    ]);
  });
});
