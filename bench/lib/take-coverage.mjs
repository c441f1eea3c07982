// Loaded first by every thread of a daemon that bench/hook-path.mjs starts: writes what ran since the last time whenever
// the file that CODEWALK_MARK names holds something else.
import { readFileSync } from 'node:fs';
import { takeCoverage } from 'node:v8';

const mark = () => {
  try {
    return readFileSync(process.env.CODEWALK_MARK, 'utf8');
  } catch {
    return '';
  }
};
let known = mark();
setInterval(() => {
  const now = mark();
  if (now === known) return;
  known = now;
  takeCoverage();
}, 50).unref();
