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

/**
 * What else is made of a file's text, on the thread that read it: bytes, which cross threads at no cost. Nothing is
 * known of them here.
 *
 * @param file `facts` is null where extraction failed.
 */
export type MakeDocuments = (file: {
  readonly path: string;
  readonly text: string;
  readonly facts: FileFacts | null;
}) => Uint8Array<ArrayBuffer>;

/** The reason under which a file is named that took all the processor time that one file is given. */
export const TOO_SLOW = 'too-slow';

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
      /** See {@link Beside}; null where nothing else was asked for. */
      readonly documents: Uint8Array | null;
    }
  | {
      readonly ok: false;
      readonly path: string;
      /** What was read; null when it could not be read: as if discovery had not found it. */
      readonly content: ReadContent | null;
      /** See {@link Beside}; null also where no text was read. */
      readonly documents: Uint8Array | null;
      /** A skip reason of discovery (`not-utf8`, `vanished`…), `PARSE_FAILED`, `GRAMMAR_FAILED` or {@link TOO_SLOW}. */
      readonly reason: string;
      readonly detail: string;
    };
