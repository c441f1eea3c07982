import { whenThere } from '../frame.js';
import { fixedTable } from '../keys.js';
import type { Awaitable, KeyValueReader } from '../kv.js';
import { Marks, type Need } from './marks.js';
import { ownerIn, packKey, shownOwner } from './owner.js';
import { Pack } from './pack.js';
import type { Version } from './version.js';

/** Packs that are read one by one, at the least, and a share of all of them: who needs more reads all. */
const [FEW, SHARE] = [32, 32];

/**
 * The version that a store has when it is opened. A question is answered from the few packs that it needs, which marks
 * tell; the first one that needs many of them reads all. Whoever changes the store reads all first.
 */
export class FirstVersion {
  #version: Version;
  #marks: Marks | null = null;
  #reading: Promise<unknown> | null = null;
  #all: Promise<Version> | null = null;
  /** Which owners' packs were read. */
  #read = new Uint8Array(0);
  #count = 0;

  /** @param damaged Gets the owners whose packs cannot be read. */
  constructor(
    private readonly store: KeyValueReader,
    empty: Version,
    private readonly damaged: Set<string>,
  ) {
    this.#version = empty.with(new Map(), false);
  }

  /** The version with all that a question needs. */
  with(need: Need): Awaitable<Version> {
    if (this.#version.isWhole) return this.#version;
    if (this.#all !== null || need === 'everything') return this.whole();
    const marks = this.#marks;
    if (marks === null) {
      this.#reading ??= this.#readMarks();
      return this.#reading.then(() => this.with(need));
    }
    const missing = [...marks.of(need)].filter((at) => this.#read[at] === 0);
    if (missing.length === 0) return this.#version;
    if (this.#count + missing.length > Math.max(FEW, marks.owners.length / SHARE)) return this.whole();
    const owners = missing.map((at) => marks.owners[at] as string);
    const values = this.store.getMany(owners.map((owner) => packKey('packs', owner)));
    return whenThere(values, (found) => {
      // Others may have read some of them meanwhile, or everything.
      if (this.#all !== null) return this.whole();
      const packs = new Map<string, Pack>();
      for (const [index, at] of missing.entries()) {
        if (this.#read[at] === 1) continue;
        this.#read[at] = 1;
        this.#count += 1;
        this.#take(packs, owners[index] as string, found[index]);
      }
      this.#version = this.#version.with(packs);
      return this.#version;
    });
  }

  /** The version with all packs. Damaged ones are left out. */
  whole(): Promise<Version> {
    this.#all ??= this.#readAll();
    return this.#all;
  }

  /** Frees what was made of it in memory. */
  forget(): void {
    this.#version.forget();
  }

  async #readMarks(): Promise<void> {
    const stored: [string, Uint8Array][] = [];
    for await (const page of this.store.scan(fixedTable('marks')))
      for (const [key, value] of page) stored.push([ownerIn(key), value]);
    try {
      this.#marks = new Marks(stored);
      this.#read = new Uint8Array(stored.length);
    } catch (thrown) {
      if (!(thrown instanceof RangeError)) throw thrown;
      await this.whole();
    }
  }

  async #readAll(): Promise<Version> {
    const packs = new Map<string, Pack>();
    for await (const page of this.store.scan(fixedTable('packs')))
      for (const [key, value] of page) {
        const owner = ownerIn(key);
        if (this.#version.packAt(owner) === undefined) this.#take(packs, owner, value);
      }
    this.#version = this.#version.with(packs, true);
    this.#marks = null;
    return this.#version;
  }

  #take(packs: Map<string, Pack>, owner: string, value: Uint8Array | undefined): void {
    const pack = value && Pack.read(owner, value, this.#version.names);
    if (pack) packs.set(owner, pack);
    else this.damaged.add(shownOwner(owner));
  }
}
