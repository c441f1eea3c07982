import { compareText, type ReadContext } from '../../../runtime/index.js';
import { SymbolCallsSymbol } from '../../../schema/index.js';
import { readIndex, type SemanticContext } from '../../../search/index.js';
import { CODE_TEXT } from '../../code/text/code-text.js';
import type { Selection } from '../filter/selection.js';
import { type NamedCode, namedCode } from '../question/named-code.js';
import type { Question } from '../question/question.js';
import { fileScores } from './file-scores.js';
import { type FoundPlace, FoundPlaces } from './found-place.js';
import { rolledUp } from './rolled-up.js';
import { withMeaning } from './with-meaning.js';

/*
 * What each kind of evidence counts. Measured on commits of psf/requests, honojs/hono, pallets/click, pallets/flask,
 * encode/httpx and others (docs/recall.md says how): each of these has a broad best range, and stands in its middle.
 */

/** What a word counts in each field: a name tells most of what a thing is about. */
const FIELDS = { name: 4, owner: 3, path: 3, signature: 1, doc: 1, parts: 1, body: 1 } as const;
/** What having a word counts, beside how often and in how short a document: 0.3 to 0.6 do well. */
const HAVING = 0.45;
/** Documents that the words find and that are looked at closer. */
const MOST_FOUND = 400;
/** What is found of a class, which speaks of all its parts; of a variable or type; of a file what no symbol holds. */
const FORMS = { callable: 1, class: 0.7, other: 0.4, file: 0.6 } as const;
/** What is found in a function's function: who asks mostly means the outer one. */
const INNER = 0.5;
/** What of an inner function's score speaks for the outer one, too, and how much all of them at most. */
const OF_INNER = 0.3;
const MOST_OF_INNER = 1;
/** Tests, unless they are asked about; and what stands beside the code. */
const ASIDE = 0.4;
/** A name that the question has as it is written, and one that is no word of a language. Shared by all of that name. */
const NAMED = 0.1;
const NAMED_AS_CODE = 0.2;
/** The innermost frame of a trace; the next ones half as much, and so on. */
const TRACED = 1;
/** How much more a file counts that the question names. */
const NAMED_FILE = 1.3;
/** What its file's score counts for a symbol. */
const OF_FILE = 0.5;
/** What the score of the best caller or callee counts, and among how many of the best they are looked for. */
const OF_CALLS = 0.15;
const MOST_CALLING = 100;

/** A file or a symbol that a question is about. */
export interface FoundCode {
  readonly id: string;
  /** Of what a perfect match would get, from 0 to 1; no other rank has the same meaning. */
  readonly score: number;
  /** What beside its words speaks for it. */
  readonly why: readonly ('named' | 'in the trace' | 'file named')[];
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

type Look = Pick<ReadContext, 'blobs' | 'kept' | 'version' | 'find' | 'q'> & SemanticContext;

interface Candidate extends FoundPlace {
  readonly id: string;
  readonly why: FoundCode['why'][number][];
  /** What it gets by itself. */
  own: number;
}

/**
 * Ranks files and symbols by what a question says: by words (BM25 over weighted fields), by names and frames that it
 * quotes, by what else is found in the same file, and by calls among what is found; where an embedder is configured, by
 * what is alike in meaning, too.
 *
 * @param selection What may be found; null: everything.
 */
export async function rankCode(
  context: Look,
  question: Question,
  selection: Selection | null = null,
): Promise<RankedCode> {
  const index = readIndex(context, CODE_TEXT);
  const texts = await index.search(question.words, {
    limit: MOST_FOUND,
    weights: FIELDS,
    having: HAVING,
    ...(selection ? { within: selection.owners.keys() } : {}),
  });
  const named = await namedCode(context, question);
  const traced = named.traced.filter((id) => selection?.owners.has(id) ?? true);
  const places = new FoundPlaces();
  const candidateOf = (id: string, own = 0): Candidate | null => {
    const place = places.of(id);
    return place && { ...place, id, own, why: [] };
  };
  const found = candidatesOf(texts, traced, candidateOf);
  const best = scale(found, question);
  weigh(found, question, { ...named, traced });
  if (!selection) addInner(found);
  const candidates = selection ? rolledUp(found, selection, candidateOf) : found;
  const files = fileScores(candidates, (path) => (named.files.has(path) ? NAMED_FILE : 1));
  const most = Math.max(...files.values(), Number.MIN_VALUE);
  const scores = new Map(
    candidates.map(({ id, path, own }) => [id, own + (OF_FILE * (files.get(path) ?? 0)) / most]),
  );
  await addCalls(context, scores);
  for (const one of candidates) if (named.files.has(one.path)) one.why.push('file named');
  const highest = Math.max(...scores.values(), Number.MIN_VALUE);
  const scoreOf = (id: string) => Math.min(1, best) * ((scores.get(id) ?? 0) / highest);
  const ranked = candidates
    .map(({ id, why }) => ({ id, score: scoreOf(id), why }))
    .sort((a, b) => b.score - a.score || compareText(a.id, b.id));
  const byWords = {
    found: ranked,
    files: [...files].sort(([a, x], [b, y]) => y - x || compareText(a, b)).map(([path]) => path),
  };
  return withMeaning(context, question.text, byWords, selection?.ids ?? null);
}

function candidatesOf(
  found: readonly { id: string; score: number }[],
  traced: readonly string[],
  candidateOf: (id: string, own: number) => Candidate | null,
): Candidate[] {
  const own = new Map(found.map(({ id, score }) => [id, score]));
  for (const id of traced) if (!own.has(id)) own.set(id, 0);
  return [...own].flatMap(([id, score]) => candidateOf(id, score) ?? []);
}

/** Brings scores to the best of what is no test and not aside; what that best had of what a question could give. */
function scale(candidates: readonly Candidate[], { isAboutTests }: Question): number {
  for (const one of candidates) if ((one.isTest && !isAboutTests) || one.isAside) one.own *= ASIDE;
  const best = Math.max(0, ...candidates.map(({ own }) => own));
  if (best > 0) for (const one of candidates) one.own /= best;
  return best === 0 ? 1 : best;
}

/** Adds what a question names, and counts each find by what it is. */
function weigh(candidates: readonly Candidate[], question: Question, { traced }: NamedCode): void {
  const sharing = new Map<string, number>();
  for (const { name } of candidates) sharing.set(name, (sharing.get(name) ?? 0) + 1);
  const frames = new Map(traced.map((id, depth) => [id, TRACED / 2 ** depth]));
  for (const one of candidates) {
    const { id, name, form, isInner } = one;
    if (name.length > 2 && question.names.has(name)) {
      const counts = isCode(name, question) ? NAMED_AS_CODE : NAMED;
      one.own += counts / Math.sqrt(sharing.get(name) ?? 1);
      if (counts === NAMED_AS_CODE) one.why.push('named');
    }
    one.own *= FORMS[form] * (isInner ? INNER : 1);
    const frame = frames.get(id);
    if (frame === undefined) continue;
    one.own += frame;
    one.why.push('in the trace');
  }
}

/** What is found in inner functions speaks for the one around them, too: it was found for its own lines alone. */
function addInner(candidates: readonly Candidate[]): void {
  const callables = candidates.filter(({ form }) => form === 'callable');
  const placeOf = (path: string, name: string) => `${path}:${name}`;
  const outer = new Map(
    callables.map((one) => [
      placeOf(one.path, one.owner === '' ? one.name : `${one.owner}.${one.name}`),
      one,
    ]),
  );
  const more = new Map<Candidate, number>();
  for (const { path, owner, own } of callables) {
    const around = owner === '' ? undefined : outer.get(placeOf(path, owner));
    if (around) more.set(around, (more.get(around) ?? 0) + OF_INNER * own);
  }
  for (const [one, own] of more) one.own += Math.min(own, MOST_OF_INNER);
}

/** Whether a name in a text is code and no word: it is marked, or has a hump or an underscore. */
function isCode(name: string, { marked }: Question): boolean {
  return marked.has(name) || /\p{Ll}\p{Lu}|_|^\p{Lu}.*\p{Lu}/u.test(name);
}

/** What calls or is called by something good is a little better itself. */
async function addCalls({ q }: Pick<ReadContext, 'q'>, scores: Map<string, number>): Promise<void> {
  const calling = [...scores]
    .sort(([a, x], [b, y]) => y - x || compareText(a, b))
    .slice(0, MOST_CALLING)
    .map(([id]) => id);
  const inside = new Set(calling);
  const best = new Map<string, number>();
  const note = (id: string, other: string) =>
    best.set(id, Math.max(best.get(id) ?? 0, scores.get(other) ?? 0));
  for (const { from, to } of await q(calling).out(SymbolCallsSymbol).edges()) {
    if (from === to || !inside.has(to)) continue;
    note(from, to);
    note(to, from);
  }
  for (const [id, score] of best) scores.set(id, (scores.get(id) ?? 0) + OF_CALLS * score);
}
