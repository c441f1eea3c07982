import type { ReadContext, Slot } from '../../../runtime/index.js';
import { rarity, type TextIndexReader, type WordQuery, wordsBeginning } from '../../../search/index.js';
import { CODE_TEXT } from '../../code/text/code-text.js';
import type { Question } from './question.js';

/** Words of a question whose other forms are looked for: those that count most. */
const MOST_WIDENED = 16;
/** Letters that a root and an abbreviation have at the least. */
const SHORTEST_ROOT = 4;
const SHORTEST = 3;
/** What another form, and a short form, of a word counts of the word itself. */
const FORM = 0.5;
const SHORT = 0.3;
/** What initials count of the words that they stand for, together. */
const INITIALS = 0.5;
/** How many words initials stand for. */
const LEAST_INITIALS = 3;
const MOST_INITIALS = 5;

/**
 * Endings that make one word of English of another: of them the longest is cut, as often as there is one (Porter, "An
 * algorithm for suffix stripping", 1980, cuts by the same classes).
 */
const ENDINGS = (
  'ization isation ational iveness fulness ousness ication ibility ability ation ition ator ature ative ment ness able ible ance ence ' +
  'ancy ency ison ion ive ize ise ity ous ful ism ist ant ent ing ate ure al er or ic iz is at ed ly en y e s'
).split(' ');

/** What is left of a word without all endings: words that have it in common are forms of one. */
export function rootOf(word: string): string {
  for (let root = word; ; ) {
    const ending = ENDINGS.find((one) => root.endsWith(one) && root.length - one.length >= SHORTEST_ROOT);
    if (ending === undefined) return root;
    root = root.slice(0, -ending.length);
    // `running`, `compressed`: of a doubled letter one is cut, but `ss` and `ll` end words.
    if (/([^aeiousl])\1$/u.test(root)) root = root.slice(0, -1);
  }
}

class KnownForms {
  #generation: number | null = null;
  readonly #forms = new Map<string, readonly string[]>();

  async of(revision: number | null, root: string, read: () => Promise<readonly string[]>): Promise<readonly string[]> {
    if (revision === null || revision !== this.#generation || this.#forms.size > 5000) this.#forms.clear();
    this.#generation = revision;
    const forms = this.#forms.get(root) ?? (await read());
    this.#forms.set(root, forms);
    return forms;
  }
}
const FORMS: Slot<KnownForms> = { name: 'forms of words', make: () => new KnownForms() };

export async function widened(
  context: Pick<ReadContext, 'blobs' | 'blobsUnder' | 'kept' | 'codeRevision'>,
  index: Pick<TextIndexReader<string>, 'frequencies' | 'size'>,
  question: Pick<Question, 'words' | 'titleWords'>,
): Promise<WordQuery> {
  const size = await index.size();
  const T = globalThis.T ?? {};
  const [FORM_, SHORT_, INIT_] = [T.form ?? FORM, T.short ?? SHORT, T.init ?? INITIALS];
  const words = [...question.words].slice(0, MOST_WIDENED);
  const other = new Map<string, { weight: number; of: string[] }>();
  const add = (word: string, weight: number, of: string[]) => {
    if (question.words.has(word) || (other.get(word)?.weight ?? 0) >= weight) return;
    other.set(word, { weight, of });
  };
  for (const [word, weight] of words) {
    if (!/^\p{L}+$/u.test(word)) continue;
    const root = rootOf(word);
    if (FORM_ > 0 && root.length >= SHORTEST_ROOT) {
      const forms = await context.kept(FORMS).of(context.codeRevision, root, async () => {
        const found: string[] = [];
        for await (const one of wordsBeginning(context, CODE_TEXT, root))
          if (rootOf(one) === root) found.push(one);
        return found;
      });
      for (const form of forms) add(form, FORM_ * weight, [word]);
    }
    if (SHORT_ > 0)
      for (let length = SHORTEST; length <= Math.min(6, word.length - 3); length++) {
        const short = word.slice(0, length);
        if (/[^aeiou]$/u.test(short)) add(short, SHORT_ * weight, [word]);
      }
  }
  if (INIT_ > 0)
    for (let from = 0; from < question.titleWords.length; from++)
      for (let length = LEAST_INITIALS; length <= MOST_INITIALS; length++) {
        const run = question.titleWords.slice(from, from + length);
        if (run.length < length) break;
        const weight = Math.max(...run.map((word) => question.words.get(word) ?? 1));
        add(run.map((word) => word[0]).join(''), INIT_ * weight, run);
      }
  const frequencies = await index.frequencies([...other.keys(), ...other.values()].flatMap((one) => typeof one === 'string' ? [one] : one.of));
  const all = new Map(question.words);
  const worth = (word: string) => rarity(size, frequencies.get(word) ?? 0);
  for (const [word, { weight, of }] of other) {
    if (!frequencies.has(word)) continue;
    // A form that is rarer than the word tells no more than it.
    const most = of.length > 1 ? of.reduce((sum, one) => sum + worth(one), 0) : frequencies.has(of[0] ?? '') ? worth(of[0] ?? '') : worth(word);
    all.set(word, weight * Math.min(1, most / worth(word)));
  }
  return all;
}
