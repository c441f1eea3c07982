import { toCodewalkError } from '../../schema/index.js';
import { readText } from '../discovery/index.js';
import { type Language, languageAmong } from '../languages/index.js';
import { createParser, type SourceParser } from '../parser.js';
import { interfaceOf } from '../resolution/index.js';
import { factsToBytes } from '../stored-facts/index.js';
import { WasmTrap } from '../web-assembly.js';
import type { Extraction, FileToExtract } from './extraction.js';

/** Reads and extracts files, one at a time, on the thread that made it. */
export interface Extractor {
  /** Never throws: what went wrong with a file is its answer. */
  extract(file: Pick<FileToExtract, 'path' | 'diskPath'>): Extraction;
  /** Whether the parser's memory is beyond trust, after a trap of WebAssembly: this thread must not parse again. */
  readonly broken: boolean;
  /** Bytes of the parser's memory; never shrinks while the thread lives. */
  readonly memoryBytes: number;
  /** Frees the parser. */
  delete(): void;
}

/** An extractor with the grammars of `languages` loaded; one that does not load fails the files of its language. */
export async function createExtractor(languages: readonly Language[]): Promise<Extractor> {
  const failures = new Map<Language, string>();
  try {
    return new ThreadExtractor(await createParser(languages), languages, failures);
  } catch {
    for (const language of languages) {
      try {
        (await createParser([language])).delete();
      } catch (thrown) {
        failures.set(language, toCodewalkError(thrown).message);
      }
    }
    const loadable = languages.filter((language) => !failures.has(language));
    return new ThreadExtractor(await createParser(loadable), languages, failures);
  }
}

class ThreadExtractor implements Extractor {
  readonly #parser: SourceParser;
  readonly #languages: readonly Language[];
  readonly #failures: ReadonlyMap<Language, string>;
  #broken = false;

  constructor(parser: SourceParser, languages: readonly Language[], failures: ReadonlyMap<Language, string>) {
    this.#parser = parser;
    this.#languages = languages;
    this.#failures = failures;
  }

  extract(file: Pick<FileToExtract, 'path' | 'diskPath'>): Extraction {
    const { path } = file;
    const read = readText(file);
    if (!read.ok) return { ok: false, path, content: null, reason: read.reason, detail: read.detail };
    const content = { hash: read.hash, size: read.size };
    const language = languageAmong(this.#languages, path);
    const failure = language && this.#failures.get(language);
    if (failure) return { ok: false, path, content, reason: 'GRAMMAR_FAILED', detail: failure };
    try {
      const facts = this.#parser.extractFile(path, read.text);
      return { ok: true, path, content, facts: factsToBytes(facts), offers: interfaceOf(facts) };
    } catch (thrown) {
      const { code, message, cause } = toCodewalkError(thrown);
      this.#broken ||= cause instanceof WasmTrap;
      return { ok: false, path, content, reason: code, detail: message };
    }
  }

  get broken(): boolean {
    return this.#broken;
  }

  get memoryBytes(): number {
    return this.#parser.memoryBytes;
  }

  delete(): void {
    this.#parser.delete();
  }
}
