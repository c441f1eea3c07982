// Cypher against its bounds: questions beside the same asked by a walker written by hand, in processor time of the same
// run (1), queries by chance and broken ones, of which none may do anything but answer or refuse in time (2), and how
// long a query takes to be read (3).
// Run: npm run build && node bench/cypher.mjs DIR [--rounds 40] [--queries 100000] [--only questions|chance|reading] [--json]
// Exit code 1 when a bound does not hold.
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { queriesByChance } from './lib/cypher/by-chance.mjs';
import { questions } from './lib/cypher/questions.mjs';
import { reading } from './lib/cypher/reading.mjs';
import { flag, inScratch, library, option, p50 } from './lib/measure.mjs';

const BOUND = 3;
const NAMES = 20;
const MANY_ROWS = 1000;
const only = option('only', 'all');

const result = {};
const asked = (part) => only === 'all' || only === part;
if (asked('questions')) result.questions = await inScratch('cypher', besideWalkers);
if (asked('chance')) result.chance = await queriesByChance(Number(option('queries', 100_000)));
if (asked('reading')) result.reading = await reading();
const held = Object.values(result).every((part) => part.held);
if (flag('json')) console.log(JSON.stringify({ held, ...result }, null, 2));
else print();
if (!held) process.exitCode = 1;

async function besideWalkers(scratch) {
  const codewalk = await library();
  const [folder] = process.argv.slice(2).filter((one) => !one.startsWith('--'));
  if (folder === undefined) throw new Error('which project? node bench/cypher.mjs DIR');
  const graph = await codewalk.openGraph(realpathSync(folder), { home: join(scratch, 'graphs') });
  await graph.spawn('graph_index_project', null, { mode: 'full' });
  const cypher = async (query, parameters) => {
    const { output } = await graph.spawn('query_cypher', null, { query, parameters, limit: MANY_ROWS });
    const { columns, rows } = output.results;
    return { columns, rows, total: output.metadata.total_count };
  };
  const most = await cypher(
    'MATCH (f:Function)<-[:CALLS]-() RETURN f.qualified_name AS name, count(*) AS calls ORDER BY calls DESC, name',
    {},
  );
  const every = Math.max(1, Math.floor(most.rows.length / NAMES));
  const names = most.rows.filter((_row, at) => at % every === 0).map(({ name }) => name);
  const rows = [];
  for (const { what, cypher: query, byHand, inputs } of questions(codewalk, names)) {
    const hand = async (input) => (await graph.spawn(byHand, null, input)).output;
    for (const input of inputs) isSameAnswer(what, await cypher(query, input), await hand(input));
    const times = { cypher: [], hand: [] };
    const rounds = Math.max(5, Math.ceil(Number(option('rounds', 40)) / inputs.length));
    for (let round = -2; round < rounds; round += 1) {
      for (const input of inputs) {
        const byWalker = await processorTime(() => hand(input));
        const byQuery = await processorTime(() => cypher(query, input));
        if (round < 0) continue;
        times.hand.push(byWalker);
        times.cypher.push(byQuery);
      }
    }
    const [ours, baseline] = [p50(times.cypher), p50(times.hand)];
    rows.push({ what, ratio: ours / baseline, baseline, ours });
  }
  await graph.close();
  return { rows, held: rows.every(({ ratio }) => ratio <= BOUND) };
}

/** Milliseconds of the processor: other programs of the machine do not count. */
async function processorTime(action) {
  const before = process.cpuUsage();
  await action();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** The query cuts its answer; the walker does not: as many, and none that is not among them. */
function isSameAnswer(what, { rows, total }, expected) {
  const known = new Set(expected.map((row) => JSON.stringify(row)));
  const ours = rows.map((row) => JSON.stringify(Object.values(row)));
  const isSame = total === known.size && ours.every((row) => known.has(row));
  if (!isSame) throw new Error(`${what}: ${total} rows, and ${known.size} by hand`);
}

function print() {
  if (result.questions !== undefined) {
    console.log(
      'Questions, processor time, p50\n\n| what | ratio | bound | by hand | Cypher |\n|---|---|---|---|---|',
    );
    for (const { what, ratio, baseline, ours } of result.questions.rows)
      console.log(
        `| ${what} | ${ratio.toFixed(2)} | ≤ ${BOUND} | ${baseline.toFixed(2)} ms | ${ours.toFixed(2)} ms |`,
      );
  }
  if (result.chance !== undefined) {
    console.log(
      '\n| queries | answered | refused | out of time | latest | anything else |\n|---|---|---|---|---|---|',
    );
    for (const { what, answered, refused, stopped, latest, wrong } of result.chance.rows)
      console.log(
        `| ${what} | ${answered} | ${refused} | ${stopped} | ${latest.toFixed(0)} ms late | ${wrong.length} |`,
      );
    for (const text of result.chance.rows.flatMap(({ wrong }) => wrong).slice(0, 20)) console.log(text);
  }
  if (result.reading !== undefined) {
    const { read, checked, bound } = result.reading;
    console.log(
      `\nReading a query: ${read.toFixed(1)} µs (≤ ${bound}), checking it: ${checked.toFixed(1)} µs.`,
    );
  }
  console.log(held ? '\nEvery bound holds.' : '\nA BOUND DOES NOT HOLD.');
}
