import type { Node, Tree } from 'web-tree-sitter';
import type { FileFacts } from '../facts.js';

/** One parsed file as an extractor gets it. */
export interface ParsedFile {
  /** Root-relative, `/`. */
  readonly path: string;
  /** The text as parsed: without byte-order mark, line ends as they are on disk. */
  readonly text: string;
  readonly tree: Tree;
  readonly root: Node;
}

/** The grammar that a language's file is parsed with; null in the registry for languages that are only known by name. */
export interface Language {
  /** Lower-case name as shown everywhere: `typescript`, `tsx`, `javascript`, `jsx`, `python`. */
  readonly name: string;
  /** File name endings with the dot, longest first: `.d.ts`, `.ts`. */
  readonly extensions: readonly string[];
  /** The `.wasm` grammar's file name in `@vscode/tree-sitter-wasm`. */
  readonly grammar: string;
  /** Raised whenever the extractor's output changes: cached extracts of an older version are dropped. */
  readonly version: number;
  /** The package manager's world that its foreign packages come from: `npm`, `pypi`; absent where it has none. */
  readonly ecosystem?: string;
  /** Whether a path, relative to the root, is a test's by the names that this language's test runners look for. */
  isTestPath?(path: string): boolean;
  /** Whether a file makes its folder a package of this language (spec S0-46). */
  isPackageFile?(path: string): boolean;
  /**
   * A text of the same length and the same lines, for what the grammar takes for something else without an error:
   * the extractor sees the original text and this one's tree.
   */
  readable?(text: string): string;
  /**
   * A text of the same length and the same lines that the grammar understands better, for a text in which it
   * found errors; null when there is none. The extractor sees the original text and this one's tree.
   */
  repair?(text: string): string | null;
  /** Pure: the facts of one file. Must not keep tree nodes. */
  extract(file: ParsedFile): FileFacts;
}

/**
 * The language among `languages` that a path's ending belongs to, the longest ending first (`.d.ts` before
 * `.ts`), without regard to case; null when there is none. Only the file's name is looked at.
 */
export function languageAmong(languages: readonly Language[], path: string): Language | null {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  let best: Language | null = null;
  let length = 0;
  for (const language of languages)
    for (const ending of language.extensions)
      if (ending.length > length && name.endsWith(ending)) {
        best = language;
        length = ending.length;
      }
  return best;
}
