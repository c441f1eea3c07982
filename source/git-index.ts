import type { FileSystem } from './file-system.js';

/** A larger index is not read: some two million files. */
const MAX_INDEX_BYTES = 256 * 1024 * 1024;
/** What stands in front of the object's hash in an entry, and where what we read of it stands in there. */
const ENTRY_HEAD = 40;
const SECONDS_AT = 8;
const INODE_AT = 20;
const MODE_AT = 24;
const SIZE_AT = 36;
/** Another repository: its files are not this one's. */
const SUBMODULE = 0o160000;

/** A file that git tracks, with what its index remembers of it. */
export interface IndexEntry {
  /** From the top of the work tree. */
  readonly path: string;
  /** When it was written, in seconds since 1970, its inode and its size, each modulo 2^32, as it was last looked at. */
  readonly seconds: number;
  readonly inode: number;
  readonly size: number;
}

/** The entries of an index of version 2, 3 or 4, in its order; none where it is no such file. */
export function indexEntries(file: string, fs: FileSystem): IndexEntry[] {
  let bytes: Buffer;
  try {
    bytes = Buffer.from(fs.readBytes(file, MAX_INDEX_BYTES));
  } catch {
    // No index, or none that may be read: nothing is known to be tracked.
    return [];
  }
  if (bytes.length < 12 || bytes.toString('latin1', 0, 4) !== 'DIRC') return [];
  const version = bytes.readUInt32BE(4);
  if (version < 2 || version > 4) return [];
  return entriesOf(bytes, version, 20) ?? entriesOf(bytes, version, 32) ?? [];
}

/** Null where entries with hashes of this length make no sense. */
function entriesOf(bytes: Buffer, version: number, hashBytes: number): IndexEntry[] | null {
  const found: IndexEntry[] = [];
  let at = 12;
  let previous: Buffer = Buffer.alloc(0);
  for (let left = bytes.readUInt32BE(8); left > 0; left -= 1) {
    const flagsAt = at + ENTRY_HEAD + hashBytes;
    if (flagsAt + 4 > bytes.length) return null;
    const flags = bytes.readUInt16BE(flagsAt);
    let start = flagsAt + (flags & 0x4000 ? 4 : 2);
    let kept = 0;
    if (version === 4) {
      let byte = bytes[start++] ?? 0;
      let cut = byte & 0x7f;
      while (byte & 0x80 && start < bytes.length) {
        byte = bytes[start++] ?? 0;
        cut = ((cut + 1) << 7) | (byte & 0x7f);
      }
      kept = previous.length - cut;
    }
    const end = bytes.indexOf(0, start);
    if (end < 0 || kept < 0) return null;
    const name = bytes.subarray(start, end);
    previous = kept === 0 ? name : Buffer.concat([previous.subarray(0, kept), name]);
    const length = flags & 0xfff;
    if (length < 0xfff && length !== previous.length) return null;
    if ((bytes.readUInt32BE(at + MODE_AT) & 0o170000) !== SUBMODULE)
      found.push({
        path: previous.toString('utf8'),
        seconds: bytes.readUInt32BE(at + SECONDS_AT),
        inode: bytes.readUInt32BE(at + INODE_AT),
        size: bytes.readUInt32BE(at + SIZE_AT),
      });
    at = version === 4 ? end + 1 : at + ((end - at + 8) & ~7);
  }
  return found;
}
