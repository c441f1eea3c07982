import { compareText } from '../../../runtime/index.js';
import { CodewalkError, Task, TraceEvent } from '../../../schema/index.js';
import { keptSession } from '../event-ids.js';
import type { RecordContext } from '../record-context.js';

/** Sessions that an error names at most. */
const MOST_NAMED = 3;

/**
 * The session of this name, else the only one whose name begins so, as it is kept; null: there is none.
 *
 * @throws CodewalkError `NODE_NOT_FOUND` where several begin so.
 */
export async function namedSession(name: string, { find }: RecordContext): Promise<string | null> {
  const events = (await find(TraceEvent)).flatMap(({ session, begins }) => [session, begins]);
  const tasks = (await find(Task)).map(({ session_id }) => session_id);
  const known = new Set([...events, ...tasks].filter((one) => typeof one === 'string'));
  const kept = keptSession(name);
  if (known.has(kept)) return kept;
  const [only, ...others] = [...known].filter((one) => one.startsWith(name)).sort(compareText);
  if (only === undefined || others.length === 0) return only ?? null;
  const some = [only, ...others].slice(0, MOST_NAMED).map((one) => `'${one}'`);
  throw new CodewalkError('NODE_NOT_FOUND', `session '${name}': ${others.length + 1} sessions begin so`, {
    input: name,
    suggestion: `Give more of it: ${some.join(', ')}${others.length >= MOST_NAMED ? '…' : ''}`,
  });
}
