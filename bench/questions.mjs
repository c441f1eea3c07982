/*
 * Whether questions in words and error messages lead `search_code` to the right function and file:
 * `node bench/questions.mjs --corpus click=DIR --corpus vue=DIR … [--misses]`. Build first. DIR is a checkout of the
 * project (its newest commit of November 2026); `codewalk` is this repository.
 *
 * `lib/search/questions.jsonl` holds [project, q (a question) or m (a message), text, files, functions], written without
 * a look at the answers; any of the files and functions is right.
 */
import { readFileSync } from 'node:fs';
import { flag, inScratch, library } from './lib/measure.mjs';

const { openGraph } = await library();
const lines = readFileSync(new URL('./lib/search/questions.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n');
const asked = lines.map((line) => JSON.parse(line));
const corpora = process.argv.flatMap((word, at, all) =>
  all[at - 1] === '--corpus' ? [word.split('=')] : [],
);
const sums = new Map();
for (const [project, root] of corpora)
  await inScratch('questions', async (home) => {
    const graph = await openGraph(root, { home, embedded: true });
    await graph.spawn('graph_index_project', null, {}, { limits: { deadlineMs: 600_000 } });
    for (const [, kind, query, files, functions] of asked.filter(([of]) => of === project)) {
      const { hits } = (await graph.spawn('search_code', null, { query })).output;
      const inFile = ({ file }) =>
        files.some((path) => file === path || (path.endsWith('/') && file.startsWith(path)));
      const named = ({ id }) => id.split(/[^\w$]+/u).some((part) => functions.includes(part));
      const rank = (fits) => hits.findIndex(fits) + 1 || Number.POSITIVE_INFINITY;
      const what = kind === 'm' ? 'message' : 'question';
      const ranks = [[`${what}: file`, rank(inFile)]];
      if (functions.length > 0) ranks.push([`${what}: function`, rank((hit) => inFile(hit) && named(hit))]);
      for (const [name, at] of ranks) count(name, at);
      if (flag('misses') && ranks.some(([, at]) => at > 5)) console.log(`${project}: ${query}`);
    }
    await graph.close();
  });
for (const [name, { first, five, all }] of sums)
  console.log(`${name} first ${(first / all).toFixed(3)}, in five ${(five / all).toFixed(3)} of ${all}`);

function count(name, at) {
  const sum = sums.get(name) ?? { first: 0, five: 0, all: 0 };
  sums.set(name, { first: sum.first + (at === 1), five: sum.five + (at <= 5), all: sum.all + 1 });
}
