import { compareText, type Digest } from '../../../runtime/index.js';
import { Task } from '../../../schema/index.js';
import { TextIndex, Words } from '../../../search/index.js';
import { type Attempt, isOpen } from './attempt.js';
import { attemptText } from './attempt-text.js';
import type { FailedRun } from './failed-run.js';
import { FailureCounts } from './failure-counts.js';
import { failureText } from './failure-text.js';
import { mendOf } from './mend.js';
import { readAttempts, tasksOf } from './read-attempts.js';

/** Failures of one attempt that are looked at for whether they were mended. */
const MOST_FAILURES = 100;

/** What the index remembers of an attempt beside its words. */
export interface KnownAttempt {
  readonly id: string;
  readonly created_at: string;
  readonly open: boolean;
  readonly succeeded: boolean;
  /** Whether something that failed in it was seen to pass after a change. */
  readonly mended: boolean;
  /** What failed in it, by the invocation or error that tells it. */
  readonly runs: ReadonlyMap<string, FailedRun>;
  /** What its errors say, by the error. */
  readonly told: ReadonlyMap<string, FailedRun>;
  /** Files that it touched and names that it used. */
  readonly links: ReadonlySet<string>;
  readonly files: ReadonlySet<string>;
  /** Of each passage, the invocation or error that it is of. */
  readonly sources: readonly string[];
}

/** All attempts of a graph, for being searched. What it answers depends only on what the graph holds. */
export class AttemptIndex {
  readonly words = new Words();
  /** What was asked and done: one document an attempt. */
  readonly told = new TextIndex({ said: 1, done: 1 });
  /** What failed: one document a passage; lines that tell what went wrong count twice. */
  readonly failures = new TextIndex({ telling: 2, rest: 1 });
  /** What failed, as sets, in attempts that have ended: one that goes on may ask, and makes nothing less rare. */
  readonly failed = new FailureCounts();
  /** The same with what errors say, for questions that name it. */
  readonly met = new FailureCounts();
  readonly #known = new Map<string, KnownAttempt>();
  readonly #linked = new Map<string, Set<string>>();
  #byTime: readonly string[] | null = null;

  get size(): number {
    return this.#known.size;
  }

  /** One attempt, by its task's id. */
  of(id: string): KnownAttempt | undefined {
    return this.#known.get(id);
  }

  /** All attempts, by id. */
  all(): IterableIterator<KnownAttempt> {
    return this.#known.values();
  }

  /** The attempts that a link joins. */
  linkedBy(link: string): ReadonlySet<string> {
    return this.#linked.get(link) ?? NOBODY;
  }

  /** How many attempts began later than each, by id. */
  ages(): ReadonlyMap<string, number> {
    this.#byTime ??= [...this.#known.values()]
      .sort((a, b) => compareText(b.created_at, a.created_at) || compareText(b.id, a.id))
      .map(({ id }) => id);
    return new Map(this.#byTime.map((id, age) => [id, age]));
  }

  /** Takes an attempt in; one that is there already is replaced. */
  put(attempt: Attempt): void {
    const { id, created_at, status, files_touched } = attempt.task;
    this.remove(id);
    const { said, done, passages, runs, told, links } = attemptText(attempt, this.words);
    this.told.add(id, { said: this.words.of(said), done: this.words.of(done) });
    for (const { text } of passages) {
      const { telling, rest } = failureText(text);
      this.failures.add(id, { telling: this.words.of(telling), rest: this.words.of(rest) });
    }
    for (const link of links) {
      const linked = this.#linked.get(link);
      if (linked) linked.add(id);
      else this.#linked.set(link, new Set([id]));
    }
    if (!isOpen(attempt)) {
      this.failed.add(id, runs.values());
      this.met.add(id, [...runs.values(), ...told.values()]);
    }
    this.#known.set(id, {
      id,
      created_at,
      open: isOpen(attempt),
      succeeded: status === 'success',
      mended: isMended(attempt),
      runs,
      told,
      links,
      files: new Set(files_touched),
      sources: passages.map(({ source }) => source),
    });
    this.#byTime = null;
  }

  /** Takes an attempt out. */
  remove(id: string): void {
    const known = this.#known.get(id);
    if (!known) return;
    this.told.remove(id);
    this.failures.remove(id);
    for (const link of known.links) {
      const linked = this.#linked.get(link);
      linked?.delete(id);
      if (linked?.size === 0) this.#linked.delete(link);
    }
    if (!known.open) {
      this.failed.remove(id, known.runs.values());
      this.met.remove(id, [...known.runs.values(), ...known.told.values()]);
    }
    this.#known.delete(id);
    this.#byTime = null;
  }
}

/** The index of a graph's attempts, which follows the graph while it is open: a change costs what it touches. */
export const ATTEMPTS: Digest<AttemptIndex> = {
  name: 'attempts',
  create: () => new AttemptIndex(),
  update: async (index, changed, context) => {
    for (const id of changed ?? []) index.remove(id);
    const tasks = changed ? await tasksOf(context, [...changed]) : await context.findIds(Task);
    for await (const attempt of readAttempts(context, [...tasks])) index.put(attempt);
  },
};

function isMended(attempt: Attempt): boolean {
  return attempt.events
    .filter((event) => event.kind === 'error' || event.ok === false)
    .slice(0, MOST_FAILURES)
    .some((event) => mendOf(attempt, event.kind === 'tool' ? event.tool.id : event.error.id)?.passed != null);
}

const NOBODY: ReadonlySet<string> = new Set();
