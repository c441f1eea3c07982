import { engineFromSource } from '../../../test/cypher/engine-from-source.mjs';
import { mutations } from './mutations.mjs';
import { randomQueries } from './random-queries.mjs';

const DEADLINE = 50;
const LATE = 100;
const ROWS = 1000;
const PARAMETERS = new Map([
  ['p', 3n],
  ['limit', 2n],
]);

/**
 * Runs queries by chance, and as many broken ones, on a small graph. `wrong` says of each that did anything but answer
 * or refuse with a code and a place; being late is wrong, too. Time is the processor's.
 */
export async function queriesByChance(count) {
  const engine = await engineFromSource();
  const graph = await smallGraph(engine);
  const { query } = randomQueries(1);
  const { query: whole } = randomQueries(2);
  const { mutated } = mutations(3);
  const rows = [
    await runAll('by chance', engine, graph, count, query),
    await runAll('broken', engine, graph, count, () => mutated(whole())),
  ];
  return { rows, held: rows.every(({ wrong }) => wrong.length === 0) };
}

/** Forty nodes and some three hundred relationships, with circles and loops. */
async function smallGraph({ MemoryGraph, read, write }) {
  const graph = new MemoryGraph();
  for (const text of [
    "UNWIND range(0, 29) AS i CREATE (:A {num: i, name: 'n' + toString(i % 7), id: i, list: [i, i + 1]})",
    'MATCH (a:A), (b:A) WHERE (a.num * 7 + b.num * 3) % 11 = 0 CREATE (a)-[:T {num: a.num}]->(b)',
    'MATCH (a:A), (b:A) WHERE (a.num * 5 + b.num * 11) % 17 = 0 CREATE (a)-[:CALLS {name: b.name}]->(b)',
    "UNWIND range(0, 9) AS i CREATE (:B:Function {num: i, name: 'n' + toString(i % 3)})",
    'MATCH (a:B), (b:A) WHERE (a.num + b.num) % 5 = 0 CREATE (a)-[:KNOWS]->(b)',
  ]) {
    await write(text, graph, (query, parameters) => read(query, parameters, graph));
  }
  return graph;
}

async function runAll(what, { PreparedQuery, run, CypherError }, graph, count, make) {
  const outcome = { what, answered: 0, refused: 0, stopped: 0, latest: 0, wrong: [] };
  for (let at = 0; at < count; at += 1) {
    const text = make();
    const before = processorTime();
    try {
      await run(new PreparedQuery(text), graph, {
        parameters: PARAMETERS,
        limit: ROWS,
        deadlineMs: DEADLINE,
        clock: processorTime,
      });
      outcome.answered += 1;
    } catch (error) {
      if (!(error instanceof CypherError)) outcome.wrong.push(`${error.stack}: ${text}`);
      else if (error.code === 'QUERY_TIMEOUT') outcome.stopped += 1;
      else {
        outcome.refused += 1;
        if (error.span === null && error.fault.kind !== 'Limit')
          outcome.wrong.push(`${error.message}: ${text}`);
      }
    }
    const late = processorTime() - before - DEADLINE;
    outcome.latest = Math.max(outcome.latest, late);
    if (late > LATE) outcome.wrong.push(`${late.toFixed(0)} ms late: ${text}`);
  }
  return outcome;
}

function processorTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
