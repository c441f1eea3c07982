import { z } from 'zod';
import { quotedLine, shownLine } from '../../present/index.js';
import { compareText, type WriteContext } from '../../runtime/index.js';
import { LIMITS, Memory } from '../../schema/index.js';
import { readIndex } from '../../search/index.js';
import { relationsOf } from './relations.js';
import { MEMORY_TEXT, type MemoryRef, wordsOf } from './text.js';

/** Memories that are compared: those that have the rarest words of the new one. */
const MOST_COMPARED = 5;
const MOST_WORDS = 24;

type Texts = Pick<MemoryRef, 'title' | 'content'>;

/** Stored memories that are similar to a new one, or to new content of a stored one. */
export interface SimilarMemories {
  /** The nearest memory of the same type with nearly the same text, and the similarity from 0.9 to 1. */
  readonly duplicate: { readonly memory: MemoryRef; readonly similarity: number } | null;
  /** Memories with the same text but for a negation, number, path, host or identifier; the nearest first. */
  readonly contradicting: readonly MemoryRef[];
}

/**
 * The stored memories that say nearly what a memory is to say. Similarity is the share of neighbouring words that both have
 * among those that either has (Broder, "On the resemblance and containment of documents", 1997, with shingles of two words):
 * order matters; case, spaces and punctuation do not.
 *
 * @param self The id of the memory that is to say it, where it is stored already.
 */
export async function similarMemories(
  context: WriteContext,
  said: Texts & Pick<MemoryRef, 'type'>,
  self?: string,
): Promise<SimilarMemories> {
  const index = readIndex(context, MEMORY_TEXT);
  const counts = await index.frequencies(wordsOf(`${said.title}\n${said.content}`).keys());
  const rarest = [...counts].sort(([a, x], [b, y]) => x - y || compareText(a, b)).slice(0, MOST_WORDS);
  const query = new Map(rarest.map(([word]) => [word, 1]));
  const hits = await index.search(query, { limit: MOST_COMPARED + 1 });
  const found = hits.flatMap(({ id }) => (id === self ? [] : [id])).slice(0, MOST_COMPARED);
  // Those that it may have contradicted so far.
  const [known = []] = self === undefined ? [] : await relationsOf(context, [self], ['CONTRADICTS']);
  const others = new Set([...found, ...known.map(({ far }) => far)]);
  const compared = (await context.nodesOf(Memory, [...others]))
    .filter(({ gone }) => !gone)
    .map((memory) => ({ memory, ...comparisonOf(said, memory) }))
    .filter(({ similarity }) => similarity >= LIMITS.duplicateSimilarity.min)
    .sort((a, b) => b.similarity - a.similarity || compareText(a.memory.id, b.memory.id));
  const duplicate = compared.find(({ memory, isContrary }) => !isContrary && memory.type === said.type);
  const contradicting = compared.filter(({ isContrary }) => isContrary).map(({ memory }) => memory);
  return { duplicate: duplicate ?? null, contradicting };
}

/** Memories that stored content may contradict, related to its memory by a proposed CONTRADICTS. */
export const MayContradict = z.array(z.object({ id: z.string(), title: z.string() }));

/** Memories as {@link MayContradict}. */
export const mayContradict = (memories: readonly MemoryRef[]): z.infer<typeof MayContradict> =>
  memories.map(({ id, title }) => ({ id, title: shownLine(title, 200) }));

/** What an answer says of a stored memory that says nearly the same as the one that was stored. */
export function duplicateLines(id: string | null): string[] {
  return id === null ? [] : [`${id} says nearly the same: one of the two will do.`];
}

/** What an answer says of the memories that one may contradict, a line each. */
export function contradictionLines(memory: string, others: z.infer<typeof MayContradict>): string[] {
  return others.map(
    ({ id, title }) =>
      `It may contradict ${id} '${quotedLine(title, 120)}'. If it replaces that one: memory_link ${memory} ${id} REPLACES.`,
  );
}

/** Words that two memories must have in common, apart from the facts that differ. */
const FEWEST_COMMON = 3;

/** How similar two memories are; contrary: what tells them apart reverses or replaces a fact, and was not compared. */
function comparisonOf(a: Texts, b: Texts): { readonly similarity: number; readonly isContrary: boolean } {
  const [left, right] = [tokensOf(a), tokensOf(b)];
  const surplus = new Map<string, number>();
  for (const { word } of left) surplus.set(word, (surplus.get(word) ?? 0) + 1);
  for (const { word } of right) surplus.set(word, (surplus.get(word) ?? 0) - 1);
  const differing = [...left, ...right].filter(({ word, isFact }) => isFact && surplus.get(word) !== 0);
  const facts = new Set(differing.map(({ word }) => word));
  const common = [left, right].map((tokens) => tokens.flatMap(({ word }) => (facts.has(word) ? [] : [word])));
  const fewest = Math.min(...common.map((words) => words.length));
  // `v1.2` and `v1.3` alone have nothing in common that could be contradicted.
  const isTooFew = facts.size > 0 && fewest < Math.max(FEWEST_COMMON, facts.size);
  const [some, others] = common.map(shinglesOf) as [Set<string>, Set<string>];
  const shared = [...some].filter((pair) => others.has(pair)).length;
  const similarity = isTooFew ? 0 : shared / (some.size + others.size - shared);
  return { similarity, isContrary: facts.size > 0 };
}

/** Neighbouring words in pairs; the edges of the text count as words, so that a single word has neighbours. */
function shinglesOf(words: readonly string[]): Set<string> {
  return new Set(['', ...words].map((word, at) => `${word} ${words[at] ?? ''}`));
}

const TOKEN = /[\p{L}\p{N}_$@./\\:+-]+/gu;
/** Words that turn a statement around. */
const TURNING = new Set(
  (
    'not no never none nothing neither nor without avoid dont doesnt didnt cannot cant wont shouldnt mustnt isnt arent wasnt ' +
    'always true false enable enabled enables disable disabled disables allow allowed deny denied forbid forbidden'
  ).split(' '),
);
/** Numbers; names with `_` or `$`; capitals inside or throughout; parts joined by dots, slashes, colons or `@`. */
const FACT = /\p{N}|[_$]|\p{Ll}\p{Lu}|^\p{Lu}{2,}$|[^./\\:@][./\\:@]+[^./\\:@]|^[./\\]/u;

/**
 * The words of a memory in lower case. Fact: another word in its place says something else; a negation, number, path, host
 * or identifier.
 */
function tokensOf({ title, content }: Texts): { readonly word: string; readonly isFact: boolean }[] {
  const text = `${title}\n${content}`
    .replace(/(\p{L})['’](?=\p{L})/gu, '$1')
    .replace(/\bd(?:o|oes|id)(?= not\b)/giu, '');
  return (text.match(TOKEN) ?? []).flatMap((token) => {
    const trimmed = token.replace(/^[:+-]+/u, '').replace(/[.:+-]$/u, '');
    const word = trimmed.toLowerCase();
    return /[\p{L}\p{N}]/u.test(word) ? [{ word, isFact: TURNING.has(word) || FACT.test(trimmed) }] : [];
  });
}
