import { z } from 'zod';
import { fileSymbols, findNamed, type Wanted } from '../../graphs/code/index.js';
import {
  CONTENT_FIELDS,
  type ContentPatch,
  changeMemory,
  idField,
  linesHash,
  type MemoryRef,
  nameField,
  proposeContradictions,
  SimilarFields,
  type SimilarMemories,
  similarFields,
  similarLines,
  similarMemories,
  storedContent,
  surroundingContext,
  textOnDisk,
  versionsOf,
  whyNoMemoryId,
  writeMemoryText,
} from '../../graphs/memory/index.js';
import { shownLine } from '../../present/index.js';
import { defineWalker, isA, type NodeRef, type WriteContext } from '../../runtime/index.js';
import {
  CodeSymbol,
  CodewalkError,
  File,
  fileId,
  isoOf,
  Memory,
  MemoryAbout,
  MemoryContent,
  Task,
  TraceError,
} from '../../schema/index.js';
import { insideRoot, masked, statusAt } from '../../source/index.js';
import { EDIT_PARSER } from '../trace/edited-symbols.js';
import { findError, findTask } from '../trace/find-traced.js';

/** Stores a memory; under the id of a stored one, new content of that (S4-26). */
export const MemoryStore = defineWalker('memory_store', {
  description:
    'Save something worth knowing next time: a fix, decision, problem or pattern. memory_id: update it.',
  access: 'write',
  reads: 'trace',
  input: {
    type: CONTENT_FIELDS.type,
    title: CONTENT_FIELDS.title.meta({ help: 'It in a line' }),
    content: CONTENT_FIELDS.content.meta({ help: 'What is worth knowing, and why' }),
    summary: CONTENT_FIELDS.summary.optional(),
    tags: CONTENT_FIELDS.tags.optional(),
    importance: CONTENT_FIELDS.importance.optional(),
    confidence: CONTENT_FIELDS.confidence.optional(),
    context: CONTENT_FIELDS.context.optional(),
    about: z.array(nameField).default([]).describe('Files, symbols, tasks, errors'),
    memory_id: idField.optional().meta({ help: 'The memory that gets this content' }),
    anyway: z.boolean().optional(),
  },
  output: z.object({
    memory_id: z.string(),
    /** False: the memory was there, and has this content now. */
    created: z.boolean(),
    /** From 1. */
    version: z.number().int(),
    about: z.array(z.string()),
    /** How similar the stored memory is that is answered instead; null: the content was stored. */
    duplicate: z.number().nullable(),
    ...SimilarFields.shape,
  }),
  examples: [
    {
      title: 'What fixed a failure',
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
  finish: async ({ state, context }) => {
    const patch = storedContent(state, context.projectRoot);
    const { memory_id, anyway = false } = state;
    const stored = await storeContent(context, patch, memory_id, anyway);
    const { memory, created, similarity: duplicate = null } = stored;
    const about = await bindAbout(context, memory, state.about);
    const { id, version } = memory;
    return { memory_id: id, created, version, about, duplicate, ...similarFields(stored) };
  },
  markdown: ({ memory_id, created, version, about, duplicate, ...similar }) => {
    const stored = created
      ? `Remembered as ${memory_id}.`
      : `${memory_id} says this now (version ${version}).`;
    return [
      duplicate === null
        ? stored
        : `Not stored: ${memory_id} says nearly the same (similarity ${duplicate.toFixed(2)}). Update that one, or store this with 'anyway', too.`,
      ...similarLines(memory_id, similar),
      ...(about.length > 0 ? [`About ${about.join(', ')}.`] : []),
      '',
    ].join('\n');
  },
});

interface StoredContent extends Partial<SimilarMemories> {
  readonly memory: MemoryRef;
  readonly created: boolean;
  readonly similarity?: number;
}

/** The memory that has the content afterwards, or nearly so: then `similarity` says how nearly. */
async function storeContent(
  context: WriteContext,
  content: ContentPatch,
  id: string | undefined,
  anyway: boolean,
): Promise<StoredContent> {
  const known = await memoryUnder(context, id);
  if (known) return { memory: known, created: false, ...(await changeMemory(context, known, content)) };
  const repeated = await storedBefore(context, content);
  if (repeated) return { memory: repeated, created: true };
  const { duplicate, contradicting: contrary } = await similarMemories(context, MemoryContent.parse(content));
  if (duplicate && id === undefined && !anyway) return { ...duplicate, created: false };
  const memory = await createMemory(context, id, content);
  const contradicting = await proposeContradictions(context, memory, contrary);
  return { memory, created: true, duplicate, contradicting };
}

/** The memory that this request stored when it was sent before: it has the request's id. */
async function storedBefore({ requestId, nodesOf }: WriteContext, { title, content }: ContentPatch) {
  const [memory] = requestId === null ? [] : await nodesOf(Memory, [requestId]);
  return memory && !memory.gone && memory.title === title && memory.content === content ? memory : undefined;
}

async function memoryUnder(context: WriteContext, id: string | undefined): Promise<MemoryRef | undefined> {
  if (id === undefined) return undefined;
  const found = await context.node(id);
  const isThere = found !== undefined && !found.gone;
  if (isThere && isA(found.archetype, Memory)) return (await context.nodesOf(Memory, [id]))[0];
  const why = isThere ? `it is a ${found.archetype.name}` : whyNoMemoryId(id);
  if (why === null) return undefined;
  const shown = shownLine(masked(id), 100);
  throw new CodewalkError('INVALID_INPUT', `memory_id: no memory can be '${shown}': ${why}`, {
    input: shown,
    suggestion: 'Leave it out: a new memory gets an id of its own.',
  });
}

async function createMemory(context: WriteContext, given: string | undefined, patch: ContentPatch) {
  const { requestId, node, now } = context;
  const taken = requestId === null ? undefined : await node(requestId);
  const isFree = requestId !== null && whyNoMemoryId(requestId) === null && (!taken || taken.gone);
  const id = given ?? (isFree ? requestId : undefined);
  // A deleted memory of this id left its versions.
  const version = id === undefined ? 1 : (await versionsOf(context, id)).length + 1;
  const content = MemoryContent.parse({ ...(await surroundingContext(context)), ...patch });
  const time = isoOf(now());
  const said = { ...content, created_at: time, updated_at: time, version };
  const memory = await context.create(Memory(said, id === undefined ? {} : { id }));
  await writeMemoryText(context, [memory]);
  return memory;
}

const WANTED: Wanted = {
  what: 'a file or a symbol',
  fits: (node) => isA(node.archetype, File) || isA(node.archetype, CodeSymbol),
};

/** Binds a memory to what it is about, with its content hash now. Bound again, the hash is renewed. */
async function bindAbout(context: WriteContext, memory: MemoryRef, given: readonly string[]) {
  const ids = new Set<string>();
  const bound_at = isoOf(context.now());
  for (const name of given) {
    const to = await targetNamed(context, name);
    if (ids.has(to.id)) continue;
    const content_hash = await contentHash(context, to);
    context.connectAll([{ from: memory, to, edge: MemoryAbout({ content_hash, bound_at }) }]);
    ids.add(to.id);
  }
  return [...ids];
}

async function targetNamed(context: WriteContext, name: string): Promise<NodeRef> {
  const exact = await context.node(name);
  if (exact && (isA(exact.archetype, Task) || isA(exact.archetype, TraceError))) return exact;
  if (name.startsWith('task:')) return findTask(context, name);
  if (name.startsWith('error:')) return findError(context, name);
  const file = await fileOnDisk(context, name);
  if (file) return file;
  const { targets } = await findNamed(context, name, WANTED);
  const [first] = targets;
  if (first && targets.length === 1) return first;
  const ids = targets.slice(0, 5).map(({ id }) => id);
  throw new CodewalkError(
    'INVALID_INPUT',
    `about: '${shownLine(name, 100)}' may be ${targets.length} things`,
    { input: name, suggestion: `Give one of their ids: ${ids.join(', ')}.` },
  );
}

/** A file that exists, indexed or not. */
async function fileOnDisk(
  { projectRoot, nodesOf }: WriteContext,
  name: string,
): Promise<NodeRef | undefined> {
  if (projectRoot === null) return undefined;
  try {
    const { path, diskPath } = insideRoot(projectRoot, name.replace(/^file:/, ''));
    return statusAt(diskPath)?.kind === 'file' ? (await nodesOf(File, [fileId(path)]))[0] : undefined;
  } catch {
    // Not a path inside the root.
    return undefined;
  }
}

/**
 * The SHA-256 of a file's bytes, as its node has it when it is indexed; of a symbol that of its own lines, so that an edit
 * elsewhere in the file does not change it. Null for what has no text, or cannot or must not be read.
 */
async function contentHash(context: WriteContext, node: NodeRef): Promise<string | null> {
  if (isA(node.archetype, File))
    return (await textOnDisk(context, node.id.slice(fileId('').length)))?.hash ?? null;
  const [symbol] = isA(node.archetype, CodeSymbol) ? await context.nodesOf(CodeSymbol, [node.id]) : [];
  if (!symbol || symbol.gone) return null;
  const read = await textOnDisk(context, symbol.path);
  if (!read) return null;
  const [file] = await context.nodesOf(File, [fileId(symbol.path)]);
  const lines = file?.hash === read.hash ? symbol : await linesNow(context, symbol, read.text);
  return lines ? linesHash(read.text.split('\n'), lines.start_line - 1, lines.end_line) : null;
}

/** The lines of a symbol in a file that changed since it was indexed; undefined where it is gone. */
async function linesNow({ cached }: WriteContext, { id, path }: NodeRef<typeof CodeSymbol>, text: string) {
  const facts = await cached(EDIT_PARSER).factsOf(path, text);
  if (facts === null) return undefined;
  const { ids, extras } = fileSymbols(path, facts);
  return (facts.definitions[ids.indexOf(id)] ?? extras.find((extra) => extra.id === id)?.fact)?.span;
}
