import type { Lookups, Remembered } from './lookups.js';

/** Names that are followed inside each other: what is further away is a question of its own. */
const MOST_STEPS = 100;

/** How one question got to where it is. */
export interface Way {
  /** The names on the way and behind it: of each the first one on the way that its answer may still wait for. */
  readonly seen: Map<string, number>;
  /** How many names are open. */
  depth: number;
  /** The first one on the way that what was found since waits for. */
  least: number;
  /** Questions that wait for this one. */
  readonly waiting: ReadonlySet<string>;
}

/** A name that is too far away to be followed inside another question. */
class TooFar {
  constructor(
    readonly key: string,
    readonly ask: (way: Way) => unknown,
  ) {}
}

/**
 * What names lead to that files pass on to each other, however long the chain and also in circles. Answers are cached with
 * all that was looked at for them.
 */
export class FollowedNames<A> {
  readonly #known = new Map<string, Remembered<A | null>>();

  constructor(private readonly lookups: Lookups) {}

  /** The answer to a question; those far away that it rests on come first. */
  answer(ask: (way: Way) => A | null): A | null {
    const waiting = new Set<string>();
    const questions: { readonly ask: (way: Way) => unknown; readonly key: string }[] = [{ ask, key: '' }];
    for (;;) {
      const question = questions.at(-1);
      if (!question) return null;
      try {
        const found = question.ask({ seen: new Map(), depth: 0, least: Infinity, waiting });
        questions.pop();
        waiting.delete(question.key);
        // The first question is the last one to be answered.
        if (questions.length === 0) return found as A | null;
      } catch (thrown) {
        if (!(thrown instanceof TooFar)) throw thrown;
        waiting.add(thrown.key);
        questions.push(thrown);
      }
    }
  }

  /**
   * What one name leads to, as a step of a question; null where a circle never ends at anything.
   *
   * @param key Names the file and the name.
   * @param find Finds it, by further steps.
   */
  follow(key: string, way: Way, find: (way: Way) => A | null): A | null {
    if (!this.#known.has(key)) {
      const open = way.seen.get(key);
      if (open !== undefined) {
        way.least = Math.min(way.least, open);
        return null;
      }
      if (way.depth >= MOST_STEPS) {
        if (!way.waiting.has(key)) throw new TooFar(key, (next) => this.follow(key, next, find));
        way.least = 0;
        return null;
      }
    }
    const { depth, least } = way;
    // What is cut short by a circle is whole where the circle was entered: only whole answers are cached.
    let isWhole = true;
    return this.lookups.remembered(
      this.#known,
      key,
      () => {
        way.seen.set(key, depth);
        way.depth += 1;
        way.least = Infinity;
        const found = find(way);
        way.depth = depth;
        isWhole = depth === 0 || way.least >= depth;
        if (!isWhole) way.seen.set(key, way.least);
        way.least = isWhole ? least : Math.min(least, way.least);
        return found;
      },
      () => isWhole,
    );
  }
}
