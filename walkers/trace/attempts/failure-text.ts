import { fingerprintOf } from '../fingerprint.js';

/** Characters of one passage: what agents and hooks pass on of a failing output is about as long. */
const PASSAGE = 2000;
/** Passages of one output that are looked at, half from either end: what failed stands at the start or at the end. */
const MOST_PASSAGES = 16;

/*
 * Lines in which an output says what went wrong and where, in the words that compilers, interpreters, test runners and
 * shells share: failures, errors and exceptions by name, `path:line`, ids of tests, and the marks of runners.
 */
/** In lower case: looking for both cases at once takes several times as long. */
const TELLING_WORDS = new RegExp(
  [
    String.raw`\b(?:fail(?:ed|ures?|s|ing)?|errors?|exceptions?|panic(?:ked)?|assert\w*|traceback|fatal)\b`,
    String.raw`\b(?:cannot|can't|could not|not found|no such|no module|unrecognized|unknown|undefined|expected|unexpected|missing|denied|invalid|refused|in use)\b`,
    String.raw`\w(?:error|exception|warning)\b`,
  ].join('|'),
);
const TELLING_MARKS = /^\s*(?:E\s|>\s|[×✗✘✕●❯✖]|_{3,} )|\.\w{1,8}:\d|", line \d|::/u;

/** Lines that say why: an assertion as pytest shows it, an error by its type or label, what shells and compilers say. */
const REASONS = [
  /^E {2,}\S/u,
  /^\s*(?:[\w.$]+\.)?\w*(?:Error|Exception|Warning|Interrupt|Exit)\b(?:\s?\[\w+\])?: \S/u,
  /\b(?:error|fatal|panic)(?:\[\w+\])?: \S|\berror TS\d+: \S/iu,
  /^\s*(?:→|Caused by:|thread '.*' panicked|panic:) ?\S/u,
  /^\s*\S+\.\w+:\d+:\d+: \S|_test\.go:\d+: \S|^\s+\d+:\d+\s+error\s+\S/u,
  /\b(?:command not found|[Mm]issing script): \S/u,
  /: (?:command not found|not found|No such file or directory|Permission denied|No module named \S+)/u,
];
/** The reason at the end of a line of pytest's summary. */
const SUMMARISED = /^(?:FAILED|ERROR) \S.*? - (.+)/su;
/** What a wrapper, or pytest, writes in front of a line. */
const LABEL = /^\s*(?:E {2,}|→ |(?:Output|Error|stdout|stderr): +)/u;
/** Words of which a line consists that only says that something failed. */
const GENERIC =
  /^(?:\W|\d|\b(?:n|a|the|with|errors?|err|fail|failed|failures?|exit|exited|code|status|process|command|npm|pnpm|yarn|make|tests?|script|returned|completed|lifecycle|elifecycle|none)\b)*$/u;
/** Reasons that are taken from one output. */
const MOST_REASONS = 200;
/** Longer lines are data. */
const LONGEST_REASON = 1000;

/**
 * Why it failed: the messages of a failing output, each by its fingerprint (without numbers, paths and times), without
 * lines that say no more than that something failed.
 */
export function reasonsOf(text: string): ReadonlySet<string> {
  const reasons = new Set<string>();
  for (const { print } of reasonsIn(text)) {
    reasons.add(print);
    if (reasons.size >= MOST_REASONS) break;
  }
  return reasons;
}

/** The first line of a failing output that says why, as it was printed but for its label; null: none does. */
export function firstReason(text: string): string | null {
  for (const { line } of reasonsIn(text)) return line;
  return null;
}

function* reasonsIn(text: string): Generator<{ readonly line: string; readonly print: string }> {
  for (const line of text.split('\n')) {
    if (line === '' || line.length > LONGEST_REASON) continue;
    const reason = SUMMARISED.exec(line)?.[1] ?? (REASONS.some((form) => form.test(line)) ? line : null);
    const said = reason?.replace(LABEL, '') ?? '';
    const print = printOf(said);
    if (print !== null) yield { line: said, print };
  }
}

/** A message that is known to say why, as {@link reasonsOf} gives it; null where it says only that something failed. */
export function reasonOf(message: string): string | null {
  return printOf(message.replace(LABEL, ''));
}

function printOf(said: string): string | null {
  const print = fingerprintOf(said);
  return print === null || GENERIC.test(print.replace(/\{\w+\}/gu, '')) ? null : print;
}

/** A failing output taken apart: the lines that tell what went wrong, and all others (code, progress, reports). */
export interface FailureText {
  readonly telling: string;
  readonly rest: string;
}

/** Takes a text apart, line by line. */
export function failureText(text: string): FailureText {
  const telling: string[] = [];
  const rest: string[] = [];
  for (const line of text.split('\n')) (isTelling(line) ? telling : rest).push(line);
  return { telling: telling.join('\n'), rest: rest.join('\n') };
}

function isTelling(line: string): boolean {
  return line !== '' && (TELLING_MARKS.test(line) || TELLING_WORDS.test(line.toLowerCase()));
}

/**
 * A long text as passages that overlap by half. A query is a piece of an output: it is compared with pieces of its
 * own size, or a long output would seem unlike each of its parts.
 */
export function passagesOf(text: string): string[] {
  if (text.length <= PASSAGE) return [text];
  const starts: number[] = [];
  for (let at = 0; at < text.length - PASSAGE; at += PASSAGE / 2) starts.push(at);
  starts.push(text.length - PASSAGE);
  const half = MOST_PASSAGES / 2;
  const kept = starts.length > MOST_PASSAGES ? [...starts.slice(0, half), ...starts.slice(-half)] : starts;
  return kept.map((at) => text.slice(at, at + PASSAGE));
}
