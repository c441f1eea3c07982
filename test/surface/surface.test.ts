import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { publicSurface } from './declarations.js';

it('the public types are those that were reviewed', async () => {
  const file = new URL('surface.txt', import.meta.url);
  const now = await publicSurface(fileURLToPath(new URL('../../dist/types', import.meta.url)));
  // What this file has more or less is what semantic versioning is about: docs/reference/stability.md.
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(file, now);
  expect(now).toBe(readFileSync(file, 'utf8'));
});
