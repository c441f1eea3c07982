import { beforeAll, describe, expect, it } from 'vitest';
import { mutations } from '../../bench/lib/cypher/mutations.mjs';
import { randomQueries } from '../../bench/lib/cypher/random-queries.mjs';
import { check } from '../../cypher/check/index.js';
import { CypherError, type CypherValue, PreparedQuery, run } from '../../cypher/index.js';
import { parse } from '../../cypher/text/index.js';
import { keyOfAll } from '../../cypher/values/index.js';
import { graphOf } from './ask.js';
import type { MemoryGraph } from './memory-graph.js';

let graph: MemoryGraph;
beforeAll(async () => {
  graph = await graphOf(
    "UNWIND range(0, 9) AS i CREATE (:A {num: i, name: 'n' + toString(i % 3), id: i, list: [i]})",
    'MATCH (a:A), (b:A) WHERE (a.num * 7 + b.num * 3) % 8 = 0 CREATE (a)-[:T {num: a.num}]->(b)',
    "UNWIND range(0, 3) AS i CREATE (:B:Function {num: i, name: 'b'})",
    'MATCH (a:B), (b:A) WHERE (a.num + b.num) % 3 = 0 CREATE (a)-[:KNOWS]->(b)',
  );
});

/** Runs a query until the clock, which goes on by a millisecond a look, says that it had its time. */
async function rowsOf(text: string): Promise<readonly (readonly CypherValue[])[]> {
  let now = 0;
  const parameters = new Map([
    ['p', 3n],
    ['limit', 3n],
  ]);
  const options = { parameters, limit: 1000, deadlineMs: 5000, clock: () => now++ };
  return (await run(new PreparedQuery(text), graph, options)).rows;
}

const checked = async (text: string) => check(parse(text), text);

describe('queries by chance', () => {
  const whole = (seed: number) => randomQueries(seed).query;
  const broken = (seed: number) => {
    const [{ query }, { mutated }] = [randomQueries(seed), mutations(seed + 2)];
    return () => mutated(query());
  };
  it.each([
    ['that are checked', checked, whole(7), 1500, [0.8, 1]],
    ['that are broken and checked', checked, broken(11), 1500, [0, 0.5]],
    ['on a graph', rowsOf, whole(21), 300, [0.5, 1]],
    ['that are broken, on a graph', rowsOf, broken(22), 300, [0, 0.5]],
  ] as const)(
    '%s pass, or are refused with a code and a place',
    async (_, tries, make, count, [least, most]) => {
      let passed = 0;
      for (let at = 0; at < count; at++) {
        const text = make();
        try {
          await tries(text);
          passed++;
        } catch (error) {
          if (!(error instanceof CypherError)) throw new Error(text, { cause: error });
          expect(error.span !== null || error.fault.kind === 'Limit', text).toBe(true);
          expect(error.code).toMatch(/^CYPHER_/u);
          if (error.span) expect(error.message).toMatch(/line \d+, column \d+:\n/);
          expect(error.span?.end ?? 0).toBeLessThanOrEqual(text.length);
        }
      }
      expect(passed / count).toBeGreaterThan(least);
      expect(passed / count).toBeLessThanOrEqual(most);
    },
  );

  it('find each row under a condition, its denial, or where it is unknown', async () => {
    const found = async (text: string) => (await rowsOf(text)).map((row) => String(keyOfAll(row)));
    const queries = randomQueries(5);
    let compared = 0;
    for (let at = 0; at < 100; at++) {
      const { text, names, condition } = queries.conditional();
      const returned = `RETURN ${names.join(', ')}`;
      const ways = [`(${condition})`, `NOT (${condition})`, `(${condition}) IS NULL`];
      try {
        const all = await found(`${text} ${returned}`);
        if (all.length === 1000) continue;
        const parts = await Promise.all(ways.map((way) => found(`${text} WITH * WHERE ${way} ${returned}`)));
        expect([text, condition, parts.flat().sort()]).toEqual([text, condition, all.sort()]);
        compared++;
      } catch (error) {
        if (!(error instanceof CypherError)) throw error;
      }
    }
    expect(compared).toBeGreaterThan(50);
  });
});
