import { CodewalkError, LIMITS } from '../../schema/index.js';
import { RENAMES } from './commit-files.js';
import { type Hunk, type PatchedFile, readPatch } from './commit-lines.js';
import { type GitOptions, runGit, SAFE_DIFF } from './run-git.js';

/** What a range of revisions changed in a root. */
export interface RangeChanges {
  /** The full hash of the commit that it is compared with. */
  readonly base: string;
  /** With lines as the work tree has them; what only the work tree changed is not among them. */
  readonly files: readonly PatchedFile[];
}

/** How a range may be written. */
const FORMS = 'Write main...HEAD (since the branch began), REV..REV, or REV (up to the work tree).';
const NO_PATHS_QUOTED = ['-c', 'core.quotePath=false'];
const PATCH = ['--relative', ...RENAMES, '--unified=0', '--src-prefix=a/', '--dst-prefix=b/'];

/**
 * What a range of revisions changed in a root, with lines as the work tree has them now: a few git processes, see
 * {@link runGit} for what they get.
 *
 * @param root Absolute.
 * @param range `A...B` (from where B left A), `A..B`, or `A` (up to the work tree); an end left out is HEAD.
 * @throws CodewalkError `INVALID_INPUT` for what is no range, `REVISION_NOT_FOUND` for revisions that git does not know,
 * `GIT_FAILED` without git or a repository, or where the difference is too large.
 */
export async function rangeChanges(
  root: string,
  range: string,
  signal: AbortSignal,
  surroundings: Readonly<Record<string, string | undefined>> = process.env,
): Promise<RangeChanges> {
  const ask = asking(root, { signal, surroundings });
  const { from, to, fork } = endsOf(range);
  const said = await ask(['rev-parse', '--is-inside-work-tree', '--is-shallow-repository']);
  if (said === null) throw noRepository(root);
  const isShallow = said.includes('\ntrue');
  const first = await commitOf(ask, from, range, isShallow);
  const last = to === null ? null : await commitOf(ask, to, range, isShallow);
  const safe = await withoutFilters(ask, root);
  const base = fork ? await forkOf(ask, first, last ?? 'HEAD', range, isShallow) : first;
  const files = await differences(ask, safe, last === null ? [base] : [base, last], range);
  if (last === null) return { base, files };
  const since = new Map((await differences(ask, safe, [last], range)).map((file) => [file.before, file]));
  return { base, files: files.map((file) => inWorkTree(file, since.get(file.path))) };
}

/**
 * Settings that switch off the filters which the configuration names: a comparison with the work tree would run their
 * commands.
 *
 * @throws CodewalkError `GIT_FAILED` where a filter has a name that no setting can switch off.
 */
async function withoutFilters(ask: Ask, root: string): Promise<string[]> {
  const keys = ((await ask(['config', '--name-only', '-z', '--get-regexp', '^filter[.]'])) ?? '').split('\0');
  const names = new Set(keys.flatMap((key) => /^filter\.(.*)\.[^.]*$/su.exec(key)?.[1] ?? []));
  const unsafe = [...names].find((name) => /[=\n]/u.test(name));
  if (unsafe !== undefined)
    throw new CodewalkError(
      'GIT_FAILED',
      `the git configuration of '${root}' names a filter with '=' in it`,
      {
        input: unsafe.slice(0, 200),
        suggestion: 'Name files instead of a diff.',
      },
    );
  return [...names].flatMap((name) =>
    ['clean=', 'smudge=', 'process=', 'required=false'].flatMap((set) => ['-c', `filter.${name}.${set}`]),
  );
}

/** The text of a file at a commit; null where it is none, or too long. @param path From the root. */
export async function textAt(
  root: string,
  commit: string,
  path: string,
  signal: AbortSignal,
  surroundings: Readonly<Record<string, string | undefined>> = process.env,
): Promise<string | null> {
  try {
    return await asking(root, { signal, surroundings })(['cat-file', 'blob', `${commit}:./${path}`]);
  } catch (thrown) {
    signal.throwIfAborted();
    if (thrown instanceof CodewalkError) return null;
    throw thrown;
  }
}

/** Gives what git says; null where it refuses. */
type Ask = (args: readonly string[]) => Promise<string | null>;

/** @throws CodewalkError `GIT_FAILED` where git itself cannot be run, or takes too long. */
function asking(root: string, options: GitOptions): Ask {
  return async (args) => {
    const { error, stdout } = await runGit(root, args, options, (error, stdout) => ({ error, stdout }));
    if (!error) return stdout;
    options.signal.throwIfAborted();
    if (typeof error.code === 'number') return null;
    const isMissing = error.code === 'ENOENT';
    throw new CodewalkError(
      'GIT_FAILED',
      isMissing ? 'git was not found on this machine' : `git ${args[0]} exceeded its time or output limit`,
      {
        suggestion: isMissing
          ? 'Install git, or name files instead of a diff.'
          : `It gets ${LIMITS.historyTime.max} ms and ${LIMITS.historyBytes.max} bytes: name a smaller range, or files.`,
      },
    );
  };
}

function endsOf(range: string): { from: string; to: string | null; fork: boolean } {
  const [, from = '', dots = '', to = ''] = /^(.*?)(?:(\.{2,3})(.*))?$/su.exec(range.trim()) ?? [];
  const ends = [from || 'HEAD', to || 'HEAD'] as const;
  // A revision that begins with a dash would be an option of git.
  if (range.trim() === '' || ends.some((end) => end.startsWith('-') || /[\p{Cc}:^]\s|\p{Cc}/u.test(end)))
    throw new CodewalkError('INVALID_INPUT', `diff: '${range.slice(0, 200)}' is no range of revisions`, {
      input: range,
      suggestion: FORMS,
    });
  return { from: ends[0], to: dots === '' ? null : ends[1], fork: dots === '...' };
}

async function commitOf(ask: Ask, revision: string, range: string, isShallow: boolean): Promise<string> {
  const args = ['rev-parse', '--verify', '--quiet', `${revision}^{commit}`];
  const hash = (await ask(args))?.trim() ?? '';
  if (/^[0-9a-f]{40,64}$/u.test(hash)) return hash;
  throw unknown(`git knows no revision '${revision.slice(0, 200)}'`, range, isShallow);
}

async function forkOf(
  ask: Ask,
  one: string,
  other: string,
  range: string,
  isShallow: boolean,
): Promise<string> {
  const base = (await ask(['merge-base', one, other]))?.trim() ?? '';
  if (base !== '') return base;
  throw unknown(`the two ends of '${range}' have no commit in common`, range, isShallow);
}

function unknown(message: string, range: string, isShallow: boolean): CodewalkError {
  return new CodewalkError('REVISION_NOT_FOUND', message, {
    input: range,
    suggestion: isShallow
      ? "This clone is shallow: 'git fetch --unshallow' brings the rest (in CI: fetch-depth: 0)."
      : `${FORMS} 'git branch --all' lists branches; a remote's is origin/main.`,
  });
}

function noRepository(root: string): CodewalkError {
  return new CodewalkError('GIT_FAILED', `'${root}' is not in a git repository that can be read`, {
    input: root,
    suggestion: 'Name files instead of a diff; a folder of another user needs git config safe.directory.',
  });
}

async function differences(
  ask: Ask,
  safe: readonly string[],
  commits: readonly string[],
  range: string,
): Promise<PatchedFile[]> {
  const args = [...safe, ...NO_PATHS_QUOTED, 'diff', ...PATCH, ...SAFE_DIFF, ...commits, '--', '.'];
  const text = await ask(args);
  if (text !== null) return patchedFiles(text);
  throw unknown(`git could not compare the ends of '${range}'`, range, true);
}

/** The files of a patch; one that was only renamed has no hunks, and stands in the lines between them. */
function patchedFiles(text: string): PatchedFile[] {
  const files: PatchedFile[] = [];
  const renamed = new Map<string, string>();
  let before = '';
  for (const item of readPatch(text)) {
    if (typeof item !== 'string') {
      files.push(item);
      if (item.path !== null) renamed.delete(item.path);
      continue;
    }
    const [, side, path = ''] = /^rename (from|to) ([^"].*)$/u.exec(item) ?? [];
    if (side === 'from') before = path;
    else if (side === 'to') renamed.set(path.normalize('NFC'), before.normalize('NFC'));
  }
  return [...files, ...[...renamed].map(([path, from]) => ({ path, before: from, hunks: [] }))];
}

/** A file of a range with the lines that the work tree has, whatever was edited since. */
function inWorkTree(file: PatchedFile, since: PatchedFile | undefined): PatchedFile {
  if (!since) return file;
  const hunks = file.hunks.map((hunk) => {
    const first = lineAfter(hunk.to, since.hunks, 'first');
    const last = hunk.became === 0 ? first : lineAfter(hunk.to + hunk.became - 1, since.hunks, 'last');
    return { ...hunk, to: first, became: hunk.became === 0 ? 0 : Math.max(1, last - first + 1) };
  });
  return { ...file, path: since.path, hunks };
}

/** A line's number after a change; of a line in a hunk the end of what replaced it. */
function lineAfter(line: number, hunks: readonly Hunk[], side: 'first' | 'last'): number {
  let shift = 0;
  for (const { from, count, to, became } of hunks) {
    if (line < from || (count === 0 && line === from)) break;
    if (line < from + count) return side === 'first' ? to : Math.max(to, to + became - 1);
    shift += became - count;
  }
  return line + shift;
}
