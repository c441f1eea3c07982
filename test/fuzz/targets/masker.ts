import { join } from 'node:path';
import { masked, maskedRange, secretSpans } from '../../../source/index.js';
import { brief, demand, processorTime, type Random, type Target, textsBeneath } from '../lib.js';
import { INTRUDERS, mutatedText, repetitive } from '../mutate.js';

/** Milliseconds of processor time that a text of at most {@link SHORT} characters may take. */
const MOST_MS = 50;
const SHORT = 20_000;
/** A text four times as long may take so many times as long, and some milliseconds for noise. */
const GROWTH = 8;
const NOISE_MS = 25;
const LONGEST_ALIKE = 2_000;
/** Characters that a mask may take beside what it stands for. */
const MASK = 60;

const PARTS = [
  ...INTRUDERS,
  ...'-=:@/."\' \n\t_,;&?#\\{}[]()<>|$%~^*+!aA0',
  ...'----- CERTIFICATE 0123456789abcdef aws _secret _key token passwd pass pwd secret api client'.split(' '),
  ...'-- ghp_ sk- xox AKIA eyJ AIza glpat- :// mysql postgres <password> </password> QUJD Zm9v/+='.split(' '),
  ...'BEGIN |END |RSA |PRIVATE KEY|Proc-Type: 4,ENCRYPTED\n|export |set |Bearer |Basic '.split('|'),
  ...[
    'Cookie: ',
    'curl -u ',
    'redis-cli -a ',
    'sqlplus ',
    'IDENTIFIED BY ',
    'value: ',
    'key: ',
    '- ',
    'a'.repeat(40),
  ],
  ...['hunter2', 'correct horse battery staple', '${ secrets.X ', 'process.env.'],
];

/** The spans of secrets and the text without them: total, repeatable, bounded, linear. */
export const masker: Target = {
  name: 'masker',
  weight: 3,
  open({ root }) {
    const texts = [
      ...textsBeneath(join(root, 'docs'), ['.md']),
      ...textsBeneath(join(root, 'test/hooks'), ['.json', '.txt']),
      ...textsBeneath(join(root, 'test/secrets'), ['.txt']),
    ].map(({ text }) => text);
    return {
      generate: (random) => textOf(random, texts),
      run(input) {
        if (typeof input === 'string') check(input);
      },
    };
  },
};

function textOf(random: Random, texts: readonly string[]): string {
  switch (random.below(4)) {
    case 0:
      return repetitive(random, PARTS);
    case 1:
      return mutatedText(random, random.partOf(random.oneOf(texts), 5000), texts);
    case 2:
      return random.times(random.between(1, 40), () => random.oneOf(PARTS)).join('');
    default:
      return [
        random.partOf(random.oneOf(texts), 2000),
        repetitive(random, PARTS),
        random.partOf(random.oneOf(texts), 200),
      ].join(random.oneOf(['', '\n', ' ']));
  }
}

function check(text: string): void {
  const before = processorTime();
  const spans = secretSpans(text);
  const clean = masked(text);
  const took = processorTime() - before;
  demandInTime(text, took);
  for (const [at, { start, end, name }] of spans.entries()) {
    const inOrder = start >= (spans[at - 1]?.end ?? 0) && start < end && end <= text.length;
    demand(inOrder, 'spans-in-order', `${name} from ${start} to ${end} of ${text.length}`);
  }
  // In longer ones a mask moves where a value that is longer than any is cut.
  const again = text.length <= LONGEST_ALIKE ? masked(clean) : clean;
  demand(again === clean, 'idempotent', `masked again, ${brief(clean)} becomes ${brief(again)}`);
  const most = text.length + spans.length * MASK;
  demand(clean.length <= most, 'bounded', `${text.length} characters become ${clean.length}`);
  const middle = Math.floor(text.length / 2);
  for (const [from, to] of [
    [0, middle],
    [middle, text.length],
    [0, 0],
  ] as const) {
    const part = maskedRange(text, spans, from, to);
    for (const { start, end, name } of spans) {
      const secret = text.slice(Math.max(start, from), Math.min(end, to));
      // Longer than what may stand elsewhere, too.
      const left = secret.length > 24 && !text.slice(from, start).includes(secret) && part.includes(secret);
      const elsewhere = text.slice(end, to).includes(secret);
      demand(!left || elsewhere, 'range-masked', `a cut leaves ${name} in plain`);
    }
  }
}

/** Only what is slow is measured twice: a busy machine is slow, too. */
function demandInTime(text: string, took: number): void {
  if (took > MOST_MS && text.length <= SHORT) {
    const least = Math.min(...[1, 2, 3].map(() => timeOf(text)));
    demand(least <= MOST_MS, 'in-time', `${text.length} characters take ${least.toFixed(0)} ms`);
  }
  if (took < MOST_MS / 2) return;
  const once = timeOf(text);
  const most = once * GROWTH + NOISE_MS;
  const longer = text.repeat(4);
  let fourTimes = timeOf(longer);
  for (let tries = 0; fourTimes > most && tries < 5; tries++) fourTimes = Math.min(fourTimes, timeOf(longer));
  demand(fourTimes <= most, 'linear', () => {
    return `${text.length} characters take ${once.toFixed(0)} ms, four times as many ${fourTimes.toFixed(0)} ms`;
  });
}

function timeOf(text: string): number {
  const before = processorTime();
  masked(text);
  return processorTime() - before;
}
