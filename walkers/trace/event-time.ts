import { createContext, Script } from 'node:vm';
import { LIMITS } from '../../schema/index.js';

/** Stands in place of a text that took too long to check. */
export const NOT_CHECKED = '[not recorded: too slow to check]';
/** Shorter texts are names, ids or paths, not content. */
const LONGEST_NAME = 200;
/** Values nested deeper are left out. */
const DEEPEST = 24;

const box = createContext({ work: null });
const script = new Script('work()');

/**
 * Runs some work on an event, and stops it after a time, even inside a regular expression. All of that work should take
 * linear time; this guards against mistakes. The work must not change anything outside of itself: it may stop anywhere.
 *
 * @param ms Milliseconds that the work gets. Default: `LIMITS.eventTime`.
 * @returns null when the time was up.
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

/** A copy of a value with {@link NOT_CHECKED} in place of long texts. @param isLeftOut Says which of them. Default: all. */
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
