import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { languages } from '../../source/languages/index.js';
import { createParser } from '../../source/parser.js';
import { annotate } from './listing.js';
import { unitFaults } from './unit-faults.js';

const here = import.meta.dirname;
const parser = await createParser(languages);

for (const language of readdirSync(here).sort()) {
  const folder = join(here, language);
  if (!statSync(folder).isDirectory()) continue;
  describe(language, () => {
    const topics = readdirSync(folder).filter((name) => !name.endsWith('.listing'));
    for (const topic of topics.sort())
      it(`finds in ${topic} what its listing shows`, () => {
        const text = readFileSync(join(folder, topic), 'utf8');
        const facts = parser.extractFile(`${language}/${topic}`, text);
        expect(unitFaults(facts)).toEqual([]);
        const listing = annotate(text, facts);
        const golden = join(folder, `${topic}.listing`);
        // `npm run golden` regenerates: then the review is reading the difference.
        if (process.env.UPDATE_GOLDEN === '1') writeFileSync(golden, listing);
        expect(listing).toBe(readFileSync(golden, 'utf8'));
      });
  });
}
