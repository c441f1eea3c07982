// Whether the structural queries answer what the graph says: every symbol and module of a project is asked about, and each
// answer is held against what follows from the export by plain loops (lib/answers/). The project is only read.
// Run: npm run build && node bench/answers.mjs DIR [--only query_callers] [--json]
// Exit code 1 when an answer is wrong.
import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { wrongAnswers } from './lib/answers/checks.mjs';
import { flag, inScratch, libraryFile, option, quantile } from './lib/measure.mjs';

const MOST_SHOWN = 20;
const only = option('only', null);
const { openGraph, answer } = await import(pathToFileURL(join(dirname(libraryFile()), 'host.js')).href);
const result = await inScratch('answers', checked);
if (flag('json')) console.log(JSON.stringify(result, null, 2));
else print(result);
if (result.wrong.length > 0) process.exitCode = 1;

async function checked(scratch) {
  const root = realpathSync(process.argv[2] ?? '.');
  const graph = await openGraph(root, { home: join(scratch, 'graphs') });
  await graph.spawn('graph_index_project', null, { mode: 'full' });
  const lines = (await graph.spawn('graph_export', null, {})).reports;
  const times = new Map();
  const ask = async (walker, input) => {
    const from = performance.now();
    const { body } = await answer(graph, graph.walkers.get(walker), input);
    const taken = performance.now() - from;
    const known = times.get(walker);
    if (known) known.push(taken);
    else times.set(walker, [taken]);
    return body;
  };
  const found = await wrongAnswers(lines, ask, { only: (walker) => only === null || walker === only });
  await graph.close();
  const p50 = Object.fromEntries([...times].map(([walker, all]) => [walker, quantile(all, 0.5)]));
  return { root, ...found, p50 };
}

function print({ root, asked, wrong, p50 }) {
  console.log(root);
  for (const [walker, count] of Object.entries(asked)) {
    const bad = wrong.filter((one) => one.walker === walker).length;
    console.log(`${walker.padEnd(24)} ${count} answers, ${bad} wrong, p50 ${p50[walker].toFixed(2)} ms`);
  }
  for (const one of wrong.slice(0, MOST_SHOWN)) console.log(JSON.stringify(one));
}
