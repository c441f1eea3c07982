import type { MadeDocument, Words } from '../../../search/index.js';
import { CODE_TEXT, type CodeField } from './code-text.js';

/** The place of each field among the counts of a word. */
const PLACES: ReadonlyMap<CodeField, number> = new Map(CODE_TEXT.fields.map((field, at) => [field, at]));

/** The words of a document, counted by field. */
export class CountedWords implements MadeDocument {
  readonly id: string;
  readonly words = new Map<string, number[]>();
  readonly #splitter: Words;

  constructor(id: string, splitter: Words) {
    this.id = id;
    this.#splitter = splitter;
  }

  /** Counts the words of a text in a field. */
  count(field: CodeField, text: string): void {
    const at = placeOf(field);
    for (const word of this.#splitter.of(text)) {
      const counts = this.words.get(word);
      if (counts) counts[at] = (counts[at] ?? 0) + 1;
      else {
        const fresh = new Array<number>(CODE_TEXT.fields.length).fill(0);
        fresh[at] = 1;
        this.words.set(word, fresh);
      }
    }
  }

  /** What is in one field is not counted in another once more: as far as it stands there. */
  takeAway(field: CodeField, from: CodeField): void {
    this.takeAwayOf(this, field, from);
  }

  /** As {@link takeAway}, for what is in a field of another document. */
  takeAwayOf(other: CountedWords, field: CodeField, from: CodeField): void {
    const [taken, left] = [placeOf(field), placeOf(from)];
    for (const [word, counts] of other.words) {
      const count = counts[taken] ?? 0;
      const own = count > 0 ? this.words.get(word) : undefined;
      if (own) own[left] = Math.max(0, (own[left] ?? 0) - count);
    }
  }

  /** Whether all that is in one field is in another, too. */
  holdsAll(field: CodeField, where: CodeField): boolean {
    const [inner, outer] = [placeOf(field), placeOf(where)];
    for (const counts of this.words.values()) if ((counts[inner] ?? 0) > (counts[outer] ?? 0)) return false;
    return true;
  }
}

function placeOf(field: CodeField): number {
  return PLACES.get(field) ?? 0;
}
