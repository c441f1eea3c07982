import { beforeAll, describe, expect, it } from 'vitest';
import { ask, graphOf, rowsOf } from '../ask.js';
import type { MemoryGraph } from '../memory-graph.js';

/** A ring of four and a way out of it: a, b, c, d, a; c to e; each relationship knows its number. */
let graph: MemoryGraph;

beforeAll(async () => {
  graph = await graphOf(
    `CREATE (a:N {name: 'a'}), (b:N {name: 'b'}), (c:N {name: 'c'}), (d:N {name: 'd'}), (e:N:Out {name: 'e'}),
       (a)-[:R {n: 1}]->(b), (b)-[:R {n: 2}]->(c), (c)-[:R {n: 3}]->(d), (d)-[:R {n: 4}]->(a), (c)-[:R {n: 5}]->(e)`,
  );
});

const names = async (text: string) => (await rowsOf(graph, text)).map(([name]) => name);

describe('patterns of variable length', () => {
  it('go over no relationship twice', async () => {
    expect(await names(`MATCH p = (:N {name: 'a'})-[*]->(x) RETURN p`)).toEqual([
      'a-b',
      'a-b-c',
      'a-b-c-d',
      'a-b-c-e',
      'a-b-c-d-a',
    ]);
    expect(await names(`MATCH (:N {name: 'a'})-[*0..1]-(x) RETURN x ORDER BY x.name`)).toEqual([
      'a',
      'b',
      'd',
    ]);
  });

  it('check every relationship on the way', async () => {
    expect(
      await names(`MATCH (:N {name: 'a'})-[rs*]->(x) WHERE all(r IN rs WHERE r.n < 3) RETURN x`),
    ).toEqual(['b', 'c']);
    expect(
      await names(
        `MATCH p = (:N {name: 'a'})-[*]->(x) WHERE none(n IN nodes(p) WHERE n.name = 'd') RETURN x`,
      ),
    ).toEqual(['b', 'c', 'e']);
    expect(await names(`MATCH (:N {name: 'b'})-[rs* {n: 2}]->(x) RETURN x`)).toEqual(['c']);
    expect(
      await names(
        `MATCH p = (:N {name: 'a'})-[*]->(x) WHERE any(r IN relationships(p) WHERE r.n = 5) RETURN p`,
      ),
    ).toEqual(['a-b-c-e']);
  });

  it('have their list in the order of the pattern, from whichever end they are walked', async () => {
    expect(await rowsOf(graph, `MATCH (x:N)-[rs*3]->(:Out) RETURN x.name, [r IN rs | r.n]`)).toEqual([
      ['a', [1, 2, 5]],
    ]);
    expect(await rowsOf(graph, `MATCH p = (:Out)<-[*2]-(x) RETURN x.name, p`)).toEqual([['b', 'e-c-b']]);
  });

  it('reach each end once where only ends are asked for', async () => {
    const reached = `MATCH (:N {name: 'a'})-[*]->(x) RETURN DISTINCT x.name AS name`;
    expect(await rowsOf(graph, `EXPLAIN ${reached}`)).toEqual([]);
    expect(JSON.stringify((await ask(graph, `EXPLAIN ${reached}`)).plan)).toContain('"reach"');
    expect((await names(reached)).toSorted()).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect((await names(`MATCH (:N {name: 'a'})-[*..2]->(x) RETURN DISTINCT x.name`)).toSorted()).toEqual([
      'b',
      'c',
    ]);
    expect(await names(`MATCH (:N {name: 'a'})-[*0..]->(x) RETURN count(DISTINCT x)`)).toEqual([5]);
  });

  it('come back to their start only by a circle', async () => {
    const back = (name: string, hops: string) =>
      names(`MATCH (s:N {name: '${name}'})-[${hops}]-(x) WHERE x = s RETURN DISTINCT x.name`);
    expect(await back('e', '*')).toEqual([]);
    expect(await back('a', '*..3')).toEqual([]);
    expect(await back('a', '*..4')).toEqual(['a']);
    expect(await names(`MATCH (s:N) WHERE EXISTS { (s)-[*]-(s) } RETURN s ORDER BY s.name`)).toEqual([
      'a',
      'b',
      'c',
      'd',
    ]);
  });

  it('say it where they were cut for want of a bound', async () => {
    const text = `MATCH (:N {name: 'a'})-[*]->(x) RETURN x`;
    expect((await ask(graph, text, { maxHops: 4 })).cuts).toEqual([]);
    const cut = await ask(graph, text, { maxHops: 2 });
    expect(cut.rows).toEqual([['b'], ['c']]);
    expect(cut.cuts).toEqual([expect.stringContaining('2 hops')]);
    expect((await ask(graph, text.replace('RETURN', 'RETURN DISTINCT'), { maxHops: 2 })).cuts).toHaveLength(
      1,
    );
  });

  it('share no relationship with others of their MATCH', async () => {
    expect(await names(`MATCH (:N {name: 'a'})-[r]->()-[*]->(x) RETURN x`)).toEqual(['c', 'd', 'e', 'a']);
    expect(await rowsOf(graph, `MATCH (a:N {name: 'a'})-[r]->(b) MATCH (a)-[s]->(b) RETURN r = s`)).toEqual([
      [true],
    ]);
    expect(await rowsOf(graph, `MATCH (a:N {name: 'a'})-[r]->(b), (a)-[s]->(b) RETURN r = s`)).toEqual([]);
  });
});
