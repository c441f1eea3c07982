// Whether the tests that query_tests names really execute the function that it was asked about: of functions sampled
// by name, its answers are held against which test files execute which function, measured by running the project's tests.
// Run: npm run build && node bench/tests-reached.mjs DIR --runner vitest|pytest [--functions 60] [--seed 1]
//      [--truth FILE] [--json] [-- ARGS OF THE RUNNER]
// DIR has its dependencies installed. --truth keeps what was measured in a file, and takes it from there if it is there.
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { executedFunctions } from './lib/executed-functions.mjs';
import { flag, generator, inScratch, library, option } from './lib/measure.mjs';

/** Rows of an answer that somebody reads. */
const FIRST = 10;
const CALLABLE = new Set(['function', 'method', 'component']);

const result = await inScratch('tests-reached', measured);
if (flag('json')) console.log(JSON.stringify(result, null, 2));
else {
  const { functions, unexecuted, named, sure, executing } = result;
  console.log(`${functions} functions, ${unexecuted} of which no test executes`);
  console.log(
    `files named as reaching: ${sure.right} of ${sure.all} execute it (${share(sure)}; wanted 0.95)`,
  );
  console.log(`files named, those that may reach it too: ${named.right} of ${named.all} (${share(named)})`);
  console.log(
    `executing files among the first ${FIRST} named: ${executing.first} of ${executing.most} that could be (${(executing.first / executing.most).toFixed(3)}; wanted 0.80), of ${executing.all} in all`,
  );
}

async function measured(scratch) {
  const root = realpathSync(process.argv[2] ?? '.');
  const { ran, functions, executed } = truthOf(root, scratch);
  const { openGraph } = await library();
  const graph = await openGraph(root, { home: `${scratch}/graphs` });
  await graph.spawn('graph_index_project', null, { mode: 'full' });
  const lines = (await graph.spawn('graph_export', null, {})).reports;
  const counts = {
    functions: 0,
    unexecuted: 0,
    named: { right: 0, all: 0 },
    sure: { right: 0, all: 0 },
    executing: { first: 0, most: 0, all: 0 },
    wrong: [],
    missed: [],
  };
  for (const { one, place } of sampled(lines, ran, functions)) {
    const input = { name: one.id, max_tokens: 20_000 };
    const { output } = await graph.spawn('query_tests', null, input);
    const named = output.results.tests.filter(({ file_path }) => ran.includes(file_path));
    const executing = new Set(executed[place]);
    const isRight = ({ file_path }) => executing.has(file_path);
    const sure = named.filter(({ may }) => !may);
    counts.functions++;
    if (executing.size === 0) counts.unexecuted++;
    for (const [count, rows] of [
      [counts.named, named],
      [counts.sure, sure],
    ]) {
      count.all += rows.length;
      count.right += rows.filter(isRight).length;
    }
    counts.executing.all += executing.size;
    counts.executing.most += Math.min(FIRST, executing.size);
    const first = named.slice(0, FIRST).filter(isRight).length;
    counts.executing.first += first;
    for (const { file_path, path } of sure.filter((row) => !isRight(row)))
      counts.wrong.push(`${one.id}: ${file_path} by ${path.join(' > ')}`);
    if (first < Math.min(FIRST, executing.size))
      counts.missed.push(`${one.id}: ${first} of ${executing.size}`);
  }
  await graph.close();
  return counts;
}

function truthOf(root, scratch) {
  const file = option('truth', null);
  if (file !== null && existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  const at = process.argv.indexOf('--');
  const args = at < 0 ? [] : process.argv.slice(at + 1);
  const truth = executedFunctions(root, scratch, option('runner', 'vitest'), args);
  if (file !== null) writeFileSync(file, JSON.stringify(truth));
  return truth;
}

/** Functions with a body, outside of tests, in the folders that tests come to at all, each with its place. */
function sampled(lines, ran, functions) {
  const random = generator(Number(option('seed', 1)));
  const tested = new Set(lines.filter(({ kind }) => kind === 'test').map(({ path }) => path));
  const begins = new Map();
  for (const place of functions) {
    const at = place.lastIndexOf(':');
    const path = place.slice(0, at);
    begins.set(path, [...(begins.get(path) ?? []), Number(place.slice(at + 1))]);
  }
  const claimed = new Set();
  const pool = lines
    .filter(({ type, kind, path }) => {
      const isCode = type === 'node' && CALLABLE.has(kind) && !tested.has(path) && !ran.includes(path);
      return isCode && /^(?:src|lib)\//.test(path);
    })
    // What encloses another function begins first.
    .sort((a, b) => a.start_line - b.start_line || b.end_line - a.end_line || (a.id < b.id ? -1 : 1))
    .flatMap((one) => {
      const first = (begins.get(one.path) ?? [])
        .filter((line) => line >= one.start_line && line <= one.end_line)
        .sort((a, b) => a - b)
        .find((line) => !claimed.has(`${one.path}:${line}`));
      if (first === undefined) return [];
      const place = `${one.path}:${first}`;
      claimed.add(place);
      return [{ one, place }];
    })
    .sort((a, b) => (a.one.id < b.one.id ? -1 : 1));
  const chosen = [];
  for (let left = Number(option('functions', 60)); left > 0 && pool.length > 0; left--)
    chosen.push(...pool.splice(Math.floor(random() * pool.length), 1));
  return chosen;
}

function share({ right, all }) {
  return (right / Math.max(1, all)).toFixed(3);
}
