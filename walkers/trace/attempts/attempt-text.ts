import { stripHidden } from '../../../present/index.js';
import type { Words } from '../../../search/index.js';
import type { Attempt, AttemptEvent } from './attempt.js';
import { type FailedRun, failedRun } from './failed-run.js';
import { testNamed } from './failing-names.js';
import { passagesOf, reasonOf } from './failure-text.js';
import { isName, textsOf } from './tool-use.js';

/** Characters of one parameter that are indexed: a written file says at its start what it is. */
const LONGEST_PARAMETER = 4000;
/** Characters of all parameters of one attempt that are indexed. */
const ALL_PARAMETERS = 40_000;
/** Passages of failing outputs of one attempt that are indexed; the first ones, which the later ones repeat. */
const MOST_PASSAGES = 64;
/** Failing outputs of one attempt that are compared as wholes; the first ones. */
const MOST_RUNS = 32;

/** A piece of what failed, and where it comes from. */
export interface Passage {
  readonly text: string;
  /** The invocation or the error that it is of. */
  readonly source: string;
}

interface Failure extends Passage {
  /** What was run; null where it is not told. */
  readonly command: string | null;
  readonly isError: boolean;
}

/** What an attempt says, for being found by it. */
export interface AttemptText {
  /** Prompt, tags and summaries. */
  readonly said: string;
  /** Paths, commands and all other parameters of tools. */
  readonly done: string;
  /** What failing tools printed, and errors with their excerpts. */
  readonly passages: readonly Passage[];
  /** What failed, by the invocation or error that tells it. */
  readonly runs: ReadonlyMap<string, FailedRun>;
  /** What its errors say, by the error: their messages and the tests that they name. */
  readonly told: ReadonlyMap<string, FailedRun>;
  /** Names of functions, methods and modules among the parameters of its tools. */
  readonly names: ReadonlySet<string>;
}

/** The texts of an attempt. */
export function attemptText(attempt: Attempt, words: Words): AttemptText {
  const { task, steps, events } = attempt;
  const parameters = parametersOf(events);
  const failed = events.flatMap(failureOf);
  return {
    said: [task.user_prompt, ...task.tags, ...steps.map(({ llm_summary }) => llm_summary)].join('\n'),
    done: [...task.files_touched, ...parameters].join('\n'),
    passages: failed
      .flatMap(({ text, source }) => passagesOf(text).map((passage) => ({ text: passage, source })))
      .slice(0, MOST_PASSAGES),
    runs: runsOf(failed, words),
    told: toldBy(events, words),
    names: new Set(parameters.filter(isName)),
  };
}

/** What stands for a file among the links of an attempt. */
export function fileLink(path: string): string {
  return `file:${path}`;
}

/** What stands for a name that it used. */
export function nameLink(name: string): string {
  return `name:${name}`;
}

/** An error says again what the invocation printed that met it, and often less: then it is no run of its own. */
function runsOf(failed: readonly Failure[], words: Words): ReadonlyMap<string, FailedRun> {
  const runs = new Map<string, FailedRun>();
  const named = new Set<string>();
  for (const { text, command, source, isError } of failed) {
    const run = failedRun(text, command, words);
    if (isError && run.tests.length > 0 && run.tests.every(({ name }) => named.has(name))) continue;
    runs.set(source, run);
    for (const { name } of run.tests) named.add(name);
    if (runs.size >= MOST_RUNS) break;
  }
  return runs;
}

/** Whoever records an error chose its message: it tells why, whatever it looks like. */
function toldBy(events: readonly AttemptEvent[], words: Words): ReadonlyMap<string, FailedRun> {
  const told = new Map<string, FailedRun>();
  for (const event of events) {
    if (event.kind !== 'error' || told.size >= MOST_RUNS) continue;
    const { id, message, tests } = event.error;
    const run = failedRun(joined(message), null, words);
    const reason = reasonOf(joined(message));
    told.set(id, {
      ...run,
      tests: [...run.tests, ...tests.flatMap((name) => testNamed(name, null) ?? [])],
      reasons: new Set([...run.reasons, ...(reason === null ? [] : [reason])]),
      words: new Set(words.of(message)),
    });
  }
  return told;
}

/** What a failure printed; nothing for what went well or is not known to have failed. */
function failureOf(event: AttemptEvent): Failure[] {
  if (event.kind === 'error') {
    const { id, message, raw_log_excerpt } = event.error;
    return [{ text: joined(message, raw_log_excerpt), source: id, command: null, isError: true }];
  }
  const { tool, use, ok } = event;
  const text = joined(tool.stdout, tool.stderr);
  if (ok !== false || text === '') return [];
  return [{ text, source: tool.id, command: use.command, isError: false }];
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

function joined(...texts: readonly string[]): string {
  return stripHidden(texts.filter((text) => text.trim() !== '').join('\n'));
}
