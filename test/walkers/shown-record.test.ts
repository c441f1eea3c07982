import { expect, test } from 'vitest';
import { shownRemarks } from '../../walkers/answers/shown-record.js';

const entries = Array.from({ length: 20 }, (_, at) => ({
  text: `- entry ${at} ${'x'.repeat(80)}`,
  keys: [`entry ${at}`],
}));

test('a remark keeps to its own bound where the moment has more, and what fell counts as not told', () => {
  const shown = shownRemarks([{ what: 'this is known.', quoted: entries, keys: ['all'], most: 400 }], 1500);
  expect(shown?.text).toContain('- entry 2 ');
  expect(shown?.text.length).toBeLessThanOrEqual(400);
  expect(shown?.keys).toEqual(['all', 'entry 0', 'entry 1', 'entry 2']);
});
