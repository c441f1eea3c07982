import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writeWhole } from '../whole-file.js';

const Counts = z.object({
  /** Hooks that were told something. */
  answered: z.number().int(),
  /** Hooks for which there was nothing to say. */
  silent: z.number().int(),
  /** Hooks that went before their answer came. */
  late: z.number().int(),
  /** Hooks whose question could not be answered. */
  failed: z.number().int(),
});

const Saved = z.record(z.string(), Counts);

/** How the hooks of one client that asked something ended, ever. */
export type HookCounts = Readonly<z.infer<typeof Counts>>;

/** How one hook ended. */
export type HookEnd = keyof HookCounts;

const NONE: HookCounts = { answered: 0, silent: 0, late: 0, failed: 0 };

/** How the hooks of a home's clients ended, by the client's name; none where none asked. @param home Absolute. */
export function hookCounts(home: string): Readonly<Record<string, HookCounts>> {
  try {
    return Saved.catch({}).parse(JSON.parse(readFileSync(fileOf(home), 'utf8')));
  } catch {
    return {};
  }
}

/** Counts how hooks ended; kept in memory until it is saved, so that no hook waits for the disk. */
export class HookCounter {
  readonly #fresh = new Map<string, HookCounts>();

  /** @param home Absolute. */
  constructor(private readonly home: string) {}

  count(client: string, end: HookEnd): void {
    const counts = this.#fresh.get(client) ?? NONE;
    this.#fresh.set(client, { ...counts, [end]: counts[end] + 1 });
  }

  /** Adds to the file what was counted since; what cannot be saved is saved the next time. */
  save(): void {
    if (this.#fresh.size === 0) return;
    // A client may be called as something that all objects have.
    const saved = new Map(Object.entries(hookCounts(this.home)));
    for (const [client, fresh] of this.#fresh) {
      const { answered, silent, late, failed } = saved.get(client) ?? NONE;
      saved.set(client, {
        answered: answered + fresh.answered,
        silent: silent + fresh.silent,
        late: late + fresh.late,
        failed: failed + fresh.failed,
      });
    }
    try {
      writeWhole(fileOf(this.home), JSON.stringify(Object.fromEntries(saved)));
      this.#fresh.clear();
    } catch {
      // A disk that is full is told by what needs it.
    }
  }
}

function fileOf(home: string): string {
  return join(home, 'journal', 'hooks.json');
}
