import { describe, expect, it } from 'vitest';
import { chance } from '../../bench/lib/cypher/chance.mjs';
import { mutations } from '../../bench/lib/cypher/mutations.mjs';
import { randomQueries } from '../../bench/lib/cypher/random-queries.mjs';
import { CypherError, type CypherValue, PreparedQuery, run } from '../../cypher/index.js';
import { parse } from '../../cypher/text/index.js';
import { keyOfAll } from '../../cypher/values/index.js';
import { MemoryGraph, type MemoryNode } from './memory-graph.js';
import { NaiveMatch } from './naive-match.js';

const PARAMETERS = new Map<string, CypherValue>([
  ['p', 1n],
  ['limit', 3n],
]);

/** A small graph by chance, loops and parallel relationships included. */
function smallGraph(seed: number): { graph: MemoryGraph; nodes: MemoryNode[] } {
  const { below, oneOf } = chance(seed);
  const graph = new MemoryGraph();
  const label = () => oneOf(['A', 'B', 'Function', 'File']);
  const nodes = Array.from({ length: 6 }, () =>
    graph.createNode(new Set([label(), label()]), [
      ['name', oneOf(['a', 'b c', null])],
      ['num', BigInt(below(3))],
      ['list', [1n, BigInt(below(3))]],
    ]),
  );
  for (let at = 0; at < 9; at++)
    graph.createRelationship(oneOf(['T', 'CALLS', 'KNOWS']), oneOf(nodes), oneOf(nodes), [
      ['num', BigInt(at)],
    ]);
  return { graph, nodes };
}

/** What a query finds, without its order. */
async function found(text: string, graph: MemoryGraph): Promise<string[]> {
  const { rows } = await run(new PreparedQuery(text), graph, { parameters: PARAMETERS });
  return rows.map((row) => String(keyOfAll(row))).sort();
}

describe('queries by chance', () => {
  it('match what trying everything matches', async () => {
    for (let seed = 1; seed <= 120; seed++) {
      const { graph, nodes } = smallGraph(seed);
      const { patterns, names } = randomQueries(seed).match();
      if (names.length === 0) continue;
      const text = `MATCH ${patterns.join(', ')} RETURN ${names.join(', ')}`;
      const clause = parse(text).parts[0]?.clauses[0];
      const naive = new NaiveMatch(nodes, PARAMETERS).match(clause?.kind === 'match' ? clause.patterns : []);
      const expected = naive.map((row) => String(keyOfAll(names.map((name) => row.get(name) ?? null))));
      expect([text, await found(text, graph)]).toEqual([text, expected.sort()]);
    }
  });

  it('find each row under a condition, its denial, or where it is unknown', async () => {
    const { graph } = smallGraph(3);
    const queries = randomQueries(5);
    let compared = 0;
    for (let at = 0; at < 100; at++) {
      const { text, names, condition } = queries.conditional();
      const returned = `RETURN ${names.join(', ')}`;
      const ways = [`(${condition})`, `NOT (${condition})`, `(${condition}) IS NULL`];
      try {
        const all = await found(`${text} ${returned}`, graph);
        const parts = await Promise.all(
          ways.map((way) => found(`${text} WITH * WHERE ${way} ${returned}`, graph)),
        );
        expect([text, condition, parts.flat().sort()]).toEqual([text, condition, all]);
        compared++;
      } catch (error) {
        if (!(error instanceof CypherError)) throw error;
      }
    }
    expect(compared).toBeGreaterThan(50);
  });

  it('give rows, or an error with a code; broken ones too', async () => {
    const { graph } = smallGraph(4);
    const [queries, { mutated }] = [randomQueries(17), mutations(19)];
    let answered = 0;
    for (let at = 0; at < 300; at++) {
      const text = at % 2 === 0 ? queries.query() : mutated(queries.query());
      try {
        await run(new PreparedQuery(text), graph, { parameters: PARAMETERS, limit: 50, deadlineMs: 1000 });
        answered++;
      } catch (error) {
        if (!(error instanceof CypherError)) throw new Error(text, { cause: error });
      }
    }
    expect(answered).toBeGreaterThan(50);
  });
});
