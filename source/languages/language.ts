import type { Node, Tree } from 'web-tree-sitter';
import type { FileFacts } from '../facts.js';
import type { LinkRules } from '../link/rules.js';

/** One parsed file as an extractor gets it. */
export interface ParsedFile {
  /** Root-relative, `/`. */
  readonly path: string;
  /** The text as parsed: without byte-order mark, line ends as they are on disk. */
  readonly text: string;
  readonly tree: Tree;
  readonly root: Node;
}

/** What is extracted: a programming language, parsed with a grammar, or a format whose text is read as it is. */
export type Language = ParsedLanguage | TextFormat;

/** What both say of themselves. */
interface Extracted {
  /** Lower-case name as shown everywhere: `typescript`, `tsx`, `javascript`, `jsx`, `python`, `json`. */
  readonly name: string;
  /** Raised whenever the extractor's output changes: cached extracts of an older version are dropped. */
  readonly version: number;
  /** The package manager's world that its foreign packages come from: `npm`, `pypi`; absent where it has none. */
  readonly ecosystem?: string;
  /** Whether a path, relative to the root, is a test's by the names that this language's test runners look for. */
  isTestPath?(path: string): boolean;
  /** Whether tests stand in the files of what they test, which are no tests' by their names. */
  readonly inlineTests?: boolean;
  /**
   * True where an import of everything assigns each name as it comes: of two that bring one name the later stays, and
   * `default` is a name like any other. Absent: two take the name from each other, and neither brings a `default`.
   */
  readonly starsAssign?: boolean;
  /** What stands between the parts of names, where that is no dot: `::`. */
  readonly nameSeparator?: string;
  /** Whether a file makes its folder a package of this language (spec S0-46). */
  isPackageFile?(path: string): boolean;
  /** What runs its tests, the likelier first. Absent: imports and manifests tell (query_tests). */
  readonly testRunners?: readonly TestRunner[];
}

/** What runs tests of files, where a manifest in a folder around them shows that it does. */
export interface TestRunner {
  /** The manifest's file name: `go.mod`. */
  readonly manifest: string;
  /**
   * The command that runs a file's tests in the manifest's folder, by its words.
   *
   * @param file Relative to that folder.
   * @param tests Names inside the file, `TestGet`, `CartTest.adds`.
   */
  command(file: string, tests: readonly string[]): readonly string[];
}

/** A programming language: each of its files is a module. */
export interface ParsedLanguage extends Extracted {
  /** File name endings with the dot, longest first: `.d.ts`, `.ts`. */
  readonly extensions: readonly string[];
  /** The `.wasm` grammar's file name, in `@vscode/tree-sitter-wasm` or copied by `scripts/build.mjs`. */
  readonly grammar: string;
  /** Another grammar, for texts of which the language says so. */
  readonly otherGrammar?: { readonly grammar: string; reads(text: string, path: string): boolean };
  /** How much of a text the parser is given at a time, where the grammar goes back so often that more is copied in vain. */
  readonly piece?: number;
  /**
   * A text of the same length, for what the grammar takes for something else without an error, or for ever to read:
   * the extractor sees the original text and this one's tree. Its lines are the same, but that comments on lines of
   * their own may have become one.
   */
  readable?(text: string): string;
  /**
   * A text of the same length and the same lines that the grammar understands better, for a text in which it
   * found errors; null when there is none. The extractor sees the original text and this one's tree.
   */
  repair?(text: string): string | null;
  /** Pure: the facts of one file. Must not keep tree nodes. */
  extract(file: ParsedFile): FileFacts;
  /** What the linker has to know of the language: of one whose files are lowered to units. */
  readonly link?: LinkRules;
}

/** A format of configuration or of documents, whose files are known by their names. They are no modules: nothing imports their names. */
export interface TextFormat extends Extracted {
  readonly grammar: null;
  /**
   * Of documents, whose definitions code refers to by their names: `exact`, or `folded` where names are found whatever their
   * case. Absent: nothing refers to what they hold.
   */
  readonly names?: 'exact' | 'folded';
  /** Whether a file is read, by the last part of its path. */
  takes(name: string): boolean;
  /** Pure: the facts of one file, of its text without byte-order mark. Broken text gives what can be read of it. */
  extract(text: string): FileFacts;
}

/**
 * The language among `languages` that a path belongs to: a format that takes the file's name, else by its ending, the
 * longest first (`.d.ts` before `.ts`), without regard to case; null when there is none. Only the file's name is looked at.
 */
export function languageAmong(languages: readonly Language[], path: string): Language | null {
  const last = path.slice(path.lastIndexOf('/') + 1);
  const name = last.toLowerCase();
  let best: Language | null = null;
  let length = 0;
  for (const language of languages) {
    if (language.grammar === null) {
      if (language.takes(last)) return language;
      continue;
    }
    for (const ending of language.extensions)
      if (ending.length > length && name.endsWith(ending)) {
        best = language;
        length = ending.length;
      }
  }
  return best;
}
