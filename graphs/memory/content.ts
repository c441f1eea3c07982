import { resolve } from 'node:path';
import { z } from 'zod';
import { didYouMean, isNear, shownLine } from '../../present/index.js';
import { compareText, type NodeRef, type ReadContext, type WriteContext } from '../../runtime/index.js';
import {
  CONTEXT_PREFIX,
  CodewalkError,
  isoOf,
  issuesText,
  LIMITS,
  MEMORY_CONTEXT_FIELDS,
  MEMORY_RELATION_GROUPS,
  MEMORY_TYPE_ALIASES,
  MEMORY_TYPES,
  Memory,
  MemoryContent,
  type MemoryType,
  MemoryVersion,
  memoryVersionId,
  parseId,
} from '../../schema/index.js';
import { defineTextIndex, Words, writeIndex } from '../../search/index.js';
import {
  diskFileSystem,
  gitFolders,
  gitHead,
  gitTop,
  insideRoot,
  masked,
  platformOf,
  storedText as storedEnds,
} from '../../source/index.js';

/** A text as it is stored: secrets masked (P-04), what UTF-8 cannot hold replaced. */
export function storedText(text: string): string {
  return storedEnds(text, Number.POSITIVE_INFINITY).text;
}

type GivenContent = {
  readonly [F in keyof typeof CONTENT_FIELDS]?: z.output<(typeof CONTENT_FIELDS)[F]> | null | undefined;
};

/** Properties of a memory's content, for a change. */
export type ContentPatch = Partial<z.input<typeof MemoryContent>>;

/**
 * What a caller says of a memory as it is stored: secrets masked, each tag once; what was not given is left out.
 *
 * @param root Files of the context inside of it are stored relative to it.
 * @throws CodewalkError `INVALID_INPUT` for a context with an unknown field, or one that is too long.
 */
export function storedContent(given: GivenContent, root: string | null): ContentPatch {
  const said = Object.entries(given).filter(
    ([field, value]) => field in MemoryContent.shape && value !== undefined,
  );
  const own = said.map(([field, value]) => [field, storedValue(value)]);
  return { ...Object.fromEntries(own), ...storedContext(given.context ?? {}, root) };
}

function storedValue(value: unknown): unknown {
  if (value === '') return null;
  if (Array.isArray(value)) return [...new Set(value.map(storedText))];
  return typeof value === 'string' ? storedText(value) : value;
}

const text = z.string().trim().min(1);
const LISTS = ['files_involved', 'languages', 'frameworks', 'technologies'];
const typeIn = (field: string) => (LISTS.includes(field) ? z.array(text) : text).nullish();

const MemoryContext = z
  .strictObject(Object.fromEntries(MEMORY_CONTEXT_FIELDS.map((field) => [field, typeIn(field)])))
  .refine((given) => JSON.stringify(given).length <= LIMITS.memoryContext.max, {
    error: ({ input }) =>
      `it has ${JSON.stringify(input).length} characters, at most ${LIMITS.memoryContext.max} are taken: put what is long into the content`,
  });

function storedContext(given: Readonly<Record<string, unknown>>, root: string | null): ContentPatch {
  const parsed = MemoryContext.safeParse(given);
  if (!parsed.success) {
    const unknown = Object.keys(given).find((field) => !MEMORY_CONTEXT_FIELDS.includes(field)) ?? '';
    const near = MEMORY_CONTEXT_FIELDS.filter((field) => isNear(unknown, field)).slice(0, 1);
    throw new CodewalkError('INVALID_INPUT', `context: ${issuesText(parsed.error, given)}`, {
      input: given,
      suggestion: `${didYouMean(near)}Its fields are: ${MEMORY_CONTEXT_FIELDS.join(', ')}.`,
    });
  }
  const known = Object.entries(parsed.data).filter(([, value]) => value != null);
  const stored = known.map(([field, value]) => {
    const isFiles = field === 'files_involved' && Array.isArray(value);
    return [
      CONTEXT_PREFIX + field,
      storedValue(isFiles ? value.map((path) => graphPath(root, path)) : value),
    ];
  });
  return Object.fromEntries(stored);
}

/** A path relative to the root; as it is given where it leads out of it, or holds a secret, to be masked as a whole. */
function graphPath(root: string | null, path: string): string {
  if (root === null || path.length > LIMITS.pathText.max || masked(path) !== path) return path;
  try {
    return insideRoot(root, path).path || path;
  } catch {
    return path;
  }
}

/** The context without its prefix, in the schema's order: only what is known. */
export function contextIn(memory: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const all = Object.entries(memory).filter(([field]) => field.startsWith(CONTEXT_PREFIX));
  const known = all.filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0));
  return Object.fromEntries(known.map(([field, value]) => [field.slice(CONTEXT_PREFIX.length), value]));
}

/** The roots that memories of this store were made in, of which the latest ones count: worktrees, and places before a move. */
const [ROOTS, MOST_ROOTS] = ['memory/project-roots', 200] as const;

/** The context that is filled in where the caller gave none: where and when the memory is made. Stores the root. */
export async function surroundingContext(context: WriteContext): Promise<ContentPatch> {
  const { projectRoot, caller, now } = context;
  const head = projectRoot === null ? null : gitHead(projectRoot);
  if (projectRoot !== null) await storeName(context, ROOTS, projectRoot, MOST_ROOTS);
  const known = {
    context_project_path: projectRoot,
    context_git_commit: head?.commit ?? null,
    context_git_branch: head?.branch ?? null,
    context_working_directory: caller.directory,
    context_session_id: caller.session,
    context_timestamp: isoOf(now()),
  };
  return Object.fromEntries(Object.entries(known).map(([field, value]) => [field, value && masked(value)]));
}

/**
 * The paths under which a project's memories may be stored: of this project all its worktrees and former places, of any
 * other the given path alone.
 */
export async function projectPaths(context: ReadContext, given: string): Promise<readonly string[]> {
  const { projectRoot } = context;
  if (projectRoot === null) return [given];
  const path = realPath(resolve(projectRoot, given));
  const own = [...(await storedNames(context, ROOTS)), projectRoot];
  const isOwn = own.includes(given) || own.includes(path) || placeOf(path) === placeOf(projectRoot);
  return [...new Set(isOwn ? [given, path, ...own] : [given, path])];
}

function realPath(path: string): string {
  try {
    return diskFileSystem.realPath(path);
  } catch {
    return path;
  }
}

/** A repository and a folder in it, the same in each of its worktrees; outside of a repository the path. */
function placeOf(path: string): string {
  const top = gitTop(path, platformOf());
  const folders = top === null ? null : gitFolders(top, platformOf(), diskFileSystem);
  return folders === null || top === null ? path : `${folders.common}\n${path.slice(top.length)}`;
}

const TYPE_WORDS = [...MEMORY_TYPES, 'pattern'] as const;
/** Tags that one search may name: twenty times those that a memory can have. */
const MOST_TAGS = 20 * LIMITS.memoryTags.max;
const RELATION_NAMES = Object.values(MEMORY_RELATION_GROUPS).flat();

/** Input: the id of a memory. */
export const idField = textField(200);

/** Input: a path, a name or the id of anything in the graph. */
export const nameField = textField(5000);

/** Input: the id of a relation, which holds the ids of two memories. */
export const relationIdField = textField(1000);

/** Input: a number from 0 to 1. A refinement, so that the bounds stay out of every tool's schema. */
export const shareField = z
  .number()
  .refine((share) => share >= 0 && share <= 1, { error: 'it is from 0 to 1' });

/** Input: a whole number within a limit. */
export function wholeField({ min, max }: { readonly min: number; readonly max: number }) {
  return z.int().refine((number) => number >= min && number <= max, { error: `it is from ${min} to ${max}` });
}

/** Input: the number of rows to skip. */
export const offsetField = z.int().refine((number) => number >= 0, { error: 'it is at least 0' });

/** Inputs: what a memory says. Longer texts are refused. */
export const CONTENT_FIELDS = {
  title: textField(LIMITS.memoryTitle.max),
  content: textField(LIMITS.memoryContent.max),
  summary: textUpTo(LIMITS.memorySummary.max),
  // A secret in lower case would not be recognised.
  tags: tagList(textField(LIMITS.memoryTag.max).overwrite(masked).toLowerCase(), LIMITS.memoryTags.max),
  importance: shareField,
  type: z.enum(TYPE_WORDS).overwrite(typeOf),
  confidence: shareField,
  effectiveness: shareField,
  // `storedContext` checks its parts, which keeps the tools' schemas short.
  context: z
    .record(z.string(), z.unknown())
    .describe('files_involved[], languages[], …; the rest is filled in'),
};

/** Input: the words of a search. */
export const queryField = textUpTo(LIMITS.memoryQuery.max);

/** Input: tags, one of which a memory must have. */
export const tagsField = tagList(z.string().trim().toLowerCase(), MOST_TAGS);

/** Input: types to look for, or other words for them. */
export const typesField = z.array(oneOf(TYPE_WORDS, 'type of memory'));

/** Input: one of the 35 relations. */
export const relationField = z.enum(RELATION_NAMES);

/** Input: relations to look for. */
export const relationsField = z.array(oneOf(RELATION_NAMES, 'relation'));

/** The type that a word stands for. */
export function typeOf(word: string): MemoryType {
  return word === 'pattern' ? MEMORY_TYPE_ALIASES.pattern : (word as MemoryType);
}

/** A text of at most so many characters; longer ones are refused. */
export function textUpTo(most: number) {
  return z
    .string()
    .trim()
    .refine((text) => text.length <= most, {
      error: ({ input }) => `it has ${String(input).length} characters, at most ${most} are taken`,
    });
}

function tagList(tag: z.ZodString, most: number) {
  return z
    .array(tag)
    .refine((tags) => tags.length <= most, { error: `at most ${most} tags` })
    .meta({ commas: true });
}

function textField(most: number) {
  return textUpTo(most).refine((text) => text !== '', { error: 'it is empty' });
}

/** A word of a list that is too long for every tool's schema; the error names the nearest words. */
function oneOf(words: readonly string[], what: string) {
  return z.string().refine((word) => words.includes(word), {
    error: ({ input }) => {
      const near = didYouMean(words.filter((word) => isNear(String(input), word)).slice(0, 2));
      return `no ${what}. ${near}There are ${words.join(', ')}`;
    },
  });
}

/** Characters of an id that may stand for it. */
const SHORTEST = 4;

/**
 * The memory with this id, or the only one whose id begins so.
 *
 * @param field The input's name, for the message.
 * @throws CodewalkError `NODE_NOT_FOUND` with the nearest ids, or where to read what a deleted memory said.
 */
export async function memoryNamed(
  context: Pick<ReadContext, 'nodesOf' | 'findIds'>,
  given: string,
  field = 'memory_id',
): Promise<MemoryRef> {
  const [exact] = await context.nodesOf(Memory, [given]);
  if (exact && !exact.gone) return exact;
  const ids = await context.findIds(Memory);
  const begun = ids.filter((id) => id.startsWith(given));
  const isEnough = given.length >= SHORTEST && begun.length === 1;
  const [only] = isEnough ? await context.nodesOf(Memory, begun) : [];
  if (only) return only;
  const last = (await versionsOf(context, given)).at(-1);
  if (last && 'replaced_at' in last)
    throw new CodewalkError('NODE_NOT_FOUND', `${field}: '${given}' was deleted ${last.replaced_at}`, {
      input: given,
      suggestion: `memory_as_of with the time ${last.said_at} shows what it said.`,
    });
  const near = (begun.length > 0 ? begun : ids.filter((id) => isNear(given, id))).sort(compareText);
  const some = begun.length === 1 ? 'one id begins' : `${begun.length} ids begin`;
  const why = begun.length > 0 ? `${some} with` : 'there is no memory';
  const least = given.length < SHORTEST ? `, at least ${SHORTEST} characters` : '';
  const more = begun.length > 0 ? `Give more of it${least}. ` : '';
  throw new CodewalkError('NODE_NOT_FOUND', `${field}: ${why} '${shownLine(given, 100)}'`, {
    input: given,
    suggestion: `${didYouMean(near.slice(0, 3))}${more}memory_search finds memories by words, tags and types.`,
  });
}

/** Ids of trace nodes, and of versions of memories and relations. */
const RESERVED = [/^(?:task|step|tool|checkpoint|error|event|cursor):/u, /@\d+$/u, /@\d{4}-[\dT:.-]+Z$/u];
/** Characters that do not show: two ids could look the same. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** Why a new memory cannot have an id; null where it can. */
export function whyNoMemoryId(id: string): string | null {
  if (masked(id) !== id) return 'it holds a secret';
  if (HIDDEN.test(id)) return 'it has characters that do not show';
  const isReserved = parseId(id) !== null || RESERVED.some((form) => form.test(id));
  return isReserved ? 'ids of this form mean something else in the graph' : null;
}

/** The ids of the latest requests whose effect does not show in the graph: a client that lost an answer asks again at once. */
const [DONE, MOST_DONE] = ['memory/requests-done', 64] as const;

/** Whether this request was done when it was sent before; from now on it counts as done. */
export async function wasDone(context: WriteContext): Promise<boolean> {
  return context.requestId !== null && storeName(context, DONE, context.requestId, MOST_DONE);
}

/** Puts a name behind those of a durable blob, of which the latest ones stay. Answers whether it was there already. */
async function storeName(context: WriteContext, blob: string, name: string, most: number): Promise<boolean> {
  const known = await storedNames(context, blob);
  if (known.includes(name)) return true;
  const latest = [...known, name].slice(-most);
  context.putBlob(blob, Buffer.from(JSON.stringify(latest)), 'durable');
  return false;
}

async function storedNames({ blobs }: Pick<ReadContext, 'blobs'>, blob: string): Promise<string[]> {
  const [bytes] = await blobs([blob], 'durable');
  try {
    return bytes ? z.array(z.string()).parse(JSON.parse(Buffer.from(bytes).toString('utf8'))) : [];
  } catch {
    // Damaged: a request may be done twice, a filter compares with today's root alone, until the next one is stored.
    return [];
  }
}

/** A memory as a run reads it. */
export type MemoryRef = NodeRef<typeof Memory>;
/** What a memory says, or an earlier version of it. */
export type StoredVersion = MemoryRef | NodeRef<typeof MemoryVersion>;

/** Versions that are looked for at a time, after the first one: most memories have none. */
const AT_ONCE = 32;

/** All that a memory said, the first version first, what it says now last; of a deleted one, what it said. */
export async function versionsOf(
  { nodesOf }: Pick<ReadContext, 'nodesOf'>,
  id: string,
): Promise<StoredVersion[]> {
  const found: StoredVersion[] = [];
  // Versions are numbered from 1 without gaps.
  for (let count = 1, first = 1; first === found.length + 1; first += count, count = AT_ONCE) {
    const ids = Array.from({ length: count }, (_, at) => memoryVersionId(id, first + at));
    found.push(...(await nodesOf(MemoryVersion, ids)).filter(({ gone }) => !gone));
  }
  return [...found, ...(await nodesOf(Memory, [id])).filter(({ gone }) => !gone)];
}

/**
 * The text index of memories, in the store of the memories: a commit changes both or neither. A change of its fields needs
 * another name, so that existing stores rebuild it. `paths`: whole paths as {@link pathWord}; no query finds these.
 */
export const MEMORY_TEXT = defineTextIndex('memories-3', {
  layer: 'durable',
  fields: { title: 1, summary: 1, content: 1, tags: 2, files: 1, paths: 0 },
});

const words = new Words();

/** The words of a query, each once with the weight 1. */
export function wordsOf(query: string): Map<string, number> {
  return new Map(words.of(query).map((word) => [word, 1]));
}

/** A path as a word of its own, to count how many memories name a file. */
export const pathWord = (path: string): string => `/${path}`;

/** The words of a memory or version by field of {@link MEMORY_TEXT}. */
export function fieldsOf(memory: StoredVersion) {
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

/** Updates the text index for memories, in the run's own commit. @param removed Ids of memories that are no more. */
export async function writeMemoryText(
  context: WriteContext,
  memories: readonly MemoryRef[],
  removed: readonly string[] = [],
): Promise<void> {
  const writer = writeIndex(context, MEMORY_TEXT);
  for (const memory of memories) writer.put(memory.id, fieldsOf(memory));
  for (const id of removed) writer.remove(id);
  await writer.flush();
}
