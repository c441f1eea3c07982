import { slips } from '../../present/index.js';
import { compareText, type NodeRef, type ReadContext, type WriteContext } from '../../runtime/index.js';
import type { Memory, MemoryVersion } from '../../schema/index.js';
import { defineTextIndex, readIndex, Words, wordsBeginning, writeIndex } from '../../search/index.js';

/** A memory as a run reads it. */
export type MemoryRef = NodeRef<typeof Memory>;

/**
 * The text index of memories, in the store of the memories: a commit changes both or neither. A change of its fields needs
 * another name, so that existing stores rebuild it.
 */
export const MEMORY_TEXT = defineTextIndex('memories-3', {
  layer: 'durable',
  fields: { title: 1, summary: 1, content: 1, tags: 2, files: 1, paths: 0 },
});
/** A field of {@link MEMORY_TEXT}. `paths`: whole paths, as {@link pathWord} spells them; no query finds these. */
export type MemoryField = (typeof MEMORY_TEXT)['fields'][number];

const words = new Words();

/** The words of a query, each once with the weight 1. */
export function wordsOf(query: string): Map<string, number> {
  return new Map(words.of(query).map((word) => [word, 1]));
}

/** A path as a word of its own, to count how many memories name a file. */
export const pathWord = (path: string): string => `/${path}`;

/** The words of a memory or version by field of {@link MEMORY_TEXT}. */
export function fieldsOf(memory: MemoryRef | NodeRef<typeof MemoryVersion>) {
  const { title, summary, content, tags, context_files_involved: files } = memory;
  return {
    title: words.of(title),
    summary: words.of(summary ?? ''),
    // A content that only repeats the title: its words count once.
    content: content === title ? [] : words.of(content),
    tags: words.of(tags.join('\n')),
    files: words.of(files.join('\n')),
    paths: files.map(pathWord),
  };
}

type Writing = Pick<WriteContext, 'blobs' | 'blobsUnder' | 'putBlob'>;

/** Updates the text index for memories, in the run's own commit. */
export async function writeMemoryText(context: Writing, memories: readonly MemoryRef[]): Promise<void> {
  const writer = writeIndex(context, MEMORY_TEXT);
  for (const memory of memories) writer.put(memory.id, fieldsOf(memory));
  await writer.flush();
}

/** Removes memories from the text index, in the run's own commit. */
export async function removeMemoryText(context: Writing, ids: readonly string[]): Promise<void> {
  const writer = writeIndex(context, MEMORY_TEXT);
  for (const id of ids) writer.remove(id);
  await writer.flush();
}

/** How exactly words must match. `strict`: as typed; `normal`: other forms of a word too; `fuzzy`: misspelt too. */
export const TOLERANCES = ['strict', 'normal', 'fuzzy'] as const;

/** A query in words. */
export interface TextQuery {
  /** The query and further terms, each on its own. */
  readonly things: readonly string[];
  readonly tolerance: (typeof TOLERANCES)[number];
  /** `any`: one word of one thing is enough; `all`: every word of all things. */
  readonly mode: 'any' | 'all';
}

/** A {@link TextQuery} in words of the index. */
export interface QueryWords {
  /** Words with their weights. */
  readonly words: ReadonlyMap<string, number>;
  /** In mode `all`: each word, with those that may stand for it. */
  readonly required: readonly (readonly string[])[];
  /** Whether a memory that has some of the words matches the query. */
  fits(memory: MemoryRef): boolean;
}

/** The weight of a word that is only similar to one of the query. */
const SIMILAR = 0.5;
/** Words of the index that stand for one of the query, at most. */
const MOST_SIMILAR = 5;
/** Words of the index that are compared with those of a query. */
const MOST_COMPARED = 100_000;
/** Shorter words are parts of too many others. */
const SHORTEST_PART = 3;
/** A shorter word of the index inside a word of the query says too little. */
const SHORTEST_INNER = 5;

type Look = Pick<ReadContext, 'blobs' | 'blobsUnder' | 'kept' | 'version'>;

/**
 * The words of the index that a query asks for.
 *
 * @param parts Whether words that contain a word of the query, or are contained in it, stand for it too.
 */
export async function queryWords(context: Look, query: TextQuery, parts = false): Promise<QueryWords> {
  const { things, tolerance, mode } = query;
  const wanted = [...new Set(things.flatMap((thing) => words.of(thing)))];
  let unknown: readonly string[] = parts ? wanted : [];
  if (tolerance === 'fuzzy' && !parts) {
    const known = await readIndex(context, MEMORY_TEXT).frequencies(wanted);
    unknown = wanted.filter((word) => !known.has(word));
  }
  const similar = await similarWords(context, unknown, parts);
  const weights = new Map([...similar.values()].flat().map((word) => [word, SIMILAR]));
  for (const word of wanted) weights.set(word, 1);
  const standsFor = (word: string) => [word, ...(similar.get(word) ?? [])];
  // What is typed may begin and end within a word.
  const required = mode === 'all' && tolerance !== 'strict' ? wanted.map(standsFor) : [];
  return {
    words: weights,
    required,
    fits(memory) {
      if (tolerance === 'strict') {
        const text = folded(textOf(memory));
        const has = (thing: string) => text.includes(folded(thing));
        return mode === 'all' ? things.every(has) : things.some(has);
      }
      if (required.length === 0) return true;
      const own = new Set(words.of(textOf(memory)));
      return required.every((any) => any.some((word) => own.has(word)));
    },
  };
}

function textOf({ title, summary, content, tags, context_files_involved }: MemoryRef): string {
  return [title, summary ?? '', content, ...tags, ...context_files_involved].join('\n');
}

function folded(text: string): string {
  return text.toLowerCase().replace(/\s+/gu, ' ');
}

/**
 * For each word the nearest words of the index: for parts those that contain it, or that it contains; else those that it may
 * be a misspelling of, with the same first letter (few slips are there: Pollock and Zamora, "Automatic spelling correction
 * in scientific and scholarly text", 1984).
 */
async function similarWords(
  context: Look,
  wanted: readonly string[],
  parts: boolean,
): Promise<Map<string, string[]>> {
  const asked = wanted.filter((word) => word.length >= SHORTEST_PART);
  const found = new Map(asked.map((word) => [word, new Map<string, number>()]));
  let compared = 0;
  for await (const known of asked.length > 0 ? wordsBeginning(context, MEMORY_TEXT, '') : []) {
    for (const word of asked) {
      const far = known === word || known.startsWith(pathWord('')) ? null : differenceOf(word, known, parts);
      if (far !== null) found.get(word)?.set(known, far);
    }
    if (++compared === MOST_COMPARED) break;
  }
  const nearest = (far: Map<string, number>) =>
    [...far].sort(([a, x], [b, y]) => x - y || compareText(a, b)).map(([word]) => word);
  return new Map([...found].map(([word, far]) => [word, nearest(far).slice(0, MOST_SIMILAR)]));
}

/** Letters that tell two words apart; null where they are not similar. */
function differenceOf(word: string, known: string, parts: boolean): number | null {
  const difference = Math.abs(known.length - word.length);
  if (parts) {
    const isPart = known.includes(word) || (known.length >= SHORTEST_INNER && word.includes(known));
    return isPart ? difference : null;
  }
  const allowed = word.length < 4 ? 0 : word.length < 8 ? 1 : 2;
  if (difference > allowed || known[0] !== word[0]) return null;
  const far = slips(word, known);
  return far <= allowed ? far : null;
}
