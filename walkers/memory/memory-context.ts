import { z } from 'zod';
import type { ReadContext } from '../../runtime/index.js';
import { CONTEXT_PREFIX, CodewalkError, issuesText, LIMITS } from '../../schema/index.js';
import { gitHead, masked } from '../../source/index.js';
import { didYouMean, isNear } from '../suggestion.js';
import { keptText } from '../trace/kept-text.js';
import { placesIn } from '../trace/touched-files.js';

const text = z.string().trim().min(1);
const texts = z.array(text);

/** Where a memory was made, as callers say it: the eleven fields of S4-13. */
export const MemoryContext = z.strictObject({
  project_path: text.nullish(),
  files_involved: texts.nullish(),
  languages: texts.nullish(),
  frameworks: texts.nullish(),
  technologies: texts.nullish(),
  git_commit: text.nullish(),
  git_branch: text.nullish(),
  working_directory: text.nullish(),
  timestamp: text.nullish(),
  session_id: text.nullish(),
  user_id: text.nullish(),
});

const FIELDS = Object.keys(MemoryContext.shape);

/** The field `context` of a tool: its parts are checked by {@link contextOf}, which keeps the tool's schema short. */
export const contextField = z
  .record(z.string(), z.unknown())
  .describe('files_involved[], languages[], …; the rest is filled in');

/** The context as it is stored: each field under its prefix, those that are not known left out. */
export type StoredContext = Readonly<Record<string, string | readonly string[]>>;

/**
 * What a caller said of the circumstances, to be stored: paths as the graph spells them, secrets masked.
 *
 * @throws CodewalkError `INVALID_INPUT` for an unknown field, with the nearest one, or a context that is too long.
 */
export function contextOf(
  said: Readonly<Record<string, unknown>>,
  projectRoot: string | null,
): StoredContext {
  const parsed = MemoryContext.safeParse(said);
  if (!parsed.success) {
    const unknown = Object.keys(said).find((field) => !FIELDS.includes(field)) ?? '';
    throw new CodewalkError('INVALID_INPUT', `context: ${issuesText(parsed.error, said)}`, {
      input: said,
      suggestion: `${didYouMean(FIELDS.filter((field) => isNear(unknown, field)).slice(0, 1))}Its fields are: ${FIELDS.join(', ')}.`,
    });
  }
  const length = JSON.stringify(parsed.data).length;
  if (length > LIMITS.memoryContext.max)
    throw new CodewalkError(
      'INVALID_INPUT',
      `context: it has ${length} characters, at most ${LIMITS.memoryContext.max} are kept`,
      { suggestion: 'Put what is long into the content.' },
    );
  const placeOf = placesIn(projectRoot);
  const stored: Record<string, string | readonly string[]> = {};
  for (const [field, value] of Object.entries(parsed.data)) {
    if (value === null || value === undefined) continue;
    const spelled =
      field === 'files_involved' ? (path: string) => placeOf(path) ?? path : (one: string) => one;
    const kept = (one: string) => keptText(spelled(one), LIMITS.memoryContext.max).text;
    stored[CONTEXT_PREFIX + field] = Array.isArray(value) ? [...new Set(value.map(kept))] : kept(value);
  }
  return stored;
}

/** What is filled in where a caller says nothing of it: where and when a memory is made. */
export async function surroundingContext({
  projectRoot,
  caller,
  now,
}: Pick<ReadContext, 'projectRoot' | 'caller' | 'now'>): Promise<StoredContext> {
  const { commit, branch } = projectRoot === null ? { commit: null, branch: null } : gitHead(projectRoot);
  const known = {
    project_path: projectRoot,
    git_commit: commit,
    git_branch: branch,
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
