import { Failure, fingerprintOf } from '../../failures/index.js';
import { didYouMean, firstLine, shownLine, stripHidden } from '../../present/index.js';
import { compareText, type NodeRef, type ReadContext } from '../../runtime/index.js';
import { CodewalkError, Task, TraceError } from '../../schema/index.js';

type Look = Pick<ReadContext, 'find' | 'findIds' | 'nodesOf'>;
type TaskRef = NodeRef<typeof Task>;
type ErrorRef = NodeRef<typeof TraceError>;

const MOST_SUGGESTIONS = 3;
/** Characters that a part of what was said has at least: fewer say nothing. */
const LEAST_PART = 10;
/** Characters of a failure in a suggestion, and of a message in a list. */
const SHOWN = 60;
const MESSAGE = 200;

/** The task with this id, or the only one whose id begins so, with or without `task:`; undefined: the newest. */
export async function findTask(context: Look, id: string | undefined): Promise<TaskRef> {
  if (id !== undefined) return findOne(context, Task, 'task', id);
  const [newest] = (await context.find(Task)).sort(byNewest);
  if (newest) return newest;
  throw new CodewalkError('NODE_NOT_FOUND', 'no task is recorded of this project', {
    suggestion: "An agent's hooks record them, or 'codewalk log'.",
  });
}

/** The error with this id, or the only one whose id begins so, with or without `error:`. */
export async function findError(context: Look, id: string): Promise<ErrorRef> {
  return findOne(context, TraceError, 'error', id);
}

/** All errors of one failure, the latest first: by its fingerprint, by the id of one of them or its beginning. */
export async function findFailure(context: Look, id: string): Promise<readonly ErrorRef[]> {
  const { found, near } = await begunBy(context, TraceError, 'error', id);
  if (found) return sameFailure(found, context);
  const errors = await context.find(TraceError, { fingerprint: id });
  if (errors.length > 0) return errors.sort(byLatest);
  throw notFound('error', id, near, "'codewalk errors' lists them.");
}

/** The task or the errors of one failure, the latest first: by the id of either or its beginning, or by what an error said. */
export async function findTaskOrErrors(
  context: Look,
  said: string,
): Promise<readonly TaskRef[] | readonly ErrorRef[]> {
  const task = await begunBy(context, Task, 'task', said);
  if (task.found) return [task.found];
  const error = await begunBy(context, TraceError, 'error', said);
  if (error.found) return sameFailure(error.found, context);
  const errors = await errorsSaying(said, context);
  if (errors.length > 0) return errors;
  const where = "'codewalk tasks' and 'codewalk errors' list them.";
  throw notFound('task or error', said, [...task.near, ...error.near], where);
}

type Traced = typeof Task | typeof TraceError;

async function findOne<T extends Traced>(context: Look, type: T, form: string, id: string) {
  const { found, near } = await begunBy(context, type, form, id);
  if (found) return found;
  throw notFound(form, id, near, `'codewalk ${form}s' lists them.`);
}

async function begunBy<T extends Traced>({ nodesOf, findIds }: Look, type: T, form: string, id: string) {
  const [exact] = await nodesOf(type, [id]);
  if (exact && !exact.gone) return { found: exact, near: [] };
  // `task:` alone begins all of them.
  if (`${form}:`.startsWith(id)) return { found: undefined, near: [] };
  const near = (await findIds(type)).filter((one) => one.startsWith(id) || one.startsWith(`${form}:${id}`));
  const [found] = near.length === 1 ? await nodesOf(type, near) : [];
  return { found, near: near.sort(compareText) };
}

function notFound(what: string, id: string, near: readonly string[], where: string): CodewalkError {
  const why = near.length > 1 ? `${near.length} ids begin with '${id}'` : `there is no ${what} '${id}'`;
  const suggestion = `${didYouMean(near.slice(0, MOST_SUGGESTIONS))}${where}`;
  return new CodewalkError('NODE_NOT_FOUND', why, { input: id, suggestion });
}

/** All errors of the failure that one of them is, as the list of errors has it; the latest first. */
async function sameFailure(error: ErrorRef, { find }: Look): Promise<ErrorRef[]> {
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

/** The order of tasks: the newest first. */
export function byNewest(a: TaskRef, b: TaskRef): number {
  return compareText(b.created_at, a.created_at) || compareText(a.id, b.id);
}

/** The errors of the failure that said something: by fingerprint, by a line that lists show, or by a part of the output. */
async function errorsSaying(said: string, { find }: Look): Promise<ErrorRef[]> {
  const all = (await find(TraceError)).sort(byLatest);
  const wanted = plain(said);
  const prints = [said.trim(), fingerprintOf(said)];
  const isCut = wanted.length >= LEAST_PART && /…[`'"\s]*$/u.test(said);
  const isShown = (text: string) => plain(text) === wanted || (isCut && plain(text).startsWith(wanted));
  const exact = all.filter((error) => {
    const { fingerprint, message } = error;
    const shown = [message, shownMessage(error), firstLine(message, message.length)];
    return (fingerprint !== null && prints.includes(fingerprint)) || shown.some(isShown);
  });
  if (exact.length > 0 || wanted.length < LEAST_PART) return exact;
  const parts = all.filter(({ fingerprint, message, raw_log_excerpt, tests }) => {
    const printed = plain([message, raw_log_excerpt, ...tests].join('\n'));
    return plain(fingerprint ?? '').startsWith(wanted) || printed.includes(wanted);
  });
  const failures = new Map(parts.map((error) => [failureKey(error), error.id]));
  if (failures.size <= 1) return parts;
  const some = [...failures.values()].slice(0, MOST_SUGGESTIONS).join(', ');
  throw new CodewalkError('NODE_NOT_FOUND', `${failures.size} failures say '${shownLine(said, SHOWN)}'`, {
    input: said,
    suggestion: `Give the id of one: ${some}; 'codewalk errors' lists them.`,
  });
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
