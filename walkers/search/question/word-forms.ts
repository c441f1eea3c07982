import type { ReadContext, Slot } from '../../../runtime/index.js';
import {
  rarity,
  type TextIndexReader,
  type WordQuery,
  Words,
  wordsBeginning,
} from '../../../search/index.js';
import { CODE_TEXT } from '../../code/text/code-text.js';
import type { Question } from './question.js';

/** Words of a question whose forms are looked for: those that count most. */
const MOST_WIDENED = 16;
/** Letters of a root, and of an abbreviation, at the least; and how many an abbreviation saves. */
const SHORTEST_ROOT = 4;
const SHORTEST = 3;
const LONGEST = 6;
const SAVED = 3;
/** What a form of a word counts of it, an abbreviation of it, initials of all that they stand for, and each word of initials. */
const FORM = 0.25;
const ABBREVIATION = 0.3;
const INITIALS = 1;
const MEANING = 0.5;
/** How many words initials stand for. */
const LEAST_INITIALS = 3;
const MOST_INITIALS = 5;
/** Roots whose forms are kept. */
const MOST_KEPT = 5000;

/**
 * Endings that make one word of English of another: the longest is cut, as often as there is one, by the classes of Porter,
 * "An algorithm for suffix stripping", 1980.
 */
const ENDINGS = (
  'ization isation ational iveness fulness ousness ication ibility ability ation ition ator ature ative ment ness able ' +
  'ible ance ence ancy ency ison ion ive ize ise ity ous ful ism ist ant ent ing ate ure al er or ic iz is at ed ly en ' +
  'y e s'
).split(' ');

/** What is left of a word without all endings: words that have it in common are taken for forms of one. */
export function rootOf(word: string): string {
  const ending = ENDINGS.find((one) => word.endsWith(one) && word.length - one.length >= SHORTEST_ROOT);
  if (ending === undefined) return word;
  const cut = word.slice(0, -ending.length);
  // A letter that an ending doubled: `running`; `ss` and `ll` end words.
  return rootOf(/([^aeiousl])\1$/u.test(cut) ? cut.slice(0, -1) : cut);
}

class KnownForms {
  #revision: number | null = null;
  readonly #forms = new Map<string, readonly string[]>();

  async of(
    context: Pick<ReadContext, 'blobs' | 'blobsUnder' | 'codeRevision'>,
    root: string,
  ): Promise<readonly string[]> {
    const { codeRevision: revision } = context;
    if (revision === null || revision !== this.#revision || this.#forms.size > MOST_KEPT) this.#forms.clear();
    this.#revision = revision;
    const known = this.#forms.get(root);
    if (known) return known;
    const forms: string[] = [];
    for await (const word of wordsBeginning(context, CODE_TEXT, root))
      if (rootOf(word) === root) forms.push(word);
    this.#forms.set(root, forms);
    return forms;
  }
}

/** Where a graph keeps them. */
const FORMS: Slot<KnownForms> = { name: 'forms of words', make: () => new KnownForms() };

/** What is looked for. */
export interface Widened {
  /** The words of the question, and forms of them that the project has. */
  readonly words: WordQuery;
  /** What each of them tells, of all that the question's own words tell. */
  readonly shares: ReadonlyMap<string, number>;
  /** How much more all of them tell than the question's own. */
  readonly more: number;
}

/**
 * Adds to the words of a question what the project writes for them: other forms (`signature`, `signed`), abbreviations
 * (`configuration`, `config`) and initials (`server-sent events`, `sse`). All of them are words of the text index, and
 * none tells more than what it stands for.
 *
 * @param meanings Words that initials in the question stand for, by the initials.
 */
export async function widened(
  context: Pick<ReadContext, 'blobs' | 'blobsUnder' | 'kept' | 'codeRevision'>,
  index: Pick<TextIndexReader<string>, 'frequencies' | 'size'>,
  { words: own, titleWords }: Pick<Question, 'words' | 'titleWords'>,
  meanings: ReadonlyMap<string, readonly string[]>,
): Promise<Widened> {
  const forms: { word: string; weight: number; of: readonly string[] }[] = [];
  for (const [word, weight] of [...own].slice(0, MOST_WIDENED)) {
    if (!/^\p{L}+$/u.test(word)) continue;
    const root = rootOf(word);
    if (root.length >= SHORTEST_ROOT)
      for (const form of await context.kept(FORMS).of(context, root))
        forms.push({ word: form, weight: FORM * weight, of: [word] });
    for (let length = SHORTEST; length <= Math.min(LONGEST, word.length - SAVED); length++)
      // An abbreviation ends in a consonant.
      if (!/[aeiou]/u.test(word[length - 1] ?? ''))
        forms.push({ word: word.slice(0, length), weight: ABBREVIATION * weight, of: [word] });
    for (const meant of meanings.get(word) ?? [])
      forms.push({ word: meant, weight: MEANING * weight, of: [word] });
  }
  for (const [from] of titleWords.entries())
    for (let length = LEAST_INITIALS; length <= MOST_INITIALS; length++) {
      const run = titleWords.slice(from, from + length);
      if (run.length < length) break;
      const weight = Math.max(...run.map((word) => own.get(word) ?? 0));
      forms.push({ word: run.map((word) => word[0]).join(''), weight: INITIALS * weight, of: run });
    }
  const [size, frequencies] = [
    await index.size(),
    await index.frequencies([...own.keys(), ...forms.map(({ word }) => word)]),
  ];
  const rare = (word: string) => rarity(size, frequencies.get(word) ?? 0);
  const words = new Map(own);
  for (const { word, weight, of } of forms) {
    if (own.has(word) || !frequencies.has(word)) continue;
    const known = of.filter((one) => frequencies.has(one));
    const most = known.length > 0 ? known.reduce((sum, one) => sum + rare(one), 0) : rare(word);
    words.set(word, Math.max(words.get(word) ?? 0, weight * Math.min(1, most / rare(word))));
  }
  const worths = [...words].map(([word, weight]): [string, number] => [word, weight * rare(word)]);
  const sum = (some: readonly (readonly [string, number])[]) =>
    some.reduce((all, [, worth]) => all + worth, 0) || 1;
  const all = sum(worths.filter(([word]) => own.has(word)));
  return {
    words,
    shares: new Map(worths.map(([word, worth]) => [word, worth / all])),
    more: sum(worths) / all,
  };
}

/** Initials in a text, as they are written in it: `SSE`. */
const WRITTEN_INITIALS = new RegExp(
  `(?<![\\p{L}\\p{N}_])\\p{Lu}{${LEAST_INITIALS},${MOST_INITIALS}}(?![\\p{L}\\p{N}_])`,
  'gu',
);

/**
 * What initials in a question stand for, in the words of the texts that have them: the run of words that begin with them.
 *
 * @param textsWith Texts of the files that say a word, each with its words in lower case between single spaces.
 */
export async function meaningsOf(
  { text }: Pick<Question, 'text'>,
  textsWith: (word: string) => Promise<readonly string[]>,
): Promise<Map<string, readonly string[]>> {
  const meanings = new Map<string, readonly string[]>();
  for (const initials of new Set(text.slice(0, 300).match(WRITTEN_INITIALS) ?? [])) {
    const word = initials.toLowerCase();
    const run = new RegExp(` ${[...word].map((letter) => `${letter}\\p{L}{2,}`).join(' ')} `, 'u');
    for (const one of await textsWith(word)) {
      const found = run.exec(one);
      if (!found) continue;
      meanings.set(word, new Words().of(found[0]));
      break;
    }
  }
  return meanings;
}
