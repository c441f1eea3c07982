/** Raised with every change of what {@link Words} gives: stored indexes of what texts say are then made anew. */
export const WORDS_VERSION = 2;

/** Words of English that stand in every text and tell none apart. */
const STOP_WORDS = new Set(
  (
    'a an and are as at be been but by can could did do does for from had has have how i if in into is it its may ' +
    'might no not of on or should so than that the their then there these they this those to was we were what when ' +
    'where which who why will with would you your'
  ).split(' '),
);
const TOKEN = /[\p{L}_$][\p{L}\p{N}_$]*|\p{N}+/gu;
/**
 * Where a word begins inside an identifier: `parseHTTPHeader` is `parse`, `HTTP`, `Header`, and `sha256` is `sha`, `256`. A
 * single letter before or behind digits belongs to them: `i18n`, `x2`.
 */
const INSIDE =
  /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L}{2})(?=\p{N})|(?<=\p{N})(?=\p{L}{2})|[_$]+/u;
/** Scripts that set no spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
/** Longer tokens are hashes and encoded data: no word of any query. */
const LONGEST = 64;
/** Identifiers whose words are remembered. */
const MOST_REMEMBERED = 200_000;

/** Identifiers and numbers as they are written, in the order of the text. */
export function tokensOf(text: string): readonly string[] {
  return text.match(TOKEN) ?? [];
}

/**
 * Splits texts into words for ranking: identifiers as a whole and split at case, digits, `_` and `$` (so paths split at
 * their separators too), numbers, everything in lower case; without stop words and single letters. Endings of English
 * plurals and verbs are cut, so that `fails`, `failed` and `failing` are one word. Chinese and Japanese, which have no
 * spaces, give their pairs of characters. The same text always gives the same words, in the order of the text.
 */
export class Words {
  readonly #known = new Map<string, readonly string[]>();

  /** The words of a text, each as often as it stands there. */
  of(text: string): string[] {
    return this.ofTokens(tokensOf(text));
  }

  ofTokens(tokens: readonly string[]): string[] {
    const words: string[] = [];
    for (const token of tokens) for (const word of this.#wordsOf(token)) words.push(word);
    return words;
  }

  #wordsOf(token: string): readonly string[] {
    const known = this.#known.get(token);
    if (known) return known;
    if (this.#known.size >= MOST_REMEMBERED) this.#known.clear();
    const words = wordsOf(token);
    this.#known.set(token, words);
    return words;
  }
}

function wordsOf(token: string): string[] {
  if (UNSPACED.test(token)) return pairsOf(token);
  if (token.length > LONGEST) return [];
  const parts = token.split(INSIDE).filter((part) => part !== '');
  const words = parts
    .map((part) => part.toLowerCase())
    .filter((part) => part.length > 1 && !STOP_WORDS.has(part))
    .map(stem);
  return parts.length > 1 ? [...words, token.toLowerCase()] : words;
}

/** Neighbouring characters in pairs: the usual way to find words where nothing parts them. */
function pairsOf(token: string): string[] {
  const characters = [...token.toLowerCase()];
  return characters.length < 2
    ? characters
    : characters.slice(1).map((character, i) => `${characters[i]}${character}`);
}

/**
 * A word without the ending of a plural or a verb form. Light on purpose: heavier stemmers merge names that differ
 * (Harman, "How effective is suffixing?", 1991, on the plural's rules).
 */
function stem(word: string): string {
  const cut = withoutEnding(word);
  return cut.length > 4 && cut.endsWith('e') ? cut.slice(0, -1) : cut;
}

function withoutEnding(word: string): string {
  if (word.length > 5 && word.endsWith('ing')) return word.slice(0, -3);
  if (word.length > 4 && (word.endsWith('ies') || word.endsWith('ied'))) return `${word.slice(0, -3)}y`;
  if (word.length > 4 && word.endsWith('ed')) return word.slice(0, -2);
  if (word.length > 3 && word.endsWith('s') && !word.endsWith('ss')) return word.slice(0, -1);
  return word;
}
