import { z } from 'zod';
import { WORDS_VERSION } from '../../search/index.js';
import { fromBytes } from './file-state.js';
import { CODE_TEXT } from './text/code-text.js';

/** The name of the mark that tells how far indexing came. */
export const PROGRESS_MARK = 'progress';
/** The name under which is kept what the index holds of the project as a whole. */
export const PROJECT_STATE = 'project';

const IndexProgress = z.object({
  /** Counts the index runs that wrote. */
  generation: z.number().int(),
  /** False while nodes or edges are still missing. */
  complete: z.boolean(),
  /** Files that are still to be written, as far as it is known. */
  pending: z.number().int().default(0),
});

/** How far indexing came: kept in the store, so that a kill at any point is seen by the next reader. */
export type IndexProgress = z.infer<typeof IndexProgress>;

/** The progress mark from its bytes; undefined when nothing was ever indexed. */
export function readProgress(bytes: Uint8Array | undefined): IndexProgress | undefined {
  const parsed = IndexProgress.safeParse(fromBytes(bytes));
  return parsed.success ? parsed.data : undefined;
}

/** The name of the mark that tells what the text index was made by. */
export const TEXT_MARK = 'texts';

const TextMark = z.object({
  index: z.string(),
  /** Version of what splits texts into words. */
  words: z.number().int(),
});

/** What the text index was made by; there is none while it is being made anew. */
export type TextMark = z.infer<typeof TextMark>;

/** What a text index is made by now. */
export const TEXT_MARK_NOW: TextMark = { index: CODE_TEXT.name, words: WORDS_VERSION };

/** The mark from its bytes; undefined where there is no whole text index. */
export function readTextMark(bytes: Uint8Array | undefined): TextMark | undefined {
  const parsed = TextMark.safeParse(fromBytes(bytes));
  return parsed.success ? parsed.data : undefined;
}
