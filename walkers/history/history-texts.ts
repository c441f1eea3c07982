import { z } from 'zod';
import { MEMORY_TEXT, writeMemoryText } from '../../graphs/memory/index.js';
import { ATTEMPT_INDEXES, ATTEMPT_RECORDS, refold, storeAttempts } from '../../graphs/trace/index.js';
import { compareText, defineWalker, type WriteContext } from '../../runtime/index.js';
import { Memory, Task } from '../../schema/index.js';
import {
  clearIndexes,
  type IndexFamily,
  sweepBlobs,
  sweepIndexes,
  WORDS_VERSION,
} from '../../search/index.js';

/** Text indexes of the durable layer that are rebuilt together. */
interface TextFamily extends IndexFamily {
  readonly node: typeof Task | typeof Memory;
  /** How the names of its other records begin. */
  readonly records: string | null;
  /** Adds what some of these nodes say. */
  write(ids: readonly string[], context: WriteContext): Promise<void>;
}

const TEXT_FAMILIES: readonly TextFamily[] = [
  {
    ...{ family: 'memories', layer: 'durable', types: [MEMORY_TEXT], node: Memory, records: null },
    write: async (ids, context) => {
      const memories = (await context.nodesOf(Memory, ids)).filter(({ gone }) => !gone);
      await writeMemoryText(context, memories);
    },
  },
  {
    ...{ family: 'attempts', layer: 'durable', types: ATTEMPT_INDEXES, node: Task, records: ATTEMPT_RECORDS },
    write: async (ids, context) => {
      // Traces of earlier versions have neither parsed failures nor what fixed them.
      for (const id of ids) await refold(id, context);
      await storeAttempts(ids, context, { whole: true });
    },
  },
];

/** Blobs that one run deletes. */
const SWEPT_AT_ONCE = 4096;
/** Tasks or memories that one run adds: each run looks at all ids to find those that are left. */
const AT_ONCE = 250;

/** What the indexes of a family were made by, and how far that came. */
const Mark = z.object({
  indexes: z.array(z.string()),
  /** Version of what splits texts into words. */
  words: z.number().int(),
  /** The last id that was added; null: all were. */
  after: z.string().nullable(),
  /** Whether nothing is left of what was there before. */
  swept: z.boolean(),
});
type Mark = z.infer<typeof Mark>;

/**
 * Rebuilds the text indexes of attempts and memories where they are missing, incomplete or of an earlier version: some
 * documents a run, so that recording goes on meanwhile. A mark in the store says of each what it was made by and how
 * far that came; a kill loses one run's work. The host asks for it when it opens a store, until nothing is left.
 */
export const HistoryTexts = defineWalker('history_texts', {
  description: 'Make text indexes of attempts and memories that are not whole anew. The host asks for it.',
  access: 'write',
  reads: 'trace',
  input: {
    rebuild: z.boolean().default(false).describe('All of them, whole or not; in the first of several runs'),
  },
  output: z.object({ done: z.boolean() }),
  run: async (_here, context) => {
    const { rebuild } = context.state;
    let done = !rebuild;
    for (const family of TEXT_FAMILIES)
      if (rebuild) await begin(family, context);
      else done &&= await isWhole(family, context);
    return { done };
  },
});

/** Does the next part of a family's work; whether that was all. */
async function isWhole(family: TextFamily, context: WriteContext): Promise<boolean> {
  const [bytes] = await context.blobs([markName(family)], 'durable');
  const mark = markOf(bytes, family);
  if (mark === null) {
    await begin(family, context);
    return false;
  }
  const { after, swept } = mark;
  if (!swept) return sweep(family, context);
  if (after === null) return true;
  const left = (await context.findIds(family.node)).filter((id) => id > after).sort(compareText);
  const some = left.slice(0, AT_ONCE);
  await family.write(some, context);
  const isAll = left.length === some.length;
  putMark(family, isAll ? null : (some.at(-1) ?? null), true, context);
  return isAll;
}

/** Clears everything: whatever is written meanwhile is added later, too. */
async function begin(family: TextFamily, context: WriteContext): Promise<void> {
  await clearIndexes(context, family);
  putMark(family, '', false, context);
}

/** Deletes some of what was there before; a family of no nodes is whole with that. */
async function sweep(family: TextFamily, context: WriteContext): Promise<boolean> {
  const { layer, records } = family;
  const left = SWEPT_AT_ONCE - (await sweepIndexes(context, family, SWEPT_AT_ONCE));
  const more = records === null ? 0 : await sweepBlobs(context, { prefix: records, layer, most: left });
  const swept = more < left;
  const isAll = swept && (await context.findIds(family.node)).length === 0;
  putMark(family, isAll ? null : '', swept, context);
  return isAll;
}

const markName = ({ family }: TextFamily): string => `texts/${family}`;

function putMark(family: TextFamily, after: string | null, swept: boolean, context: WriteContext): void {
  const mark: Mark = { ...madeBy(family), after, swept };
  context.putBlob(markName(family), Buffer.from(JSON.stringify(mark), 'utf8'), 'durable');
}

/** The mark of a family; null where there is none, or its indexes are of an earlier version. */
function markOf(bytes: Uint8Array | undefined, family: TextFamily): Mark | null {
  if (!bytes) return null;
  try {
    const mark = Mark.parse(JSON.parse(Buffer.from(bytes).toString('utf8')));
    const { indexes, words } = mark;
    return JSON.stringify({ indexes, words }) === JSON.stringify(madeBy(family)) ? mark : null;
  } catch {
    return null;
  }
}

function madeBy({ types }: TextFamily) {
  return { indexes: types.map(({ name }) => name), words: WORDS_VERSION };
}
