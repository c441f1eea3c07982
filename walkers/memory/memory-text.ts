import type { Digest, NodeRef, ReadContext, WriteContext } from '../../runtime/index.js';
import { Memory } from '../../schema/index.js';
import { TextIndex, type WordQuery, Words } from '../../search/index.js';

const words = new Words();

/** The words of a text, each with how much it counts. */
export function wordsOf(query: string): WordQuery {
  const counts = new Map<string, number>();
  for (const word of words.of(query)) counts.set(word, 1);
  return counts;
}

/** A memory that has some of the words. */
export interface TextHit {
  readonly id: string;
  /** Of the largest score that any memory could get for this query: from 0 to 1. */
  readonly score: number;
}

const MEMORIES: Digest<TextIndex<'title' | 'rest'>> = {
  name: 'memories',
  create: () => new TextIndex({ title: 2, rest: 1 }),
  async update(index, changed, { find, nodesOf }) {
    const memories = changed === null ? await find(Memory) : await nodesOf(Memory, [...changed]);
    for (const memory of memories) {
      index.remove(memory.id);
      if (!memory.gone) index.add(memory.id, fieldsOf(memory));
    }
  },
};

function fieldsOf(memory: NodeRef<typeof Memory>) {
  const { title, content, summary, tags, context_files_involved } = memory;
  const rest = [content, summary ?? '', ...tags, ...context_files_involved].join('\n');
  return { title: words.of(title), rest: words.of(rest) };
}

/** The memories that have words of a query. @param within Ids that are looked at; default: all. */
export async function searchMemoryText(
  { digest }: Pick<ReadContext, 'digest'>,
  query: WordQuery,
  within?: readonly string[],
): Promise<TextHit[]> {
  const hits = await digest(MEMORIES, (index) => index.search(query, within));
  return hits.map(({ owner, score }) => ({ id: owner, score }));
}

/** Brings the index of words up to what a memory says; part of the run's own commit. */
export async function writeMemoryText(
  _context: WriteContext,
  _memory: NodeRef<typeof Memory>,
): Promise<void> {}
