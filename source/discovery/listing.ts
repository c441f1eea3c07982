import { comparePaths } from '../paths.js';
import { type Discovery, PLAIN_REASONS, type PlainReason, SKIP_REASONS, type SkipReason } from './reasons.js';

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

/** Everything that discovery decided, one row each, sorted by path: what is taken, what is not, and why. */
export function listing(discovery: Discovery): ListingRow[] {
  const taken = discovery.files.map(
    ({ path, language, plain }): ListingRow => ({
      path,
      decision: plain === null ? 'extracted' : 'plain',
      language,
      reason: plain,
      why: plain === null ? '' : PLAIN_REASONS[plain],
    }),
  );
  const skipped = discovery.skipped.map(
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
