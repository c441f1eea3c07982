import type { WriteContext } from '../../runtime/index.js';
import { Memory, Task } from '../../schema/index.js';
import { clearIndexes, type TextIndexType } from '../../search/index.js';
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
  /** Takes everything out. */
  clear(context: WriteContext): Promise<void>;
  /** Takes in what some of these ids say. */
  write(ids: readonly string[], context: WriteContext): Promise<void>;
}

const ATTEMPT_TEXTS: TextFamily = {
  name: 'attempts',
  types: ATTEMPT_INDEXES,
  idsOf: ({ findIds }) => findIds(Task),
  clear: async (context) => {
    await clearIndexes(context, { family: 'attempts', layer: 'durable', types: ATTEMPT_INDEXES });
    for await (const page of context.blobsUnder(ATTEMPTS, 'durable'))
      for (const { name } of page) context.putBlob(name, undefined, 'durable');
  },
  write: (ids, context) => keepAttempts(ids, context, { whole: true }),
};

const MEMORY_TEXTS: TextFamily = {
  name: 'memories',
  types: [MEMORY_TEXT],
  idsOf: ({ findIds }) => findIds(Memory),
  clear: (context) => clearIndexes(context, { family: 'memories', layer: 'durable', types: [MEMORY_TEXT] }),
  write: async (ids, context) =>
    writeMemoryText(
      context,
      (await context.nodesOf(Memory, ids)).filter(({ gone }) => !gone),
    ),
};

/** All of them. */
export const TEXT_FAMILIES: readonly TextFamily[] = [MEMORY_TEXTS, ATTEMPT_TEXTS];
