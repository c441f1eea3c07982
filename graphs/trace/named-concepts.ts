const LOOKED_AT = 8000;
/** A label of one word must be this long: shorter ones stand in every text. */
const LONE_WORD = 5;
/** What a comment's tag is: it names nothing. */
const TAG = /^(?:todo|fixme|hack|xxx)\b(?:\([^)]{0,100}\))?:?\s*/iu;
const ISSUE = /(?<![\w#-])(?:#\d{1,9}|[A-Z][A-Z0-9]{1,15}-\d{1,9})\b/gu;

/** A text that can be asked which concepts it names: by their words in order, or by the number of an issue. */
export class NamedConcepts {
  readonly #words: string;
  readonly #issues: ReadonlySet<string>;

  constructor(text: string) {
    this.#words = ` ${wordsOf(text.slice(0, LOOKED_AT))} `;
    this.#issues = new Set(text.slice(0, LOOKED_AT).match(ISSUE));
  }

  names(label: string): boolean {
    if ((label.match(ISSUE) ?? []).some((issue) => this.#issues.has(issue))) return true;
    const words = wordsOf(label.replace(TAG, ''));
    return (words.includes(' ') || words.length >= LONE_WORD) && this.#words.includes(` ${words} `);
  }
}

/** Words in lower case with single spaces between them: `parseURL` and `parse_url` are both `parse url`. */
function wordsOf(text: string): string {
  const parts = text.replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2').toLowerCase();
  return (parts.match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');
}
