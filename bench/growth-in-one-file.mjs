// How the cost of an index grows with one file: files that grow in one construct (lib/large-files.mjs) at n, 2n and 4n,
// each indexed by a process of its own, in processor time less that of the same construct in its smallest size.
// Run: npm run build && node bench/growth-in-one-file.mjs [--only REGEX] [--n N] [--json] [--library FILE]
// Ends with 1 where 4n costs more than 5 times n, or a run is killed, ends with a signal or says INTERNAL.
import { limitedIndex, row } from './lib/indexed.mjs';
import { largeFiles } from './lib/large-files.mjs';
import { flag, inScratch, option } from './lib/measure.mjs';

/** What four times the file may cost, in costs of the file: n log n with some room. */
const MOST = 5;
/** Where n takes less it is doubled: a start of Node differs by half of that. */
const LEAST_SECONDS = 0.3;
/** Lines of the file that is taken as the beginning: starting up and reading what every file needs. */
const SMALLEST = 2;
/** The largest file of 4n: a larger one is skipped by an index. */
const MOST_BYTES = 900_000;
/** Processor seconds of one run. */
const LIMIT = 100;

const size = Number(option('n', 500));
const only = new RegExp(option('only', ''));
const files = largeFiles.filter(({ name }) => only.test(name));
const rows = await inScratch('growth-in-one-file', (scratch) => {
  return files.map((file) => {
    const measured = grown(scratch, file);
    if (!flag('json')) print(measured);
    return measured;
  });
});
const failed = rows.filter(({ wrong }) => wrong !== '');
if (flag('json')) console.log(JSON.stringify(rows, null, 2));
else console.log(`${rows.length} files, ${failed.length} that grow faster than ${MOST} x or go wrong`);
process.exitCode = failed.length > 0 ? 1 : 0;

/** The costs of one file at n, 2n and 4n, n as large as it must be to be measured. */
function grown(scratch, { name, path, text }) {
  const empty = Math.min(...[0, 1].map(() => ofFile(scratch, path, text(SMALLEST)).seconds));
  let n = size;
  let first = ofFile(scratch, path, text(n));
  while (!first.wrong && first.seconds - empty < LEAST_SECONDS && text(8 * n).length < MOST_BYTES) {
    n *= 2;
    first = ofFile(scratch, path, text(n));
  }
  const runs = [first];
  for (const times of [2, 4]) if (!runs.at(-1).wrong) runs.push(ofFile(scratch, path, text(times * n)));
  const taken = () => runs.slice(-3).map((run) => Math.max(run.seconds - empty, 0));
  // What a busy machine adds, and a heap that grows once, is less in a larger file: what grows does so again.
  for (let again = 0; again < 2 && growthOf(taken()) > MOST && !runs.at(-1).wrong; again += 1) {
    if (text(8 * n).length >= MOST_BYTES) break;
    n *= 2;
    runs.push(ofFile(scratch, path, text(4 * n)));
  }
  const seconds = taken();
  const growth = growthOf(seconds);
  const wrong = runs.find((run) => run.wrong)?.wrong ?? (growth > MOST ? 'grows too fast' : '');
  return { name, n, seconds, growth, wrong, told: runs.at(-1).told };
}

/** 4n to n; a time too short to be measured counts as the shortest that can be. */
function growthOf(seconds) {
  return seconds.length < 3 ? Number.POSITIVE_INFINITY : seconds[2] / Math.max(seconds[0], LEAST_SECONDS / 2);
}

/** Indexes a project of one file. */
function ofFile(scratch, path, text) {
  return limitedIndex(scratch, { [path]: text }, LIMIT);
}

function print({ name, n, seconds, growth, wrong, told }) {
  if (files[0].name === name) {
    console.log('| file | n | n s | 2n s | 4n s | 4n / n | |');
    console.log('|---|---|---|---|---|---|---|');
  }
  const [one, two, four] = seconds;
  console.log(
    row([name, String(n), one, two, four, growth, [wrong, told.slice(0, 80)].filter(Boolean).join('; ')]),
  );
}
