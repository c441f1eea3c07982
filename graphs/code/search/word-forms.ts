import type { ReadContext } from '../../../runtime/index.js';
import {
  rarity,
  type TextIndexReader,
  type WordQuery,
  Words,
  wordsBeginning,
} from '../../../search/index.js';
import { CODE_TEXT } from '../documents.js';
import type { Question } from './question.js';

/** Words of a question whose forms are looked for. */
const MOST_WIDENED = 16;
/** Letters of a root, and of an abbreviation, at the least; and how many an abbreviation saves. */
const SHORTEST_ROOT = 4;
const SHORTEST = 3;
const LONGEST = 6;
const SAVED = 3;
/** What a form of a word counts of it, an abbreviation of it, and initials of all that they stand for. */
const FORM = 0.25;
const ABBREVIATION = 0.3;
const INITIALS = 1;
/** How many words initials stand for. */
const LEAST_INITIALS = 3;
const MOST_INITIALS = 5;
/** What each word counts that programmers write for one, of it, by the root of how many they are. */
const SYNONYM = 0.4;

/**
 * Endings that make one word of English of another, without the `e` that {@link Words} cut: the longest is cut, as often as
 * there is one, by the classes of Porter, "An algorithm for suffix stripping", 1980.
 */
const ENDINGS = (
  'ization isation ational iveness fulness ousness ication ibility ability ation ition ator atur ativ ment ness abl ' +
  'ibl anc enc ancy ency ison ion iv iz is ity ous ful ism ist ant ent ing at ur al er or ic ed ly en y e s'
).split(' ');

/** What programmers call the same: people ask with one word for what is named by the other. */
const SYNONYMS = [
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
/** The synonyms of each word. */
const SYNONYMS_OF = new Map<string, Set<string>>();
for (const group of SYNONYMS) {
  const words = new Words().of(group);
  for (const word of words) SYNONYMS_OF.set(word, new Set([...(SYNONYMS_OF.get(word) ?? []), ...words]));
}
for (const [word, others] of SYNONYMS_OF) others.delete(word);

/** What is left of a word without all endings: words that have it in common are taken for forms of one. */
function rootOf(word: string): string {
  const ending = ENDINGS.find((one) => word.endsWith(one) && word.length - one.length >= SHORTEST_ROOT);
  if (ending === undefined) return word;
  const cut = word.slice(0, -ending.length);
  // A letter that an ending doubled: `running`; `ss` and `ll` end words.
  return rootOf(/([^aeiousl])\1$/u.test(cut) ? cut.slice(0, -1) : cut);
}

/** What is looked for. */
export interface Widened {
  /** The words of the question, and forms of them that the project has. */
  readonly words: WordQuery;
  /** The weight of each, as a share of the weight of the question's own words. */
  readonly shares: ReadonlyMap<string, number>;
  /** How much more all of them tell than the question's own. */
  readonly more: number;
}

/**
 * Adds to the words of a question what the project writes for them: other English forms (`signature`, `signed`), synonyms
 * (`delete`, `remove`), abbreviations (`configuration`, `config`) and initials (`server-sent events`, `sse`). All of them are words of the text index, and none weighs more than the word it stands for.
 */
export async function widened(
  context: Pick<ReadContext, 'blobs' | 'blobsUnder'>,
  index: Pick<TextIndexReader<string>, 'frequencies' | 'size'>,
  { words: own, titleWords }: Pick<Question, 'words' | 'titleWords'>,
): Promise<Widened> {
  const forms: { word: string; weight: number; of: readonly string[]; isGuessed?: boolean }[] = [];
  for (const [word, weight] of [...own].slice(0, MOST_WIDENED)) {
    if (!/^\p{L}+$/u.test(word)) continue;
    const root = rootOf(word);
    if (root.length >= SHORTEST_ROOT)
      for await (const form of wordsBeginning(context, CODE_TEXT, root))
        if (rootOf(form) === root) forms.push({ word: form, weight: FORM * weight, of: [word] });
    for (let length = SHORTEST; length <= Math.min(LONGEST, word.length - SAVED); length++)
      // An abbreviation ends in a consonant. What has no ending of English may be no word at all.
      if (!/[aeiou]/u.test(word[length - 1] ?? ''))
        forms.push({
          word: word.slice(0, length),
          weight: ABBREVIATION * weight,
          of: [word],
          isGuessed: root === word,
        });
    const synonyms = SYNONYMS_OF.get(word) ?? new Set();
    for (const synonym of synonyms)
      forms.push({ word: synonym, weight: (SYNONYM * weight) / Math.sqrt(synonyms.size), of: [word] });
  }
  for (const [from] of titleWords.entries())
    for (let length = LEAST_INITIALS; length <= MOST_INITIALS; length++) {
      const run = titleWords.slice(from, from + length);
      if (run.length < length) break;
      const weight = Math.max(...run.map((word) => own.get(word) ?? 0));
      const initials = run.map((word) => word[0]).join('');
      forms.push({ word: initials, weight: INITIALS * weight, of: run, isGuessed: true });
    }
  const size = await index.size();
  const frequencies = await index.frequencies([...own.keys(), ...forms.map(({ word }) => word)]);
  const rare = (word: string) => rarity(size, frequencies.get(word) ?? 0);
  const words = new Map(own);
  for (const { word, weight, of, isGuessed } of forms) {
    const known = of.filter((one) => frequencies.has(one));
    if (own.has(word) || !frequencies.has(word) || (isGuessed && known.length === 0)) continue;
    const most = known.length > 0 ? known.reduce((sum, one) => sum + rare(one), 0) : rare(word);
    words.set(word, Math.max(words.get(word) ?? 0, weight * Math.min(1, most / rare(word))));
  }
  const weights = [...words].map(([word, weight]): [string, number] => [word, weight * rare(word)]);
  const sum = (some: readonly (readonly [string, number])[]) =>
    some.reduce((total, [, weight]) => total + weight, 0) || 1;
  const all = sum(weights.filter(([word]) => own.has(word)));
  return {
    words,
    shares: new Map(weights.map(([word, weight]) => [word, weight / all])),
    more: sum(weights) / all,
  };
}
