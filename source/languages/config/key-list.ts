import { LIMITS } from '../../../schema/index.js';
import type { FileFacts, KeyFact } from '../../facts.js';
import { masked, secretName } from '../../secrets/index.js';
import { TextLines } from '../../text-lines.js';

/** Most parts of a key's name: what lies deeper is its value. */
const DEEPEST = 6;
/** Most keys of one file: nobody writes more by hand. */
const MOST = 2000;
/** Most characters of a signature. */
const SIGNATURE = 160;
/** Most characters of a value that are looked at: several times as many as are shown. */
const VALUE = 1000;

/** The keys of one text as they are found, in its order. */
export class KeyList {
  readonly keys: KeyFact[] = [];
  readonly #lines: TextLines;
  readonly #ordinals = new Map<string, number>();
  readonly #wrong = new Set<number>();

  constructor(private readonly text: string) {
    this.#lines = new TextLines(text);
  }

  /**
   * Keeps a key, unless it lies too deep or there are too many.
   *
   * @param parts Of its name.
   * @param parent Number of the key around it, as this gave it.
   * @param value Where its value is written; null for one that has keys of its own.
   * @returns Its number; null where it is not kept.
   */
  add(
    parts: readonly string[],
    parent: number | null,
    [start, end]: readonly [start: number, end: number],
    value: readonly [start: number, end: number] | null,
  ): number | null {
    if (parts.length > DEEPEST || this.keys.length >= MOST) return null;
    const name = parts.map(shownPart).join('.');
    const ordinal = (this.#ordinals.get(name) ?? 0) + 1;
    this.#ordinals.set(name, ordinal);
    const signature = signatureOf(name, parts.at(-1) ?? '', value && this.text.slice(...value));
    return this.keys.push({ name, ordinal, parent, signature, span: this.#lines.span(start, end) }) - 1;
  }

  /** Notes that something is wrong at an offset; behind the end of the text it is wrong in its last line. */
  wrong(offset: number): void {
    this.#wrong.add(this.#lines.lineAt(Math.min(offset, Math.max(0, this.text.trimEnd().length - 1))));
  }

  facts(language: string): FileFacts {
    return {
      language,
      docstring: null,
      lines: this.#lines.count,
      definitions: [],
      references: [],
      imports: [],
      exports: [],
      types: [],
      flows: [],
      comments: [],
      tests: [],
      routes: [],
      keys: this.keys,
      syntax_errors: [...this.#wrong].sort((a, b) => a - b).slice(0, LIMITS.syntaxErrors.max),
    };
  }
}

/** A part of a name that would be read as several, or as none, stands in quotes. */
function shownPart(part: string): string {
  return /^[^\s."'\p{Cc}]+$/u.test(part) ? part : JSON.stringify(part);
}

/** A value under a secret's name is not shown whatever it is; in others what looks like one is masked (spec P-04). */
function signatureOf(name: string, last: string, value: string | null): string {
  if (value === null || value.trim() === '' || secretName(last) !== null) return cut(name);
  const shown = masked(`${name}: ${value.slice(0, VALUE)}`)
    .replace(/\s+/g, ' ')
    .trim();
  // What looks like no secret because it was cut may be one.
  return cut(value.length > VALUE ? `${name}: …` : shown);
}

function cut(text: string): string {
  return text.length > SIGNATURE ? `${text.slice(0, SIGNATURE - 1)}…` : text;
}
