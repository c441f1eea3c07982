import { createHash } from 'node:crypto';
import type { Slot } from '../../../../runtime/index.js';
import { tokensOf, Words, writeIndex } from '../../../../search/index.js';
import { type Attempt, isOpen } from '../attempt.js';
import { attemptText, fileLink, nameLink } from '../attempt-text.js';
import { failureText } from '../failure-text.js';
import { mendOf } from '../mend.js';
import { namesByFile, type Touches } from '../touched-names.js';
import { STATES, thingsOf } from './failed-things.js';
import { FAILED, FAILURES, LINKS, passageId, TOLD } from './indexes.js';
import type { KeepContext } from './keep-attempts.js';
import { failuresName, summaryName, timeName } from './names.js';
import { type AttemptSummary, failuresBytes, summaryBytes, summaryOf } from './records.js';

/** Failures of one attempt that are looked at for whether they were mended. */
const MOST_FAILURES = 100;
/** A prompt of fewer words is not told from others: "go on", "yes please". */
const FEWEST_WORDS = 3;

/** Texts are split into words for all attempts of a graph. */
export const WORDS: Slot<Words> = { name: 'words of attempts', make: () => new Words() };

/** Writes what attempts are found by. */
export class AttemptWriter {
  readonly #words: Words;
  readonly #told;
  readonly #failures;
  readonly #links;
  readonly #failed;
  #before: ReadonlyMap<string, AttemptSummary> = new Map();

  constructor(private readonly context: KeepContext) {
    this.#words = context.kept(WORDS);
    this.#told = writeIndex(context, TOLD);
    this.#failures = writeIndex(context, FAILURES);
    this.#links = writeIndex(context, LINKS);
    this.#failed = writeIndex(context, FAILED);
  }

  /** Reads what is kept of attempts that are to be written. */
  async load(ids: readonly string[]): Promise<void> {
    const found = await this.context.blobs(ids.map(summaryName), 'durable');
    this.#before = new Map(
      ids.flatMap((id, at) => {
        const bytes = found[at];
        return bytes ? [[id, summaryOf(bytes)] as const] : [];
      }),
    );
  }

  /** Takes an attempt in; what was kept of it is replaced. */
  put(attempt: Attempt, touches: Touches): void {
    const { id, created_at, status, files_touched } = attempt.task;
    const { said, done, passages, runs, told, names } = attemptText(attempt, this.#words);
    this.#told.put(id, { said: this.#words.of(said), done: this.#words.of(done) });
    for (const [part, { text }] of passages.entries()) {
      const { telling, rest } = failureText(text);
      this.#failures.put(passageId(id, part), {
        telling: this.#words.of(telling),
        rest: this.#words.of(rest),
      });
    }
    this.#removePassages(id, passages.length);
    const there = namesByFile(attempt, touches);
    const used = new Set([...names, ...[...there.values()].flat()]);
    this.#links.put(id, { file: files_touched.map(fileLink), name: [...used].map(nameLink) });
    // One that goes on may ask, and makes nothing less rare.
    const things = isOpen(attempt) ? new Set<string>() : thingsOf([...runs.values(), ...told.values()]);
    if (things.size + passages.length === 0 || isOpen(attempt)) this.#failed.remove(id);
    else
      this.#failed.put(id, {
        met: [...things, STATES.failed, ...(isMended(attempt) ? [STATES.mended] : [])],
      });
    const before = this.#before.get(id);
    if (before && before.created_at !== created_at) this.#put(timeName(before.created_at, id), undefined);
    this.#put(timeName(created_at, id), new Uint8Array([0]));
    this.#put(
      summaryName(id),
      summaryBytes({
        created_at,
        open: isOpen(attempt),
        succeeded: status === 'success',
        touched: files_touched.length,
        parts: passages.length,
        same: sameness(attempt),
        names: Object.fromEntries([...there].map(([file, own]) => [file, own.join('\n')])),
      }),
    );
    const sources = passages.map(({ source }) => source);
    this.#put(
      failuresName(id),
      sources.length + runs.size + told.size > 0 ? failuresBytes({ runs, told, sources }) : undefined,
    );
  }

  remove(id: string): void {
    const before = this.#before.get(id);
    if (!before) return;
    this.#told.remove(id);
    this.#removePassages(id, 0);
    this.#links.remove(id);
    this.#failed.remove(id);
    for (const name of [timeName(before.created_at, id), summaryName(id), failuresName(id)])
      this.#put(name, undefined);
  }

  /** Writes what waits, into the run's commit. */
  async flush(): Promise<void> {
    for (const index of [this.#told, this.#failures, this.#links, this.#failed]) await index.flush();
  }

  #removePassages(id: string, from: number): void {
    const parts = this.#before.get(id)?.parts ?? 0;
    for (let part = from; part < parts; part++) this.#failures.remove(passageId(id, part));
  }

  #put(name: string, value: Uint8Array | undefined): void {
    this.context.putBlob(name, value, 'durable');
  }
}

function isMended(attempt: Attempt): boolean {
  return attempt.events
    .filter((event) => event.kind === 'error' || event.ok === false)
    .slice(0, MOST_FAILURES)
    .some((event) => mendOf(attempt, event.kind === 'tool' ? event.tool.id : event.error.id)?.passed != null);
}

function sameness({ task: { user_prompt, files_touched } }: Attempt): string | null {
  const prompt = tokensOf(user_prompt.toLowerCase());
  if (prompt.length < FEWEST_WORDS) return null;
  return createHash('sha256')
    .update(JSON.stringify([prompt, files_touched]))
    .digest('base64url')
    .slice(0, 16);
}
