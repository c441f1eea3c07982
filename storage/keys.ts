import { hashId, type IdHash } from './hash.js';
import type { Bytes } from './kv.js';
import type { Direction } from './layer.js';

/** Id forms that have a prefix and a rest only, and so no part that names a symbol inside a file. */
const TWO_PARTS = /^(?:dir|project|sym|pkg):/;
const FILE = 'file:';

/**
 * The file that an id belongs to: `fn:src/a.ts:Auth.login~2` and `file:src/a.ts` belong to `src/a.ts`. Ids that
 * belong to no file own themselves. In a three-part id the path ends at the last colon after which no `/` comes.
 */
export function ownerOf(id: string): string {
  return id.slice(ownerStart(id), ownerEnd(id));
}

/** Where in an id its owner starts: keys are made of parts of ids, so that nothing is copied. */
function ownerStart(id: string): number {
  if (id.startsWith(FILE)) return FILE.length;
  return ownerEnd(id) < id.length ? id.indexOf(':') + 1 : 0;
}

function ownerEnd(id: string): number {
  const last = id.lastIndexOf(':');
  if (last < 0 || last === id.indexOf(':') || id.startsWith(FILE)) return id.length;
  return TWO_PARTS.test(id) || id.indexOf('/', last) >= 0 ? id.length : last;
}

/** How an id becomes the fixed-width part of its keys. */
export interface KeyForm {
  readonly name: 'whole' | 'owner';
  /** Bytes per id. */
  readonly width: number;
  write(id: string, salt: number, hash: IdHash, target: Uint8Array, at: number): void;
}

/** 8 bytes of the whole id. */
export const WHOLE_ID: KeyForm = {
  name: 'whole',
  width: 8,
  write: (id, salt, hash, target, at) => hash(id, salt, target, at, 0, id.length),
};

/** 6 bytes of the owning file and 6 of the id: a file's records lie together. */
export const OWNER_AND_REST: KeyForm = {
  name: 'owner',
  width: 12,
  write(id, salt, hash, target, at) {
    hash(id, salt, target, at, ownerStart(id), ownerEnd(id));
    // Hashes are eight bytes: the second starts two early, and what it covers of the first is put back.
    const [fifth, sixth] = [target[at + 4] ?? 0, target[at + 5] ?? 0];
    hash(id, salt, target, at + 4, 0, id.length);
    target[at + 4] = fifth;
    target[at + 5] = sixth;
  },
};

/** Tables whose keys hold no hash: they stay where they are when a layer gets another salt. */
export const FIXED_TABLE = {
  header: 0x00,
  types: 0x01,
  blobs: 0x02,
  index: 0x03,
  packs: 0x04,
  details: 0x05,
  marks: 0x06,
} as const;

/** Tables whose keys start with a hashed id; they exist once per generation of the salt. */
const HASHED_TABLE = { nodes: 0x10, adjacency: 0x11, edges: 0x12 } as const;

/** A table of keys that start with a hashed id. */
export type HashedTable = keyof typeof HASHED_TABLE;

/** Whether a key is that of a node. */
export function isNodeKey(key: Bytes): boolean {
  return ((key[0] ?? 0) & ~ODD_GENERATION) === HASHED_TABLE.nodes;
}

/** All adjacency of the node with this key. */
export function adjacencyOf(node: Bytes): { from: Buffer; to: Buffer } {
  const from = beside(node, 'adjacency', 0);
  return { from, to: afterPrefix(from) };
}

/** Even and odd generations of the salt lie side by side while a layer is re-keyed. */
const ODD_GENERATION = 0x80;

/** The part of an adjacency key after the id: direction (1), edge type code (2), chunk number of a hub (4). */
export const ADJACENCY_SUFFIX = 3;
const CHUNK_SUFFIX = 4;
/** Bytes of an edge key between its start and what tells the edge: the type's code. */
const EDGE_TYPE = 2;
const SEQ_BYTES = 8;
const OUT = 0;
const IN = 1;

/** The keys of one layer under one salt. */
export interface KeySpace {
  readonly salt: number;
  /** Counts the salts that a layer has had; only its parity is in the keys. */
  readonly generation: number;
  readonly form: KeyForm;
  node(id: string): Buffer;
  /** The record of one node, direction and edge type. */
  adjacency(id: string, direction: Direction, typeCode: number): Buffer;
  /** The record of an edge: its start and type, and what tells it from its siblings. */
  edge(from: string, typeCode: number, rest: { readonly to: string } | { readonly seq: number }): Buffer;
  table(table: HashedTable): { from: Buffer; to: Buffer };
}

/** What a {@link KeySpace} is made of. */
export interface KeySpaceOptions {
  readonly salt: number;
  readonly generation: number;
  readonly form: KeyForm;
  /** Default {@link hashId}; tests pass narrow ones to see collisions. */
  readonly hash?: IdHash;
}

/** Keys of one layer: a table byte, the hashed id, and what the table adds. Layout: docs/internals/storage.md. */
export function keySpace({ salt, generation, form, hash = hashId }: KeySpaceOptions): KeySpace {
  const parity = generation % 2 === 1 ? ODD_GENERATION : 0;
  const { width } = form;
  const start = (table: HashedTable, id: string, extra: number): Buffer => {
    const key = Buffer.allocUnsafe(1 + width + extra);
    key[0] = HASHED_TABLE[table] | parity;
    form.write(id, salt, hash, key, 1);
    return key;
  };
  return {
    salt,
    generation,
    form,
    node: (id) => start('nodes', id, 0),
    adjacency: (id, direction, typeCode) =>
      endAdjacency(start('adjacency', id, ADJACENCY_SUFFIX), direction, typeCode),
    edge(from, typeCode, rest) {
      const hasSeq = 'seq' in rest;
      const key = start('edges', from, EDGE_TYPE + (hasSeq ? SEQ_BYTES : width));
      const at = putCode(key, 1 + width, typeCode);
      if (hasSeq) key.writeBigUInt64BE(BigInt(rest.seq), at);
      else form.write(rest.to, salt, hash, key, at);
      return key;
    },
    table(table) {
      const first = HASHED_TABLE[table] | parity;
      return { from: Buffer.from([first]), to: Buffer.from([first + 1]) };
    },
  };
}

/** The key of an adjacency record of the node with this key: {@link KeySpace.adjacency} without hashing its id again. */
export function adjacencyBeside(node: Bytes, direction: Direction, typeCode: number): Buffer {
  return endAdjacency(beside(node, 'adjacency', ADJACENCY_SUFFIX), direction, typeCode);
}

/**
 * The key of the record of an edge between the nodes with these keys: {@link KeySpace.edge} without hashing again.
 *
 * @param rest The key of its end, or its number.
 */
export function edgeBeside(from: Bytes, typeCode: number, rest: Bytes | number): Buffer {
  if (typeof rest === 'number') {
    const key = beside(from, 'edges', EDGE_TYPE + SEQ_BYTES);
    key.writeBigUInt64BE(BigInt(rest), putCode(key, from.length, typeCode));
    return key;
  }
  const key = beside(from, 'edges', EDGE_TYPE + rest.length - 1);
  const at = putCode(key, from.length, typeCode);
  for (let i = 1; i < rest.length; i += 1) key[at + i - 1] = rest[i] ?? 0;
  return key;
}

/** The start of a key in another table of the node with this key. */
function beside(node: Bytes, table: HashedTable, extra: number): Buffer {
  const key = Buffer.allocUnsafe(node.length + extra);
  key[0] = (node[0] ?? 0) - HASHED_TABLE.nodes + HASHED_TABLE[table];
  // By hand: a call into the engine for twelve bytes costs more than they do.
  for (let i = 1; i < node.length; i += 1) key[i] = node[i] ?? 0;
  return key;
}

function endAdjacency(key: Buffer, direction: Direction, typeCode: number): Buffer {
  const at = key.length - ADJACENCY_SUFFIX;
  key[at] = direction === 'out' ? OUT : IN;
  putCode(key, at + 1, typeCode);
  return key;
}

/** Writes a type's code; gives the place behind it. */
function putCode(key: Buffer, at: number, typeCode: number): number {
  key[at] = typeCode >>> 8;
  key[at + 1] = typeCode;
  return at + EDGE_TYPE;
}

/** Every key of a generation's parity. */
export function generationRange(generation: number): { from: Buffer; to: Buffer } {
  const parity = generation % 2 === 1 ? ODD_GENERATION : 0;
  return { from: Buffer.from([parity | 0x10]), to: Buffer.from([parity | 0x20]) };
}

/** The key of one chunk of a hub, given the key of its record. */
export function chunkKey(head: Bytes, chunk: number): Buffer {
  const key = Buffer.allocUnsafe(head.length + CHUNK_SUFFIX);
  key.set(head);
  key.writeUInt32BE(chunk, head.length);
  return key;
}

/** The parts of an adjacency key. */
export interface AdjacencyKeyParts {
  readonly direction: Direction;
  readonly typeCode: number;
  /** Whether it is a hub's chunk and not the record itself. */
  readonly chunk: boolean;
}

/** Reads what {@link KeySpace.adjacency} and {@link chunkKey} wrote after the id. */
export function adjacencyKeyParts(key: Bytes, form: KeyForm): AdjacencyKeyParts {
  const at = 1 + form.width;
  return {
    direction: key[at] === OUT ? 'out' : 'in',
    typeCode: ((key[at + 1] ?? 0) << 8) | (key[at + 2] ?? 0),
    chunk: key.length > at + ADJACENCY_SUFFIX,
  };
}

/** The key of the layer's header. */
export const HEADER_KEY: Bytes = Buffer.from([FIXED_TABLE.header]);

/** The key of a type's record. */
export function typeKey(code: number): Buffer {
  return Buffer.from([FIXED_TABLE.types, code >>> 8, code & 0xff]);
}

/** The key of a blob: its name in UTF-8, so that names sort by their bytes. */
export function blobKey(name: string): Buffer {
  return Buffer.concat([Buffer.from([FIXED_TABLE.blobs]), Buffer.from(name, 'utf8')]);
}

/** All keys of a fixed table. */
export function fixedTable(table: keyof typeof FIXED_TABLE): { from: Buffer; to: Buffer } {
  return { from: Buffer.from([FIXED_TABLE[table]]), to: Buffer.from([FIXED_TABLE[table] + 1]) };
}

/** The smallest key that is greater than every key that starts with `prefix`. */
export function afterPrefix(prefix: Bytes): Buffer {
  const end = Buffer.from(prefix);
  for (let at = end.length - 1; at >= 0; at -= 1) {
    const byte = end[at] ?? 0;
    if (byte < 0xff) {
      end[at] = byte + 1;
      return end.subarray(0, at + 1);
    }
  }
  throw new RangeError('A prefix of 0xff bytes only has no end');
}
