import { CodewalkError, LIMITS } from '../../schema/index.js';
import { globOf, withoutBraces } from './glob.js';

/** The globs of one option. */
export interface GlobSet {
  /** The first glob that matches the path (root-relative), as it was given; null when none does. */
  match(path: string): string | null;
  /**
   * Whether a glob names this folder by its own name, without a wildcard that would match others too:
   * for example `vendor/acme` names `vendor`, and a glob for all Go files does not.
   */
  names(folder: string): boolean;
  readonly size: number;
}

const WILDCARD = /[*?]/;

/**
 * Reads `--include` or `--exclude` globs: `*`, `**`, `?`, `[…]`, `{a,b}`; case matters. A glob without `/` matches at
 * every level, one with `/` from the root on. A glob that matches a folder takes what is beneath it.
 *
 * @throws INVALID_INPUT for an empty, negated or far too long glob, or one whose brackets are not closed.
 */
export function readGlobs(globs: readonly string[]): GlobSet {
  const read = globs.flatMap((given) => {
    return withoutBraces(anchored(given)).map((glob) => {
      const parts = glob.split('/');
      // Every beginning of the glob that ends in a plain name: what the glob names on its way down.
      const named = parts
        .map((part, index) => ({ part, index }))
        .filter(({ part }) => !WILDCARD.test(part))
        .map(({ index }) => globOf(parts.slice(0, index + 1).join('/')));
      return { given, matches: globOf(glob), named };
    });
  });
  return {
    match: (path) => {
      const names = path.split('/');
      return read.find(({ matches }) => matches(names))?.given ?? null;
    },
    names: (folder) => {
      const names = folder.split('/');
      return read.some(({ named }) => named.some((matches) => matches(names)));
    },
    size: globs.length,
  };
}

/** Brackets that are never closed match nothing: a slip that would otherwise empty the graph. */
function requireClosed(glob: string): void {
  const open: string[] = [];
  for (const character of glob.replace(/\\./g, '')) {
    const closing = { '[': ']', '{': '}' }[character];
    if (open.at(-1) === character) open.pop();
    else if (closing !== undefined && open.at(-1) !== ']') open.push(closing);
  }
  if (open.length === 0) return;
  throw new CodewalkError('INVALID_INPUT', `The glob "${glob}" lacks a "${open.at(-1)}".`, {
    input: glob,
    suggestion: 'Close the bracket, or write it as a plain character with a backslash before it.',
  });
}

function anchored(given: string): string {
  if (given.length > LIMITS.pathText.max)
    throw new CodewalkError(
      'INVALID_INPUT',
      `A glob has ${given.length} characters, and may have ${LIMITS.pathText.max}.`,
      { input: given.slice(0, 100), suggestion: 'Write several shorter globs: one that matches is enough.' },
    );
  requireClosed(given);
  const glob = given
    .normalize('NFC')
    .replace(/^(\.?\/)+/, '')
    .replace(/(?<!\/)\/+$/, '');
  if (glob === '' || glob.startsWith('!')) {
    throw new CodewalkError('INVALID_INPUT', `The glob "${given}" is ${glob === '' ? 'empty' : 'negated'}.`, {
      input: given,
      suggestion: 'Use --exclude for what should be left out and --include for what should be taken.',
    });
  }
  return glob.includes('/') || /^\.?\//.test(given) ? glob : `**/${glob}`;
}
