import { Failure, fingerprintOf } from '../../failures/index.js';
import { didYouMean, firstLine, shownLine, stripHidden } from '../../present/index.js';
import { compareText, type NodeRef, type ReadContext } from '../../runtime/index.js';
import { CodewalkError, Task, TraceError } from '../../schema/index.js';

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

type ErrorRef = NodeRef<typeof TraceError>;

/** Characters that a part of what was said has at least: fewer say nothing. */
const LEAST_PART = 10;
/** Failures that a suggestion names. */
const MOST_NAMED = 3;
/** Characters of a failure in a suggestion. */
const SHOWN = 60;
/** Characters of a message in a list. */
const MESSAGE = 200;

/** All errors of the failure that one of them is, as the list of errors has it; the latest first. */
export async function sameFailure(error: ErrorRef, { find }: Pick<ReadContext, 'find'>): Promise<ErrorRef[]> {
  const { fingerprint, error_type } = error;
  const all = await find(TraceError, fingerprint === null ? { error_type } : { fingerprint });
  return all.filter((one) => failureKey(one) === failureKey(error)).sort(byLatest);
}

/** What errors that are one failure have in common. */
export function failureKey({ fingerprint, error_type, message }: ErrorRef): string {
  return fingerprint ?? `${error_type}\0${message}`;
}

/** The order of errors: the latest first. */
export function byLatest(a: ErrorRef, b: ErrorRef): number {
  return compareText(b.created_at ?? '', a.created_at ?? '') || compareText(a.id, b.id);
}

/**
 * The errors that said something: given by their fingerprint or its beginning, by the message, by the line of it that
 * lists show (between quotes, on two lines, cut with `…`), or by a part of what was printed that only one failure has.
 *
 * @throws CodewalkError `NODE_NOT_FOUND` where a part is of several failures.
 */
export async function errorsSaying(said: string, { find }: Pick<ReadContext, 'find'>): Promise<ErrorRef[]> {
  const prints = [said.trim(), fingerprintOf(said) ?? ''].filter((one) => one !== '');
  for (const fingerprint of prints) {
    const alike = await find(TraceError, { fingerprint });
    if (alike.length > 0) return alike.sort(byLatest);
  }
  const all = (await find(TraceError, {})).sort(byLatest);
  const wanted = plain(said);
  const isCut = wanted.length >= LEAST_PART && /…[`'"\s]*$/u.test(said);
  const shown = all.filter((error) =>
    linesOf(error).some((line) => wanted !== '' && (line === wanted || (isCut && line.startsWith(wanted)))),
  );
  if (shown.length > 0) return shown;
  const parts = all.filter(
    (error) =>
      prints.some((one) => one.length >= LEAST_PART && error.fingerprint?.startsWith(one)) ||
      (wanted.length >= LEAST_PART && printedBy(error).includes(wanted)),
  );
  const failures = new Map(parts.map((error) => [failureKey(error), error]));
  if (failures.size <= 1) return parts;
  const named = [...failures.values()].slice(0, MOST_NAMED);
  throw new CodewalkError('NODE_NOT_FOUND', `${failures.size} failures say '${shownLine(said, SHOWN)}'`, {
    input: said,
    suggestion: `Give the id of one: ${named.map(({ id }) => id).join(', ')}; 'codewalk errors' lists them.`,
  });
}

/** A message as it is, and the lines of it that people and agents are shown. */
function linesOf(error: ErrorRef): string[] {
  const { message } = error;
  return [message, shownMessage(error), firstLine(message, message.length)].map(plain);
}

function printedBy({ message, raw_log_excerpt, tests }: ErrorRef): string {
  return plain([message, raw_log_excerpt, ...tests].join('\n'));
}

/** Without what showing a text adds, takes or breaks: white space, quotes, a cut. */
function plain(text: string): string {
  return stripHidden(text)
    .toLowerCase()
    .replace(/[\s`'"]+/gu, '')
    .replace(/…$/u, '');
}

/** The line of an error that says best what went wrong, as lists show it. */
export function shownMessage({ message, failure }: Pick<ErrorRef, 'message' | 'failure'>): string {
  const reason = Failure.safeParse(failure).data?.reason ?? '';
  return shownLine(reason === '' ? firstLine(message, MESSAGE) : reason, MESSAGE);
}
