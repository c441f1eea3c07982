import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { writeWhole } from '../whole-file.js';
import type { Declined } from './event-root.js';
import type { Counted } from './set-aside.js';

const Counts = z.record(z.string(), z.number().int());

/** How many events were not recorded by rule, ever, in a small file: of their files nothing is left. */
export class DeclinedCounts {
  readonly #fresh = new Map<Declined, number>();

  constructor(private readonly file: string) {}

  count(why: Declined): void {
    this.#fresh.set(why, (this.#fresh.get(why) ?? 0) + 1);
  }

  /** With those that are not saved yet. */
  read(): Counted {
    const counts = this.#saved();
    for (const [why, count] of this.#fresh) counts[why] = (counts[why] ?? 0) + count;
    return counts;
  }

  save(): void {
    if (this.#fresh.size === 0) return;
    writeWhole(this.file, JSON.stringify(this.read()));
    this.#fresh.clear();
  }

  #saved(): Record<string, number> {
    try {
      return Counts.catch({}).parse(JSON.parse(readFileSync(this.file, 'utf8')));
    } catch {
      return {};
    }
  }
}
