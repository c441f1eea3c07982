import { join } from 'node:path';
import { parseOutput, showsFailure } from '../../../failures/index.js';
import { demand, processorTime, type Random, type Target, textsBeneath } from '../lib.js';
import { INTRUDERS, mutatedText, repetitive } from '../mutate.js';

/** Milliseconds of processor time for one output of at most some 200,000 characters. */
const MOST_MS = 250;
const LONGEST = { message: 300, test: 500, tests: 100, excerpt: 4100 };

const PARTS = [
  ...INTRUDERS,
  ...' \n\t:-=_.()[]{}<>|/\\#@0a✗×✓●›',
  ...['FAIL ', 'FAILED ', 'PASS', 'ok ', 'not ok ', '--- FAIL: ', 'test ', ' ... FAILED\n', 'error[E0308]: '],
  ...[
    'Error: ',
    'E   ',
    '> ',
    'AssertionError: ',
    'Caused by: ',
    'panicked at ',
    "thread 'main' ",
    '\n    at ',
  ],
  ...['Expected: ', 'Received: ', '\n1) ', '\n  1) ', ' - error TS', '---\n', '...\n', '=== ', '___ '],
  ...'src/a.ts src/a.ts:1:2 a.py:1 a.go:3 a::b'.split(' '),
];

/** Outputs of test runners and compilers: read without a throw, within bounds and in time. */
export const failures: Target = {
  name: 'failures',
  weight: 2,
  open({ root }) {
    const texts = [
      ...textsBeneath(join(root, 'test/failures/outputs'), ['.txt']),
      ...textsBeneath(join(root, 'test/failures'), ['failures.txt']),
    ].map(({ text }) => text);
    return {
      generate: (random) => ({
        stdout: outputOf(random, texts),
        stderr: outputOf(random, texts),
        cwd: '/work/a',
      }),
      run(input) {
        if (typeof input !== 'object' || input === null || Array.isArray(input)) return;
        const { stdout, stderr, cwd } = input;
        if (typeof stdout === 'string') check(stdout, String(stderr ?? ''), String(cwd ?? ''));
      },
    };
  },
};

function outputOf(random: Random, texts: readonly string[]): string {
  switch (random.below(5)) {
    case 0:
      return '';
    case 1:
      return repetitive(random, PARTS);
    case 2:
      return random.times(random.between(1, 60), () => random.oneOf(PARTS)).join('');
    default:
      return mutatedText(random, random.oneOf(texts), texts);
  }
}

function check(stdout: string, stderr: string, cwd: string): void {
  const output = `${stdout}\n${stderr}`;
  const parse = () => parseOutput(output, { command: 'npm test', cwd, isShell: true });
  const before = processorTime();
  const shows = showsFailure(output);
  const { failure, excerpt } = parse();
  const took = processorTime() - before;
  const retried = () => {
    const again = processorTime();
    parse();
    return processorTime() - again;
  };
  if (took > MOST_MS) {
    const least = Math.min(retried(), retried());
    demand(
      least <= MOST_MS,
      'in-time',
      `${stdout.length + stderr.length} characters take ${least.toFixed(0)} ms`,
    );
  }
  demand(typeof shows === 'boolean', 'answers', 'no boolean');
  const { reason, reasons, tests, frames } = failure;
  const lines = [reason, ...reasons, ...tests.flatMap((test) => test.reason ?? [])];
  const fits = lines.every((line) => line.length <= LONGEST.message && !line.includes('\n'));
  demand(fits && excerpt.length <= LONGEST.excerpt, 'bounded', `an excerpt of ${excerpt.length} characters`);
  const named = tests.length <= LONGEST.tests && tests.every(({ name }) => name.length <= LONGEST.test);
  demand(named, 'bounded', `${tests.length} tests`);
  demand(
    frames.every(({ file }) => file !== ''),
    'answers',
    'a file without a name',
  );
}
