import { edit, read, run, says } from './calls.mjs';

/*
 * A JavaScript project, four sessions: a failure and its fix; a related task, which undoes the fix and meets the failure
 * again; an unrelated task, which must hear nothing of it; and a misleading one: the same message with another cause.
 */

const TESTS = 'node --test test/';
const FIX = ['day.slots.filter', '(day.slots ?? []).filter'];

export default {
  name: 'js-slots',
  project: {
    files: {
      'package.json': '{ "name": "slots", "version": "1.0.0", "type": "module" }\n',
      'README.md': '# Slots\n\nBooks rooms.\n',
      'src/slots.js': `/** The slots of a day that nobody has taken. */
export function freeSlots(day) {
  return day.slots.filter((slot) => !slot.taken);
}
`,
      'src/rates.js': `/** The rates that hold today. */
export function currentRates(table) {
  return table.entries.filter((rate) => rate.current);
}
`,
      'src/colours.js': `export const background = 'white';\n`,
      'test/slots.test.js': `import assert from 'node:assert';
import test from 'node:test';
import { freeSlots } from '../src/slots.js';

test('a day without slots has no free ones', () => {
  assert.deepEqual(freeSlots({}), []);
});
`,
      'test/rates.test.js': `import assert from 'node:assert';
import test from 'node:test';
import { currentRates } from '../src/rates.js';

test('only current rates are listed', () => {
  assert.deepEqual(currentRates({ entries: [{ current: false }] }), []);
});
`,
    },
  },
  sessions: [
    {
      prompt: 'freeSlots crashes for a day without slots. Make the tests pass.',
      steps: [
        says('', read('src/slots.js')),
        says('', run(TESTS)),
        says('', edit('src/slots.js', ...FIX)),
        says('', run(TESTS)),
        says('A day without slots has no free ones.'),
      ],
      expect: { max_hook_ms: 1000 },
    },
    {
      prompt: 'Simplify freeSlots: the days come from a database that always has slots.',
      steps: [
        says('', read('src/slots.js')),
        says('', edit('src/slots.js', ...FIX.toReversed())),
        says('', run(TESTS)),
        says('', edit('src/slots.js', ...FIX)),
        says('', run(TESTS)),
        says('It stays as it is.'),
      ],
      expect: {
        context: [
          { match: 'slots\\.js[^]*\\?\\? \\[\\]', before_step: 1, why: 'the file has a history: its fix' },
          { match: 'puts back what was replaced', before_step: 2, why: 'the edit undoes the fix' },
          { match: 'seen before[^]*\\?\\? \\[\\]', before_step: 3, why: 'the failure is known, and its fix' },
        ],
        max_hook_ms: 1000,
      },
    },
    {
      prompt: 'Paint the background blue.',
      steps: [
        says('', read('src/colours.js')),
        says('', edit('src/colours.js', 'white', 'blue')),
        says('', run('node --check src/colours.js')),
        says('It is blue.'),
      ],
      expect: { no_context: [{ match: 'freeSlots|slots\\.js|\\?\\? \\[\\]' }], max_hook_ms: 1000 },
    },
    {
      prompt: 'Rename the field entries of a table to rates.',
      steps: [
        says('', read('src/rates.js')),
        says('', edit('src/rates.js', 'table.entries', 'table.rates')),
        says('', run(TESTS)),
        says('', read('test/rates.test.js')),
        says('', edit('test/rates.test.js', 'entries:', 'rates:')),
        says('', run(TESTS)),
        says('The field is called rates.'),
      ],
      expect: { no_context: [{ match: 'same failure|failure was seen before' }], max_hook_ms: 1000 },
    },
  ],
};
