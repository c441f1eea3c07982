import { beforeAll, describe, expect, it } from 'vitest';
import { CypherError } from '../../cypher/index.js';
import { literalText } from '../../cypher/values/index.js';
import { MemoryGraph, read, write } from './engine.js';

const graph = new MemoryGraph();

beforeAll(async () => {
  const text = `CREATE (a:F {name: 'a'})-[:CALLS]->(b:F {name: 'b'})-[:CALLS]->(c:F {name: 'c'}),
    (a)-[:CALLS]->(c), (:G {name: 'g'})`;
  await write(text, graph, (query, parameters) => read(query, parameters, graph));
});

async function rows(text: string): Promise<string[]> {
  const { rows: found } = await read(text, new Map(), graph);
  return found.map((row) => row.map(literalText).join(' ')).sort();
}

describe('a subquery', () => {
  it('sees the query around it, behind WITH too', async () => {
    expect(
      await rows(
        `MATCH (a:F) RETURN COLLECT { MATCH (a)-->(b) WITH b ORDER BY b.name RETURN a.name + b.name } AS all`,
      ),
    ).toEqual(["['ab', 'ac']", "['bc']", '[]']);
    expect(
      await rows(
        'MATCH (a:F) WHERE EXISTS { MATCH (a)-->(b) WITH DISTINCT b WHERE b.name > a.name RETURN b } RETURN a.name',
      ),
    ).toEqual(["'a'", "'b'"]);
    expect(
      await rows(
        'MATCH (a:F) RETURN a.name, COUNT { MATCH (a)-->(b) WITH b.name AS n, count(*) AS c RETURN n + a.name } AS n',
      ),
    ).toEqual(["'a' 2", "'b' 1", "'c' 0"]);
  });

  it('sees what its scope clause names, in every part of it', async () => {
    expect(
      await rows(`MATCH (a:F {name: 'a'}) CALL (a) {
        MATCH (a)-->(b) WITH b RETURN a.name + b.name AS n UNION RETURN a.name AS n
      } RETURN n`),
    ).toEqual(["'a'", "'ab'", "'ac'"]);
  });

  it('sees nothing else in a CALL', async () => {
    expect(await rows('MATCH (a:F) CALL { MATCH (g:G) RETURN g.name AS n } RETURN a.name, n')).toEqual([
      "'a' 'g'",
      "'b' 'g'",
      "'c' 'g'",
    ]);
    await expect(rows('MATCH (a:F) CALL { RETURN a.name AS n } RETURN n')).rejects.toThrow(CypherError);
  });

  it('is refused where a part of its UNION would see what it did not import', async () => {
    const text =
      'MATCH (a:F) CALL { WITH a RETURN a.name AS n UNION MATCH (a:G) RETURN a.name AS n } RETURN n';
    await expect(rows(text)).rejects.toMatchObject({ code: 'CYPHER_UNSUPPORTED' });
  });

  it('is refused where it would hide a name of the query around it, or give it a list of everything', async () => {
    const hiding = 'MATCH (a:F) RETURN COLLECT { MATCH (b) WITH b AS a RETURN a.name } AS n';
    await expect(rows(hiding)).rejects.toMatchObject({ fault: { detail: 'VariableAlreadyBound' } });
    await expect(rows('MATCH (a:F) RETURN COLLECT { MATCH (b) RETURN * } AS n')).rejects.toThrow(CypherError);
  });
});
