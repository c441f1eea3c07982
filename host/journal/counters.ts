import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writeWhole } from '../whole-file.js';

const count = z.number().int();
const Payloads = z.object({
  /** When the last payload of the client was recorded; ISO 8601. */
  last: z.string(),
  /** Payloads of it that were taken in, ever. */
  payloads: count,
});
const Ends = z.object({
  /** Hooks that were given a text. */
  answered: count.default(0),
  /** Hooks for which there was nothing to say. */
  silent: count.default(0),
  /** Hooks that went before their answer came. */
  late: count.default(0),
  /** Hooks whose question could not be answered. */
  failed: count.default(0),
});
const Counters = z.object({
  clients: z.record(z.string(), Payloads).catch({}),
  hooks: z.record(z.string(), Ends).catch({}),
  declined: z.record(z.string(), count).catch({}),
});
type Counters = z.infer<typeof Counters>;

/** Which clients' hooks the journal took payloads of, by the client's name. */
export type ClientsSeen = Readonly<Counters['clients']>;

/** How the hooks of one client that asked something ended, ever. */
export type HookCounts = Readonly<z.infer<typeof Ends>>;

/** How one hook ended. */
export type HookEnd = keyof HookCounts;

/** See {@link ClientsSeen}. @param home Absolute. */
export function clientsSeen(home: string): ClientsSeen {
  return read(home).clients;
}

/** How the hooks of a home's clients ended, by the client's name. @param home Absolute. */
export function hookCounts(home: string): Readonly<Record<string, HookCounts>> {
  return read(home).hooks;
}

/** How many events were declined, ever, by why. @param home Absolute. */
export function declinedCounts(home: string): Readonly<Record<string, number>> {
  return read(home).declined;
}

/** Counts in memory, so that no hook waits for the disk, and adds to what a home's file has. */
export class JournalCounters {
  #unsaved: Tree = {};

  /** @param home Absolute. */
  constructor(private readonly home: string) {}

  /** @param at Milliseconds since 1970. */
  payload(client: string, at: number): void {
    this.#add({ clients: { [client]: { last: new Date(at).toISOString(), payloads: 1 } } });
  }

  hookEnded(client: string, end: HookEnd): void {
    this.#add({ hooks: { [client]: { [end]: 1 } } });
  }

  declined(why: string, times = 1): void {
    this.#add({ declined: { [why]: times } });
  }

  /** @throws CodewalkError `STORE_FULL`; then the next time saves it. */
  save(): void {
    if (Object.keys(this.#unsaved).length === 0) return;
    writeWhole(file(this.home, 'counters'), JSON.stringify(merged(read(this.home), this.#unsaved)));
    this.#unsaved = {};
  }

  #add(more: Tree): void {
    this.#unsaved = merged(this.#unsaved, more);
  }
}

interface Tree {
  readonly [name: string]: number | string | Tree;
}

/** Sums numbers and takes the later of two times. Keys may be names of what all objects have. */
function merged(first: Tree, second: Tree): Tree {
  const both = new Map(Object.entries(first));
  for (const [name, more] of Object.entries(second)) {
    const known = both.get(name);
    if (typeof more === 'object') both.set(name, merged(typeof known === 'object' ? known : {}, more));
    else if (typeof more === 'number') both.set(name, Number(known ?? 0) + more);
    else both.set(name, String(known ?? '') > more ? String(known) : more);
  }
  return Object.fromEntries(both);
}

function read(home: string): Counters {
  // Earlier versions had a file for each.
  const earlier = () => ({
    clients: json(file(home, 'clients')),
    hooks: json(file(home, 'hooks')),
    declined: json(file(home, 'declined')),
  });
  return Counters.parse(json(file(home, 'counters')) ?? earlier());
}

function json(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) ?? undefined;
  } catch {
    return undefined;
  }
}

function file(home: string, name: string): string {
  return join(home, 'journal', `${name}.json`);
}
