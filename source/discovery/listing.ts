import { comparePaths } from '../paths.js';
import { readText } from './read-text.js';
import {
  type Discovery,
  PLAIN_REASONS,
  type PlainReason,
  SKIP_REASONS,
  type SkippedFile,
  type SkipReason,
} from './reasons.js';

/** One row of `index --list`. */
export interface ListingRow {
  /** Root-relative; a folder skipped as a whole ends in `/`. */
  readonly path: string;
  /** `extracted`: a File with its symbols; `plain`: a File only; `skipped`: not in the graph. */
  readonly decision: 'extracted' | 'plain' | 'skipped';
  /** Null for what is skipped. */
  readonly language: string | null;
  /** Null for what is extracted. */
  readonly reason: SkipReason | PlainReason | null;
  /** The sentence of the reason, with its detail; empty for what is extracted. */
  readonly why: string;
}

/**
 * Everything that discovery decided, one row each, sorted by path: what is taken, what is not, and why. Reads every
 * file, for some reasons (another encoding, no permission) only show then.
 */
export function listing(discovery: Discovery): ListingRow[] {
  const unread: SkippedFile[] = [];
  const taken = discovery.files.flatMap((file): ListingRow[] => {
    const { path, language, plain } = file;
    const read = readText(file);
    if (!read.ok) {
      unread.push({ path, reason: read.reason, detail: read.detail });
      return [];
    }
    const why = plain === null ? '' : PLAIN_REASONS[plain];
    return [{ path, decision: plain === null ? 'extracted' : 'plain', language, reason: plain, why }];
  });
  const skipped = [...discovery.skipped, ...unread].map(
    ({ path, reason, detail }): ListingRow => ({
      path,
      decision: 'skipped',
      language: null,
      reason,
      why: detail === '' ? SKIP_REASONS[reason] : `${SKIP_REASONS[reason]} (${detail})`,
    }),
  );
  return [...taken, ...skipped].sort((left, right) => comparePaths(left.path, right.path));
}
