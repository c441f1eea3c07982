import type { WriteContext } from '../../runtime/index.js';
import { Memory, Task } from '../../schema/index.js';
import {
  clearIndexes,
  type IndexFamily,
  sweepBlobs,
  sweepIndexes,
  type TextIndexType,
} from '../../search/index.js';
import { MEMORY_TEXT, writeMemoryText } from '../memory/memory-text.js';
import { ATTEMPT_INDEXES } from '../trace/attempts/stored/indexes.js';
import { keepAttempts } from '../trace/attempts/stored/keep-attempts.js';
import { ATTEMPTS } from '../trace/attempts/stored/names.js';

/** Text indexes of the durable layer that are made anew together. */
export interface TextFamily {
  /** How the names of its indexes begin, in all versions. */
  readonly name: string;
  readonly types: readonly TextIndexType[];
  /** The ids of all that has texts in it. */
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
    return (await sweepBlobs(context, { prefix: ATTEMPTS, layer: 'durable', most })) < most;
  },
  write: (ids, context) => keepAttempts(ids, context, { whole: true }),
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

/** All of them. */
export const TEXT_FAMILIES: readonly TextFamily[] = [MEMORY_TEXTS, ATTEMPT_TEXTS];
