import type { DiscoveredFile } from '../discovery/index.js';
import type { FileFacts } from '../facts.js';
import type { interfaceOf } from '../resolution/index.js';

/** A file to read and extract: a discovered one will do. */
export type FileToExtract = Pick<DiscoveredFile, 'path' | 'diskPath' | 'size'>;

/** The bytes that were read. */
export interface ReadContent {
  /** SHA-256, lower-case hex. */
  readonly hash: string;
  /** Bytes. */
  readonly size: number;
}

/** What came of one file. */
export type Extraction =
  | {
      readonly ok: true;
      readonly path: string;
      /** Hash and facts are of the same bytes. */
      readonly content: ReadContent;
      /** The facts as {@link factsToBytes} writes them: to be kept as they are, read with {@link factsFromBytes}. */
      readonly facts: Uint8Array;
      /** What resolutions of other files see of the facts: {@link interfaceOf}. */
      readonly offers: string;
    }
  | {
      readonly ok: false;
      readonly path: string;
      /** What was read; null when it could not be read: as if discovery had not found it. */
      readonly content: ReadContent | null;
      /** A skip reason of discovery (`not-utf8`, `vanished`…), `PARSE_FAILED` or `GRAMMAR_FAILED`. */
      readonly reason: string;
      readonly detail: string;
    };

const encoder = new TextEncoder();

/**
 * Facts as bytes of their own: JSON in UTF-8. Written where they are found, so that they cross threads as one
 * buffer and are kept without being written again; a structured clone takes as long to read, and then the JSON
 * would still have to be made.
 */
export function factsToBytes(facts: FileFacts): Uint8Array<ArrayBuffer> {
  return encoder.encode(JSON.stringify(facts));
}

/**
 * Facts from their bytes.
 *
 * @throws SyntaxError for bytes that {@link factsToBytes} did not write
 */
export function factsFromBytes(bytes: Uint8Array): FileFacts {
  return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
}
