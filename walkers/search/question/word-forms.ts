import { CODE_TEXT } from '../../../graphs/code/index.js';
import type { ReadContext, Slot } from '../../../runtime/index.js';
import {
  rarity,
  type TextIndexReader,
  type WordQuery,
  Words,
  wordsBeginning,
} from '../../../search/index.js';
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
/** What each word counts that programmers write for one, of it, by the root of how many they are. */
const SYNONYMS = 0.4;
/** What of a question the project must have other forms for where it has none of its words. */
const LEAST_ANSWERED = 0.15;
/** How many words initials stand for. */
const LEAST_INITIALS = 3;
const MOST_INITIALS = 5;
/** Roots whose forms are kept. */
const MOST_KEPT = 5000;

/**
 * Endings that make one word of English of another, without the `e` that {@link Words} cut: the longest is cut, as often as
 * there is one, by the classes of Porter, "An algorithm for suffix stripping", 1980.
 */
const ENDINGS = (
  'ization isation ational iveness fulness ousness ication ibility ability ation ition ator atur ativ ment ness abl ' +
  'ibl anc enc ancy ency ison ion iv iz is ity ous ful ism ist ant ent ing at ur al er or ic ed ly en y e s'
).split(' ');

/** What programmers call the same: people ask in the one word for what is named by the other. */
const ALIKE = [
  'create make build generate construct new produce instantiate',
  'delete remove destroy drop erase discard clear',
  'get fetch retrieve read load obtain receive',
  'set assign put update change modify edit alter',
  'find search lookup locate resolve detect',
  'check validate verify ensure assert',
  'show display print render output echo write',
  'send emit dispatch post publish notify',
  'listen subscribe watch observe',
  'convert transform parse cast coerce turn translate map',
  'start begin run launch init initialize open execute invoke call',
  'stop end close finish abort cancel terminate exit quit shutdown',
  'combine merge join concat append concatenate',
  'split divide partition break separate chunk',
  'compare equal match same diff',
  'error exception failure fault throw raise fail',
  'size length count number amount len',
  'copy clone duplicate',
  'hide mask obfuscate redact conceal',
  'allow permit enable accept',
  'deny refuse reject forbid disallow block disable prevent',
  'maximum max limit largest upper',
  'minimum min least smallest lower',
  'folder directory dir',
  'parameter argument arg option param',
  'function method callback handler callable',
  'string text str',
  'list array sequence collection',
  'dictionary object mapping dict record',
  'save store persist cache keep remember',
  'wait delay sleep pause timeout',
  'retry repeat again',
  'register add attach install mount',
  'unregister detach uninstall unmount',
  'escape quote sanitize encode',
  'unescape decode',
  'compress gzip deflate',
  'encrypt sign hash digest',
  'login authenticate auth credentials password',
  'default fallback',
  'previous last prior',
  'first initial start',
  'choose pick select',
  'order sort rank',
  'filter exclude ignore skip omit',
  'walk traverse iterate visit loop',
  'fake mock stub dummy',
  'language locale i18n translation',
  'picture image',
  'path url route address',
  'answer response reply result',
  'request query',
  'temporary temp tmp',
  'random rand',
  'nested deep recursive',
  'unique distinct dedupe',
];
/** Of each word the others that it is alike to. */
const ALIKE_OF = new Map<string, Set<string>>();
for (const group of ALIKE) {
  const words = new Words().of(group);
  for (const word of words) ALIKE_OF.set(word, new Set([...(ALIKE_OF.get(word) ?? []), ...words]));
}
for (const [word, others] of ALIKE_OF) others.delete(word);

/** British and American spelling, as far as an ending tells: each is written as the other. */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/our(?=s?$|it|ful)/u, 'or'],
  [/(?<=[^aeou])or(?=s?$|it|ful)/u, 'our'],
  [/is(?=e?$|ation)/u, 'iz'],
  [/iz(?=e?$|ation)/u, 'is'],
  [/(?<=[^aeiou])tr$/u, 'ter'],
  [/(?<=[^aeiou])ter$/u, 'tr'],
  [/ys(?=e?$)/u, 'yz'],
  [/yz(?=e?$)/u, 'ys'],
];

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
  /** The words of the question, and forms of them that the project has; none where it has too few of them. */
  readonly words: WordQuery;
  /** What each of them tells, of all that the question's own words tell. */
  readonly shares: ReadonlyMap<string, number>;
  /** How much more all of them tell than the question's own. */
  readonly more: number;
}

/**
 * Adds to the words of a question what the project writes for them: other forms (`signature`, `signed`), spellings
 * (`colour`, `color`) and words (`delete`, `remove`), abbreviations (`configuration`, `config`) and initials
 * (`server-sent events`, `sse`). All of them are words of the text index, and none tells more than what it stands for.
 *
 * @param meanings Words that initials in the question stand for, by the initials.
 */
export async function widened(
  context: Pick<ReadContext, 'blobs' | 'blobsUnder' | 'kept' | 'codeRevision'>,
  index: Pick<TextIndexReader<string>, 'frequencies' | 'size'>,
  { words: own, titleWords }: Pick<Question, 'words' | 'titleWords'>,
  meanings: ReadonlyMap<string, readonly string[]>,
): Promise<Widened> {
  const forms: { word: string; weight: number; of: readonly string[]; isGuessed?: boolean }[] = [];
  for (const [word, weight] of [...own].slice(0, MOST_WIDENED)) {
    if (!/^\p{L}+$/u.test(word)) continue;
    const root = rootOf(word);
    if (root.length >= SHORTEST_ROOT)
      for (const form of await context.kept(FORMS).of(context, root))
        forms.push({ word: form, weight: FORM * weight, of: [word] });
    for (let length = SHORTEST; length <= Math.min(LONGEST, word.length - SAVED); length++)
      // An abbreviation ends in a consonant. What has no ending of English may be no word at all.
      if (!/[aeiou]/u.test(word[length - 1] ?? ''))
        forms.push({
          word: word.slice(0, length),
          weight: ABBREVIATION * weight,
          of: [word],
          isGuessed: root === word,
        });
    const others = ALIKE_OF.get(word) ?? [];
    for (const other of others)
      forms.push({ word: other, weight: (SYNONYMS * weight) / Math.sqrt([...others].length), of: [word] });
    for (const [from, to] of SPELLINGS)
      if (word.length > SHORTEST_ROOT && from.test(word))
        forms.push({ word: word.replace(from, to), weight, of: [word] });
    for (const meant of meanings.get(word) ?? [])
      forms.push({ word: meant, weight: MEANING * weight, of: [word] });
  }
  for (const [from] of titleWords.entries())
    for (let length = LEAST_INITIALS; length <= MOST_INITIALS; length++) {
      const run = titleWords.slice(from, from + length);
      if (run.length < length) break;
      const weight = Math.max(...run.map((word) => own.get(word) ?? 0));
      const initials = run.map((word) => word[0]).join('');
      forms.push({ word: initials, weight: INITIALS * weight, of: run, isGuessed: true });
    }
  const [size, frequencies] = [
    await index.size(),
    await index.frequencies([...own.keys(), ...forms.map(({ word }) => word)]),
  ];
  const rare = (word: string) => rarity(size, frequencies.get(word) ?? 0);
  const words = new Map(own);
  const answered = new Set<string>();
  for (const { word, weight, of, isGuessed } of forms) {
    if (!frequencies.has(word)) continue;
    const known = of.filter((one) => frequencies.has(one));
    if (isGuessed && known.length === 0) continue;
    for (const one of of) answered.add(one);
    if (own.has(word)) continue;
    const most = known.length > 0 ? known.reduce((sum, one) => sum + rare(one), 0) : rare(word);
    words.set(word, Math.max(words.get(word) ?? 0, weight * Math.min(1, most / rare(word))));
  }
  const worths = [...words].map(([word, weight]): [string, number] => [word, weight * rare(word)]);
  const sum = (some: readonly (readonly [string, number])[]) =>
    some.reduce((all, [, worth]) => all + worth, 0) || 1;
  const all = sum(worths.filter(([word]) => own.has(word)));
  // A word that is there may be a name, however many others are not.
  const isAnswered =
    [...own.keys()].some((word) => frequencies.has(word)) ||
    sum(worths.filter(([word]) => answered.has(word))) >= LEAST_ANSWERED * all;
  return {
    words: isAnswered ? words : new Map(),
    shares: new Map(worths.map(([word, worth]) => [word, worth / all])),
    more: sum(worths) / all,
  };
}

/** Initials in a text, as they are written in it: `SSE`. */
const WRITTEN_INITIALS = /(?<![\p{L}\p{N}_])\p{Lu}{3,5}(?![\p{L}\p{N}_])/gu;

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
    for (const one of await textsWith(word)) {
      const run = runOf(word, one.split(' '));
      if (run.length === 0) continue;
      meanings.set(word, new Words().of(run.join(' ')));
      break;
    }
  }
  return meanings;
}

/** The first words in a row that begin with these letters, each of more than two; none where there are none. */
function runOf(letters: string, words: readonly string[]): readonly string[] {
  const fits = (at: number) => [...letters].every((letter, on) => isBegun(words[at + on] ?? '', letter));
  const at = words.findIndex((word, place) => isBegun(word, letters[0] ?? '') && fits(place));
  return at < 0 ? [] : words.slice(at, at + letters.length);
}

function isBegun(word: string, letter: string): boolean {
  return word.length > 2 && word.startsWith(letter);
}
