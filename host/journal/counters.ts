import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writeWhole } from '../files.js';

const count = z.number().int();
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
  /** When the last payload of each client was recorded (ISO 8601), and how many were, ever. */
  clients: z.record(z.string(), z.object({ last: z.string(), payloads: count })).catch({}),
  /** How the hooks of each client that asked something ended, ever. */
  hooks: z.record(z.string(), Ends).catch({}),
  /** How many events were declined, ever, by why. */
  declined: z.record(z.string(), count).catch({}),
});

/** How the hooks of one client that asked something ended, ever. */
export type HookCounts = Readonly<z.infer<typeof Ends>>;

/** How one hook ended. */
export type HookEnd = keyof HookCounts;

/** What a home has counted; nothing where its file is missing or damaged. @param home Absolute. */
export function readCounters(home: string): Readonly<z.infer<typeof Counters>> {
  try {
    return Counters.parse(JSON.parse(readFileSync(fileOf(home), 'utf8')));
  } catch {
    return Counters.parse({});
  }
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
    writeWhole(fileOf(this.home), JSON.stringify(merged(readCounters(this.home), this.#unsaved)));
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

function fileOf(home: string): string {
  return join(home, 'journal', 'counters.json');
}
