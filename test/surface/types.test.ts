import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Installed } from './packed.js';
import { complaints } from './type-check.js';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

describe('the types that are published', () => {
  let installed: Installed;
  /** What the compiler says, of all files at once. */
  let said: string[];
  const about = (file: string) => said.filter((line) => line.startsWith(file));
  const snippets = [...read('../../README.md').matchAll(/^```js\n([\s\S]*?)^```$/gmu)].map(
    ([, code]) => code ?? '',
  );

  beforeAll(() => {
    installed = new Installed();
    const files = new Map(snippets.map((code, at) => [`readme-${at}.mts`, code]));
    for (const name of ['use', 'misuse', 'wrong']) files.set(`${name}.mts`, read(`fixtures/${name}.ts`));
    for (const [name, text] of files) writeFileSync(join(installed.folder, name), text);
    said = complaints(installed.folder, [...files.keys()]);
  });
  afterAll(() => installed.remove());

  it('know nodes, edges, walkers and their answers without a cast', () => {
    expect(about('use.')).toEqual([]);
  });

  it('refuse what would fail', () => {
    expect(about('misuse.')).toEqual([]);
  });

  it('are checked: a mistake is found', () => {
    expect(about('wrong.').join('\n')).toContain('TS2322');
  });

  it('fit what the README shows', () => {
    expect(snippets.length).toBeGreaterThan(0);
    expect(about('readme-')).toEqual([]);
  });

  it('stand by themselves', () => {
    expect(said.filter((line) => !line.startsWith('wrong.'))).toEqual([]);
  });
});
