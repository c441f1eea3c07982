import type { DiscoveredFile } from '../discovery/index.js';
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
      /** The facts as `factsToBytes` writes them: to be kept as they are, read with `factsFromBytes`. */
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
