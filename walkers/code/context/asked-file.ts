import {
  changeSinceIndexed,
  type MissingState,
  NOTHING_MISSING,
  PROGRESS_MARK,
  readProgress,
  readState,
  stateName,
  unfinishedState,
} from '../../../graphs/code/index.js';
import { plural } from '../../../present/index.js';
import type { NodeRef, ReadContext } from '../../../runtime/index.js';
import { type File, parseId } from '../../../schema/index.js';
import { type ChangeOnDisk, languageOf } from '../../../source/index.js';

/** Whether a file's symbols are in the graph, and if not, why; see {@link Standing}. */
export const STANDINGS = ['extracted', 'other-language', 'waiting', 'not-extracted', 'gone'] as const;
/**
 * One of {@link STANDINGS}: they are; Codewalk has no extractor for its language; an index run that did not finish has
 * still to write them; extraction failed, or the file was taken as plain text (minified); the file is in no graph any
 * more, but traces end on it.
 */
export type Standing = (typeof STANDINGS)[number];

/** A file that was asked for, as the graph has it. */
export interface AskedFile {
  readonly path: string;
  readonly language: string;
  readonly standing: Standing;
  /** What happened on disk since it was indexed. */
  readonly change: ChangeOnDisk;
}

/** What is known of a file that was asked for, and how far the last index run came. */
export async function lookAtFile(
  file: NodeRef<typeof File>,
  { blobs, projectRoot }: Pick<ReadContext, 'blobs' | 'projectRoot'>,
): Promise<{ asked: AskedFile; missing: MissingState }> {
  const { gone = false } = file;
  // A stub has nothing but its id.
  const path = gone ? (parseId(file.id)?.path ?? file.id) : file.path;
  const [mark, state] = await blobs([PROGRESS_MARK, stateName(path)]);
  const progress = readProgress(mark);
  const missing = progress ? unfinishedState(progress) : NOTHING_MISSING;
  const written = missing === NOTHING_MISSING || (readState(state)?.part ?? null) !== null;
  const asked = {
    path,
    language: file.language,
    standing: gone ? 'gone' : standingOf(file, written),
    change: gone ? null : changeSinceIndexed(file, projectRoot),
  } as const;
  return { asked, missing };
}

function standingOf({ path, extracted }: NodeRef<typeof File>, written: boolean): Standing {
  if (!extracted && languageOf(path) === null) return 'other-language';
  if (!written) return 'waiting';
  return extracted ? 'extracted' : 'not-extracted';
}

/** One sentence or two on a file that was asked for: what there is of it, and whether that still holds. */
export function sentenceOn({ path, language, standing, change }: AskedFile, symbols: number): string {
  const known = {
    extracted: `${path} (${language}) has ${plural(symbols, 'symbol')}.`,
    'other-language': `${path} is ${language}, whose symbols Codewalk does not extract.`,
    waiting:
      symbols === 0
        ? `${path} (${language}) is not indexed yet.`
        : `${path} (${language}) has ${plural(symbols, 'symbol')}, as far as it is indexed.`,
    'not-extracted': `The symbols of ${path} (${language}) were not extracted: 'codewalk index --list' says why.`,
    gone: `${path} is no longer in the project.`,
  }[standing];
  if (change === null) return known;
  return `${known} ${path} ${change === 'deleted' ? 'was deleted' : 'changed'} on disk since it was indexed.`;
}
