import { join } from 'node:path';
import { mutations } from '../../../bench/lib/cypher/mutations.mjs';
import { randomQueries } from '../../../bench/lib/cypher/random-queries.mjs';
import { CypherError, PreparedQuery, read, run, write } from '../../cypher/engine.js';
import { MemoryGraph } from '../../cypher/memory-graph.js';
import {
  brief,
  demand,
  demandNoStack,
  type Json,
  processorTime,
  type Random,
  type Target,
  textsBeneath,
} from '../lib.js';
import { INTRUDERS, mutatedText } from '../mutate.js';

const DEADLINE_MS = 200;
/** Milliseconds after its deadline in which a query must have ended. */
const LATE_MS = 300;
const ROWS = 200;

const GRAPH = [
  "UNWIND range(0, 19) AS i CREATE (:A {num: i, name: 'n' + toString(i % 7), id: i, list: [i, i + 1]})",
  'MATCH (a:A), (b:A) WHERE (a.num * 7 + b.num * 3) % 11 = 0 CREATE (a)-[:T {num: a.num}]->(b)',
  'MATCH (a:A), (b:A) WHERE (a.num * 5 + b.num * 11) % 17 = 0 CREATE (a)-[:CALLS {name: b.name}]->(b)',
  "UNWIND range(0, 9) AS i CREATE (:B:Function {num: i, name: 'n' + toString(i % 3)})",
  'MATCH (a:B), (b:A) WHERE (a.num + b.num) % 5 = 0 CREATE (a)-[:KNOWS]->(b)',
];

/** Queries of a grammar, broken ones, and those of the docs and the tests with something changed. */
export const cypher: Target = {
  name: 'cypher',
  weight: 3,
  async open({ root }) {
    const graph = new MemoryGraph();
    for (const text of GRAPH) await write(text, graph, (query, parameters) => read(query, parameters, graph));
    const real = [
      ...textsBeneath(join(root, 'docs'), ['.md']),
      ...textsBeneath(join(root, 'test/cypher'), ['.test.ts']),
    ].flatMap(({ text }) => text.match(/\b(?:MATCH|UNWIND|WITH|RETURN|CALL) [^\n`'"]{8,}/gu) ?? []);
    return {
      generate: (random) => ({
        query: queryBy(random, real),
        parameters: { p: random.oneOf<Json>([3, 'a', null, [1, 2], 0.5]), limit: random.oneOf([0, 2, 1e9]) },
      }),
      async run(input) {
        if (typeof input !== 'object' || input === null || Array.isArray(input)) return;
        if (typeof input.query === 'string') await check(graph, input.query, input.parameters ?? {});
      },
    };
  },
};

function queryBy(random: Random, real: readonly string[]): string {
  const { mutated } = mutations(random.seed());
  switch (random.below(5)) {
    case 0:
      return randomQueries(random.seed()).query();
    case 1:
      return mutated(randomQueries(random.seed()).query());
    case 2:
      return mutated(random.oneOf(real));
    case 3:
      return mutatedText(random, random.oneOf(real), real).slice(0, 50_000);
    default:
      return nestedBy(random);
  }
}

function nestedBy(random: Random): string {
  const [open, middle, close] = random.oneOf([
    ['(', '1', ')'],
    ['[', '1', ']'],
    ['{a: ', '1', '}'],
    ['NOT ', 'true', ''],
    ['-', '1', ''],
    ['- ', 'x', ''],
    ['1 + ', '1', ''],
    ["'a' + ", "'a'", ''],
    ['true AND ', 'false', ''],
    ['1 < ', '2', ''],
    ['x.', 'y', ''],
    ['CASE WHEN ', 'true', ' THEN 1 END'],
    ['[x IN ', '[1]', ' | x]'],
    ['[x IN [1, 2] | ', 'x', ']'],
    ['reduce(s = 0, x IN [1] | ', 's', ')'],
    ['all(x IN [1] WHERE ', 'true', ')'],
    ['toString(', '1', ')'],
    ['COUNT { MATCH (a) WHERE ', 'true', ' }'],
    ['EXISTS { MATCH (a) RETURN ', '1', ' }'],
    ['size(', "'a'", ')'],
    ['(()-[]-', '()', ')'],
    ['[1][', '0', ']'],
    ['/* ', '1', ' */'],
    ['`', 'a', '`'],
    ["'\\", 'a', "'"],
  ] as const);
  const depth = random.oneOf([2, 10, 50, 200, 2000, 10_000]);
  const text =
    open.repeat(depth) + (random.oneIn(10) ? random.oneOf(INTRUDERS) : middle) + close.repeat(depth);
  return random.oneOf([
    `RETURN ${text}`,
    `MATCH (n) WHERE ${text} RETURN n`,
    `MATCH ${text} RETURN 1`,
    `WITH ${text} AS x RETURN x`,
    `UNWIND ${text} AS x RETURN count(*)`,
  ]);
}

async function check(graph: MemoryGraph, query: string, given: Json): Promise<void> {
  const parameters = new Map(
    Object.entries(given as object).map(([key, value]) => [
      key,
      Number.isInteger(value) ? BigInt(value) : value,
    ]),
  );
  const before = processorTime();
  try {
    await run(new PreparedQuery(query), graph, {
      parameters,
      limit: ROWS,
      deadlineMs: DEADLINE_MS,
      clock: processorTime,
    });
  } catch (thrown) {
    if (!(thrown instanceof CypherError)) throw thrown;
    demand(thrown.message !== '', 'coded', `no message: ${brief(query)}`);
    demandNoStack(thrown.message);
    const isPlaced = thrown.span !== null || thrown.fault.kind === 'Limit';
    demand(isPlaced, 'placed', `${thrown.message} names no place`);
  }
  const took = processorTime() - before;
  demand(
    took <= DEADLINE_MS + LATE_MS,
    'in-time',
    `a query of ${query.length} characters takes ${took.toFixed(0)} ms`,
  );
}
