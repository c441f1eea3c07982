import { stripHidden } from '../../../present/index.js';
import { LIMITS } from '../../../schema/index.js';
import { tokensOf, type WordQuery, Words } from '../../../search/index.js';
import { phraseWords } from '../ranking/phrases.js';
import { type Frame, framesOf } from './frames.js';

const { searchQuery } = LIMITS;

/** What a word counts for standing in the first line: of an issue or a commit its title. */
const TITLE = 1.5;
/** What a word counts for standing between backquotes: it is code. */
const MARKED = 1.5;
/** What a word counts for being the scope of a title: `router` of `fix(router): …`. */
const SCOPE = 2;
/**
 * What a word counts that people put into sentences about anything: prepositions, quantities, verbs that say little. Names
 * have them, too (`useState`), so they still count.
 */
const FILLER = 0.6;
const FILLERS = new Set(
  new Words().of(
    'about above across after again against all already along also among another any around because before behind below ' +
      'beneath beside between beyond both despite down during each either else enough even ever every few further inside ' +
      'just less like long many more most much must near neither never next off often once one only other otherwise out ' +
      'outside over own per quite rather same several shall since some still such than though through throughout too ' +
      'toward two under unless until up upon very via whenever wherever whether while whole within without yet ' +
      'come do get give go got happen keep know let look make need put see take took try use want went work ' +
      'given gotten gives goes happens keeps knows lets looks makes made needs seen takes taken tries used uses wants works',
  ),
);
/** How much a word counts more for each time that it is said again, by the logarithm. */
const AGAIN = 0.3;
/** Words that are looked for at most, the ones that count most. */
const MOST_WORDS = 200;
/** Paths and names that are looked up at most. */
const MOST_PATHS = 24;
/** Phrases that are looked for at most, and words of each. */
const MOST_PHRASES = 8;
const MOST_OF_PHRASE = 40;

/** `fix(router): …`, `feat(ui/menu)!: …`. */
const TITLE_SCOPE = /^\s*\w+\(([^()\n]{1,80})\)!?:/u;
/** What git puts below a message: `Co-authored-by: A Person <mail>`; some write `Co-Authored By`. */
const TRAILER = /^\s*\p{L}[\p{L} -]{1,30}: [^<>\n]*<[^<>\s][^<>\s@]*@[^<>\s]+>\s*$/u;
const LINK = /\bhttps?:\/\/\S+/gu;
const QUOTED = /`([^`\n]{1,200})`/gu;
/** A path with a folder, or the name of a file of code. */
const PATH =
  /(?<![\p{L}\p{N}_@.~+-])[\p{L}\p{N}_@.~+-]{0,100}(?:[\\/][\p{L}\p{N}_@.~+[\]-]{1,100}){1,30}|(?:(?<![\p{L}\p{N}_-])|(?<=\.\p{L}[\p{L}\p{N}]{0,4}))[\p{L}\p{N}_-]{1,100}\.\p{L}[\p{L}\p{N}]{0,4}\b/gu;
/** What stands between quotes, or backquotes. */
const LITERAL = /(?<![\p{L}\p{N}])(["'`])([^"'`\n]{3,300})\1(?![\p{L}\p{N}])/gu;
/** The line of a log or a trace that says what went wrong. */
const ERROR = /^.{0,80}(?:Error|Exception|Warning)\b.{0,10}:.*$/gmu;
/** What stands in front of its message. */
const ERROR_NAME = /^[^:]{0,80}(?:Error|Exception|Warning)\b[^:]{0,10}:\s+/u;
const ABOUT_TESTS = /\b(?:tests?|specs?|fixtures?)\b/iu;
/** Tests that are only the place or the purpose of what is asked about: `inside a unit test`, `for tests`. */
const BESIDE_TESTS =
  /\b(?:in|inside|within|during|for|by|from|under|while|when|of|without|as|with) (?:(?:a|an|the|your|my|our|their|its|some|all|unit|integration|automated|end-to-end) ){0,3}(?:tests?|specs?)\b(?! (?:files?|suites?|cases?|helpers?|fixtures?|utils?)\b)/giu;

/** A task, an issue, a stack trace or some words, read once. */
export interface Question {
  /** What of it is looked for. */
  readonly text: string;
  readonly words: WordQuery;
  /** The words of its first line, in their order. */
  readonly titleWords: readonly string[];
  /** Identifiers as they are written. */
  readonly names: ReadonlySet<string>;
  /** Those of them that are certainly code: between backquotes. */
  readonly marked: ReadonlySet<string>;
  /** What may stand somewhere word for word: its first line, what is between quotes, lines that name an error. */
  readonly phrases: readonly (readonly string[])[];
  /** What may be a path or the name of a file. */
  readonly paths: readonly string[];
  /** Of stack traces, the innermost first. */
  readonly frames: readonly Frame[];
  /** Whether its first line speaks of tests. */
  readonly isAboutTests: boolean;
  /** What is to be said of it: that it was cut, that it has no words. */
  readonly notes: readonly string[];
}

/** Reads a question. Of one that is too long the two ends are read: a trace says there what failed, a text what it is about. */
export function questionOf(query: string): Question {
  const half = searchQuery.max / 2;
  const isCut = query.length > searchQuery.max;
  const text = stripHidden(isCut ? `${query.slice(0, half)}\n${query.slice(-half)}` : query);
  const lines = text.split('\n').filter((line) => !TRAILER.test(line));
  const plain = lines.join('\n').replace(LINK, ' ');
  const title = lines.find((line) => line.trim() !== '') ?? '';
  const quoted = [...plain.matchAll(QUOTED)].map(([, code = '']) => code).join('\n');
  const words = weighted(plain, title, quoted);
  return {
    text,
    words,
    titleWords: new Words().of(title),
    names: new Set(tokensOf(plain)),
    marked: new Set(tokensOf(quoted)),
    phrases: phrasesOf(plain, title),
    paths: [...new Set([...plain.matchAll(PATH)].map(([path]) => path))].slice(0, MOST_PATHS),
    frames: framesOf(text),
    isAboutTests: ABOUT_TESTS.test(title.replace(BESIDE_TESTS, ' ')),
    notes: [
      ...(isCut
        ? [`The query was cut to ${searchQuery.max} of ${query.length} characters, at its start and its end.`]
        : []),
      ...(words.size === 0 ? ['The query has no words that could be looked for.'] : []),
    ],
  };
}

function phrasesOf(text: string, title: string): string[][] {
  const literals = [...text.matchAll(LITERAL)].map(([, , literal = '']) => literal);
  const errors = [...text.matchAll(ERROR)].map(([line]) => line);
  const phrases = [title, ...literals, ...errors].map((phrase) =>
    phraseWords(phrase.replace(ERROR_NAME, '')),
  );
  const known = new Set<string>();
  return phrases
    .filter((phrase) => phrase.length > 1 && known.size < known.add(phrase.join(' ')).size)
    .map((phrase) => phrase.slice(0, MOST_OF_PHRASE))
    .slice(0, MOST_PHRASES);
}

/** The words of a text by what each counts. */
function weighted(text: string, title: string, quoted: string): WordQuery {
  const words = new Words();
  const times = new Map<string, number>();
  for (const word of words.of(text)) times.set(word, (times.get(word) ?? 0) + 1);
  const [, scope = ''] = TITLE_SCOPE.exec(title) ?? [];
  const more: readonly (readonly [ReadonlySet<string>, number])[] = [
    [new Set(words.of(title)), TITLE],
    [new Set(words.of(quoted)), MARKED],
    [new Set(words.of(scope)), SCOPE],
  ];
  const weights = [...times].map(([word, count]): [string, number] => {
    const said = (1 + AGAIN * Math.log(count)) * (FILLERS.has(word) ? FILLER : 1);
    return [word, more.reduce((weight, [has, factor]) => (has.has(word) ? weight * factor : weight), said)];
  });
  // Sorting is stable: of those that count the same, what is said first is kept.
  return new Map(weights.sort(([, a], [, b]) => b - a).slice(0, MOST_WORDS));
}
