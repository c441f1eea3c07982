import { ID_FORMS, localId } from '../../schema/index.js';
import { hashId } from '../hash.js';
import { FIXED_TABLE } from '../keys.js';
import type { Bytes } from '../kv.js';

/**
 * Nodes that belong to no file are spread over so many owners: one of them that changes takes few others with it.
 */
const BUCKETS = 128;
/** How owners begin: a file's path, and the number of a bucket. */
const [FILE, BUCKET] = ['/', '#'] as const;
/** UTF-8 does not give them back. */
const SURROGATE = /[\ud800-\udfff]/;
const ESCAPED = /[%:\p{Cc}]/u;
const HASH = new Uint8Array(8);

/**
 * The owner of a node and of the edges that leave it: its file, by the path as it stands in ids of symbols, else a
 * bucket.
 */
export function ownerOf(id: string): string {
  const first = id.indexOf(':');
  const form = first < 0 ? '' : id.slice(0, first);
  if (Object.hasOwn(ID_FORMS, form) && !SURROGATE.test(id)) {
    if (form === 'file') {
      const path = id.slice(first + 1);
      return FILE + (ESCAPED.test(path) ? localId('fn', path, '').slice('fn:'.length, -1) : path);
    }
    const second = id.indexOf(':', first + 1);
    if (second > 0 && ID_FORMS[form as keyof typeof ID_FORMS] === 'path and name')
      return FILE + id.slice(first + 1, second);
  }
  hashId(id, 0, HASH, 0, 0, id.length);
  return `${BUCKET}${String((HASH[0] as number) % BUCKETS).padStart(3, '0')}`;
}

/** An owner as it is named to people. */
export function shownOwner(owner: string): string {
  return owner.startsWith(FILE) ? owner.slice(FILE.length) : `shared nodes ${owner}`;
}

/** The values of an owner: its pack, what of it is read when it is asked for, and what tells whether a question needs it. */
export const PACK_PARTS = ['packs', 'details', 'marks'] as const;
/** See {@link PACK_PARTS}. */
export type PackPart = (typeof PACK_PARTS)[number];

/** The key of one of an owner's values. */
export function packKey(part: PackPart, owner: string): Buffer {
  const key = Buffer.allocUnsafe(1 + Buffer.byteLength(owner));
  key[0] = FIXED_TABLE[part];
  key.write(owner, 1);
  return key;
}

/** The owner in a key. */
export function ownerIn(key: Bytes): string {
  return Buffer.from(key.buffer, key.byteOffset + 1, key.length - 1).toString('utf8');
}
