import { expect, test } from 'vitest';
import { formatNotes, quoted } from '../../../walkers/hooks/notes.js';

const entries = Array.from({ length: 20 }, (_, at) => ({
  text: `- entry ${at} ${'x'.repeat(80)}`,
  keys: [`entry ${at}`],
}));

test('a note keeps to its own bound where the moment has more, and what fell is not delivered', () => {
  const shown = formatNotes([{ what: 'this is known.', entries, keys: ['all'], most: 400 }], 1500);
  expect(shown?.text).toContain('- entry 3 ');
  expect(shown?.text.length).toBeLessThanOrEqual(400);
  expect(shown?.keys).toEqual(['all', 'entry 0', 'entry 1', 'entry 2', 'entry 3']);
});

test('a note of which no entry fits falls whole, and a smaller one after it stays', () => {
  const small = { what: 'this, too.', entries: [{ text: '- short' }], keys: ['small'] };
  const shown = formatNotes([{ what: 'this is known.', entries, keys: ['all'], most: 60 }, small], 1500);
  expect(shown).toEqual({ text: 'Codewalk: this, too.\n```text\n- short\n```', keys: ['small'] });
  expect(formatNotes([{ what: 'this is known.', entries, keys: ['all'] }], 60)).toBeNull();
});

test('a quoted text is one line without angle brackets, and holds no fence', () => {
  expect(quoted('a <b>\u001b[1m\n```\nc -> d')).toBe("a &lt;b&gt; ''' c -&gt; d");
});
