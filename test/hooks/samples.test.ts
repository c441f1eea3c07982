import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { agents } from '../../hooks/index.js';
import { clientOf, listingOf, RECORDED, samplesIn } from './listing.js';

const SAMPLES = fileURLToPath(new URL('samples', import.meta.url));
const FOLDERS = readdirSync(SAMPLES, { withFileTypes: true }).flatMap((one) =>
  one.isDirectory() ? one.name : [],
);

/*
 * Payloads that real clients sent, and beside them, in `<client>.txt`, what they come to. After a change:
 * UPDATE_GOLDEN=1 npx vitest run test/hooks/samples.test.ts, and read the difference.
 */
describe.each(FOLDERS)('the payloads of %s', (name) => {
  const folder = join(SAMPLES, name);

  it('come to the events and questions of the listing', () => {
    const listing = listingOf(folder);
    if (process.env.UPDATE_GOLDEN) writeFileSync(`${folder}.txt`, listing);
    expect(listing).toBe(readFileSync(`${folder}.txt`, 'utf8'));
  });

  it('come to the same events whenever they are read, from whichever file of the journal', () => {
    const client = clientOf(folder);
    for (const file of samplesIn(folder)) {
      const payload = readFileSync(file);
      const ids = (name: string) =>
        agents.eventsOf({ client, payload, ...RECORDED, name })?.map(({ event_id }) => event_id);
      expect(ids(RECORDED.name)).toEqual(ids(RECORDED.name));
      if (payload.includes('"timestamp"') || payload.includes('"tool_use_id"'))
        expect(ids('other')).toEqual(ids(RECORDED.name));
    }
  });
});

it('nobody knows the payloads of a client that is not in the registry', () => {
  const payload = new TextEncoder().encode('{}');
  expect(agents.eventsOf({ client: 'nobody', payload, ...RECORDED })).toBeNull();
  expect(agents.questionOf({ client: 'nobody', payload })).toBeNull();
});
