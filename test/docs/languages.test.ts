import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { languages, tierOf } from '../../source/index.js';

const PAGE = readFileSync(new URL('../../docs/languages.md', import.meta.url), 'utf8');

it('names the endings of every language that is extracted', () => {
  const endings = languages.flatMap((language) => (language.grammar === null ? [] : language.extensions));
  // `.d.ts` is a `.ts`.
  const missing = endings.filter((ending) => !ending.startsWith('.d.') && !PAGE.includes(`\`${ending}\``));
  expect(missing).toEqual([]);
});

it('says the tier of each that answers say', () => {
  const rows = PAGE.split('\n').filter((line) => line.startsWith('| '));
  const tierIn = (extensions: readonly string[]) =>
    rows
      .find((row) => extensions.every((ending) => row.includes(`\`${ending}\``)))
      ?.split('|')[3]
      ?.trim();
  const code = languages.flatMap((one) => (one.grammar === null ? [] : [one]));
  const shown = code.map(({ name, extensions }) => {
    const endings = extensions.filter((ending) => !ending.startsWith('.d.'));
    return `${name} ${tierIn(endings)}`;
  });
  expect(shown).toEqual(code.map(({ name }) => `${name} ${tierOf(name)}`));
});
