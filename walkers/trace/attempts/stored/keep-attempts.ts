import type { WriteContext } from '../../../../runtime/index.js';
import { Task } from '../../../../schema/index.js';
import { type Attempt, isOpen } from '../attempt.js';
import { readAttempts } from '../read-attempts.js';
import { touchesOf } from '../touched-names.js';
import { AttemptWriter } from './attempt-writer.js';
import { openName } from './names.js';

/** Attempts that are read at once: few round trips, and not all texts of a history in memory. */
const AT_ONCE = 100;

/** What keeping attempts needs of a run. */
export type KeepContext = Pick<WriteContext, 'nodesOf' | 'q' | 'blobs' | 'blobsUnder' | 'putBlob' | 'kept'>;

/** How attempts are kept. */
export interface KeepOptions {
  /** Whether those that go on are brought up to date, too. Default false: only now and then. */
  readonly whole?: boolean;
}

/**
 * Keeps what attempts are found by, in the run's own commit. One that goes on is taken in when it was written for the
 * 1st, 2nd, 4th, 8th… time: so a long one costs a few times its length in all and not its square. Until it ends it is
 * an answer of the last resort anyway.
 *
 * @param tasks Ids of all tasks that the run wrote or removed.
 */
export async function keepAttempts(
  tasks: Iterable<string>,
  context: KeepContext,
  { whole = false }: KeepOptions = {},
): Promise<void> {
  const ids = [...new Set(tasks)].sort();
  if (ids.length === 0) return;
  const counters = await context.blobs(ids.map(openName), 'durable');
  const due: string[] = [];
  for (const [at, task] of (await context.nodesOf(Task, ids)).entries()) {
    const [id = '', counter] = [ids[at], counters[at]];
    const goesOn = !task.gone && isOpen({ task });
    const writes = counter ? Number(Buffer.from(counter).toString('utf8')) + 1 : 1;
    if (goesOn) context.putBlob(openName(id), Buffer.from(String(writes), 'utf8'), 'durable');
    else if (counter) context.putBlob(openName(id), undefined, 'durable');
    if (whole || !goesOn || Number.isInteger(Math.log2(writes))) due.push(id);
  }
  if (due.length === 0) return;
  const writer = new AttemptWriter(context);
  await writer.load(due);
  const left = new Set(due);
  for (let at = 0; at < due.length; at += AT_ONCE) {
    const attempts: Attempt[] = [];
    for await (const attempt of readAttempts(context, due.slice(at, at + AT_ONCE))) attempts.push(attempt);
    const touches = await touchesOf(context, attempts);
    for (const attempt of attempts) {
      writer.put(attempt, touches);
      left.delete(attempt.task.id);
    }
  }
  for (const id of left) writer.remove(id);
  await writer.flush();
}
