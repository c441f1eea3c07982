import { compareText, type ReadContext } from '../../../runtime/index.js';
import { append, File, parseId } from '../../../schema/index.js';
import {
  fused,
  ranking,
  readIndex,
  type SemanticContext,
  semanticHits,
  withSemantic,
} from '../../../search/index.js';
import { CODE_TEXT } from '../documents.js';
import { addCalls } from './calls.js';
import { type Candidate, Candidates, FoundPlaces, type Reason } from './candidates.js';
import { namedCode } from './named-code.js';
import { PhraseReader } from './phrases.js';
import type { Question } from './question.js';
import type { Selection } from './selection.js';
import { widened } from './word-forms.js';

/** Files and symbols that embeddings may name. */
const MOST_SEMANTIC = 50;

/** What a selection has of code that words lead to. */
interface SelectedCode extends Pick<RankedCode, 'found' | 'files'> {
  readonly ids: ReadonlySet<string>;
}

/**
 * Joins the ranking by words with that by embeddings, by rank, files alike. Where embeddings say nothing, it is as it
 * was. Of a selection what is among the best of all has its rank there; the rest comes behind.
 *
 * @param selected Null: everything may be found.
 */
async function withMeaning(
  context: SemanticContext,
  text: string,
  byWords: Pick<RankedCode, 'found' | 'files'>,
  selected: SelectedCode | null,
): Promise<RankedCode> {
  const kinds = ['Symbol', 'File'] as const;
  const semantic = await semanticHits(context, text, kinds, MOST_SEMANTIC);
  const notes = semantic.note === null ? [] : [semantic.note];
  if (semantic.hits.length === 0) return { ...(selected ?? byWords), notes };
  const all = withSemantic(scoresOf(byWords.found), semantic);
  const files = joinedFiles(byWords.files, semantic.hits);
  const why = new Map([...byWords.found, ...(selected?.found ?? [])].map((one) => [one.id, one.why]));
  const found = (scores: ReadonlyMap<string, number>): FoundCode[] =>
    ranking(scores).map((id) => ({ id, score: scores.get(id) ?? 0, why: why.get(id) ?? [] }));
  if (!selected) return { found: found(all), files, notes };

  const within = [...selected.ids].filter((id) => !all.has(id));
  const near = await semanticHits(context, text, kinds, MOST_SEMANTIC, { within });
  const others = withSemantic(scoresOf(selected.found.filter(({ id }) => !all.has(id))), near);
  const least = Math.min(1, ...all.values());
  const scores = new Map([...all].filter(([id]) => selected.ids.has(id)));
  for (const [id, score] of others) scores.set(id, least * Math.min(1, score));
  const paths = new Set(selected.files);
  for (const id of scores.keys()) paths.add(pathOf(id));
  const known = new Set(files);
  return {
    found: found(scores),
    files: [...files.filter((path) => paths.has(path)), ...[...paths].filter((path) => !known.has(path))],
    notes,
  };
}

function scoresOf(found: readonly FoundCode[]): Map<string, number> {
  return new Map(found.map(({ id, score }) => [id, score]));
}

/** Files by words and by their nearest texts, by rank. */
function joinedFiles(
  byWords: readonly string[],
  hits: readonly { readonly id: string; readonly similarity: number }[],
): string[] {
  const near = new Map<string, number>();
  for (const { id, similarity } of hits) if (!near.has(pathOf(id))) near.set(pathOf(id), similarity);
  const places = new Map(byWords.map((path, rank) => [path, 1 / (1 + rank)]));
  const files = ranking(fused([places, near].map((scores) => ({ scores, weight: 1 }))));
  const joined = new Set(files);
  return [...files, ...byWords.filter((path) => !joined.has(path))];
}

function pathOf(id: string): string {
  return parseId(id)?.path ?? '';
}

/** What each further find in a file counts of the one before. */
const FURTHER = 0.8;

/** Something that was found in a file. */
interface Find {
  readonly path: string;
  readonly own: number;
}

interface Found {
  readonly id: string;
  readonly own: number;
}

/** What a selection has, and whether its score is its own or that of all that stands in it. */
type Selected<T> = T & { readonly isWhole: boolean };

/*
 * What each kind of evidence counts. Measured on commits of psf/requests, honojs/hono, pallets/click, pallets/flask,
 * encode/httpx and others (docs/how-to/search.md says how): each of these has a broad best range, and stands in its middle.
 */

/** What a word counts in each field: a name tells most of what a thing is about. */
const FIELDS = { name: 4, owner: 3, path: 3, signature: 1, doc: 1, parts: 0.5, body: 1 } as const;
/** What having a word counts, beside how often and in how short a document: 0.3 to 0.6 do well. */
const HAVING = 0.45;
/** Documents that the words find and that are looked at closer: of all, and of those that a selection has. */
const MOST_FOUND = 400;
/** How much more a file counts that the question names. */
const NAMED_FILE = 1.3;
/** What its file's score counts for a symbol. */
const OF_FILE = 0.5;
/**
 * What each further find of a file counts of the one before, and how many that goes on for: helpers of one file do not
 * fill an answer by themselves.
 */
const AGAIN = 0.95;
const MOST_AGAIN = 10;

/** A file or a symbol that a question is about. */
export interface FoundCode {
  readonly id: string;
  /** Of what a perfect match would get, from 0 to 1; no other rank has the same meaning. */
  readonly score: number;
  /** What beside its words speaks for it. */
  readonly why: readonly Reason[];
}

/** What a question is about. */
export interface RankedCode {
  /** The best first. */
  readonly found: readonly FoundCode[];
  /** Paths of files by all that is found in them, the best first. */
  readonly files: readonly string[];
  /** What is missing of what embeddings say; empty where nothing is. */
  readonly notes: readonly string[];
}

type Look = Pick<
  ReadContext,
  'blobs' | 'blobsUnder' | 'cached' | 'version' | 'codeRevision' | 'find' | 'lookUp' | 'q' | 'projectRoot'
> &
  SemanticContext;

/**
 * Ranks files and symbols by what a question says: by words (BM25 over weighted fields), by names and frames that it
 * quotes, by what else is found in the same file, and by calls among what is found; where an embedder is configured, by
 * what is alike in meaning, too.
 *
 * A selection only selects: everything is ranked as if there were none, and what it leaves out is left out. What it has
 * and what stands too deep among all to be looked at is found besides, and measured by the same scale.
 *
 * @param selection What may be found; null: everything.
 */
export async function rankCode(
  context: Look,
  question: Question,
  selection: Selection | null = null,
): Promise<RankedCode> {
  const index = readIndex(context, CODE_TEXT);
  const named = await namedCode(context, question);
  const places = new FoundPlaces();
  const { words, shares, more } = await widened(context, index, question);
  const search = async (within?: readonly string[]) => {
    const options = {
      limit: MOST_FOUND,
      weights: FIELDS,
      having: HAVING,
      ...(within ? { within } : {}),
    };
    // Forms of words are no words that a perfect match must have, too.
    return (await index.search(words, options)).map(({ id, score }) => ({ id, score: score * more }));
  };
  const texts = await search();
  const paths = texts.flatMap(({ id }) => places.of(id)?.path ?? []);
  const phrases = await new PhraseReader(context).phrasesIn(index, question.phrases, paths);
  const { isAboutTests } = question;
  const candidates = new Candidates(places, { traced: named.traced, phrases, shares, isAboutTests });
  const found = candidates.of(texts);
  const factorOf = (path: string) => (named.files.has(path) ? NAMED_FILE : 1);
  const files = fileScores(found, factorOf);
  const most = Math.max(...files.values(), Number.MIN_VALUE);
  const withFile = ({ path, own }: Candidate) => own + (OF_FILE * (files.get(path) ?? 0)) / most;
  const scores = new Map(found.map((one) => [one.id, withFile(one)]));
  const said = new Map(texts.map(({ id, score }) => [id, score / (texts[0]?.score ?? 1)]));
  await addCalls(context, scores, places, isAboutTests ? new Map() : said);
  const reached = candidates.reached(scores.keys());
  for (const { id, path } of reached)
    if (!files.has(path)) files.set(path, (scores.get(id) ?? 0) * factorOf(path));
  const all = [...found, ...reached];
  const furtherOf = spread(scores, places);
  const highest = Math.max(...scores.values(), Number.MIN_VALUE);
  const ranked = <T extends Candidate>(some: readonly T[], scoreOf: (one: T) => number): FoundCode[] =>
    some
      .map((one) => ({ one, score: scoreOf(one) / highest }))
      .sort((a, b) => b.score - a.score || compareText(a.one.id, b.one.id))
      .map(({ one: { id, path, why }, score }) => ({
        id,
        score: candidates.best * Math.min(1, score),
        why: named.files.has(path) ? [...why, 'file named'] : why,
      }));
  const rankedAll = ranked(all, ({ id }) => scores.get(id) ?? 0);
  const byWords = { found: rankedAll, files: rankedFiles(files) };
  if (!selection) return withMeaning(context, question.text, byWords, null);

  const others = candidates.further(await search(selection.texts));
  for (const [path, score] of fileScores(others, factorOf)) if (!files.has(path)) files.set(path, score);
  const some = rolledUp([...all, ...others], selection, (id) => candidates.bare(id));
  const left = new Set(some.map(({ path }) => path));
  const further = (one: Candidate) => withFile(one) * furtherOf(one.path);
  const foundThere = ranked(some, (one) =>
    one.isWhole ? further(one) : (scores.get(one.id) ?? further(one)),
  );
  return withMeaning(context, question.text, byWords, {
    found: foundThere,
    files: rankedFiles(files).filter((path) => left.has(path)),
    ids: selection.ids,
  });
}

/**
 * Of each file the best counts whole, each further one {@link AGAIN} of the one before.
 *
 * @returns What the next one of a file counts.
 */
function spread(scores: Map<string, number>, places: FoundPlaces): (path: string) => number {
  const before = new Map<string, number>();
  const countsOf = (path: string) => AGAIN ** Math.min(before.get(path) ?? 0, MOST_AGAIN);
  for (const id of ranking(scores)) {
    const path = places.of(id)?.path ?? id;
    scores.set(id, (scores.get(id) ?? 0) * countsOf(path));
    before.set(path, (before.get(path) ?? 0) + 1);
  }
  return countsOf;
}

function rankedFiles(files: ReadonlyMap<string, number>): string[] {
  return [...files].sort(([a, x], [b, y]) => y - x || compareText(a, b)).map(([path]) => path);
}

/**
 * What a selection has of what was found: as it is, but a file or class of which the parts may not be found themselves
 * by all that stands in it. Each further part counts a little less.
 *
 * @param made Makes what is found for an id that has no document of its own among those found.
 */
function rolledUp<T extends Found>(
  found: readonly T[],
  { ids, owners }: Selection,
  made: (id: string) => T | null,
): Selected<T>[] {
  const scores = new Map<string, number[]>();
  const known = new Map(found.map((one) => [one.id, one]));
  for (const { id, own } of found)
    for (const owner of owners.get(id) ?? []) {
      const parts = scores.get(owner);
      if (parts) parts.push(own);
      else scores.set(owner, [known.get(owner)?.own ?? 0, own]);
    }
  const wholes = [...scores].flatMap(([id, parts]) => {
    const one = known.get(id) ?? made(id);
    return one ? [{ ...one, own: summed(parts), isWhole: true }] : [];
  });
  const others = found.filter(({ id }) => ids.has(id) && !scores.has(id));
  return [...wholes, ...others.map((one) => ({ ...one, isWhole: false }))];
}

/**
 * Files by all that is found in them: the best counts whole, each further one a little less, so that a file that is
 * about a thing all over comes before one that says it once, and a long file does not win by its length.
 *
 * @param factorOf What else a file counts.
 */
function fileScores(finds: readonly Find[], factorOf: (path: string) => number): Map<string, number> {
  const byPath = new Map<string, number[]>();
  for (const { path, own } of finds) append(byPath, path, own);
  return new Map([...byPath].map(([path, scores]) => [path, summed(scores) * factorOf(path)]));
}

/** Several scores as one: the best whole, each further one counts {@link FURTHER} of the one before. */
function summed(scores: readonly number[]): number {
  return scores.toSorted((a, b) => b - a).reduce((sum, score, rank) => sum + score * FURTHER ** rank, 0);
}

/** What an answer that found nothing says of a project in which there is nothing to find. */
export async function noFilesNotes({ findIds }: Pick<ReadContext, 'findIds'>): Promise<string[]> {
  return (await findIds(File)).length > 0 ? [] : ['The project has no files.'];
}
