import { LIMITS } from '../../schema/index.js';
import { askGit, type GitAnswer } from './git-answer.js';
import { SAFE_LOG } from './run-git.js';

/** A file that a commit touched: its path after the commit and, if that moved it, before. */
export interface TouchedFile {
  readonly path: string;
  readonly from: string | null;
}

/** What one commit touched, in git's order. */
export interface CommitFiles {
  readonly hash: string;
  readonly files: readonly TouchedFile[];
}

/** The files among which git looks for those that were moved; beyond, every move is a loss and a find. */
const MOST_RENAMES = 200;
/** How moves are followed. */
export const RENAMES = ['-M', `-l${MOST_RENAMES}`] as const;
/** Of commits that are named on the standard input, each alone. */
const OF_NAMED = [
  'log',
  '--no-walk=unsorted',
  '--stdin',
  '--relative',
  ...RENAMES,
  '--encoding=UTF-8',
  '--format=%x1e%H%x1f',
] as const;

/**
 * What commits touched in a root, with paths relative to it and moves followed: one process; see {@link gitLog} for
 * what it gets. Of a commit that touched more than `LIMITS.historyFiles` only the moves are told.
 *
 * @param root Absolute.
 */
export function commitFiles(
  root: string,
  hashes: readonly string[],
  signal: AbortSignal,
  surroundings: Readonly<Record<string, string | undefined>> = process.env,
): Promise<GitAnswer<readonly CommitFiles[]>> {
  const args = [...OF_NAMED, '--name-status', '-z', ...SAFE_LOG, '--', '.'];
  return askGit(root, args, { signal, surroundings, input: `${hashes.join('\n')}\n` }, readFiles);
}

function readFiles(text: string): CommitFiles[] {
  return text.split('\x1e').flatMap((record) => {
    const [hash = '', listed = ''] = record.split('\x1f');
    if (!/^[0-9a-f]{40,64}$/.test(hash)) return [];
    const fields = listed.split('\0').map((field) => field.replace(/^\n+/, ''));
    const files: TouchedFile[] = [];
    for (let at = 0; at < fields.length; at++) {
      const status = fields[at] ?? '';
      if (!/^[A-Z]\d*$/.test(status)) continue;
      // A move and a copy have two paths.
      const from = /^[RC]/.test(status) ? (fields[++at] ?? '') : '';
      const path = (fields[++at] ?? '').normalize('NFC');
      if (path !== '') files.push({ path, from: status.startsWith('R') ? from.normalize('NFC') : null });
    }
    const tooMany = files.length > LIMITS.historyFiles.max;
    return [{ hash, files: tooMany ? files.filter(({ from }) => from !== null) : files }];
  });
}
