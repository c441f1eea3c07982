import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { terminalText } from '../../cli/text.js';

const wide = (columns: number | null) => ({ columns, colors: false });

it('wraps under the text of a list item, and leaves what fits', () => {
  const item = `  - ${'words of it '.repeat(8)}`;
  expect(terminalText(`short\n${item}`, wide(60))).toBe(
    `short\n  - ${'words of it '.repeat(4)}words of\n    ${'it words of '.repeat(3)}it`,
  );
});

it('leaves words that are longer than a line, and counts wide characters twice', () => {
  const path = `see ${'long/'.repeat(20)}`;
  expect(terminalText(path, wide(40))).toBe(`see\n${'long/'.repeat(20)}`);
  const words = '超时 '.repeat(10).trimEnd();
  expect(terminalText(words, wide(40))).toBe(`${'超时 '.repeat(8).trimEnd()}\n超时 超时`);
});

it('shows no marks and no escapes of Markdown, and code as it is', () => {
  const markdown = [
    '## `login` in **two** files',
    '- \\[a\\] and \\<b\\>, `x\\*y`',
    '```ts',
    '## not a \\* heading',
    '```',
    '| name | n |',
    '| --- | --: |',
    '| a\\|b c | 10 |',
    '_The first of 2._',
  ].join('\n');
  expect(terminalText(markdown, wide(null)).split('\n')).toEqual([
    'login in two files',
    '- [a] and <b>, x\\*y',
    '## not a \\* heading',
    'name    n',
    'a|b c  10',
    'The first of 2.',
  ]);
});

it('colours headings, names and places, and wraps as without colours', () => {
  const plain = (text: string) => stripVTControlCharacters(terminalText(text, { columns: 50, colors: true }));
  const text = `- \`login\` function, src/auth.ts:12 ${'and more '.repeat(10)}`;
  expect(terminalText('- `login`, src/auth.ts:12', { columns: 80, colors: true })).toBe(
    '- \x1b[36mlogin\x1b[39m, \x1b[35msrc/auth.ts:12\x1b[39m',
  );
  expect(plain(text)).toBe(terminalText(text, wide(50)));
});

it('code with backquotes of its own is shown as it is', () => {
  const text = 'calls `f` and `` tag`a b` ``, not \\`c\\`';
  expect(terminalText(text, wide(null))).toBe('calls f and tag`a b`, not `c`');
});
