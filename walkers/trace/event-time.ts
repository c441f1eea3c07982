import { createContext, Script } from 'node:vm';
import { LIMITS } from '../../schema/index.js';

/** What is kept in the place of a text that took too long to check. */
export const NOT_CHECKED = '[not recorded: too slow to check]';
/** Longest text that is no content: a name, an id, a path. */
const LONGEST_NAME = 200;
/** Deeper values are left out whole. */
const DEEPEST = 24;

const box = createContext({ work: null });
const script = new Script('work()');

/**
 * Does something with what an event told, and ends it where it takes too long, even inside a regular expression: all
 * of that is linear, and this is for what nobody thought of. The work changes nothing outside of itself.
 *
 * @param ms Milliseconds that it gets. Default: `LIMITS.eventTime`.
 * @returns null where its time was over.
 */
export function withinEventTime<T>(
  work: () => T,
  ms: number = LIMITS.eventTime.max,
): { readonly done: T } | null {
  let done: { readonly done: T } | null = null;
  const before = box.work;
  box.work = () => {
    done = { done: work() };
  };
  try {
    script.runInContext(box, { timeout: ms });
  } catch (thrown) {
    if (Object(thrown).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw thrown;
    return null;
  } finally {
    box.work = before;
  }
  return done;
}

/** A value with {@link NOT_CHECKED} in the place of every text for which it is asked; short ones are names, and stay. */
export function withoutTexts(value: unknown, isLeftOut: (text: string) => boolean = () => true): unknown {
  const without = (one: unknown, depth: number): unknown => {
    if (typeof one === 'string') return one.length > LONGEST_NAME && isLeftOut(one) ? NOT_CHECKED : one;
    if (typeof one !== 'object' || one === null) return one;
    if (depth === 0) return NOT_CHECKED;
    if (Array.isArray(one)) return one.map((item) => without(item, depth - 1));
    return Object.fromEntries(
      Object.entries(one).map(([key, item]) => [without(key, 0), without(item, depth - 1)]),
    );
  };
  return without(value, DEEPEST);
}
