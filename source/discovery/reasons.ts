/**
 * Why discovery skips something, in the order in which the rules are tried: the first that applies is the reason
 * shown. The names are stable; the sentences are for people.
 */
export const SKIP_REASONS = {
  'name-not-utf8': 'The name on disk is not UTF-8, so it has no path that holds on every machine.',
  'same-name': 'Another name in this folder is the same in Unicode NFC and comes first in byte order.',
  git: "Git's own folder or file: it is never part of the graph.",
  vendored: 'The folder holds what tools put there; an --include glob that names it brings it back.',
  'nested-worktree': 'The folder is a second checkout of a repository (a linked git worktree).',
  gitignored: 'A .gitignore or .git/info/exclude excludes it, and git does not track it.',
  codewalkignored: 'A .codewalkignore excludes it.',
  excluded: 'An --exclude glob matches it.',
  'not-included': 'There are --include globs and none matches it.',
  secret: 'The name says that it holds keys, tokens or passwords; it is never read.',
  'symlink-inside': 'A symbolic link to something in the root, which is indexed under its own name.',
  'symlink-outside': 'A symbolic link that leaves the root.',
  'symlink-broken': 'A symbolic link that leads nowhere or in a circle.',
  'special-file': 'A FIFO, socket or device.',
  'too-large': 'Larger than the size limit.',
  binary: 'A binary file, by its ending or by a NUL byte near its start.',
  'not-utf8': 'Text in another encoding than UTF-8.',
  unreadable: 'The system does not let us read it.',
  vanished: 'It was there when its folder was listed and is gone.',
} as const;

/** One of the stable names in {@link SKIP_REASONS}. */
export type SkipReason = keyof typeof SKIP_REASONS;

/** Why a file that is taken is not extracted. */
export const PLAIN_REASONS = {
  language: 'No extractor for this language.',
  minified: 'Minified: named .min., or lines far longer than people write.',
} as const;

/** One of the stable names in {@link PLAIN_REASONS}. */
export type PlainReason = keyof typeof PLAIN_REASONS;

/** Something that is not taken. A folder skipped as a whole is one row whose path ends in `/`. */
export interface SkippedFile {
  /** Root-relative, `/`, NFC. */
  readonly path: string;
  readonly reason: SkipReason;
  /** What made it so: the rule and its file, the glob, the size, the error code. May be empty. */
  readonly detail: string;
}

/** A text file that becomes a File. */
export interface DiscoveredFile {
  /** Root-relative, `/`, NFC. */
  readonly path: string;
  /** Absolute, as it is spelled on disk: what to read. */
  readonly diskPath: string;
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since 1970, with a fraction where the file system keeps one. */
  readonly mtimeMs: number;
  /** See `FileStatus`; with size and time of writing it tells whether this is the file that was read before. */
  readonly ctimeMs: number;
  readonly inode: number;
  /** Lower-case name of the language or format; `text` when nothing tells. */
  readonly language: string;
  /** Whether an extractor reads it; then `plain` is null. */
  readonly extracted: boolean;
  readonly plain: PlainReason | null;
}

/** A folder that discovery looked into: what comes or goes in it can be another decision. */
export interface EnteredFolder {
  /** Root-relative, `/`, NFC, without a `/` at its end; `''` for the root. */
  readonly path: string;
  /** Absolute, as it is spelled on disk. */
  readonly diskPath: string;
}

/** Every file of a root, decided; both lists sorted by path in byte order. */
export interface Discovery {
  /** The real path of the root. */
  readonly root: string;
  readonly files: readonly DiscoveredFile[];
  readonly skipped: readonly SkippedFile[];
  /** In the order of the walk; those among them that were skipped for what they hold were looked into once. */
  readonly folders: readonly EnteredFolder[];
}
