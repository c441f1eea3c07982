import { compareText, type ReadContext } from '../../../runtime/index.js';
import {
  append,
  File,
  FileContainsSymbol,
  parseId,
  SymbolCallsSymbol,
  SymbolContainsSymbol,
} from '../../../schema/index.js';
import {
  fused,
  ranking,
  readIndex,
  type SemanticContext,
  semanticHits,
  Words,
  withSemantic,
} from '../../../search/index.js';
import { isProgramming, isTestPath, languageName, languageOf } from '../../../source/index.js';
import { CODE_TEXT } from '../documents.js';
import { namedCode } from './named-code.js';
import { phrasesIn } from './phrases.js';
import type { Question } from './question.js';
import { widened } from './word-forms.js';

/*
 * What each kind of evidence counts. Measured on commits of psf/requests, honojs/hono, pallets/click, pallets/flask,
 * encode/httpx and others (docs/internals/ranking.md): each has a broad best range, and stands in its middle.
 */

/** What a word counts in each field: a name says most of what a thing is about. */
const FIELDS = { name: 4, owner: 3, path: 3, signature: 1, doc: 1, parts: 0.5, body: 1 } as const;
/** What having a word counts, apart from how often and in how short a document. */
const HAVING = 0.45;
/** Documents that words find and that are looked at closer: of all, and of those of a selection. */
const MOST_FOUND = 400;
/** Files and symbols that embeddings may name. */
const MOST_SEMANTIC = 50;
/** What a class counts, which speaks of all its parts; a variable or type; a file, by what no symbol holds. */
const FORMS = { callable: 1, class: 0.7, other: 0.4, file: 0.6 } as const;
/** What tests count, unless they are asked about, and what is no part of the code itself. */
const ASIDE = 0.4;
/** What a name counts of which the question has every word, as much as these say of the question. */
const SAID_NAME = 0.8;
/** What a phrase of the question counts that stands there word for word; of a part of it the square. */
const PHRASE = 1;
/** The innermost frame of a trace; the next ones half as much, and so on. */
const TRACED = 1;
/** How much more a file counts that the question names. */
const NAMED_FILE = 1.3;
/** What its file's score counts for a symbol. */
const OF_FILE = 0.5;
/** What each further hit of a file counts of the one before in the file's own score. */
const FURTHER = 0.8;
/** What each further hit of a file counts of the one before, and for how many: one file does not fill an answer. */
const AGAIN = 0.95;
const MOST_AGAIN = 10;
/** What the score of the best caller or callee counts, and among how many of the best these are looked for. */
const OF_CALLS = 0.15;
const MOST_CALLING = 100;
/** What it counts to be called by a test that says what the question says, and how many tests are asked. */
const OF_TEST = 0.3;
const MOST_TESTS = 15;
/** What it counts to be called by one of the best of the code, and by how many of these. */
const OF_CALLER = 0.1;
const MOST_CALLERS = 20;

/** Folders of what shows, measures or describes the code, and of what tools write. */
const ASIDE_FOLDER =
  /(?:^|\/)(?:docs?|examples?|samples?|demos?|playground|benchmarks?|bench|fixtures?|testdata|e2e|(?:\w+_)?dist|build|out|generated|vendor(?:ed)?|third_party)\//iu;

const FORM_OF: Readonly<Partial<Record<string, keyof typeof FORMS>>> = {
  fn: 'callable',
  m: 'callable',
  route: 'callable',
  test: 'callable',
  cls: 'class',
  file: 'file',
  var: 'other',
  type: 'other',
  config: 'other',
};

/** What speaks for a file or a symbol apart from its words. */
type Reason = 'says it' | 'in the trace' | 'file named' | 'called by hits';

/** A file or a symbol that a question is about. */
export interface FoundCode {
  readonly id: string;
  /** Of what a perfect match would get, from 0 to 1; no other rank has the same meaning. */
  readonly score: number;
  readonly why: readonly Reason[];
}

/** What a question is about. */
export interface RankedCode {
  /** The best first. */
  readonly found: readonly FoundCode[];
  /** Paths of files by all that is found in them, the best first. */
  readonly files: readonly string[];
  /** What is missing of what embeddings say. */
  readonly notes: readonly string[];
}

/** A document of the text index, as far as its id says. */
interface Place {
  /** Root-relative. */
  readonly path: string;
  /** Of a symbol its last name; empty for a file. */
  readonly name: string;
  readonly form: keyof typeof FORMS;
  readonly isTest: boolean;
  /** Whether it is no part of the code itself: documentation, examples, configuration, what tools write. */
  readonly isAside: boolean;
}

/** A file or a symbol that a question may be about. */
interface Candidate extends Pick<Place, 'path'> {
  readonly id: string;
  /** Its score by itself: the best document that is no test and not aside has 1 for its words. */
  readonly own: number;
  readonly why: readonly Reason[];
}

type Scores = ReadonlyMap<string, number>;
type Look = Pick<
  ReadContext,
  'blobs' | 'blobsUnder' | 'cached' | 'version' | 'codeRevision' | 'find' | 'lookUp' | 'q' | 'projectRoot'
> &
  SemanticContext;

/**
 * Ranks files and symbols by what a question says: by words (BM25 over weighted fields), by names and frames that it
 * quotes, by what else is found in the same file, and by calls among what is found; with an embedder by meaning, too.
 *
 * A selection only selects: everything is ranked as without one, and the rest is left out. What it has and what is too far
 * behind among all to be looked at is searched for separately, and measured by the same scale.
 *
 * @param selection Null: everything may be found.
 */
export async function rankCode(
  context: Look,
  question: Question,
  selection: Selection | null = null,
): Promise<RankedCode> {
  const { isAboutTests } = question;
  const index = readIndex(context, CODE_TEXT);
  const named = await namedCode(context, question);
  const { words, shares, more } = await widened(context, index, question);
  const search = async (within?: readonly string[]) => {
    const options = { limit: MOST_FOUND, weights: FIELDS, having: HAVING, ...(within ? { within } : {}) };
    // A perfect match need not have other forms of its words.
    return (await index.search(words, options)).map(({ id, score }) => [id, score * more] as const);
  };
  const placeOf = places();
  const texts = new Map(await search());
  const paths = [...texts.keys()].flatMap((id) => placeOf(id)?.path ?? []);
  const phrases = await phrasesIn(context, index, question.phrases, paths);

  const shareOf = ({ isTest, isAside }: Place) => ((isTest && !isAboutTests) || isAside ? ASIDE : 1);
  const all = new Map(texts);
  for (const id of [...named.traced, ...phrases.keys()]) if (!all.has(id)) all.set(id, 0);
  let best = 0;
  for (const [id, score] of texts) {
    const place = placeOf(id);
    if (place) best = Math.max(best, score * shareOf(place));
  }
  const wordsOf = new Words();
  const candidate = (id: string, score: number): Candidate[] => {
    const place = placeOf(id);
    if (!place) return [];
    const share = shareOf(place);
    const why: Reason[] = [];
    let own =
      ((score * share) / (best || 1) + SAID_NAME * nameSaid(wordsOf, place.name, shares) * share) *
      FORMS[place.form];
    const phrase = phrases.get(id);
    if (phrase !== undefined) {
      own += PHRASE * phrase ** 2 * share;
      why.push('says it');
    }
    const depth = named.traced.indexOf(id);
    if (depth >= 0) {
      own += TRACED / 2 ** depth;
      why.push('in the trace');
    }
    return [{ id, path: place.path, own, why }];
  };
  const found = [...all].flatMap(([id, score]) => candidate(id, score));

  const factorOf = (path: string) => (named.files.has(path) ? NAMED_FILE : 1);
  const files = fileScores(found, factorOf);
  const most = Math.max(...files.values(), Number.MIN_VALUE);
  const withFile = ({ path, own }: Candidate) => own + (OF_FILE * (files.get(path) ?? 0)) / most;
  const scores = new Map(found.map((one) => [one.id, withFile(one)]));
  const [first = 1] = texts.values();
  const said = new Map([...texts].map(([id, score]) => [id, score / first]));
  await addCalls(context, placeOf, scores, isAboutTests ? new Map() : said);
  const known = new Set(found.map(({ id }) => id));
  for (const [id, score] of scores) {
    if (known.has(id)) continue;
    const path = pathOf(id);
    known.add(id);
    found.push({ id, path, own: 0, why: ['called by hits'] });
    if (!files.has(path)) files.set(path, score * factorOf(path));
  }
  const againOf = spread(scores);
  const highest = Math.max(...scores.values(), Number.MIN_VALUE);
  const ranked = <T extends Candidate>(some: readonly T[], scoreOf: (one: T) => number): FoundCode[] =>
    some
      .map((one) => ({ one, score: scoreOf(one) / highest }))
      .sort((a, b) => b.score - a.score || compareText(a.one.id, b.one.id))
      .map(({ one: { id, path, why }, score }) => ({
        id,
        score: (best === 0 ? 1 : Math.min(1, best)) * Math.min(1, score),
        why: named.files.has(path) ? [...why, 'file named'] : why,
      }));
  const byWords = { found: ranked(found, ({ id }) => scores.get(id) ?? 0), files: rankedFiles(files) };
  if (!selection) return withMeaning(context, question.text, byWords, null);

  const others = (await search(selection.texts)).flatMap(([id, score]) =>
    known.has(id) ? [] : candidate(id, score),
  );
  for (const [path, score] of fileScores(others, factorOf)) if (!files.has(path)) files.set(path, score);
  const some = selected([...found, ...others], selection);
  const further = (one: Candidate) => withFile(one) * againOf(one.path);
  const left = new Set(some.map(({ path }) => path));
  return withMeaning(context, question.text, byWords, {
    found: ranked(some, (one) => (one.isWhole ? further(one) : (scores.get(one.id) ?? further(one)))),
    files: rankedFiles(files).filter((path) => left.has(path)),
    ids: selection.ids,
  });
}

type PlaceOf = (id: string) => Place | null;

/** Says what documents are by their ids, each read once; null for what is no file and no symbol. */
function places(): PlaceOf {
  const known = new Map<string, Place | null>();
  return (id) => {
    const place = known.get(id) ?? placeOf(id);
    known.set(id, place);
    return place;
  };
}

function placeOf(id: string): Place | null {
  const { form = '', path = null, name } = parseId(id) ?? {};
  const kind = FORM_OF[form];
  if (!kind || path === null) return null;
  const full = name ?? '';
  return {
    path,
    name: kind === 'file' ? '' : full.slice(full.lastIndexOf('.') + 1),
    form: kind,
    isTest: form === 'test' || isTestPath(path),
    isAside:
      form === 'config' ||
      ASIDE_FOLDER.test(path) ||
      !(languageOf(path)?.grammar || isProgramming(languageName(path))),
  };
}

/** How many of a name's words the question has, times what these say of the question. */
function nameSaid(words: Words, name: string, shares: Scores): number {
  const parts = new Set(words.of(name));
  if (parts.size > 1) parts.delete(name.toLowerCase());
  const said = [...parts].flatMap((part) => shares.get(part) ?? []);
  return said.length === 0 ? 0 : (said.length / parts.size) * said.reduce((sum, share) => sum + share, 0);
}

/**
 * Adds what calls say. What calls or is called by something good is a little better itself. What tests call that have the
 * question's words may be meant without having any: a test says in English what it is for.
 *
 * @param scores Of what is found; what is found by calls alone is added.
 * @param said What documents have for their words, the best first: 1. Of these the tests are asked.
 */
async function addCalls(
  { q }: Pick<ReadContext, 'q'>,
  placeOf: PlaceOf,
  scores: Map<string, number>,
  said: Scores,
): Promise<void> {
  const best = ranking(scores);
  const isCode = (id: string) => {
    const place = placeOf(id);
    return place !== null && !place.isTest && !place.isAside;
  };
  const calling = best.slice(0, MOST_CALLING);
  const tests = [...said.keys()].filter((id) => placeOf(id)?.isTest).slice(0, MOST_TESTS);
  const callers = best.filter(isCode).slice(0, MOST_CALLERS);
  const asked = [...new Set([...calling, ...tests, ...callers])];
  const callees = new Map<string, string[]>();
  for (const { from, to } of asked.length === 0 ? [] : await q(asked).out(SymbolCallsSymbol).edges())
    if (from !== to) append(callees, from, to);

  const inside = new Set(calling);
  const [near, ofTests, ofCallers] = [new Highest(), new Highest(), new Highest()];
  for (const from of calling)
    for (const to of callees.get(from) ?? []) {
      if (!inside.has(to)) continue;
      near.note(from, scores.get(to) ?? 0);
      near.note(to, scores.get(from) ?? 0);
    }
  for (const [points, ids, scoreOf] of [
    [ofTests, tests, said],
    [ofCallers, callers, scores],
  ] as const)
    for (const from of ids) {
      const own = new Set(callees.get(from));
      // What calls much says little of each.
      for (const to of own) if (isCode(to)) points.note(to, (scoreOf.get(from) ?? 0) / Math.sqrt(own.size));
    }
  for (const [points, weight] of [
    [near, OF_CALLS],
    [ofTests, OF_TEST],
    [ofCallers, OF_CALLER],
  ] as const)
    for (const [id, score] of points) scores.set(id, (scores.get(id) ?? 0) + weight * score);
}

/** The highest of the scores that were noted for each id. */
class Highest extends Map<string, number> {
  note(id: string, score: number): void {
    this.set(id, Math.max(this.get(id) ?? 0, score));
  }
}

/**
 * Of each file the best hit counts whole, each further one {@link AGAIN} of the one before.
 *
 * @returns What the next one of a file counts.
 */
function spread(scores: Map<string, number>): (path: string) => number {
  const before = new Map<string, number>();
  const countsOf = (path: string) => AGAIN ** Math.min(before.get(path) ?? 0, MOST_AGAIN);
  for (const id of ranking(scores)) {
    const path = pathOf(id);
    scores.set(id, (scores.get(id) ?? 0) * countsOf(path));
    before.set(path, (before.get(path) ?? 0) + 1);
  }
  return countsOf;
}

/**
 * Files by all that is found in them: the best counts whole, each further hit a little less, so that a file that is about a
 * thing all over comes before one that says it once, and a long file does not win by its length.
 *
 * @param factorOf What else a file counts.
 */
function fileScores(found: readonly Candidate[], factorOf: (path: string) => number): Map<string, number> {
  const byPath = new Map<string, number[]>();
  for (const { path, own } of found) append(byPath, path, own);
  return new Map([...byPath].map(([path, scores]) => [path, summed(scores) * factorOf(path)]));
}

function summed(scores: readonly number[]): number {
  return scores.toSorted((a, b) => b - a).reduce((sum, score, rank) => sum + score * FURTHER ** rank, 0);
}

function rankedFiles(files: Scores): string[] {
  return [...files].sort(([a, x], [b, y]) => y - x || compareText(a, b)).map(([path]) => path);
}

function pathOf(id: string): string {
  return parseId(id)?.path ?? '';
}

/** What may be found, and whose texts speak for it. */
export interface Selection {
  /** Ids of the files and symbols that may be found. */
  readonly ids: ReadonlySet<string>;
  /** By the id of what may not be found itself: the files and classes that it stands in and speaks for. */
  readonly owners: ReadonlyMap<string, readonly string[]>;
  /** Ids of the documents that are looked at. */
  readonly texts: readonly string[];
}

/** Levels of symbols inside symbols that speak for the outer one: a class's methods and what stands in these. */
const LEVELS = 3;

/** The files and symbols with these ids, with all that stands in them; everything else that ids name is left out. */
export async function selectionOf(
  { q }: Pick<ReadContext, 'q'>,
  given: readonly string[],
): Promise<Selection> {
  const ids = new Set(given.filter((id) => FORM_OF[parseId(id)?.form ?? ''] !== undefined));
  const owners = new Map<string, Set<string>>();
  const note = (part: string, owner: string) => {
    if (!ids.has(part)) owners.set(part, (owners.get(part) ?? new Set()).add(owner));
  };
  const ofForm = (form: string) => [...ids].filter((id) => parseId(id)?.form === form);
  const files = ofForm('file');
  if (files.length > 0)
    for (const { from, to } of await q(files).out(FileContainsSymbol).edges()) note(to, from);
  let inside = new Map(ofForm('cls').map((id) => [id, [id]]));
  for (let level = 0; level < LEVELS && inside.size > 0; level++) {
    const next = new Map<string, string[]>();
    for (const { from, to } of await q([...inside.keys()])
      .out(SymbolContainsSymbol)
      .edges())
      for (const owner of inside.get(from) ?? []) {
        note(to, owner);
        append(next, to, owner);
      }
    inside = next;
  }
  const lists = new Map([...owners].map(([part, some]) => [part, [...some]]));
  return { ids, owners: lists, texts: [...ids, ...lists.keys()] };
}

/** What a selection has of what was found: files and classes whose parts may not be found themselves by all that stands in them. */
function selected(found: readonly Candidate[], { ids, owners }: Selection) {
  const known = new Map(found.map((one) => [one.id, one]));
  const scores = new Map<string, number[]>();
  for (const { id, own } of found)
    for (const owner of owners.get(id) ?? []) {
      if (!scores.has(owner)) append(scores, owner, known.get(owner)?.own ?? 0);
      append(scores, owner, own);
    }
  const wholes = [...scores].map(([id, parts]) => {
    const why = known.get(id)?.why ?? [];
    return { id, path: pathOf(id), why, own: summed(parts), isWhole: true };
  });
  const parts = found.filter(({ id }) => ids.has(id) && !scores.has(id));
  return [...wholes, ...parts.map((one) => ({ ...one, isWhole: false }))];
}

/** What a selection has of code that words lead to. */
interface SelectedCode extends Pick<RankedCode, 'found' | 'files'> {
  readonly ids: ReadonlySet<string>;
}

/**
 * Joins the ranking by words with that by embeddings, by rank. Of a selection what is among the best of all has its rank
 * there; the rest comes behind.
 *
 * @param selection Null: everything may be found.
 */
async function withMeaning(
  context: SemanticContext,
  text: string,
  byWords: Pick<RankedCode, 'found' | 'files'>,
  selection: SelectedCode | null,
): Promise<RankedCode> {
  const kinds = ['Symbol', 'File'] as const;
  const semantic = await semanticHits(context, text, kinds, MOST_SEMANTIC);
  const notes = semantic.note === null ? [] : [semantic.note];
  if (semantic.hits.length === 0) return { ...(selection ?? byWords), notes };
  const all = withSemantic(scoresOf(byWords.found), semantic);
  const files = joinedFiles(byWords.files, semantic.hits);
  const why = new Map([...byWords.found, ...(selection?.found ?? [])].map((one) => [one.id, one.why]));
  const found = (scores: Scores): FoundCode[] =>
    ranking(scores).map((id) => ({ id, score: scores.get(id) ?? 0, why: why.get(id) ?? [] }));
  if (!selection) return { found: found(all), files, notes };

  const within = [...selection.ids].filter((id) => !all.has(id));
  const near = await semanticHits(context, text, kinds, MOST_SEMANTIC, { within });
  const others = withSemantic(scoresOf(selection.found.filter(({ id }) => !all.has(id))), near);
  const least = Math.min(1, ...all.values());
  const scores = new Map([...all].filter(([id]) => selection.ids.has(id)));
  for (const [id, score] of others) scores.set(id, least * Math.min(1, score));
  const paths = new Set([...selection.files, ...[...scores.keys()].map(pathOf)]);
  return {
    found: found(scores),
    files: [...new Set([...files.filter((path) => paths.has(path)), ...paths])],
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
  const ranks = new Map(byWords.map((path, rank) => [path, 1 / (1 + rank)]));
  const files = ranking(fused([ranks, near].map((scores) => ({ scores, weight: 1 }))));
  return [...new Set([...files, ...byWords])];
}

/** What an answer that found nothing says of a project in which there is nothing to find. */
export async function noFilesNotes({ findIds }: Pick<ReadContext, 'findIds'>): Promise<string[]> {
  return (await findIds(File)).length > 0 ? [] : ['The project has no files.'];
}
