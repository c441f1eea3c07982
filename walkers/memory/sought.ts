import { compareText, type ReadContext } from '../../runtime/index.js';
import { readIndex, Words, wordsBeginning } from '../../search/index.js';
import { slips } from '../suggestion.js';
import type { MemoryRef } from './found-memories.js';
import { MEMORY_TEXT } from './memory-text.js';

/** Words that a mistyped one may stand for, at most. */
const MOST = 5;

/** How exactly words have to be met. `strict`: as they are written; `normal`: in another form of the word, too; `fuzzy`: mistyped, too. */
export const TOLERANCES = ['strict', 'normal', 'fuzzy'] as const;
/** One of {@link TOLERANCES}. */
export type Tolerance = (typeof TOLERANCES)[number];

/** What is looked for in words. */
export interface Sought {
  /** The query and the terms, each for itself. */
  readonly things: readonly string[];
  readonly tolerance: Tolerance;
  /** Whether one of the things, and one word of it, is enough, or every word of all is wanted. */
  readonly mode: 'any' | 'all';
}

/** What is looked for as the index is asked for it. */
export interface SoughtWords {
  /** Each with what it counts. */
  readonly words: ReadonlyMap<string, number>;
  /** Where every word is wanted: each, with those that may stand for it. */
  readonly required: readonly (readonly string[])[];
  /** Whether a memory that has one of the words has what is wanted of it. */
  fits(memory: MemoryRef): boolean;
}

const words = new Words();
/** What a word counts that is only like one of the query. */
const NEAR = 0.5;

/** Makes of what somebody looks for what the index is asked for. */
export async function soughtWords(
  context: Pick<ReadContext, 'blobs' | 'blobsUnder' | 'kept' | 'version'>,
  { things, tolerance, mode }: Sought,
): Promise<SoughtWords> {
  const wanted = things.map((thing) => [...new Set(words.of(thing))]);
  const all = new Set(wanted.flat());
  const near = new Map<string, readonly string[]>();
  if (tolerance === 'fuzzy') {
    const known = await readIndex(context, MEMORY_TEXT).frequencies(all);
    for (const word of all) if (!known.has(word)) near.set(word, await nearWords(context, word));
  }
  const weights = new Map([...near.values()].flat().map((word) => [word, NEAR]));
  for (const word of all) weights.set(word, 1);
  const asTyped = tolerance === 'strict';
  const meant = (word: string) => [word, ...(near.get(word) ?? [])];
  return {
    words: weights,
    // What is typed as it stands may begin and end within a word.
    required: mode === 'all' && !asTyped ? [...all].map(meant) : [],
    fits(memory) {
      if (asTyped) {
        const text = folded(saidIn(memory));
        const has = (thing: string) => text.includes(folded(thing));
        return mode === 'all' ? things.every(has) : things.some(has);
      }
      if (mode === 'any') return true;
      const said = new Set(words.of(saidIn(memory)));
      return wanted.flat().every((word) => meant(word).some((one) => said.has(one)));
    },
  };
}

/** All that a memory says in words. */
function saidIn({ title, summary, content, tags, context_files_involved }: MemoryRef): string {
  return [title, summary ?? '', content, ...tags, ...context_files_involved].join('\n');
}

function folded(text: string): string {
  return text.toLowerCase().replace(/\s+/gu, ' ');
}

/**
 * Words of memories that a word may be mistyped for, the nearest first: of those with the same first letter (few slips
 * are there: Pollock and Zamora, "Automatic spelling correction in scientific and scholarly text", 1984) and about the
 * same length, those that few letters tell from it.
 */
async function nearWords(
  context: Pick<ReadContext, 'blobs' | 'blobsUnder'>,
  word: string,
): Promise<string[]> {
  const allowed = word.length < 4 ? 0 : word.length < 8 ? 1 : 2;
  if (allowed === 0) return [];
  const found: { readonly word: string; readonly far: number }[] = [];
  for await (const known of wordsBeginning(context, MEMORY_TEXT, [...word][0] ?? '')) {
    if (Math.abs(known.length - word.length) > allowed) continue;
    const far = slips(word, known);
    if (far <= allowed) found.push({ word: known, far });
  }
  found.sort((a, b) => a.far - b.far || compareText(a.word, b.word));
  return found.slice(0, MOST).map((one) => one.word);
}
