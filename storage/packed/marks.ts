import { parseId } from '../../schema/index.js';
import { textHash } from '../hash.js';
import { ByteReader, type ByteWriter, unsealed } from './bytes.js';
import { type NodeKind, OTHER } from './pack.js';
import type { NodeRow } from './pack-codec.js';

/** What a question needs of a layer; `everything`: there is no telling. */
export type Need = 'everything' | NodesNeed | EndsNeed | ValueNeed;

/** Nodes of these ids. */
interface NodesNeed {
  readonly nodes: readonly string[];
}

/** Nodes of these ids, and all edges that begin or end there. */
interface EndsNeed {
  readonly ends: readonly string[];
}

/** Nodes with a value. */
interface ValueNeed {
  readonly property: string;
  readonly equals: string | number | boolean;
  /** See `IndexQuery.ending`. */
  readonly ending?: string | undefined;
  /** Whether a kind of nodes is looked for, and has the property in its details alone. */
  readonly isHidden: (kind: NodeKind) => boolean;
}

const WIDTH = 4;
/** Of what marks of endings are told from others. */
const ENDING = textHash('ending');
/** Marks at one place of the table, about. */
const PER_PLACE = 8;

/**
 * Writes by what an owner's pack is found: the kinds of its nodes, and a number for each node's id, each other id that its
 * edges name, each value of a column, and each ending of a text. The lowest bit tells nodes and values from other ids.
 *
 * @param fieldsOf The names of a kind's columns.
 */
export function writeMarks(
  to: ByteWriter,
  nodes: readonly NodeRow[],
  others: readonly string[],
  fieldsOf: (kind: NodeKind) => readonly string[],
): void {
  const marks = new Set<number>();
  const seeds = new Map<NodeKind, number[]>();
  for (const { id, kind, columns } of nodes) {
    marks.add(markOf(id) | 1);
    let own = seeds.get(kind);
    if (own === undefined) {
      own = fieldsOf(kind).map((field) => textHash(field));
      seeds.set(kind, own);
    }
    for (const [at, value] of columns.entries())
      if (value !== undefined && value !== null) marks.add(valueMark(value, own[at] ?? 0));
    for (const ending of endingsOf(id, columns)) marks.add(valueMark(ending, ENDING));
  }
  for (const id of others) marks.add(markOf(id) & ~1);
  to.reset();
  to.number(seeds.size);
  for (const { code, version, columns } of seeds.keys())
    for (const number of [code, version, columns.length, ...columns]) to.number(number);
  const kinds = to.length;
  for (const mark of marks) to.fixed(mark >>> 0);
  to.fixed(kinds);
}

/** The endings of the texts of a node: see `IndexQuery.ending`. */
export function endingsOf(id: string, columns: readonly unknown[]): Set<string> {
  const endings = new Set<string>();
  for (const text of [parseId(id)?.name, ...columns]) {
    const ending = typeof text === 'string' ? endingOf(text) : null;
    if (ending !== null) endings.add(ending);
  }
  return endings;
}

/** The last two parts of a text; null where it has one. */
export function endingOf(text: string): string | null {
  let parts = 0;
  for (let at = text.length - 1; at >= 0; at -= 1) {
    const unit = text.charCodeAt(at);
    if (unit !== DOT && unit !== SLASH && unit !== COLON) continue;
    parts += 1;
    if (parts === 2) return text.slice(at + 1).replace(/[/:]/u, '.');
  }
  return parts === 1 ? text.replace(/[/:]/u, '.') : null;
}

const [DOT, SLASH, COLON] = [0x2e, 0x2f, 0x3a] as const;

function markOf(id: string): number {
  return textHash(id);
}

function valueMark(value: unknown, seed: number): number {
  const text = typeof value === 'string' ? value : value === OTHER ? '\0' : `\0${typeof value} ${value}`;
  return textHash(text, seed) | 1;
}

/** The marks of all owners of a store, as they were at one time: they say which packs a question needs. */
export class Marks {
  readonly owners: readonly string[];
  /** Of each list of kinds that owners have, who has it. */
  readonly #kinds: readonly { readonly kinds: readonly NodeKind[]; readonly owners: readonly number[] }[];
  /** Where in the table the marks begin whose first bits are these. */
  readonly #firsts: Uint32Array;
  readonly #shift: number;
  readonly #marks: Uint32Array;
  /** Whose they are: places in {@link Marks.owners}. */
  readonly #owners: Uint32Array;

  /** @throws RangeError where one is damaged. */
  constructor(stored: readonly (readonly [owner: string, sealed: Uint8Array])[]) {
    this.owners = stored.map(([owner]) => owner);
    const byText = new Map<string, { kinds: NodeKind[]; owners: number[] }>();
    const starts = new Uint32Array(stored.length + 1);
    const bodies = stored.map(([owner, sealed], at) => {
      const body = unsealed(sealed);
      if (body === undefined || body.length < WIDTH)
        throw new RangeError(`the marks of ${owner} are damaged`);
      const length = body.readUInt32LE(body.length - WIDTH);
      const text = body.toString('latin1', 0, length);
      const same = byText.get(text);
      if (same) same.owners.push(at);
      else byText.set(text, { kinds: kindsIn(body), owners: [at] });
      starts[at + 1] = (starts[at] ?? 0) + (body.length - WIDTH - length) / WIDTH;
      return body.subarray(length, body.length - WIDTH);
    });
    this.#kinds = [...byText.values()];
    const count = starts[stored.length] ?? 0;
    const all = new Uint32Array(count);
    const bytes = new Uint8Array(all.buffer);
    for (const [at, body] of bodies.entries()) bytes.set(body, WIDTH * (starts[at] ?? 0));
    const bits = Math.min(20, Math.max(1, Math.ceil(Math.log2(count / PER_PLACE + 1))));
    this.#shift = 32 - bits;
    this.#firsts = new Uint32Array(2 ** bits + 1);
    const firsts = this.#firsts;
    for (let at = 0; at < count; at += 1) {
      const place = ((all[at] as number) >>> this.#shift) + 1;
      firsts[place] = (firsts[place] as number) + 1;
    }
    for (let at = 1; at < firsts.length; at += 1)
      firsts[at] = (firsts[at] as number) + (firsts[at - 1] as number);
    const next = firsts.slice();
    this.#marks = new Uint32Array(count);
    this.#owners = new Uint32Array(count);
    for (let owner = 0; owner < stored.length; owner += 1)
      for (let at = starts[owner] as number; at < (starts[owner + 1] as number); at += 1) {
        const mark = all[at] as number;
        const place = mark >>> this.#shift;
        const to = next[place] as number;
        next[place] = to + 1;
        this.#marks[to] = mark;
        this.#owners[to] = owner;
      }
  }

  /** Places of the owners whose packs a question needs, and of a few others. */
  of(need: Exclude<Need, 'everything'>): Set<number> {
    const found = new Set<number>();
    if ('nodes' in need) for (const id of need.nodes) this.#add(markOf(id) | 1, found);
    else if ('ends' in need)
      for (const id of need.ends) {
        this.#add(markOf(id) | 1, found);
        this.#add(markOf(id) & ~1, found);
      }
    else {
      const seed = textHash(need.property);
      this.#add(valueMark(need.equals, seed), found);
      const ending = need.ending === undefined ? null : endingOf(need.ending);
      if (ending !== null) {
        const ends = new Set<number>();
        this.#add(valueMark(ending, ENDING), ends);
        for (const owner of found) if (!ends.has(owner)) found.delete(owner);
      }
      this.#add(valueMark(OTHER, seed), found);
      for (const { kinds, owners } of this.#kinds)
        if (kinds.some(need.isHidden)) for (const owner of owners) found.add(owner);
    }
    return found;
  }

  #add(signed: number, found: Set<number>): void {
    const mark = signed >>> 0;
    const place = mark >>> this.#shift;
    const end = this.#firsts[place + 1] as number;
    for (let at = this.#firsts[place] as number; at < end; at += 1)
      if (this.#marks[at] === mark) found.add(this.#owners[at] as number);
  }
}

function kindsIn(body: Buffer): NodeKind[] {
  const reader = new ByteReader(body);
  return Array.from({ length: reader.number() }, () => {
    const [code, version, count] = [reader.number(), reader.number(), reader.number()];
    return { code, version, columns: Array.from({ length: count }, () => reader.number()) };
  });
}
