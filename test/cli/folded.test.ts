import { expect, it } from 'vitest';
import { folded } from '../../cli/folded.js';

it('goes on below, under the text of a list item, and leaves what fits', () => {
  const item = `  - ${'words of it '.repeat(8)}`;
  expect(folded(`# short\n${item}`, 60)).toBe(
    `# short\n  - ${'words of it '.repeat(4)}words of\n    ${'it words of '.repeat(3)}it`,
  );
});

it('leaves tables and words that are longer than a line, and counts wide characters twice', () => {
  const row = `| ${'cell | '.repeat(20)}`;
  const path = `see ${'long/'.repeat(20)}`;
  expect(folded(`${row}\n${path}`, 40)).toBe(`${row}\nsee\n${'long/'.repeat(20)}`);
  const words = '超时 '.repeat(10).trimEnd();
  expect(folded(words, 40)).toBe(`${'超时 '.repeat(8).trimEnd()}\n超时 超时`);
});

it('changes nothing where nobody looks at a terminal', () => {
  expect(folded('x '.repeat(100), null)).toBe('x '.repeat(100));
});
