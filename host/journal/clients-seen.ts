import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writeWhole } from '../whole-file.js';

const Seen = z.record(
  z.string(),
  z.object({
    /** When the last payload of the client was recorded; ISO 8601. */
    last: z.string(),
    /** Payloads of it that were taken in, ever. */
    payloads: z.number().int(),
  }),
);

/** Which clients' hooks were heard of, by the client's name. */
export type ClientsSeen = Readonly<z.infer<typeof Seen>>;

/** Which clients' hooks the journal of a home took payloads of; none where it took none. @param home Absolute. */
export function clientsSeen(home: string): ClientsSeen {
  try {
    return Seen.catch({}).parse(JSON.parse(readFileSync(fileOf(home), 'utf8')));
  } catch {
    return {};
  }
}

/** Adds to what {@link clientsSeen} tells: the times, in milliseconds since 1970, at which payloads were recorded. */
export function noteClients(home: string, heard: ReadonlyMap<string, readonly number[]>): void {
  if (heard.size === 0) return;
  const seen = new Map(Object.entries(clientsSeen(home)));
  for (const [client, times] of heard) {
    const { last = '', payloads = 0 } = seen.get(client) ?? {};
    const latest = new Date(times.reduce((a, b) => Math.max(a, b), 0)).toISOString();
    seen.set(client, { last: latest > last ? latest : last, payloads: payloads + times.length });
  }
  writeWhole(fileOf(home), JSON.stringify(Object.fromEntries(seen)));
}

function fileOf(home: string): string {
  return join(home, 'journal', 'clients.json');
}
