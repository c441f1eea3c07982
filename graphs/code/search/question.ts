import { stripHidden } from '../../../present/index.js';
import { LIMITS } from '../../../schema/index.js';
import { tokensOf, type WordQuery, Words } from '../../../search/index.js';
import { phraseWords } from './phrases.js';

const { searchQuery } = LIMITS;

/** Words that are looked for at most, the first ones. */
const MOST_WORDS = 200;
/** Paths and names that are looked up at most. */
const MOST_PATHS = 24;
/** Phrases that are looked for at most, and words of each. */
const MOST_PHRASES = 8;
const MOST_OF_PHRASE = 40;

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
  const plain = text.replace(LINK, ' ');
  const title = plain.split('\n').find((line) => line.trim() !== '') ?? '';
  const quoted = [...plain.matchAll(QUOTED)].map(([, code = '']) => code).join('\n');
  const words = new Map([...new Set(new Words().of(plain))].slice(0, MOST_WORDS).map((word) => [word, 1]));
  return {
    text,
    words,
    titleWords: new Words().of(title),
    names: new Set(tokensOf(plain)),
    marked: new Set(tokensOf(quoted)),
    phrases: phrasesOf(plain, title),
    paths: [...new Set([...plain.matchAll(PATH)].map(([path]) => path))].slice(0, MOST_PATHS),
    frames: framesOf(text),
    isAboutTests: ABOUT_TESTS.test(title),
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

/** A place that a stack trace, a log or a person names. */
export interface Frame {
  /** As it is written. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** The function that it is said to be in; null where none is said. */
  readonly name: string | null;
}

/** Frames that count: the innermost show what failed. */
const MOST_FRAMES = 30;
/** `  File "src/app.py", line 12, in handle`. */
const PYTHON = /File "([^"\n]+)", line (\d+)(?:, in ([^\s,]+))?/gu;
/** `at handle (src/app.ts:12:3)`, `src/app.py:12: KeyError`, `src/app.ts:12`. */
const PLACE =
  /(?:\bat (?:async )?(?:new )?([\p{L}_$][\p{L}\p{N}_$.<>]{0,200}) \()?(?:(?<![\p{L}\p{N}_@.~+\\/-])|(?<=:\d{1,7})|(?=\p{L}:))(?:file:\/\/)?((?:\p{L}:)?[\p{L}\p{N}_@.~+\\/-]{1,300}\.\p{L}[\p{L}\p{N}]{0,4}):(\d{1,7})(?::\d+)?/gu;

/** The places that a text names with a line, the innermost of a trace first: Python prints it last, others first. */
function framesOf(text: string): Frame[] {
  const python = [...text.matchAll(PYTHON)].map(([, path = '', line = '', name]) => frame(path, line, name));
  const others = [...text.matchAll(PLACE)].map(([, name, path = '', line = '']) => frame(path, line, name));
  return [...python.reverse(), ...others].filter(({ line }) => line > 0).slice(0, MOST_FRAMES);
}

function frame(path: string, line: string, name: string | undefined): Frame {
  const last = name?.split('.').at(-1);
  return {
    path: path.replaceAll('\\', '/'),
    line: Number(line),
    name: last && /^[\p{L}_$]/u.test(last) ? last : null,
  };
}

/** Characters of the query that an answer repeats. */
const SHOWN = 200;

/** A query as answers repeat it: a long one by its beginning. */
export function shownQuery(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
