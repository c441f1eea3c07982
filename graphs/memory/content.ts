import { resolve } from 'node:path';
import { z } from 'zod';
import { didYouMean, isNear } from '../../present/index.js';
import type { ReadContext, WriteContext } from '../../runtime/index.js';
import {
  CONTEXT_PREFIX,
  CodewalkError,
  issuesText,
  LIMITS,
  MEMORY_CONTEXT_FIELDS,
  type MemoryContent,
} from '../../schema/index.js';
import {
  diskFileSystem,
  gitFolders,
  gitHead,
  gitTop,
  insideRoot,
  masked,
  platformOf,
} from '../../source/index.js';

/** Lone surrogates and NUL: no UTF-8 text has them. */
const INVALID = /[\p{Cs}\0]/gu;

/** A text as it is stored: secrets masked (P-04), what UTF-8 cannot hold replaced. */
export function storedText(text: string): string {
  return masked(text.replace(INVALID, '\ufffd'));
}

/** The content of a memory as a caller gives it. */
export interface GivenContent {
  readonly title?: string | undefined;
  readonly content?: string | undefined;
  /** Empty or null: none. */
  readonly summary?: string | null | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly importance?: number | undefined;
  readonly confidence?: number | undefined;
  readonly effectiveness?: number | null | undefined;
}

/** Given content as it is stored: texts as {@link storedText}, each tag once; fields that were not given are left out. */
export function storedContent(given: GivenContent): Partial<z.input<typeof MemoryContent>> {
  const { title, content, summary, tags, importance, confidence, effectiveness } = given;
  const stored = {
    title: title === undefined ? undefined : storedText(title),
    content: content === undefined ? undefined : storedText(content),
    summary: summary ? storedText(summary) : summary === undefined ? undefined : null,
    tags: tags && [...new Set(tags.map(storedText))],
    importance,
    confidence,
    effectiveness,
  };
  return Object.fromEntries(Object.entries(stored).filter(([, value]) => value !== undefined));
}

const text = z.string().trim().min(1).nullish();
const texts = z.array(z.string().trim().min(1)).nullish();
const LISTS = ['files_involved', 'languages', 'frameworks', 'technologies'];

/** The eleven fields of S4-13 as callers give them. */
const MemoryContext = z.strictObject(
  Object.fromEntries(MEMORY_CONTEXT_FIELDS.map((field) => [field, LISTS.includes(field) ? texts : text])),
);

/** Input `context` of a tool. {@link storedContext} checks its parts, which keeps the tool's schema short. */
export const contextField = z
  .record(z.string(), z.unknown())
  .describe('files_involved[], languages[], …; the rest is filled in');

/** A context as it is stored: fields with their prefix, unknown ones left out. */
export type StoredContext = Readonly<Record<string, string | readonly string[]>>;

/**
 * A given context as it is stored, secrets masked.
 *
 * @param root Files inside this folder are stored relative to it; null: as they are given.
 * @throws CodewalkError `INVALID_INPUT` for an unknown field, with the nearest one, or a context that is too long.
 */
export function storedContext(given: Readonly<Record<string, unknown>>, root: string | null): StoredContext {
  const parsed = MemoryContext.safeParse(given);
  if (!parsed.success) {
    const unknown = Object.keys(given).find((field) => !MEMORY_CONTEXT_FIELDS.includes(field)) ?? '';
    const near = MEMORY_CONTEXT_FIELDS.filter((field) => isNear(unknown, field)).slice(0, 1);
    throw new CodewalkError('INVALID_INPUT', `context: ${issuesText(parsed.error, given)}`, {
      input: given,
      suggestion: `${didYouMean(near)}Its fields are: ${MEMORY_CONTEXT_FIELDS.join(', ')}.`,
    });
  }
  const { length } = JSON.stringify(parsed.data);
  const { max } = LIMITS.memoryContext;
  if (length > max)
    throw new CodewalkError(
      'INVALID_INPUT',
      `context: it has ${length} characters, at most ${max} are taken`,
      {
        suggestion: 'Put what is long into the content.',
      },
    );
  const stored: Record<string, string | readonly string[]> = {};
  for (const [field, value] of Object.entries(parsed.data)) {
    if (value === null || value === undefined) continue;
    const one = (part: string) => storedText(field === 'files_involved' ? graphPath(root, part) : part);
    stored[CONTEXT_PREFIX + field] = Array.isArray(value) ? [...new Set(value.map(one))] : one(value);
  }
  return stored;
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

/** The durable blob with the roots that memories of this store were made in: worktrees, and places before a move. */
const ROOTS = 'memory/project-roots';
/** Worktrees come and go: the latest ones count. */
const MOST_ROOTS = 200;

type Roots = Pick<ReadContext, 'projectRoot' | 'blobs'>;

/** The context that is filled in where the caller gave none: where and when the memory is made. Notes the root. */
export async function surroundingContext(
  context: Pick<WriteContext, 'projectRoot' | 'caller' | 'now' | 'blobs' | 'putBlob'>,
): Promise<StoredContext> {
  const { projectRoot, caller, now } = context;
  const head = projectRoot === null ? null : gitHead(projectRoot);
  const roots = await knownRoots(context);
  if (projectRoot !== null && !roots.includes(projectRoot))
    context.putBlob(
      ROOTS,
      Buffer.from(JSON.stringify([...roots, projectRoot].slice(-MOST_ROOTS))),
      'durable',
    );
  const known = {
    project_path: projectRoot,
    git_commit: head?.commit ?? null,
    git_branch: head?.branch ?? null,
    working_directory: caller.directory,
    session_id: caller.session,
    timestamp: new Date(now()).toISOString(),
  };
  return Object.fromEntries(
    Object.entries(known).flatMap(([field, value]) =>
      value === null ? [] : [[CONTEXT_PREFIX + field, masked(value)]],
    ),
  );
}

async function knownRoots({ blobs }: Roots): Promise<readonly string[]> {
  const [bytes] = await blobs([ROOTS], 'durable');
  try {
    return bytes ? z.array(z.string()).parse(JSON.parse(Buffer.from(bytes).toString('utf8'))) : [];
  } catch {
    // Damaged: filters compare with today's root alone until the next memory is stored.
    return [];
  }
}

/**
 * The paths under which a project's memories may be stored: of this project all its worktrees and former places, of any
 * other the given path alone.
 */
export async function projectPaths(context: Roots, given: string): Promise<readonly string[]> {
  const { projectRoot } = context;
  if (projectRoot === null) return [given];
  const path = realPath(resolve(projectRoot, given));
  const own = [...(await knownRoots(context)), projectRoot];
  const isOwn = own.includes(given) || own.includes(path) || sameRepository(path, projectRoot);
  return [...new Set(isOwn ? [given, path, ...own] : [given, path])];
}

function realPath(path: string): string {
  try {
    return diskFileSystem.realPath(path);
  } catch {
    return path;
  }
}

/** Whether two folders are the same place in worktrees of one repository. */
function sameRepository(a: string, b: string): boolean {
  const [first, second] = [a, b].map((path) => {
    const top = gitTop(path, platformOf());
    const folders = top === null ? null : gitFolders(top, platformOf(), diskFileSystem);
    return folders === null || top === null ? null : `${folders.common}\n${path.slice(top.length)}`;
  });
  return first !== null && first === second;
}
