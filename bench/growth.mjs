// How the cost of a full index grows with the project: generated projects of several sizes, each indexed by a process
// of its own, beside one that only parses the same files.
// Run: npm run build && node bench/growth.mjs [1000 5000 20000] [--json] [--library FILE]
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { generateProject } from './lib/generated.mjs';
import { child, indexed, listExtracted, row } from './lib/indexed.mjs';
import { flag, inScratch } from './lib/measure.mjs';

const given = process.argv
  .slice(2)
  .filter((one) => /^\d+$/.test(one))
  .map(Number);
const sizes = given.length > 0 ? given : [1000, 5000, 20_000];
const rows = [];
for (const files of sizes) rows.push(await inScratch('growth', (scratch) => measure(files, scratch)));
const [smallest] = rows;
for (const one of rows) one.perFileToSmallest = one.msPerFile / smallest.msPerFile;
if (flag('json')) console.log(JSON.stringify(rows, null, 2));
else print();

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
