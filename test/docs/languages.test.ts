import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { languages } from '../../source/index.js';

const PAGE = readFileSync(new URL('../../docs/languages.md', import.meta.url), 'utf8');

it('names the endings of every language that is extracted', () => {
  const endings = languages.flatMap((language) => (language.grammar === null ? [] : language.extensions));
  // `.d.ts` is a `.ts`.
  const missing = endings.filter((ending) => !ending.startsWith('.d.') && !PAGE.includes(`\`${ending}\``));
  expect(missing).toEqual([]);
});
