import { z } from 'zod';
import { MEMORY_TEXT, writeMemoryText } from '../../graphs/memory/index.js';
import { ATTEMPT_INDEXES, ATTEMPT_RECORDS, refold, storeAttempts } from '../../graphs/trace/index.js';
import { compareText, defineWalker, Root, type WriteContext } from '../../runtime/index.js';
import { Memory, Task } from '../../schema/index.js';
import {
  clearIndexes,
  type IndexFamily,
  sweepBlobs,
  sweepIndexes,
  type TextIndexType,
  WORDS_VERSION,
} from '../../search/index.js';

/** Text indexes of the durable layer that are made anew together. */
interface TextFamily {
  /** How the names of its indexes begin, in all versions. */
  readonly name: string;
  readonly types: readonly TextIndexType[];
  idsOf(context: Pick<WriteContext, 'findIds'>): Promise<readonly string[]>;
  /** Takes everything out of its indexes: nothing is found any more. */
  clear(context: WriteContext): Promise<void>;
  /** Takes away some of what is left of it, once that is committed. Whether nothing is left. */
  sweep(context: WriteContext): Promise<boolean>;
  /** Takes in what some of these ids say. */
  write(ids: readonly string[], context: WriteContext): Promise<void>;
}

/** Bytes that one run takes away. */
const SWEPT_AT_ONCE = 4096;

const ATTEMPT_FAMILY: IndexFamily = { family: 'attempts', layer: 'durable', types: ATTEMPT_INDEXES };

const MEMORY_FAMILY: IndexFamily = { family: 'memories', layer: 'durable', types: [MEMORY_TEXT] };

const ATTEMPT_TEXTS: TextFamily = {
  name: 'attempts',
  types: ATTEMPT_INDEXES,
  idsOf: ({ findIds }) => findIds(Task),
  clear: (context) => clearIndexes(context, ATTEMPT_FAMILY),
  sweep: async (context) => {
    const taken = await sweepIndexes(context, ATTEMPT_FAMILY, SWEPT_AT_ONCE);
    const most = SWEPT_AT_ONCE - taken;
    return (await sweepBlobs(context, { prefix: ATTEMPT_RECORDS, layer: 'durable', most })) < most;
  },
  write: async (ids, context) => {
    // Traces of earlier versions have neither parsed failures nor what fixed them.
    for (const id of ids) await refold(id, context);
    await storeAttempts(ids, context, { whole: true });
  },
};

const MEMORY_TEXTS: TextFamily = {
  name: 'memories',
  types: [MEMORY_TEXT],
  idsOf: ({ findIds }) => findIds(Memory),
  clear: (context) => clearIndexes(context, MEMORY_FAMILY),
  sweep: async (context) => (await sweepIndexes(context, MEMORY_FAMILY, SWEPT_AT_ONCE)) < SWEPT_AT_ONCE,
  write: async (ids, context) =>
    writeMemoryText(
      context,
      (await context.nodesOf(Memory, ids)).filter(({ gone }) => !gone),
    ),
};

const TEXT_FAMILIES: readonly TextFamily[] = [MEMORY_TEXTS, ATTEMPT_TEXTS];

/** Tasks or memories that are taken in by one run: each run looks at all ids to find those that are left. */
const AT_ONCE = 250;

/** What the indexes of a family were made by, and how far that came. */
const FamilyMark = z.object({
  indexes: z.array(z.string()),
  /** Version of what splits texts into words. */
  words: z.number().int(),
  /** The last id that was taken in; null: all were. */
  after: z.string().nullable(),
  /** Whether nothing is left of what was there before. */
  swept: z.boolean(),
});
type FamilyMark = z.infer<typeof FamilyMark>;

/**
 * Makes the text indexes of attempts and memories anew where they are missing, not whole, or of an earlier version: some
 * documents a run, so that whoever records meanwhile is not held up. A mark in the store says of each what it was made
 * by and how far that came; a kill loses one run's work. The host asks for it whenever it opens a store, until nothing
 * is left.
 */
export const HistoryTexts = defineWalker('history_texts', {
  description: 'Make text indexes of attempts and memories that are not whole anew. The host asks for it.',
  access: 'write',
  reads: 'trace',
  input: {
    rebuild: z.boolean().default(false).describe('All of them, whole or not; in the first of several runs'),
  },
  output: z.object({ done: z.boolean() }),
  state: () => ({ done: false }),
  on: (w) => [
    w.entry(Root, async (_here, context) => {
      const { state } = context;
      if (state.rebuild) for (const family of TEXT_FAMILIES) await begin(family, context);
      for (const family of TEXT_FAMILIES) if (!state.rebuild && !(await isWhole(family, context))) return;
      state.done = !state.rebuild;
    }),
  ],
  finish: ({ state: { done } }) => ({ done }),
});

/** Does the next piece of a family's work; whether there was none. */
async function isWhole(family: TextFamily, context: WriteContext): Promise<boolean> {
  const [bytes] = await context.blobs([markName(family)], 'durable');
  const mark = markOf(bytes);
  if (mark === null || !isNow(mark, family)) {
    await begin(family, context);
    return false;
  }
  if (!mark.swept) return sweep(family, context);
  if (mark.after === null) return true;
  const { after } = mark;
  const left = (await family.idsOf(context)).filter((id) => id > after).sort(compareText);
  const some = left.slice(0, AT_ONCE);
  await family.write(some, context);
  putMark(family, { after: left.length > some.length ? (some.at(-1) ?? null) : null, swept: true }, context);
  return false;
}

/** Takes everything out: whatever is written meanwhile is taken in later, too. */
async function begin(family: TextFamily, context: WriteContext): Promise<void> {
  await family.clear(context);
  putMark(family, { after: '', swept: false }, context);
}

/** Takes away some of what was there before; a family that has nothing to take in is whole with that. */
async function sweep(family: TextFamily, context: WriteContext): Promise<boolean> {
  const swept = await family.sweep(context);
  const isWhole = swept && (await family.idsOf(context)).length === 0;
  putMark(family, { after: isWhole ? null : '', swept }, context);
  return isWhole;
}

function markName({ name }: TextFamily): string {
  return `texts/${name}`;
}

function putMark(
  family: TextFamily,
  progress: Pick<FamilyMark, 'after' | 'swept'>,
  context: WriteContext,
): void {
  const mark: FamilyMark = { ...madeBy(family), ...progress };
  context.putBlob(markName(family), Buffer.from(JSON.stringify(mark), 'utf8'), 'durable');
}

function markOf(bytes: Uint8Array | undefined): FamilyMark | null {
  if (!bytes) return null;
  try {
    return FamilyMark.parse(JSON.parse(Buffer.from(bytes).toString('utf8')));
  } catch {
    return null;
  }
}

function isNow({ indexes, words }: FamilyMark, family: TextFamily): boolean {
  return JSON.stringify({ indexes, words }) === JSON.stringify(madeBy(family));
}

function madeBy({ types }: TextFamily): Omit<FamilyMark, 'after' | 'swept'> {
  return { indexes: types.map(({ name }) => name), words: WORDS_VERSION };
}
