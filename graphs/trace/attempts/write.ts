import { createHash } from 'node:crypto';
import {
  bothEnds,
  Failure,
  failureOfError,
  isAgentSlip,
  parseFailure,
  scopeOf,
} from '../../../failures/index.js';
import { stripHidden } from '../../../present/index.js';
import type { ReadContext, WriteContext } from '../../../runtime/index.js';
import { append, parseId, Task, ToolTouchesFile, ToolTouchesSymbol } from '../../../schema/index.js';
import { tokensOf, type Words, writeIndex } from '../../../search/index.js';
import { type Attempt, type AttemptEvent, idOf, isOpen, readAttempts } from '../attempt.js';
import { isName, type ToolUse, textsOf } from '../tool-use.js';
import {
  type AttemptSummary,
  FAILURES,
  type FailureRecord,
  failureId,
  LINKS,
  link,
  type RecordedFailure,
  recordBytes,
  recordedFailure,
  recordName,
  summaryOf,
  TEXTS,
  WORDS,
} from './store.js';

/** Attempts that are read at once: few round trips, and not all texts of a history in memory. */
const AT_ONCE = 100;
/** Characters of one parameter that are indexed: a written file says at its start what it is. */
const LONGEST_PARAMETER = 4000;
/** Characters of all parameters of one attempt that are indexed. */
const ALL_PARAMETERS = 40_000;
/** Failures of one attempt that are indexed: the first, which later ones repeat. */
const MOST_FAILURES = 32;
/** Characters of an output whose words are indexed, half from either end. */
const LONGEST_TEXT = 8000;
/** Names of one attempt that are indexed: the first. */
const MOST_NAMES = 64;
/** A prompt of fewer words is not told from others: "go on", "yes please". */
const FEWEST_WORDS = 3;

/** What storing attempts needs of a run. */
export type StoreContext = Pick<WriteContext, 'nodesOf' | 'q' | 'blobs' | 'blobsUnder' | 'putBlob' | 'kept'>;

/**
 * Stores what attempts are found by, in the run's own commit. An attempt that goes on is indexed when it was written for
 * the 1st, 2nd, 4th, 8th… time: so a long one costs a few times its length in all and not its square. Until it ends it is
 * an answer of last resort anyway.
 *
 * @param tasks Ids of all tasks that the run wrote or removed.
 * @param whole Whether those that go on are indexed in any case. Default false.
 */
export async function storeAttempts(
  tasks: Iterable<string>,
  context: StoreContext,
  { whole = false }: { readonly whole?: boolean } = {},
): Promise<void> {
  const ids = [...new Set(tasks)].sort();
  if (ids.length === 0) return;
  const counters = await context.blobs(ids.map(recordName.open), 'durable');
  const due: string[] = [];
  for (const [at, task] of (await context.nodesOf(Task, ids)).entries()) {
    const [id = '', counter] = [ids[at], counters[at]];
    const goesOn = !task.gone && isOpen({ task });
    const writes = counter ? Number(Buffer.from(counter).toString('utf8')) + 1 : 1;
    if (goesOn) context.putBlob(recordName.open(id), Buffer.from(String(writes), 'utf8'), 'durable');
    else if (counter) context.putBlob(recordName.open(id), undefined, 'durable');
    if (whole || !goesOn || Number.isInteger(Math.log2(writes))) due.push(id);
  }
  if (due.length === 0) return;
  const writer = await AttemptWriter.of(context, due);
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

/** Writes what attempts are found by. */
export class AttemptWriter {
  readonly #words: Words;
  readonly #texts;
  readonly #links;
  readonly #failures;

  private constructor(
    private readonly context: StoreContext,
    /** What is stored of the attempts that are to be written. */
    private readonly before: ReadonlyMap<string, AttemptSummary>,
  ) {
    this.#words = context.kept(WORDS);
    this.#texts = writeIndex(context, TEXTS);
    this.#links = writeIndex(context, LINKS);
    this.#failures = writeIndex(context, FAILURES);
  }

  /** @param ids The attempts that are to be written or removed. */
  static async of(context: StoreContext, ids: readonly string[]): Promise<AttemptWriter> {
    const found = await context.blobs(ids.map(recordName.summary), 'durable');
    const before = ids.flatMap((id, at) => {
      const bytes = found[at];
      return bytes ? [[id, summaryOf(bytes)] as const] : [];
    });
    return new AttemptWriter(context, new Map(before));
  }

  /** Adds an attempt; what was stored of it is replaced. */
  put(attempt: Attempt, touches: Touches): void {
    const { task, steps, events } = attempt;
    const { id, created_at, files_touched } = task;
    const parameters = parametersOf(events);
    const said = [task.user_prompt, ...task.tags, ...steps.map(({ llm_summary }) => llm_summary)];
    this.#texts.put(id, {
      said: this.#words.of(said.join('\n')),
      done: this.#words.of([...files_touched, ...parameters].join('\n')),
    });
    const failures = failuresIn(attempt);
    for (const [at, { text }] of failures.entries())
      this.#failures.put(failureId(id, at), { word: this.#words.of(bothEnds(text, LONGEST_TEXT)) });
    this.#removeFailures(id, failures.length);
    const names = namesByFile(attempt, touches);
    this.#links.put(id, {
      file: files_touched.map(link.file),
      name: [...new Set([...parameters.filter(isName), ...[...names.values()].flat()])].map(link.name),
      // What goes on may ask: it makes nothing less rare.
      failed: isOpen(attempt) ? [] : [...new Set(failures.flatMap(({ links }) => links))],
    });
    const before = this.before.get(id);
    if (before && before.created_at !== created_at)
      this.#put(recordName.time(before.created_at, id), undefined);
    this.#put(recordName.time(created_at, id), new Uint8Array([0]));
    this.#put(
      recordName.summary(id),
      recordBytes({
        created_at,
        open: isOpen(attempt),
        touched: files_touched.length,
        failures: failures.length,
        same: sameness(attempt),
        names: Object.fromEntries([...names].map(([file, own]) => [file, own.join('\n')])),
      }),
    );
    this.#put(
      recordName.failures(id),
      failures.length > 0 ? recordBytes(failures.map(({ record }) => record)) : undefined,
    );
  }

  /** Removes all that is stored of an attempt. */
  remove(id: string): void {
    const before = this.before.get(id);
    if (!before) return;
    this.#texts.remove(id);
    this.#links.remove(id);
    this.#removeFailures(id, 0);
    for (const name of [
      recordName.time(before.created_at, id),
      recordName.summary(id),
      recordName.failures(id),
    ])
      this.#put(name, undefined);
  }

  /** Writes what waits, into the run's commit. */
  async flush(): Promise<void> {
    for (const index of [this.#texts, this.#links, this.#failures]) await index.flush();
  }

  #removeFailures(id: string, from: number): void {
    const count = this.before.get(id)?.failures ?? 0;
    for (let at = from; at < count; at++) this.#failures.remove(failureId(id, at));
  }

  #put(name: string, value: Uint8Array | undefined): void {
    this.context.putBlob(name, value, 'durable');
  }
}

function textOf(event: AttemptEvent): string {
  const texts =
    event.kind === 'error'
      ? [event.error.message, event.error.raw_log_excerpt]
      : [event.tool.stdout, event.tool.stderr];
  return stripHidden(texts.filter((one) => one.trim() !== '').join('\n'));
}

/** The tests and messages of a failure as links. */
function linksOf({ tests, reasons }: RecordedFailure): string[] {
  return [
    ...tests.flatMap(({ name, whole, leaf }) => [name, whole, leaf].map(link.test)),
    ...[...reasons].map(link.reason),
  ];
}

/** A failure as it is stored, with what is indexed of it. */
interface IndexedFailure {
  readonly record: FailureRecord;
  readonly links: readonly string[];
  readonly text: string;
}

/**
 * The failures of an attempt, in the order of time. An error that repeats what the invocation printed which met it is no
 * failure of its own; neither is what an agent did wrong by itself, as an edit that did not fit.
 */
function failuresIn({ events }: Attempt): IndexedFailure[] {
  const failures: IndexedFailure[] = [];
  const met = new Set<string>();
  for (const event of events) {
    const failure = failureOf(event);
    if (failure === null || failures.length >= MOST_FAILURES) continue;
    const scope = event.kind === 'tool' ? scopeOf(event.use.command) : [];
    const record = { source: idOf(event), failure, scope: [...scope] };
    const links = linksOf(recordedFailure(record));
    if (event.kind === 'error' && links.length > 0 && links.every((one) => met.has(one))) continue;
    for (const one of links) met.add(one);
    failures.push({ record, links, text: textOf(event) });
  }
  return failures;
}

/** What failed in an event, as it was parsed when it was recorded; null where nothing did, or by the agent's own slip. */
function failureOf(event: AttemptEvent): Failure | null {
  if (event.kind === 'tool' && (event.ok !== false || textOf(event) === '')) return null;
  const node = event.kind === 'error' ? event.error : event.tool;
  const stored = Failure.safeParse(node.failure);
  const isShell = event.kind === 'error' ? event.error.error_type !== 'tool_error' : isCommand(event.use);
  const failure = stored.success ? stored.data : parsedFailure(event, isShell);
  return isAgentSlip(failure, isShell) ? null : failure;
}

/** Of records of earlier versions, which hold no parsed failure. */
function parsedFailure(event: AttemptEvent, isShell: boolean): Failure {
  if (event.kind === 'error') return failureOfError(event.error);
  return parseFailure(textOf(event), { command: event.use.command, isShell });
}

/** Whether a tool is no edit and no read of a file. */
function isCommand({ command, file, added }: ToolUse): boolean {
  return command !== null || (file === null && added === null);
}

function parametersOf(events: readonly AttemptEvent[]): string[] {
  const texts: string[] = [];
  let left = ALL_PARAMETERS;
  for (const event of events) {
    if (event.kind !== 'tool') continue;
    for (const text of textsOf(event.tool.params_json)) {
      if (left <= 0) return texts;
      const cut = text.slice(0, Math.min(left, LONGEST_PARAMETER));
      left -= cut.length;
      texts.push(cut);
    }
  }
  return texts;
}

/** Equal for attempts at one prompt that touched the same files. */
function sameness({ task: { user_prompt, files_touched } }: Attempt): string | null {
  const prompt = tokensOf(user_prompt.toLowerCase());
  if (prompt.length < FEWEST_WORDS) return null;
  const hash = createHash('sha256').update(JSON.stringify([prompt, files_touched]));
  return hash.digest('base64url').slice(0, 16);
}

/** What tools touched, by the tool: root-relative paths, and names by their file. */
export interface Touches {
  readonly files: ReadonlyMap<string, readonly string[]>;
  readonly names: ReadonlyMap<string, readonly { readonly file: string; readonly name: string }[]>;
}

/** What the tools of some attempts touched, in two round trips. */
async function touchesOf({ q }: Pick<ReadContext, 'q'>, attempts: readonly Attempt[]): Promise<Touches> {
  const tools = attempts.flatMap(({ events }) =>
    events.flatMap((event) => (event.kind === 'tool' ? [event.tool.id] : [])),
  );
  const files = new Map<string, string[]>();
  for (const { from, to } of await q(tools).out(ToolTouchesFile).edges()) {
    const path = parseId(to)?.path ?? null;
    if (path !== null) append(files, from, path);
  }
  const names = new Map<string, { file: string; name: string }[]>();
  for (const { from, to } of await q(tools).out(ToolTouchesSymbol).edges()) {
    const { path = null, name = null } = parseId(to) ?? {};
    if (path !== null && name !== null) append(names, from, { file: path, name });
  }
  return { files, names };
}

/**
 * The names that an attempt worked on, by their file: those of the symbols whose lines its edits changed, and those among
 * the parameters of a tool that touched one file.
 */
function namesByFile({ events }: Attempt, { files, names }: Touches): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, Set<string>>();
  let count = 0;
  const add = (file: string, name: string): void => {
    const known = found.get(file) ?? new Set();
    if (known.has(name) || count >= MOST_NAMES) return;
    found.set(file, known.add(name));
    count++;
  };
  for (const event of events) {
    if (event.kind !== 'tool') continue;
    for (const { file, name } of names.get(event.tool.id) ?? []) add(file, name);
    const [file, ...others] = files.get(event.tool.id) ?? [];
    if (file !== undefined && others.length === 0)
      for (const text of textsOf(event.tool.params_json))
        if (text !== event.use.file && isName(text)) add(file, text);
  }
  return new Map([...found].map(([file, own]) => [file, [...own]]));
}
