import { compareText, type ReadContext, type Slot } from '../../../runtime/index.js';
import { CodeSymbol, FileContainsSymbol, fileId } from '../../../schema/index.js';
import { rarity, type TextIndexReader, Words } from '../../../search/index.js';
import { Snippets } from './snippets.js';

/** Files that are read for phrases: those of the best documents by words. */
const MOST_READ = 25;
/** Characters of texts that are cached for phrases: each file once, until the code changes. */
const MOST_CACHED = 16_000_000;
/** What a run must have of its phrase to count at all, and of the best run that any file has. */
const LEAST_SHARE = 0.3;
const OF_BEST = 0.7;
/** Places of one run in one file that are looked at. */
const MOST_PLACES = 20;

/** Letters in front of a quote that belong to it in Python; and what stands for a line break or a tab in a literal. */
const PREFIX = /(?<![\p{L}\p{N}_])[fFrRbBuU]{1,2}(?=["'])|\\[nrt]/gu;
const WORD = /[\p{L}\p{N}_$]+/gu;

/** The words of a text as a phrase has them: every one, as they are written but in lower case, without what stands between. */
export function phraseWords(text: string): string[] {
  return text.replace(PREFIX, ' ').toLowerCase().match(WORD) ?? [];
}

/** A text made ready: its words, one space before and behind each, and where in it each line begins. */
interface ReadyText {
  readonly words: string;
  readonly known: ReadonlySet<string>;
  readonly lines: Int32Array;
}

/** Texts of one revision of the code by path. */
interface ReadyTexts {
  revision: number | null;
  size: number;
  readonly texts: Map<string, ReadyText | null>;
}

const READY: Slot<ReadyTexts> = {
  name: 'texts that phrases are looked for in',
  make: () => ({ revision: null, size: 0, texts: new Map() }),
};

type Context = Pick<ReadContext, 'find' | 'projectRoot' | 'cached' | 'codeRevision' | 'q'>;

/**
 * How much of a phrase of the question stands word for word in symbols and files, by id: 1 for all of it. String literals,
 * messages and comments are found by it: a value that was put into a message ends a run, and the run counts that says most.
 * Files that changed since they were indexed are not read.
 *
 * @param paths Of the best documents by words, the best first: only the first files are read.
 */
export async function phrasesIn(
  context: Context,
  index: Pick<TextIndexReader<string>, 'frequencies' | 'size'>,
  phrases: readonly (readonly string[])[],
  paths: Iterable<string>,
): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  if (phrases.length === 0) return found;
  const weights = await weightsOf(index, phrases);
  const texts = await readyTexts(context, [...new Set(paths)].slice(0, MOST_READ));
  for (const [at, phrase] of phrases.entries()) {
    let best = 0;
    const runs = texts.map(([path, text]) => {
      const run = bestRun(text, phrase, weights[at] ?? [], Math.max(LEAST_SHARE, OF_BEST * best));
      best = Math.max(best, run.share);
      return { path, text, ...run };
    });
    for (const { path, text, share, run } of runs) {
      if (share < LEAST_SHARE || share < OF_BEST * best) continue;
      for (const id of await holdersOf(context, path, linesOfRun(text, run)))
        found.set(id, Math.max(found.get(id) ?? 0, share));
    }
  }
  return found;
}

async function readyTexts(context: Context, paths: readonly string[]): Promise<[string, ReadyText][]> {
  if (context.projectRoot === null) return [];
  const { codeRevision: revision } = context;
  const cache = context.cached(READY);
  const snippets = new Snippets(context);
  const read: [string, ReadyText][] = [];
  for (const path of paths) {
    if (revision === null || revision !== cache.revision || cache.size > MOST_CACHED) {
      cache.texts.clear();
      cache.size = 0;
      cache.revision = revision;
    }
    let text = cache.texts.get(path);
    if (text === undefined) {
      const lines = await snippets.linesOf(path);
      text = lines && readyText(lines);
      cache.texts.set(path, text);
      cache.size += text?.words.length ?? 1;
    }
    if (text) read.push([path, text]);
  }
  return read;
}

function readyText(lines: readonly string[]): ReadyText {
  const begins = new Int32Array(lines.length);
  let words = ' ';
  for (const [at, line] of lines.entries()) {
    begins[at] = words.length;
    const own = phraseWords(line).join(' ');
    if (own !== '') words += `${own} `;
  }
  return { words, known: new Set(words.split(' ')), lines: begins };
}

/** What each word of each phrase counts: the rarer the more, words of every text nothing; all of a phrase 1. */
async function weightsOf(
  index: Pick<TextIndexReader<string>, 'frequencies' | 'size'>,
  phrases: readonly (readonly string[])[],
): Promise<number[][]> {
  const words = new Words();
  const split = phrases.map((phrase) => phrase.map((word) => words.of(word)));
  const [size, frequencies] = [await index.size(), await index.frequencies(split.flat(2))];
  return split.map((phrase) => {
    const weights = phrase.map((parts) =>
      Math.max(0, ...parts.map((part) => rarity(size, frequencies.get(part) ?? size))),
    );
    const all = weights.reduce((sum, worth) => sum + worth, 0) || 1;
    return weights.map((worth) => worth / all);
  });
}

/**
 * The run of words of a phrase in a text that is worth most, of two telling words at the least; none where it is worth
 * less than `least`: what cannot be worth as much by the words that are there is not looked for.
 */
function bestRun(
  { words, known }: ReadyText,
  phrase: readonly string[],
  weights: readonly number[],
  least: number,
): { share: number; run: string } {
  let best = { share: 0, run: '' };
  for (let from = 0; from < phrase.length; from++) {
    let possible = from;
    let most = 0;
    for (; possible < phrase.length && known.has(phrase[possible] ?? ''); possible++)
      most += weights[possible] ?? 0;
    let to = from;
    let distinctive = 0;
    let share = 0;
    for (; to < possible && most >= least && most > best.share; to++) {
      if (to > from && !words.includes(` ${phrase.slice(from, to + 1).join(' ')} `)) break;
      share += weights[to] ?? 0;
      if ((weights[to] ?? 0) > 0) distinctive++;
    }
    if (distinctive > 1 && share >= least && share > best.share)
      best = { share, run: ` ${phrase.slice(from, to).join(' ')} ` };
  }
  return best;
}

/** The lines on which a run begins, from 1. */
function linesOfRun({ words, lines }: ReadyText, run: string): number[] {
  const found: number[] = [];
  let line = 0;
  for (let at = words.indexOf(run); at >= 0 && found.length < MOST_PLACES; at = words.indexOf(run, at + 1)) {
    while (line + 1 < lines.length && (lines[line + 1] ?? 0) <= at + 1) line++;
    found.push(line + 1);
  }
  return found;
}

/** The innermost symbols around some lines of a file; the file itself for lines outside of all. */
async function holdersOf(
  { q }: Pick<ReadContext, 'q'>,
  path: string,
  lines: readonly number[],
): Promise<Set<string>> {
  const symbols = (await q(fileId(path)).out(FileContainsSymbol).of(CodeSymbol)).toSorted(
    (a, b) => a.end_line - a.start_line - (b.end_line - b.start_line) || compareText(a.id, b.id),
  );
  const holder = (line: number) =>
    symbols.find(({ start_line, end_line }) => start_line <= line && line <= end_line)?.id ?? fileId(path);
  return new Set(lines.map(holder));
}
