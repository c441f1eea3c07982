import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PAGES } from './pages.js';

describe('reference pages', () => {
  it.each(Object.entries(PAGES))('docs/reference/%s says what the schema says', (name, render) => {
    const file = new URL(`../../docs/reference/${name}`, import.meta.url);
    // `npm run golden` writes them again: then the review is reading the difference.
    if (process.env.UPDATE_GOLDEN === '1') writeFileSync(file, render());
    expect(readFileSync(file, 'utf8')).toBe(render());
  });
});
