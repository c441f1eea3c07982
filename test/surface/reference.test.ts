import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { TOOLS } from '../../schema/index.js';
import { builtSignatures, referencePage } from './reference.js';

it('docs/reference/reference.md says what the walkers and the command line say', () => {
  const file = new URL('../../docs/reference/reference.md', import.meta.url);
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(file, referencePage());
  expect(readFileSync(file, 'utf8')).toBe(referencePage());
});

it('every tool that is listed shows how it is called', () => {
  const listed = new Set(TOOLS.filter(({ set }) => set !== null).map(({ walker }) => walker));
  const silent = builtSignatures().filter(({ name, examples }) => listed.has(name) && examples.length === 0);
  expect(silent.map(({ name }) => name)).toEqual([]);
});
