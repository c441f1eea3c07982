import { resolve } from 'node:path';
import { z } from 'zod';
import { didYouMean, isNear } from '../../present/index.js';
import type { ReadContext, WriteContext } from '../../runtime/index.js';
import {
  CONTEXT_PREFIX,
  CodewalkError,
  isoOf,
  issuesText,
  LIMITS,
  MEMORY_CONTEXT_FIELDS,
  MemoryContent,
} from '../../schema/index.js';
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
import type { CONTENT_FIELDS } from './fields.js';
import { storedNames, storeName } from './identity.js';

/** A text as it is stored: secrets masked (P-04), what UTF-8 cannot hold replaced. */
export function storedText(text: string): string {
  return storedEnds(text, Number.POSITIVE_INFINITY).text;
}

type GivenContent = {
  readonly [F in keyof typeof CONTENT_FIELDS]?: z.output<(typeof CONTENT_FIELDS)[F]> | null | undefined;
};

/** Properties of a memory's content, for a change. */
export type ContentPatch = Partial<z.input<typeof MemoryContent>>;

const OWN_FIELDS = new Set(Object.keys(MemoryContent.shape));

/**
 * What a caller says of a memory as it is stored: secrets masked, each tag once; what was not given is left out.
 *
 * @param root Files of the context that are inside this folder are stored relative to it; null: as they are given.
 * @throws CodewalkError `INVALID_INPUT` for a context with an unknown field, or one that is too long.
 */
export function storedContent(given: GivenContent, root: string | null): ContentPatch {
  const said = Object.entries(given).filter(([field, value]) => OWN_FIELDS.has(field) && value !== undefined);
  const own = said.map(([field, value]) => [field, storedValue(value)]);
  return { ...Object.fromEntries(own), ...storedContext(given.context ?? {}, root) };
}

/** A text, null for an empty one, or a list of texts as they are stored; anything else as it is. */
function storedValue(value: unknown): unknown {
  if (value === '') return null;
  if (Array.isArray(value)) return [...new Set(value.map(storedText))];
  return typeof value === 'string' ? storedText(value) : value;
}

const text = z.string().trim().min(1).nullish();
const texts = z.array(z.string().trim().min(1)).nullish();
const LISTS = ['files_involved', 'languages', 'frameworks', 'technologies'];

const MemoryContext = z
  .strictObject(
    Object.fromEntries(MEMORY_CONTEXT_FIELDS.map((field) => [field, LISTS.includes(field) ? texts : text])),
  )
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
  const known = Object.entries(parsed.data).flatMap(([field, value]) => {
    if (value === null || value === undefined) return [];
    const isFiles = field === 'files_involved' && Array.isArray(value);
    return [
      [CONTEXT_PREFIX + field, storedValue(isFiles ? value.map((path) => graphPath(root, path)) : value)],
    ];
  });
  return Object.fromEntries(known);
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
  const known = Object.entries(memory).filter(
    ([field, value]) =>
      field.startsWith(CONTEXT_PREFIX) && value !== null && !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(known.map(([field, value]) => [field.slice(CONTEXT_PREFIX.length), value]));
}

/** The names of the roots that memories of this store were made in: worktrees, and places before a move. */
const ROOTS = 'memory/project-roots';
/** Worktrees come and go: the latest ones count. */
const MOST_ROOTS = 200;

/** The context that is filled in where the caller gave none: where and when the memory is made. Stores the root. */
export async function surroundingContext(
  context: Pick<WriteContext, 'projectRoot' | 'caller' | 'now' | 'blobs' | 'putBlob'>,
): Promise<ContentPatch> {
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
export async function projectPaths(
  context: Pick<ReadContext, 'projectRoot' | 'blobs'>,
  given: string,
): Promise<readonly string[]> {
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
