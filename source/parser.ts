import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { Language as Grammar, type Node, Parser, type Tree } from 'web-tree-sitter';
import { CodewalkError } from '../schema/index.js';
import type { FileFacts } from './facts.js';
import {
  type Language,
  languageAmong,
  type ParsedFile,
  type ParsedLanguage,
  type TextFormat,
} from './languages/index.js';
import { tableUses } from './table-uses.js';
import { libraryMemory, startLibrary } from './tree-memory.js';

/** Parses and extracts the files of the languages that it was created for. Used from one thread. */
export interface SourceParser {
  /** The languages that it was created for: their grammars are loaded. */
  readonly languages: readonly Language[];
  /** The language of a path among {@link languages}; null when there is none. */
  languageOf(path: string): Language | null;
  /**
   * The tree of one file. The caller must `tree.delete()` it: trees live outside the garbage collector's reach.
   * @throws CodewalkError INVALID_INPUT when no loaded language has the path's ending, or it is a format without a grammar; PARSE_FAILED, naming
   * the file, when the parser gives up.
   */
  parse(path: string, text: string): ParsedFile;
  /**
   * The facts of one file; the tree is freed before this returns or throws.
   * @throws CodewalkError as {@link parse}; PARSE_FAILED, naming the file, when the extractor fails.
   */
  extractFile(path: string, text: string): FileFacts;
  /** Bytes of WebAssembly memory that all parsers of this thread share: grows with the largest tree, never shrinks. */
  readonly memoryBytes: number;
  /** Frees the parser; nothing else may be called afterwards. */
  delete(): void;
}

/** What {@link createParser} may be told. */
export interface ParserOptions {
  /** Where the file of a grammar (`tree-sitter-tsx.wasm`) is. Default: where {@link installedGrammar} finds it. */
  grammarPath?: (grammar: string) => string;
  /** Milliseconds after which parsing one file is given up, once it took half as much processor time more. Default: never. */
  parseTimeMs?: number;
}

/**
 * A parser with the grammars of `languages` loaded, all of them before the first parse: loading one after
 * parsing has begun can stall for more than a second.
 * @throws CodewalkError GRAMMAR_FAILED naming the language and the grammar's file.
 */
export async function createParser(
  languages: readonly Language[],
  options: ParserOptions = {},
): Promise<SourceParser> {
  await startLibrary();
  const grammars = new Map<string, Grammar>();
  for (const language of languages)
    for (const grammar of grammarsOf(language))
      if (!grammars.has(grammar))
        grammars.set(grammar, await loadGrammar(language, grammar, options.grammarPath ?? installedGrammar));
  return new LoadedParser(languages, grammars, options.parseTimeMs);
}

const require = createRequire(import.meta.url);

/** In `dist/grammars/`, where the build puts what `@vscode/tree-sitter-wasm` has not, compressed; else in that package. */
function installedGrammar(grammar: string): string {
  const { pathname } = new URL(import.meta.url);
  const dist = pathname.endsWith('.ts') ? '../dist/grammars/' : './grammars/';
  const copied = fileURLToPath(new URL(`${dist}${grammar}.br`, import.meta.url));
  return existsSync(copied) ? copied : require.resolve(`@vscode/tree-sitter-wasm/wasm/${grammar}`);
}

function grammarsOf(language: Language): string[] {
  if (language.grammar === null) return [];
  return [language.grammar, ...(language.otherGrammar ? [language.otherGrammar.grammar] : [])];
}

async function loadGrammar(
  language: Language,
  grammar: string,
  pathOf: (grammar: string) => string,
): Promise<Grammar> {
  let path = grammar;
  try {
    path = pathOf(grammar);
    return await Grammar.load(path.endsWith('.br') ? brotliDecompressSync(readFileSync(path)) : path);
  } catch (cause) {
    throw new CodewalkError(
      'GRAMMAR_FAILED',
      `The grammar of ${language.name} could not be loaded from ${path}: ${reason(cause)}`,
      { suggestion: 'Install the package again: the file is missing, damaged or of another version.', cause },
    );
  }
}

/** What the library copies at a time, in UTF-16 units, where a language says nothing else. */
const PIECE = 5_119;
/**
 * How many times its length the parser may copy of a text, and what of the shortest one: each look that fails begins again where
 * it began, so that a file of open comments costs the square of its length. Ordinary files are copied once.
 */
const MOST_COPIES = 100;
const LEAST_COPIED = 1_000 * PIECE;
/**
 * Milliseconds that parsing a text may take, and as many more for each of its units: what makes the grammar recover from
 * errors again and again costs the square of its length. Ordinary files take a small part of it.
 */
const LEAST_PARSE_MS = 1_500;
const UNIT_MS = 0.02;
/**
 * Once the time is over on the clock the parser gets this share of it again, of processor time: on a machine that stands
 * still for a moment no file is given up.
 */
const EXTRA = 0.5;

class LoadedParser implements SourceParser {
  readonly languages: readonly Language[];
  readonly #parseTimeMs: number | undefined;
  #parser = new Parser();
  #grammar: Grammar | null = null;

  constructor(
    languages: readonly Language[],
    private readonly grammars: ReadonlyMap<string, Grammar>,
    parseTimeMs?: number,
  ) {
    this.languages = languages;
    this.#parseTimeMs = parseTimeMs;
  }

  languageOf(path: string): Language | null {
    return languageAmong(this.languages, path);
  }

  parse(path: string, text: string): ParsedFile {
    const language = this.#require(path);
    if (language.grammar === null)
      throw new CodewalkError('INVALID_INPUT', `${language.name} has no grammar`, { input: path });
    return this.#parse(language, path, text);
  }

  extractFile(path: string, text: string): FileFacts {
    const language = this.#require(path);
    if (language.grammar === null) return extractText(language, path, text);
    const file = this.#parse(language, path, text);
    try {
      const facts = language.extract(file);
      const tables = tableUses(file, facts);
      return tables.length > 0 ? { ...facts, tables } : facts;
    } catch (cause) {
      throw failure('Extraction', path, cause);
    } finally {
      file.tree.delete();
    }
  }

  get memoryBytes(): number {
    return libraryMemory();
  }

  delete(): void {
    this.#parser.delete();
  }

  #require(path: string): Language {
    const language = this.languageOf(path);
    if (language) return language;
    const known = this.languages.map((one) => one.name).join(', ');
    throw new CodewalkError('INVALID_INPUT', `No loaded language parses ${path}; loaded: ${known}`, {
      input: path,
    });
  }

  #parse(language: ParsedLanguage, path: string, given: string): ParsedFile {
    const text = withoutMark(given);
    try {
      this.#speak(
        language.otherGrammar?.reads(text, path) ? language.otherGrammar.grammar : language.grammar,
      );
      const readable = language.readable?.(text) ?? text;
      const { piece = PIECE } = language;
      let tree = this.#tree(readable, piece);
      const repaired = tree.rootNode.hasError ? language.repair?.(readable) : null;
      if (repaired != null) tree = better(tree, this.#tree(repaired, piece));
      return { path, text, tree, root: tree.rootNode };
    } catch (cause) {
      this.#recreate();
      throw failure('Parsing', path, cause);
    }
  }

  #tree(text: string, piece: number): Tree {
    const time = Math.min(
      this.#parseTimeMs ?? Number.POSITIVE_INFINITY,
      LEAST_PARSE_MS + text.length * UNIT_MS,
    );
    const end = performance.now() + time;
    // Asked only when it is late: asking takes a tenth of a millisecond where many threads run.
    let late: NodeJS.CpuUsage | undefined;
    const isOver = () => {
      if (performance.now() <= end) return false;
      late ??= process.cpuUsage();
      return cpuSince(late) > time * EXTRA;
    };
    const options = { progressCallback: isOver };
    let left = LEAST_COPIED + MOST_COPIES * text.length;
    const read = (index: number) => {
      left -= piece;
      // An end that comes early lets the parser come to its own.
      return left >= 0 ? text.slice(index, index + piece) : '';
    };
    const tree = this.#parser.parse(read, null, options);
    if (tree !== null && left >= 0) return tree;
    tree?.delete();
    throw new Error(
      tree === null
        ? `the parser took more than ${(time / 1000).toFixed(1)} s`
        : 'it makes the parser begin again too often',
    );
  }

  #speak(name: string): void {
    const grammar = this.grammars.get(name) ?? null;
    if (grammar === this.#grammar) return;
    this.#parser.setLanguage(grammar);
    this.#grammar = grammar;
  }

  /** After an abort the old parser's state is unknown: it is left behind, freed if that still works. */
  #recreate(): void {
    const broken = this.#parser;
    this.#parser = new Parser();
    this.#grammar = null;
    try {
      broken.delete();
    } catch {
      // Its memory is lost with it; the next file must still be parsed.
    }
  }
}

/** Milliseconds of processor time of all threads of this process. */
function cpuSince(begun: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1000;
}

function extractText(format: TextFormat, path: string, text: string): FileFacts {
  try {
    return format.extract(withoutMark(text));
  } catch (cause) {
    throw failure('Extraction', path, cause);
  }
}

function withoutMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

/** Frees the tree with more text in errors and gives the other, the first when they are alike. */
function better(first: Tree, second: Tree): Tree {
  const chosen = errorLength(second) < errorLength(first) ? second : first;
  (chosen === first ? second : first).delete();
  return chosen;
}

/** Missing tokens count as one character each. */
function errorLength(tree: Tree): number {
  let length = 0;
  const open: Node[] = [tree.rootNode];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.isError) length += node.endIndex - node.startIndex + 1;
    else if (node.isMissing) length += 1;
    else for (const child of node.children) if (child?.hasError || child?.isMissing) open.push(child);
  }
  return length;
}

function failure(what: string, path: string, cause: unknown): CodewalkError {
  if (cause instanceof CodewalkError) return cause;
  return new CodewalkError('PARSE_FAILED', `${what} of ${path} failed: ${reason(cause)}`, {
    suggestion: 'Exclude the file with .codewalkignore or --exclude, and report it.',
    input: path,
    cause,
  });
}

function reason(cause: unknown): string {
  if (cause instanceof RangeError && /call stack/i.test(cause.message)) return 'it is nested too deep';
  return cause instanceof Error ? cause.message || cause.name : String(cause);
}
