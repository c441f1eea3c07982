import { describe, expect, it } from 'vitest';
import { mutations } from '../../../bench/lib/cypher/mutations.mjs';
import { randomQueries } from '../../../bench/lib/cypher/random-queries.mjs';
import { CypherError } from '../../../cypher/index.js';
import { ask, graphOf } from '../ask.js';
import type { MemoryGraph } from '../memory-graph.js';

const QUERIES = 300;

function smallGraph(): Promise<MemoryGraph> {
  return graphOf(
    "UNWIND range(0, 9) AS i CREATE (:A {num: i, name: 'n' + toString(i % 3), id: i, list: [i]})",
    'MATCH (a:A), (b:A) WHERE (a.num * 7 + b.num * 3) % 8 = 0 CREATE (a)-[:T {num: a.num}]->(b)',
    "UNWIND range(0, 3) AS i CREATE (:B:Function {num: i, name: 'b'})",
    'MATCH (a:B), (b:A) WHERE (a.num + b.num) % 3 = 0 CREATE (a)-[:KNOWS]->(b)',
  );
}

/** Runs queries until the clock, which goes on by a millisecond a look, says that each had its time. */
async function outcomes(make: () => string): Promise<{ answered: number; refused: CypherError[] }> {
  const graph = await smallGraph();
  const refused: CypherError[] = [];
  let answered = 0;
  for (let at = 0; at < QUERIES; at++) {
    let now = 0;
    const options = {
      parameters: new Map([['p', 3n]]),
      limit: 100,
      deadlineMs: 200,
      clock: () => now++,
    };
    try {
      await ask(graph, make(), options);
      answered++;
    } catch (error) {
      if (!(error instanceof CypherError)) throw error;
      refused.push(error);
    }
  }
  return { answered, refused };
}

describe('queries by chance on a graph', () => {
  it('answer, or are refused with a code and a place', async () => {
    const { answered, refused } = await outcomes(randomQueries(21).query);
    expect(answered / QUERIES).toBeGreaterThan(0.5);
    for (const { span, fault } of refused) expect(span !== null || fault.kind === 'Limit').toBe(true);
  });

  it('do so when they are broken, too', async () => {
    const { query } = randomQueries(22);
    const { mutated } = mutations(23);
    const { refused } = await outcomes(() => mutated(query()));
    for (const { span, fault } of refused) expect(span !== null || fault.kind === 'Limit').toBe(true);
    expect(refused.length / QUERIES).toBeGreaterThan(0.5);
  });
});
