import { toCodewalkError } from '../../schema/index.js';
import { readText } from '../discovery/index.js';
import { type Language, languageAmong } from '../languages/index.js';
import { createParser, type ParserOptions, type SourceParser } from '../parser.js';
import { interfaceOf } from '../resolution/index.js';
import { withoutSecrets } from '../secrets/index.js';
import { factsToBytes } from '../stored-facts/index.js';
import { WasmTrap } from '../web-assembly.js';
import type { Extraction, FileToExtract, MakeDocuments } from './extraction.js';

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

/**
 * An extractor with the grammars of `languages` loaded; one that does not load fails the files of its language.
 *
 * @param documentsOf What else is made of each text; null: nothing.
 * @param options What its parser is told.
 */
export async function createExtractor(
  languages: readonly Language[],
  documentsOf: MakeDocuments | null = null,
  options: ParserOptions = {},
): Promise<Extractor> {
  const failures = new Map<Language, string>();
  try {
    return new ThreadExtractor(await createParser(languages, options), { languages, failures, documentsOf });
  } catch {
    for (const language of languages) {
      try {
        (await createParser([language], options)).delete();
      } catch (thrown) {
        failures.set(language, toCodewalkError(thrown).message);
      }
    }
    const loadable = languages.filter((language) => !failures.has(language));
    return new ThreadExtractor(await createParser(loadable, options), { languages, failures, documentsOf });
  }
}

interface Made {
  readonly languages: readonly Language[];
  /** Languages whose grammar did not load, with the reason. */
  readonly failures: ReadonlyMap<Language, string>;
  readonly documentsOf: MakeDocuments | null;
}

class ThreadExtractor implements Extractor {
  readonly #parser: SourceParser;
  readonly #made: Made;
  #broken = false;

  constructor(parser: SourceParser, made: Made) {
    this.#parser = parser;
    this.#made = made;
  }

  extract(file: Pick<FileToExtract, 'path' | 'diskPath'>): Extraction {
    const { path } = file;
    const read = readText(file);
    if (!read.ok)
      return { ok: false, path, content: null, documents: null, reason: read.reason, detail: read.detail };
    const { text, hash, size } = read;
    const content = { hash, size };
    const { languages, failures, documentsOf } = this.#made;
    const failed = (reason: string, detail: string): Extraction => {
      const documents = documentsOf?.({ path, text, facts: null }) ?? null;
      return { ok: false, path, content, documents, reason, detail };
    };
    const language = languageAmong(languages, path);
    const failure = language && failures.get(language);
    if (failure) return failed('GRAMMAR_FAILED', failure);
    try {
      const shown = withoutSecrets(text);
      const facts = this.#parser.extractFile(path, shown);
      const documents = documentsOf?.({ path, text: shown, facts }) ?? null;
      return { ok: true, path, content, facts: factsToBytes(facts), offers: interfaceOf(facts), documents };
    } catch (thrown) {
      const { code, message, cause } = toCodewalkError(thrown);
      this.#broken ||= cause instanceof WasmTrap;
      return failed(code, message);
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
