import { expect, it } from 'vitest';
import { languages } from '../../source/index.js';
import { houseFiles } from './sources.js';

/** The folders of the engine that all languages share. */
const SHARED = /^source\/(?:ir|link|lower)\//u;

it('no name of a lowered language occurs in the engine, comments apart', () => {
  const names = languages.flatMap((one) => (one.grammar !== null && one.link ? [one.name] : []));
  expect(names).toEqual(expect.arrayContaining(['go', 'java']));
  // A letter is the name of a variable, too.
  const words = names.filter((name) => name.length > 1);
  const named = new RegExp(`\\b(?:${words.join('|')})\\b`, 'iu');
  const bare = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gmu, '');
  const found = houseFiles().filter(({ path, text }) => SHARED.test(path) && named.test(bare(text)));
  expect(found.map(({ path }) => path)).toEqual([]);
});
