import { beforeAll, describe, expect, it } from 'vitest';
import { graphOf, rowsOf } from '../ask.js';
import type { MemoryGraph } from '../memory-graph.js';

/** f calls g twice and h once; g calls h; nothing calls f; all are in one file but h. */
let graph: MemoryGraph;

beforeAll(async () => {
  graph = await graphOf(
    `CREATE (f:Fn {name: 'f', size: 3}), (g:Fn {name: 'g', size: 1}), (h:Fn {name: 'h', size: 2}), (m:File {name: 'm'}),
       (f)-[:CALLS {line: 1}]->(g), (f)-[:CALLS {line: 2}]->(g), (f)-[:CALLS {line: 3}]->(h), (g)-[:CALLS {line: 9}]->(h),
       (m)-[:HAS]->(f), (m)-[:HAS]->(g)`,
  );
});

const rows = (text: string) => rowsOf(graph, text);

describe('CALL { … }', () => {
  it('runs for each row with what it imports', async () => {
    const expected = [
      ['f', 3],
      ['g', 1],
      ['h', 0],
    ];
    const inner = 'OPTIONAL MATCH (n)-[c:CALLS]->() RETURN count(c) AS calls';
    expect(await rows(`MATCH (n:Fn) CALL { WITH n ${inner} } RETURN n.name, calls ORDER BY n.name`)).toEqual(
      expected,
    );
    expect(await rows(`MATCH (n:Fn) CALL (n) { ${inner} } RETURN n.name, calls ORDER BY n.name`)).toEqual(
      expected,
    );
    expect(await rows(`MATCH (n:Fn) CALL (*) { ${inner} } RETURN n.name, calls ORDER BY n.name`)).toEqual(
      expected,
    );
  });

  it('drops rows for which it finds nothing, and repeats those for which it finds much', async () => {
    expect(
      await rows(
        'MATCH (n:Fn) CALL (n) { MATCH (n)-[c:CALLS]->() RETURN c.line AS line } RETURN n.name, line ORDER BY line',
      ),
    ).toEqual([
      ['f', 1],
      ['f', 2],
      ['f', 3],
      ['g', 9],
    ]);
  });

  it('may look at nothing outside, and may join with UNION', async () => {
    expect(
      await rows(
        'UNWIND [1, 2] AS x CALL { MATCH (n:Fn) RETURN max(n.size) AS most } RETURN x, most ORDER BY x',
      ),
    ).toEqual([
      [1, 3],
      [2, 3],
    ]);
    expect(
      await rows('CALL { RETURN 1 AS x UNION RETURN 2 AS x UNION RETURN 1 AS x } RETURN x ORDER BY x DESC'),
    ).toEqual([[2], [1]]);
  });

  it('sorts and cuts for each row on its own', async () => {
    expect(
      await rows(
        `MATCH (n:Fn) CALL (n) { MATCH (n)-[c:CALLS]->(m) RETURN m.name AS last ORDER BY c.line DESC LIMIT 1 }
         RETURN n.name, last ORDER BY n.name`,
      ),
    ).toEqual([
      ['f', 'h'],
      ['g', 'h'],
    ]);
  });
});

describe('subqueries as values', () => {
  it('EXISTS says whether a row is found', async () => {
    expect(
      await rows('MATCH (n:Fn) WHERE EXISTS { (n)<-[:CALLS]-() } RETURN n.name ORDER BY n.name'),
    ).toEqual([['g'], ['h']]);
    expect(
      await rows('MATCH (n:Fn) WHERE NOT EXISTS { MATCH (m:File)-[:HAS]->(n) RETURN m } RETURN n.name'),
    ).toEqual([['h']]);
    expect(
      await rows(
        'MATCH (n:Fn) WHERE EXISTS { MATCH (n)-[c:CALLS]->() WITH count(c) AS k WHERE k > 2 RETURN k } RETURN n.name',
      ),
    ).toEqual([['f']]);
    expect(await rows('MATCH (n:Fn) RETURN n.name, exists((n)-->()) ORDER BY n.name')).toEqual([
      ['f', true],
      ['g', true],
      ['h', false],
    ]);
  });

  it('COUNT says how many rows', async () => {
    expect(
      await rows(
        'MATCH (n:Fn) RETURN n.name, COUNT { (n)-[:CALLS]->() } AS out, COUNT { (n)--() } AS all ORDER BY n.name',
      ),
    ).toEqual([
      ['f', 3, 4],
      ['g', 1, 4],
      ['h', 0, 2],
    ]);
    expect(
      await rows('MATCH (n:Fn) WHERE COUNT { MATCH (n)-[:CALLS]->(m) RETURN DISTINCT m } = 2 RETURN n.name'),
    ).toEqual([['f']]);
    expect(await rows('RETURN COUNT { MATCH (n:Fn) WHERE n.size > 1 } AS big')).toEqual([[2]]);
  });

  it('COLLECT lists the values, nulls too', async () => {
    expect(
      await rows(
        `MATCH (n:Fn) RETURN n.name, COLLECT { MATCH (n)-[c:CALLS]->(m) RETURN m.name + toString(c.line) ORDER BY c.line DESC } AS calls
         ORDER BY n.name`,
      ),
    ).toEqual([
      ['f', ['h3', 'g2', 'g1']],
      ['g', ['h9']],
      ['h', []],
    ]);
    expect(await rows('RETURN COLLECT { MATCH (n:Fn) RETURN n.none } AS nothing')).toEqual([
      [[null, null, null]],
    ]);
  });

  it('stand inside lists, item by item, in order and with nulls', async () => {
    expect(
      await rows(
        `MATCH (n:Fn) WITH n ORDER BY n.name WITH collect(n) AS all
         RETURN [x IN all WHERE (x)-[:CALLS]->() | x.name + size([(x)-[:CALLS]->(y) | y])] AS callers,
           all(x IN all WHERE (x)-[:CALLS]-()) AS every, single(x IN all WHERE NOT (x)-[:CALLS]->()) AS one`,
      ),
    ).toEqual([[['f3', 'g1'], true, true]]);
    expect(await rows('WITH null AS all RETURN [x IN all WHERE (x)-->() | x] AS none')).toEqual([[null]]);
  });

  it('are refused in reduce by name', async () => {
    await expect(
      rows('MATCH (n:Fn) WITH collect(n) AS all RETURN reduce(s = 0, x IN all | s + COUNT { (x)-->() })'),
    ).rejects.toMatchObject({ code: 'CYPHER_UNSUPPORTED', message: expect.stringContaining('reduce') });
  });

  it('see what is around them, also within each other', async () => {
    expect(
      await rows(
        `MATCH (n:Fn) WHERE EXISTS { MATCH (n)-[:CALLS]->(m) WHERE COUNT { (m)<-[:CALLS]-() } > 2 - n.size + 1 }
         RETURN n.name ORDER BY n.name`,
      ),
    ).toEqual([['f']]);
  });
});
