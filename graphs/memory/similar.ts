import type { WriteContext } from '../../runtime/index.js';
import { LIMITS, Memory, type MemoryType } from '../../schema/index.js';
import { readIndex } from '../../search/index.js';
import { MEMORY_TEXT, type MemoryRef, wordsOf } from './text.js';

/** Memories that are compared: those that have the rarest words of the new one. */
const MOST_COMPARED = 5;
const MOST_WORDS = 24;

/** A memory that is to be stored. */
export interface NewContent {
  readonly type: MemoryType;
  readonly title: string;
  readonly content: string;
}

/** Stored memories that are similar to a new one. */
export interface SimilarMemories {
  /** The nearest memory of the same type with nearly the same text, and the similarity from 0.9 to 1. */
  readonly duplicate: { readonly memory: MemoryRef; readonly similarity: number } | null;
  /** Memories with the same text but for a negation, number, path, host or identifier; the nearest first. */
  readonly contradicting: readonly MemoryRef[];
}

/**
 * The stored memories that are nearly the same as a new one. Similarity is the share of neighbouring words that both have among
 * those that either has (Broder, "On the resemblance and containment of documents", 1997, with shingles of two words):
 * order matters; case, spaces and punctuation do not.
 */
export async function similarMemories(context: WriteContext, added: NewContent): Promise<SimilarMemories> {
  const index = readIndex(context, MEMORY_TEXT);
  const counts = await index.frequencies(wordsOf(`${added.title}\n${added.content}`).keys());
  const rarest = [...counts].sort(([a, x], [b, y]) => x - y || (a < b ? -1 : 1)).slice(0, MOST_WORDS);
  const query = new Map(rarest.map(([word]) => [word, 1]));
  const hits = await index.search(query, { limit: MOST_COMPARED });
  const memories = await context.nodesOf(
    Memory,
    hits.map(({ id }) => id),
  );
  const { min } = LIMITS.duplicateSimilarity;
  const compared = memories
    .filter(({ gone }) => !gone)
    .map((memory) => ({ memory, ...comparisonOf(added, memory) }))
    .filter(({ similarity }) => similarity >= min)
    .sort((a, b) => b.similarity - a.similarity || (a.memory.id < b.memory.id ? -1 : 1));
  const duplicate = compared.find(({ memory, isContrary }) => !isContrary && memory.type === added.type);
  const contradicting = compared.filter(({ isContrary }) => isContrary).map(({ memory }) => memory);
  return { duplicate: duplicate ?? null, contradicting };
}

type Texts = Pick<NewContent, 'title' | 'content'>;

/** How similar two memories are; contrary: what tells them apart reverses or replaces a fact, and was not compared. */
function comparisonOf(a: Texts, b: Texts): { readonly similarity: number; readonly isContrary: boolean } {
  const [left, right] = [tokensOf(a), tokensOf(b)];
  const [onlyLeft, onlyRight] = [surplus(left, right), surplus(right, left)];
  const facts = new Set([...onlyLeft, ...onlyRight].filter(({ isFact }) => isFact).map(({ word }) => word));
  const common = (tokens: readonly Token[]) => tokens.filter(({ word }) => !facts.has(word));
  const [commonLeft, commonRight] = [common(left), common(right)];
  // `v1.2` and `v1.3` alone have nothing in common that could be contradicted.
  const isContrary = facts.size > 0;
  if (isContrary && Math.min(commonLeft.length, commonRight.length) < Math.max(FEWEST_COMMON, facts.size))
    return { similarity: 0, isContrary };
  return { similarity: resemblance(shinglesOf(commonLeft), shinglesOf(commonRight)), isContrary };
}

/** Words that two memories must have in common, apart from the facts that differ. */
const FEWEST_COMMON = 3;

interface Token {
  /** In lower case. */
  readonly word: string;
  /** Whether another word in its place is another fact: a negation, number, path, host or identifier. */
  readonly isFact: boolean;
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

function tokensOf({ title, content }: Texts): Token[] {
  const text = `${title}\n${content}`
    .replace(/(\p{L})['’](?=\p{L})/gu, '$1')
    .replace(/\bd(?:o|oes|id)(?= not\b)/giu, '');
  return (text.match(TOKEN) ?? []).flatMap((token) => {
    const trimmed = token.replace(/^[:+-]+/u, '').replace(/[.:+-]$/u, '');
    const word = trimmed.toLowerCase();
    return /[\p{L}\p{N}]/u.test(word) ? [{ word, isFact: TURNING.has(word) || FACT.test(trimmed) }] : [];
  });
}

/** The tokens of which the first list has more than the second. */
function surplus(some: readonly Token[], others: readonly Token[]): Token[] {
  const left = new Map<string, number>();
  for (const { word } of others) left.set(word, (left.get(word) ?? 0) + 1);
  return some.filter(({ word }) => {
    const count = left.get(word) ?? 0;
    left.set(word, count - 1);
    return count <= 0;
  });
}

/** Neighbouring words in pairs; the edges of the text count as words, so that a single word has neighbours. */
function shinglesOf(tokens: readonly Token[]): Set<string> {
  const words = ['', ...tokens.map(({ word }) => word), ''];
  return new Set(words.slice(1).map((word, at) => `${words[at]} ${word}`));
}

function resemblance(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const both = [...a].filter((pair) => b.has(pair)).length;
  return both / (a.size + b.size - both);
}
