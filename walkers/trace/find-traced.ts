import { compareText, type NodeRef, type ReadContext } from '../../runtime/index.js';
import { CodewalkError, Task, TraceError } from '../../schema/index.js';
import { didYouMean } from '../suggestion.js';
import { errorsSaying, sameFailure } from './errors-saying.js';

type Look = Pick<ReadContext, 'find' | 'findIds' | 'nodesOf'>;

/** Ids that a suggestion names at most. */
const MOST_SUGGESTIONS = 3;

/**
 * The task with this id, or the only one whose id begins so, with or without `task:`.
 *
 * @param id Undefined: the newest task.
 * @throws CodewalkError `NODE_NOT_FOUND`.
 */
export async function findTask(context: Look, id: string | undefined): Promise<NodeRef<typeof Task>> {
  if (id === undefined) return newestTask(context);
  const { found, near } = await begunBy(context, Task, 'task:', id);
  if (found) return found;
  throw new CodewalkError('NODE_NOT_FOUND', notOne('task', id, near), {
    input: id,
    suggestion: `${didYouMean(near.slice(0, MOST_SUGGESTIONS))}'codewalk tasks' lists them.`,
  });
}

/**
 * The error with this id, or the only one whose id begins so, with or without `error:`.
 *
 * @throws CodewalkError `NODE_NOT_FOUND`.
 */
export async function findError(context: Look, id: string): Promise<NodeRef<typeof TraceError>> {
  const { found, near } = await begunBy(context, TraceError, 'error:', id);
  if (found) return found;
  throw new CodewalkError('NODE_NOT_FOUND', notOne('error', id, near), {
    input: id,
    suggestion: `${didYouMean(near.slice(0, MOST_SUGGESTIONS))}'codewalk errors' lists them.`,
  });
}

/**
 * The task or the errors that somebody means: by the id of either or its beginning, or by what an error said. Errors
 * of one failure are meant together, the latest first.
 *
 * @throws CodewalkError `NODE_NOT_FOUND`.
 */
export async function findTaskOrErrors(
  context: Look,
  said: string,
): Promise<readonly NodeRef<typeof Task>[] | readonly NodeRef<typeof TraceError>[]> {
  const task = await begunBy(context, Task, 'task:', said);
  if (task.found) return [task.found];
  const error = await begunBy(context, TraceError, 'error:', said);
  if (error.found) return sameFailure(error.found, context);
  const alike = await errorsSaying(said, context);
  if (alike.length > 0) return alike;
  const near = [...task.near, ...error.near];
  throw new CodewalkError('NODE_NOT_FOUND', notOne('task or error', said, near), {
    input: said,
    suggestion: `${didYouMean(near.slice(0, MOST_SUGGESTIONS))}'codewalk tasks' and 'codewalk errors' list them.`,
  });
}

async function newestTask({ find }: Look): Promise<NodeRef<typeof Task>> {
  const all = await find(Task, {});
  const [newest] = all.sort((a, b) => compareText(b.created_at, a.created_at) || compareText(a.id, b.id));
  if (newest) return newest;
  throw new CodewalkError('NODE_NOT_FOUND', 'no task is recorded of this project', {
    suggestion: "An agent's hooks record them, or 'codewalk log'.",
  });
}

async function begunBy<T extends typeof Task | typeof TraceError>(
  { nodesOf, findIds }: Look,
  type: T,
  form: string,
  id: string,
): Promise<{ found: NodeRef<T> | undefined; near: readonly string[] }> {
  const [exact] = await nodesOf(type, [id]);
  if (exact && !exact.gone) return { found: exact, near: [] };
  // `task:` alone begins all of them.
  if (id === '' || form.startsWith(id)) return { found: undefined, near: [] };
  const near = (await findIds(type)).filter((one) => one.startsWith(id) || one.startsWith(form + id));
  const [only] = near.length === 1 ? await nodesOf(type, near) : [];
  return { found: only, near: near.sort(compareText) };
}

function notOne(what: string, id: string, near: readonly string[]): string {
  return near.length > 1 ? `${near.length} ids begin with '${id}'` : `there is no ${what} '${id}'`;
}
