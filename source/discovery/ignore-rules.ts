import { type Glob, globOf } from './glob.js';

/** One line of an ignore file. */
interface IgnoreRule {
  /** As it is written. */
  readonly line: string;
  /** Of the last name of a path, or of all of them. */
  readonly matches: Glob;
  readonly ofName: boolean;
  readonly onlyFolders: boolean;
  /** `!`: it takes back what an earlier rule excludes. */
  readonly includes: boolean;
}

interface IgnoreLevel {
  /** Shown in details: `src/.gitignore`. */
  readonly source: string;
  /** The last one first. */
  readonly rules: readonly IgnoreRule[];
  /** Characters to cut from the front of a root-relative path, so that it is relative to the file's folder. */
  readonly cut: number;
  /** What to put in front instead, for a file that lies above the root: `packages/app/`. */
  readonly prefix: string;
}

/** The ignore files that apply in one folder, the innermost first; null when there are none. */
export type IgnoreChain = { readonly level: IgnoreLevel; readonly outer: IgnoreChain } | null;

/** What an ignore file says of a path: the rule that excludes it, as a detail to show; null when nothing does. */
export type IgnoreVerdict = string | null;

/**
 * The chain with one more file inside. Case matters and names are compared in NFC on every machine, where git asks
 * the file system: the graph must not depend on it.
 *
 * @param text the file; CRLF and a byte-order mark are fine.
 * @param folder where the file is: root-relative, ending in `/`; `''` for the root.
 */
export function withIgnoreFile(
  outer: IgnoreChain,
  text: string,
  source: string,
  folder: string,
): IgnoreChain {
  const lines = text
    .normalize('NFC')
    .replace(/^\ufeff/, '')
    .split(/\r?\n/);
  const rules = lines.flatMap((line) => ruleOf(line) ?? []).reverse();
  return { level: { source, rules, cut: folder.length, prefix: '' }, outer };
}

/** A chain that was built from a folder above the root, for paths relative to the root at `inside` (ending in `/`). */
export function seenFrom(chain: IgnoreChain, inside: string): IgnoreChain {
  if (chain === null) return null;
  const { level } = chain;
  return {
    level: { ...level, cut: 0, prefix: inside.slice(level.cut) },
    outer: seenFrom(chain.outer, inside),
  };
}

/**
 * Git's decision: the innermost file with a matching rule decides, and in it the last rule. Folders end in `/`; those
 * above must not have been ignored.
 */
export function ignoredBy(chain: IgnoreChain, path: string): IgnoreVerdict {
  const isFolder = path.endsWith('/');
  for (let at = chain; at !== null; at = at.outer) {
    const { source, rules, cut, prefix } = at.level;
    const names = (prefix + path.slice(cut, isFolder ? -1 : undefined)).split('/');
    const last = names.slice(-1);
    const rule = rules.find(
      ({ matches, ofName, onlyFolders }) => (isFolder || !onlyFolders) && matches(ofName ? last : names),
    );
    if (rule) return rule.includes ? null : `${source}: ${rule.line}`;
  }
  return null;
}

/** Null for an empty line or a comment. */
function ruleOf(line: string): IgnoreRule | null {
  if (line.startsWith('#')) return null;
  const includes = line.startsWith('!');
  const written = withoutLastBlanks(line.slice(includes ? 1 : 0));
  const onlyFolders = written.endsWith('/');
  const whole = onlyFolders ? written.slice(0, -1) : written;
  if (whole === '') return null;
  const ofName = !whole.includes('/');
  // What is within a folder is not the folder.
  const glob = whole.replace(/^\//, '').replace(/\/\*{2,}$/, '/**/*');
  return { line, matches: globOf(glob), ofName, onlyFolders, includes };
}

/** Blanks at the end count behind a backslash alone. */
function withoutLastBlanks(text: string): string {
  let end = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === ' ') continue;
    end = at + 1;
  }
  return text.slice(0, end);
}
