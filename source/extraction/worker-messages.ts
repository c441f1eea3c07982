import type { Extraction, FileToExtract } from './extraction.js';

/** What a worker thread is started with. */
export interface WorkerStart {
  /** Names of the languages whose grammars it loads before the first parse. */
  readonly languages: readonly string[];
}

/** A file for a worker: it answers in the order in which it was asked. */
export type WorkerRequest = Pick<FileToExtract, 'path' | 'diskPath'>;

/** What a worker says: that its grammars are loaded, then one answer per file. */
export type WorkerMessage =
  | { readonly kind: 'ready' }
  | {
      readonly kind: 'done';
      readonly extraction: Extraction;
      /** Why it should not be asked again; null while it is fit. `trapped`: nor is this answer to be trusted. */
      readonly spent: 'grown' | 'trapped' | null;
    };
