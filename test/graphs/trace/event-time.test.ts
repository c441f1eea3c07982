import { expect, it } from 'vitest';
import { withinEventTime } from '../../../graphs/trace/index.js';
import { NOT_CHECKED, withoutTexts } from '../../../source/secrets/index.js';

it('ends work whose time is over, inside of a regular expression, too, and passes on what it throws', () => {
  const endless = () => {
    for (;;);
  };
  expect(withinEventTime(endless, 50)).toBeNull();
  expect(withinEventTime(() => /^(?:a+)+$/u.test(`${'a'.repeat(60)}b`), 50)).toBeNull();
  expect(withinEventTime(() => 'done')).toEqual({ done: 'done' });
  expect(withinEventTime(() => [withinEventTime(endless, 20), 'outer'])).toEqual({ done: [null, 'outer'] });
  const fails = () => withinEventTime(() => JSON.parse('{'));
  expect(fails).toThrow(SyntaxError);
});

it('leaves names, and out of texts those that it is told to', () => {
  const long = 'x'.repeat(1000);
  const given = { tool: 'Bash', lines: [long, `y${long}`, 3, null], [long]: true };
  expect(withoutTexts(given)).toEqual({
    tool: 'Bash',
    lines: [NOT_CHECKED, NOT_CHECKED, 3, null],
    [NOT_CHECKED]: true,
  });
  expect(withoutTexts(given, (text) => text.startsWith('y'))).toEqual({
    tool: 'Bash',
    lines: [long, NOT_CHECKED, 3, null],
    [long]: true,
  });
});
