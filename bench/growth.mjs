// How the cost of a full index grows with the project: generated projects of several sizes, each indexed by a process
// of its own, beside one that only parses the same files.
// With --shapes: projects whose files name each other in rings, meshes, stars, chains and ladders (lib/large-projects.mjs)
// at n and 2n edges, in processor time less that of an empty project; ends with 1 where 2n costs more than 3 times n.
// Run: npm run build && node bench/growth.mjs [1000 5000 20000] [--json] [--library FILE]
//      node bench/growth.mjs --shapes [--only REGEX] [--n N]
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { generateProject } from './lib/generated.mjs';
import { child, indexed, limitedIndex, listExtracted, row } from './lib/indexed.mjs';
import { largeProjects } from './lib/large-projects.mjs';
import { flag, inScratch, option } from './lib/measure.mjs';

const given = process.argv
  .slice(2)
  .filter((one) => /^\d+$/.test(one))
  .map(Number);
const sizes = given.length > 0 ? given : [1000, 5000, 20_000];
/** What twice the edges may cost, in costs of them: n log n, and what a busy machine adds. */
const MOST = 3;
/** Processor seconds of one run, and how many say nothing. */
const LIMIT = 100;
const LEAST_SECONDS = 0.5;
const rows = [];
if (flag('shapes')) await inScratch('growth', measureShapes);
else await measureSizes();

async function measureSizes() {
  for (const files of sizes) rows.push(await inScratch('growth', (scratch) => measure(files, scratch)));
  const [smallest] = rows;
  for (const one of rows) one.perFileToSmallest = one.msPerFile / smallest.msPerFile;
  if (flag('json')) console.log(JSON.stringify(rows, null, 2));
  else print();
}

function measureShapes(scratch) {
  const only = new RegExp(option('only', ''));
  const n = Number(option('n', 500));
  const empty = limitedIndex(scratch, { 'a.ts': '' }, LIMIT).seconds;
  console.log('| project | n s | 2n s | 2n / n | |\n|---|---|---|---|---|');
  for (const { name, files } of largeProjects.filter((one) => only.test(one.name))) {
    const runs = [n, 2 * n].map((edges) => limitedIndex(scratch, files(edges), LIMIT));
    const [one, two] = runs.map(({ seconds }) => Math.max(seconds - empty, 0));
    const growth = two / Math.max(one, LEAST_SECONDS);
    const wrong = runs.find((run) => run.wrong)?.wrong ?? (growth > MOST ? 'grows too fast' : '');
    if (wrong) process.exitCode = 1;
    console.log(row([name, one, two, growth, [wrong, runs[1].told].filter(Boolean).join('; ')]));
  }
}

async function measure(count, scratch) {
  const root = join(scratch, 'project');
  const home = join(scratch, 'graphs');
  generateProject(root, count);
  mkdirSync(home);
  const { output, seconds, cpuSeconds, peakMegabytes, storeMegabytes } = await indexed(root, home);
  const { list } = await listExtracted(root, home, scratch);
  const parse = await child('parse', root, { files: list });
  return {
    files: count,
    edges: output.edges_total,
    seconds,
    cpuSeconds,
    peakMegabytes,
    storeMegabytes,
    msPerFile: (seconds * 1000) / count,
    toParse: {
      time: seconds / parse.seconds,
      cpu: cpuSeconds / parse.cpuSeconds,
      memory: peakMegabytes / parse.peakMegabytes,
    },
  };
}

function print() {
  console.log(
    '| files | edges | wall s | CPU s | peak MB | store MB | ms per file | / the smallest | wall / parse only |',
  );
  console.log('|---|---|---|---|---|---|---|---|---|');
  for (const {
    files,
    edges,
    seconds,
    cpuSeconds,
    peakMegabytes,
    storeMegabytes,
    msPerFile,
    perFileToSmallest,
    toParse,
  } of rows)
    console.log(
      row([
        String(files),
        String(edges),
        seconds,
        cpuSeconds,
        peakMegabytes,
        storeMegabytes,
        msPerFile,
        perFileToSmallest,
        toParse.time,
      ]),
    );
}
