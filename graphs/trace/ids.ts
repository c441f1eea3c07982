import { createHash } from 'node:crypto';
import { CodewalkError, parseId } from '../../schema/index.js';
import { masked } from '../../source/index.js';

type TraceForm = 'task' | 'step' | 'tool' | 'checkpoint' | 'error' | 'event' | 'cursor';

/** Digits of a hash: 130 bits, so that no two events of a lifetime meet. */
const DIGITS = 26;
/** Longest name of a session that is stored as it is, and longest name that a client may give a task. */
const LONGEST_SESSION = 500;
const LONGEST_NAME = 200;

/** The id of a node of a trace: a function of what makes it that node, never of when it arrived. */
export function traceId(form: TraceForm, ...parts: readonly (string | number)[]): string {
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  // 256 bits are at most 52 digits.
  return `${form}:${BigInt(`0x${hash}`).toString(32).padStart(52, '0').slice(0, DIGITS)}`;
}

/** The stored name of a session: its hash where it holds a secret or is too long, else the name itself. */
export function storedSession(session: string): string {
  const fits = session.length <= LONGEST_SESSION && masked(session) === session;
  return fits ? session : traceId('event', 'session', session);
}

const OWN_ID = /^\w+:[0-9a-v]{26}$/u;
/** The name of a sub agent's step, with the sub agent in it. */
const AGENT_STEP = /^agent:([\w.@:-]{1,100})$/u;

/** The stored name of a step or tool: one of our ids or a sub agent's name as it is, any other one as a hash. */
export function storedName(form: 'step' | 'tool', name: string): string {
  if (name.startsWith(`${form}:`) && OWN_ID.test(name)) return name;
  const shows = form === 'step' && AGENT_STEP.test(name) && masked(name) === name;
  return `=${shows ? name : traceId(form, name)}`;
}

/** The sub agent whose step a {@link storedName} is; null for another step. */
export function agentOf(stored: string): string | null {
  return AGENT_STEP.exec(stored.slice(1))?.[1] ?? null;
}

/** The id behind a {@link storedName}: a client's own name (a call id) only means something within its task. */
export function namedId(form: 'step' | 'tool', task: string, stored: string): string {
  return stored.startsWith('=') ? traceId(form, task, stored) : stored;
}

/** The id of a task that a client named: its name. @throws CodewalkError `INVALID_INPUT` for one that means something else. */
export function namedTask(name: string): string {
  // A node's id is stored as it is.
  if (masked(name) !== name) return traceId('task', name);
  const isTaken = parseId(name) !== null || /^(?:step|tool|checkpoint|error|event|cursor):/u.test(name);
  if (!isTaken && name.trim() !== '' && name.length <= LONGEST_NAME) return name;
  throw new CodewalkError('INVALID_INPUT', `task_id: '${name.slice(0, LONGEST_NAME)}' cannot name a task`, {
    input: name,
    suggestion: `Give the task_id that an earlier event was answered with, a name of your own (at most ${LONGEST_NAME} characters), or none.`,
  });
}

/** The id of the node that stores what is known of a session: its last event and its current task. */
export const sessionCursorId = (session: string): string => traceId('cursor', 'session', session);

/** The id of the node that stores which context hooks delivered to a session. */
export const deliveredCursorId = (session: string): string => traceId('cursor', 'session', session, 'told');
