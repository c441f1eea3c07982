import ignore, { type Ignore } from 'ignore';

/** The rules of one ignore file. */
interface IgnoreLevel {
  /** Shown in details: `src/.gitignore`. */
  readonly source: string;
  readonly rules: Ignore;
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
  const rules = ignore({ ignorecase: false }).add(text.normalize('NFC'));
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

function testOf(level: IgnoreLevel, path: string): ReturnType<Ignore['test']> {
  return level.rules.test(level.prefix + path.slice(level.cut));
}

/**
 * Git's decision: the innermost file with a matching rule decides, and in it the last rule. Folders end in `/`. The
 * folders above must have been entered with {@link entering}.
 */
export function ignoredBy(chain: IgnoreChain, path: string): IgnoreVerdict {
  for (let at = chain; at !== null; at = at.outer) {
    const verdict = testOf(at.level, path);
    if (verdict.ignored) return `${at.level.source}: ${verdict.rule?.pattern ?? ''}`.trimEnd();
    if (verdict.unignored) return null;
  }
  return null;
}

/**
 * The chain for what is in `folder` (ending in `/`), which was not ignored as a whole. Where an outer file excludes
 * the folder and an inner one took it back, the outer file must forget that it does: `ignore` would exclude
 * everything beneath, git asks only whether a rule matches each entry itself.
 */
export function entering(chain: IgnoreChain, folder: string): IgnoreChain {
  if (chain === null) return null;
  const outer = entering(chain.outer, folder);
  const { level } = chain;
  if (!testOf(level, folder).ignored) return outer === chain.outer ? chain : { level, outer };
  const escaped = (level.prefix + folder.slice(level.cut)).replace(/[\\*?[\]]/g, '\\$&');
  return {
    level: { ...level, rules: ignore({ ignorecase: false }).add(level.rules).add(`!/${escaped}`) },
    outer,
  };
}
