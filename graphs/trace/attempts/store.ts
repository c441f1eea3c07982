import { createHash } from 'node:crypto';
import { z } from 'zod';
import {
  bothEnds,
  Failure,
  type FailureTerms,
  failureTerms,
  isAgentSlip,
  scopeOf,
} from '../../../failures/index.js';
import { stripHidden } from '../../../present/index.js';
import type { ReadContext, Slot, WriteContext } from '../../../runtime/index.js';
import { parseId, Task } from '../../../schema/index.js';
import { defineTextIndex, readIndex, tokensOf, Words, writeIndex } from '../../../search/index.js';
import { isTestPath } from '../../../source/index.js';
import { type Attempt, type AttemptEvent, idOf, isOpen, readAttempts } from '../attempt.js';
import { isName, textsOf } from '../tool-use.js';

/*
 * What attempts are found by is stored in the commit that ends or changes a task. A change of what is indexed
 * gives an index another name: older stores are then indexed again.
 */

/** Characters that are indexed of one parameter (a written file says at its start what it is), of all, and of a failure. */
const LONGEST = { parameter: 4000, parameters: 40_000, failure: 8000 };
/** Failures of one attempt that are indexed (the first, which later ones repeat), and names that it worked on. */
const MOST = { failures: 32, names: 64 };
/** A prompt of fewer words is like many others: "go on", "yes please". */
const FEWEST_WORDS = 3;
const LONGEST_KEY = 60;
/** The largest time that there is, in milliseconds (ECMAScript's time values). */
const LAST = 8_640_000_000_000_000;
const DIGITS = String(2 * LAST).length;

const TEXTS = defineTextIndex('attempts-texts-3', { layer: 'durable', fields: { said: 1, done: 1 } });
/**
 * Files that an attempt touched, names that it used, tests and messages that failed, each as one word. A
 * document is as long as its files: names and failures depend on the client.
 */
const LINKS = defineTextIndex('attempts-links-3', {
  layer: 'durable',
  fields: { file: 1, name: 0, failed: 0 },
});
const FAILURES = defineTextIndex('attempts-failures-3', { layer: 'durable', fields: { word: 1 } });
/** All text indexes of attempts. */
export const ATTEMPT_INDEXES = [TEXTS, LINKS, FAILURES] as const;
/** All other records of attempts have names that begin with this. */
export const ATTEMPT_RECORDS = 'attempts/';

const text = z.string();
const Summary = z.object({
  created_at: text,
  /** Whether it has not ended: it may be the one that asks. */
  open: z.boolean(),
  failures: z.number().int(),
  /** Equal for attempts at the same prompt that touched the same files; null where the prompt says too little. */
  same: text.nullable(),
  /** By root-relative path the names in that file that it worked on, separated by line breaks. */
  names: z.record(text, text),
});
/** A failure as it was parsed, and the test files that its command named. */
const FailureRecord = z.object({ source: text, failure: Failure, scope: z.array(text) });
type FailureRecord = z.infer<typeof FailureRecord>;

/** An attempt as it is found: what ranking asks of every one that may be an answer. */
export type KnownAttempt = Readonly<z.infer<typeof Summary>> & { readonly id: string };

/** A failure of an attempt as it is compared. */
export interface RecordedFailure extends FailureTerms {
  readonly source: string;
  readonly origins: ReadonlySet<string>;
}

const recordName = {
  byTime: `${ATTEMPT_RECORDS}time/`,
  summary: (task: string) => `${ATTEMPT_RECORDS}summary/${task}`,
  failures: (task: string) => `${ATTEMPT_RECORDS}failures/${task}`,
  /** How often an attempt that goes on was written since it was indexed. */
  open: (task: string) => `${ATTEMPT_RECORDS}open/${task}`,
  /** Sorts by time, the latest first, then by id. @param time ISO 8601. */
  time: (time: string, task: string) => {
    const at = Date.parse(time);
    const left = LAST - (Number.isNaN(at) ? -LAST : at);
    return `${recordName.byTime}${String(left).padStart(DIGITS, '0')}/${task}`;
  },
};

/** Words of the index of links. */
export const link = {
  file: (path: string) => `file:${path}`,
  name: (name: string) => `name:${name}`,
  test: (key: string) => `test:${short(key)}`,
  reason: (key: string) => `reason:${short(key)}`,
  /** The tests and messages of a failure. */
  failed: ({ tests, reasons }: Pick<FailureTerms, 'tests' | 'reasons'>) => [
    ...tests.flatMap(({ name, whole, leaf }) => [name, whole, leaf].map(link.test)),
    ...[...reasons].map(link.reason),
  ],
};

function short(key: string): string {
  if (key.length <= LONGEST_KEY && !key.includes('\0')) return key;
  return `#${createHash('sha256').update(key).digest('base64url').slice(0, 22)}`;
}

/** The id of a failure in the index of failures, by its index among those of its attempt. */
export const failureId = (task: string, at: number): string => `${task}#${at}`;
/** The attempt of a {@link failureId}. */
export const attemptOfFailure = (id: string): string => id.slice(0, id.lastIndexOf('#'));

/** The files in which a failure arose: of each test the innermost one of its frames that is no test. Empty: not known. */
export function originsOf({ tests, frames }: Pick<Failure, 'tests' | 'frames'>): ReadonlySet<string> {
  const all = [...tests.map((test) => test.frames), frames];
  return new Set(all.flatMap((some) => some.find(({ file }) => !isTestPath(file))?.file ?? []));
}

const WORDS: Slot<Words> = { name: 'words of attempts', make: () => new Words() };

/** What reading attempts needs of a run. */
export type AttemptContext = Pick<ReadContext, 'blobs' | 'blobsUnder' | 'cached' | 'version'>;

/** What is stored of the attempts of a graph for finding them, as one run reads it. */
export class AttemptStore {
  readonly words: Words;
  readonly texts;
  readonly links;
  readonly failures;

  constructor(private readonly context: AttemptContext) {
    this.words = context.cached(WORDS);
    this.texts = readIndex(context, TEXTS);
    this.links = readIndex(context, LINKS);
    this.failures = readIndex(context, FAILURES);
  }

  async attempts(ids: readonly string[]): Promise<Map<string, KnownAttempt>> {
    const found = await this.#read(ids, recordName.summary, Summary);
    return new Map(found.map(([id, summary]) => [id, { id, ...summary }]));
  }

  async failuresOf(ids: readonly string[]): Promise<Map<string, readonly RecordedFailure[]>> {
    const found = await this.#read(ids, recordName.failures, z.array(FailureRecord));
    const termsOf = ({ source, failure, scope }: FailureRecord): RecordedFailure => ({
      source,
      origins: originsOf(failure),
      ...failureTerms(failure, scope),
    });
    return new Map(found.map(([id, records]) => [id, records.map(termsOf)]));
  }

  /** The attempts that began last, the latest first; ties by id. */
  async latest(most: number): Promise<readonly string[]> {
    const ids: string[] = [];
    for await (const page of this.context.blobsUnder(recordName.byTime, 'durable')) {
      for (const { name } of page) ids.push(name.slice(recordName.byTime.length + DIGITS + 1));
      if (ids.length >= most) break;
    }
    return ids.slice(0, most);
  }

  async #read<T>(ids: readonly string[], nameOf: (id: string) => string, schema: z.ZodType<T>) {
    const found = await this.context.blobs(ids.map(nameOf), 'durable');
    return ids.flatMap((id, at): [id: string, record: T][] => {
      const bytes = found[at];
      return bytes ? [[id, schema.parse(JSON.parse(Buffer.from(bytes).toString('utf8')))]] : [];
    });
  }
}

/** What storing attempts needs of a run. */
export type StoreContext = AttemptContext & Pick<WriteContext, 'nodesOf' | 'q' | 'putBlob'>;

/**
 * Stores what tasks are found by, in the run's own commit. One that goes on is indexed at its 1st, 2nd, 4th,
 * 8th… write, so that a long one costs a few times its length in all.
 * @param whole Whether those that go on are indexed in any case.
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
  await writeAttempts(readAttempts(context, due), context, due);
}

/**
 * Writes what attempts are found by.
 * @param ids Those that are not among the attempts are removed.
 */
export async function writeAttempts(
  attempts: Iterable<Attempt> | AsyncIterable<Attempt>,
  context: AttemptContext & Pick<WriteContext, 'putBlob'>,
  ids: readonly string[] = [],
): Promise<void> {
  const words = context.cached(WORDS);
  const texts = writeIndex(context, TEXTS);
  const links = writeIndex(context, LINKS);
  const worded = writeIndex(context, FAILURES);
  const store = new AttemptStore(context);
  const put = (name: string, value: unknown): void => {
    const bytes = value === undefined ? undefined : Buffer.from(JSON.stringify(value), 'utf8');
    context.putBlob(name, bytes, 'durable');
  };
  const left = new Set(ids);
  for await (const attempt of attempts) {
    const { task, steps, events } = attempt;
    const { id, created_at, files_touched } = task;
    const before = (await store.attempts([id])).get(id);
    left.delete(id);
    const parameters = parametersOf(events);
    const said = [task.user_prompt, ...task.tags, ...steps.map(({ llm_summary }) => llm_summary)];
    texts.put(id, {
      said: words.of(said.join('\n')),
      done: words.of([...files_touched, ...parameters].join('\n')),
    });
    const failures = failuresIn(attempt);
    for (const [at, { text }] of failures.entries())
      worded.put(failureId(id, at), { word: words.of(bothEnds(text, LONGEST.failure)) });
    for (let at = failures.length; at < (before?.failures ?? 0); at++) worded.remove(failureId(id, at));
    const names = namesByFile(attempt);
    const used = new Set([...parameters.filter(isName), ...[...names.values()].flatMap((own) => [...own])]);
    links.put(id, {
      file: files_touched.map(link.file),
      name: [...used].map(link.name),
      // What goes on may ask: it makes nothing less rare.
      failed: isOpen(attempt) ? [] : [...new Set(failures.flatMap((one) => one.links))],
    });
    if (before && before.created_at !== created_at) put(recordName.time(before.created_at, id), undefined);
    put(recordName.time(created_at, id), '');
    put(recordName.summary(id), {
      created_at,
      open: isOpen(attempt),
      failures: failures.length,
      same: sameness(attempt),
      names: Object.fromEntries([...names].map(([file, own]) => [file, [...own].join('\n')])),
    } satisfies z.infer<typeof Summary>);
    const records = failures.map(({ record }) => record);
    put(recordName.failures(id), records.length > 0 ? records : undefined);
  }
  for (const [id, { created_at, failures }] of await store.attempts([...left])) {
    texts.remove(id);
    links.remove(id);
    for (let at = 0; at < failures; at++) worded.remove(failureId(id, at));
    for (const name of [recordName.time(created_at, id), recordName.summary(id), recordName.failures(id)])
      put(name, undefined);
  }
  for (const index of [texts, links, worded]) await index.flush();
}

/** The failures of an attempt, by time: without errors that repeat their tool's output, and without an agent's own slips. */
function failuresIn({ events }: Attempt) {
  const failures: { record: FailureRecord; links: readonly string[]; text: string }[] = [];
  const met = new Set<string>();
  for (const event of events) {
    const isError = event.kind === 'error';
    const { data: failure } = Failure.safeParse(isError ? event.error.failure : event.tool.failure);
    const printed = isError
      ? [event.error.message, event.error.raw_log_excerpt]
      : [event.tool.stdout, event.tool.stderr];
    const text = stripHidden(printed.filter((one) => one.trim() !== '').join('\n'));
    const isFailure = isError || (event.ok === false && text !== '');
    if (!failure || !isFailure || isAgentSlip(failure, isOfShell(event))) continue;
    const links = link.failed(failureTerms(failure));
    if (isError && links.length > 0 && links.every((one) => met.has(one))) continue;
    for (const one of links) met.add(one);
    const scope = isError ? [] : [...scopeOf(event.use.command)];
    failures.push({ record: { source: idOf(event), failure, scope }, links, text });
    if (failures.length === MOST.failures) break;
  }
  return failures;
}

function isOfShell(event: AttemptEvent): boolean {
  if (event.kind === 'error') return event.error.error_type !== 'tool_error';
  const { command, file, added } = event.use;
  return command !== null || (file === null && added === null);
}

function parametersOf(events: readonly AttemptEvent[]): string[] {
  const texts: string[] = [];
  let left = LONGEST.parameters;
  for (const event of events) {
    if (event.kind !== 'tool') continue;
    for (const text of textsOf(event.tool.params_json)) {
      if (left <= 0) return texts;
      const cut = text.slice(0, Math.min(left, LONGEST.parameter));
      left -= cut.length;
      texts.push(cut);
    }
  }
  return texts;
}

function sameness({ task: { user_prompt, files_touched } }: Attempt): string | null {
  const prompt = tokensOf(user_prompt.toLowerCase());
  if (prompt.length < FEWEST_WORDS) return null;
  const hash = createHash('sha256').update(JSON.stringify([prompt, files_touched]));
  return hash.digest('base64url').slice(0, 16);
}

/**
 * The names that an attempt worked on, by file: symbols that its edits changed, and names among the
 * parameters of a tool that touched that file alone.
 */
function namesByFile({ events }: Attempt): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  let count = 0;
  const add = (file: string, name: string): void => {
    const known = found.get(file) ?? new Set();
    if (known.has(name) || count >= MOST.names) return;
    found.set(file, known.add(name));
    count++;
  };
  for (const event of events) {
    if (event.kind !== 'tool') continue;
    const touched = event.touched.flatMap((id) => parseId(id) ?? []);
    for (const { form, path, name } of touched)
      if (form !== 'file' && path !== null && name !== null) add(path, name);
    const [only, ...others] = touched.filter(({ form }) => form === 'file');
    if (!only?.path || others.length > 0) continue;
    for (const text of textsOf(event.tool.params_json))
      if (text !== event.use.file && isName(text)) add(only.path, text);
  }
  return found;
}
