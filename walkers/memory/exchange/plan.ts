import type { NodeRef } from '../../../runtime/index.js';
import type { Memory } from '../../../schema/index.js';
import type { Problem } from './read-records.js';

/** What became of the records of a kind. */
export interface Taken {
  created: number;
  updated: number;
  unchanged: number;
}

/** What an import comes to, before anything is written. */
export class ImportPlan {
  /** Ids of the memories that there will be, of those that the file names. */
  readonly there = new Set<string>();
  /** By id: those that are stored, and, while writing, those that were. */
  readonly memories = new Map<string, NodeRef<typeof Memory>>();
  /** Memories that say something else now, or are new: filled while writing. */
  readonly changed: NodeRef<typeof Memory>[] = [];
  readonly problems: Problem[];
  readonly #writes: (() => Promise<void> | void)[] = [];

  constructor(problems: readonly Problem[]) {
    this.problems = [...problems];
  }

  /** Something to be written, after what was named before. */
  later(write: () => Promise<void> | void): void {
    this.#writes.push(write);
  }

  /** Writes all of it. */
  async write(): Promise<void> {
    for (const write of this.#writes) await write();
  }
}
