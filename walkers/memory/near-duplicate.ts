import type { NodeRef, WriteContext } from '../../runtime/index.js';
import { LIMITS, Memory, type MemoryType } from '../../schema/index.js';
import { readIndex } from '../../search/index.js';
import { MEMORY_TEXT, wordsOf } from './memory-text.js';

/** Memories that are compared: those that have the rarest words of the new one. */
const MOST_COMPARED = 5;
const MOST_WORDS = 24;
const TOKEN = /[\p{L}\p{N}]+/gu;

/** A memory that says the same as a new one. */
export interface NearDuplicate {
  readonly memory: NodeRef<typeof Memory>;
  /** From `duplicateLikeness` to 1. */
  readonly likeness: number;
}

/** What is about to be remembered. */
interface Said {
  readonly type: MemoryType;
  readonly title: string;
  readonly content: string;
}

/**
 * The memory of the same type that says nearly word for word what is to be remembered; undefined where there is none.
 * How like two are is the share of neighbouring words that both have among those that either has (Broder, "On the
 * resemblance and containment of documents", 1997, with shingles of two words): order and case count, spaces and
 * punctuation do not. A number that only one of them has makes them two.
 */
export async function nearDuplicate(context: WriteContext, said: Said): Promise<NearDuplicate | undefined> {
  const index = readIndex(context, MEMORY_TEXT);
  const words = wordsOf(`${said.title}\n${said.content}`);
  const counts = await index.frequencies(words.keys());
  const rarest = [...counts].sort(([a, x], [b, y]) => x - y || (a < b ? -1 : 1)).slice(0, MOST_WORDS);
  const query = new Map(rarest.map(([word]) => [word, 1]));
  const hits = await index.search(query, { limit: MOST_COMPARED });
  const memories = await context.nodesOf(
    Memory,
    hits.map(({ id }) => id),
  );
  return memories
    .filter(({ gone, type }) => !gone && type === said.type)
    .map((memory) => ({ memory, likeness: likeness(said, memory) }))
    .filter((one) => one.likeness >= LIMITS.duplicateLikeness.min)
    .sort((a, b) => b.likeness - a.likeness || (a.memory.id < b.memory.id ? -1 : 1))[0];
}

function likeness(a: Omit<Said, 'type'>, b: Omit<Said, 'type'>): number {
  const [left, right] = [shinglesOf(a), shinglesOf(b)];
  const apart = [...left.words, ...right.words].filter(
    (word) => !(left.words.has(word) && right.words.has(word)),
  );
  if (apart.some((word) => /\p{N}/u.test(word))) return 0;
  const both = [...left.pairs].filter((pair) => right.pairs.has(pair)).length;
  const either = left.pairs.size + right.pairs.size - both;
  return either === 0 ? 0 : both / either;
}

function shinglesOf({ title, content }: Omit<Said, 'type'>): { pairs: Set<string>; words: Set<string> } {
  const pairs = new Set<string>();
  const words = new Set<string>();
  for (const text of [title, content]) {
    // Before the first word and behind the last one stands the text's edge: one word has neighbours, too.
    const tokens = ['', ...(text.toLowerCase().match(TOKEN) ?? []), ''];
    for (const [at, token] of tokens.slice(1).entries()) {
      pairs.add(`${tokens[at]} ${token}`);
      words.add(token);
    }
  }
  return { pairs, words };
}
