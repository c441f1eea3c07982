import { z } from 'zod';
import { defineWalker, isA, type NodeRef, Root, type WriteContext } from '../../runtime/index.js';
import { CodewalkError, LIMITS, Memory, type MemoryType } from '../../schema/index.js';
import { readIndex } from '../../search/index.js';
import { bindAbout } from './about.js';
import { changeMemory } from './changed-memory.js';
import { keptSaid } from './kept-memory.js';
import { contextField, contextOf, surroundingContext } from './memory-context.js';
import { idField, nameField, SAID_FIELDS, shareField, typeField, typeOf } from './memory-fields.js';
import { MEMORY_TEXT, wordsOf, writeMemoryText } from './memory-text.js';
import { checkNewMemoryId, whyNoMemoryId } from './new-memory-id.js';
import { storedBefore } from './sent-again.js';

/** Memories that are compared: those that have the rarest words of the new one. */
const MOST_COMPARED = 5;
const MOST_WORDS = 24;
const TOKEN = /[\p{L}\p{N}]+/gu;

/** A memory that says the same as a new one. */
interface NearDuplicate {
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
async function nearDuplicate(context: WriteContext, said: Said): Promise<NearDuplicate | undefined> {
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

/** What storing a memory answers. */
const StoreOutput = z.object({
  memory_id: z.string(),
  /** False: it was there, and now says this. */
  created: z.boolean(),
  /** From 1. */
  version: z.number().int(),
  about: z.array(z.string()),
  /** How like the memory that was there is, which is answered with; null: nothing was as like. */
  duplicate: z.number().nullable(),
});

/** Remembers something; under the id of a memory that is there, what that one says now (S4-26). */
export const MemoryStore = defineWalker('memory_store', {
  description:
    'Save what is worth knowing next time: a fix, decision, problem, pattern. memory_id: update it.',
  access: 'write',
  reads: 'trace',
  input: {
    type: typeField,
    title: SAID_FIELDS.title.meta({ help: 'It in a line' }),
    content: SAID_FIELDS.content.meta({ help: 'What is worth knowing, and why' }),
    summary: SAID_FIELDS.summary.optional(),
    tags: SAID_FIELDS.tags.optional(),
    importance: shareField.optional(),
    confidence: shareField.optional(),
    context: contextField.optional(),
    about: z.array(nameField).default([]).describe('Files, symbols, tasks, errors'),
    memory_id: idField.optional().meta({ help: 'The memory that says this from now on' }),
    anyway: z.boolean().optional(),
  },
  output: StoreOutput,
  state: () => ({ output: null as z.infer<typeof StoreOutput> | null }),
  examples: [
    {
      title: 'What mended a failure',
      input: {
        type: 'fix',
        title: 'Sessions end too soon',
        content: 'The clock of the test has no time zone: compare in UTC.',
        tags: ['sessions', 'time'],
        about: ['src/auth.ts'],
      },
    },
    {
      title: 'A decision',
      input: { type: 'decision', title: 'No ORM', content: 'Queries are written by hand.', importance: 0.9 },
    },
  ],
  on: (w) => [
    w.entry(Root, async (_here, context) => {
      const { state, projectRoot } = context;
      const { type, tag } = typeOf(state.type);
      const place = contextOf(state.context ?? {}, projectRoot);
      const tags = tag === null ? state.tags : [...(state.tags ?? []), tag];
      const said = { ...keptSaid({ ...state, tags }), type, ...place };
      const known = await memoryUnder(context, state.memory_id);
      const text = { title: state.title, content: state.content, ...said };
      const again = state.memory_id === undefined ? await storedBefore(context, text) : undefined;
      const isNew = state.memory_id === undefined && !again && !state.anyway;
      const near = isNew ? await nearDuplicate(context, text) : undefined;
      if (near) {
        const { memory, likeness: duplicate } = near;
        // It was said again, of these: what it is about is what that is now.
        const about = await bindAbout(context, memory, state.about);
        const { id: memory_id, version } = memory;
        state.output = { memory_id, created: false, version, about, duplicate };
        return;
      }
      if (known) await changeMemory(context, known, said);
      const now = new Date(context.now()).toISOString();
      const own = state.memory_id ?? (await freeId(context));
      const memory =
        known ??
        again ??
        (await context.create(
          Memory(
            {
              ...text,
              ...(await surroundingContext(context)),
              ...said,
              created_at: now,
              updated_at: now,
            },
            own === undefined ? {} : { id: own },
          ),
        ));
      const about = await bindAbout(context, memory, state.about);
      await writeMemoryText(context, [memory]);
      state.output = {
        memory_id: memory.id,
        created: known === undefined,
        version: memory.version,
        about,
        duplicate: null,
      };
    }),
  ],
  finish: ({ state: { output } }) => {
    if (output) return output;
    throw new CodewalkError('DEADLINE', 'the run ended before the memory was stored');
  },
  markdown: ({ memory_id, created, version, about, duplicate }) =>
    [
      duplicate !== null
        ? `Not stored: ${memory_id} says nearly the same (likeness ${duplicate.toFixed(2)}). Update that one, or store this with 'anyway', too.`
        : created
          ? `Remembered as ${memory_id}.`
          : `${memory_id} says this now (version ${version}).`,
      ...(about.length > 0 ? [`About ${about.join(', ')}.`] : []),
      '',
    ].join('\n'),
});

/** The request's id where no memory has it: sent again, it finds the memory that it stored. */
async function freeId({ requestId, node }: WriteContext): Promise<string | undefined> {
  if (requestId === null || whyNoMemoryId(requestId) !== null) return undefined;
  const found = await node(requestId);
  return found && !found.gone ? undefined : requestId;
}

/**
 * The memory that is there under an id.
 *
 * @throws CodewalkError `INVALID_INPUT` where the id is that of something else, or could be.
 */
async function memoryUnder(
  { node, nodesOf }: Pick<WriteContext, 'node' | 'nodesOf'>,
  id: string | undefined,
): Promise<NodeRef<typeof Memory> | undefined> {
  const found = id === undefined ? undefined : await node(id);
  if (id === undefined || found === undefined) {
    if (id !== undefined) checkNewMemoryId(id);
    return undefined;
  }
  if (isA(found.archetype, Memory)) return (await nodesOf(Memory, [found.id]))[0];
  throw new CodewalkError('INVALID_INPUT', `memory_id: '${id}' is a ${found.archetype.name}, no memory`, {
    input: id,
    suggestion: 'Leave it out: a new memory gets an id of its own.',
  });
}
