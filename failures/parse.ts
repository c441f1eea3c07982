import { z } from 'zod';
import { ERROR_TYPES, type ErrorType } from '../schema/index.js';
import { type Format, type Sighting, sightingsOf } from './engine.js';
import { testKeys } from './fingerprint.js';
import { COMPILERS, ERROR_COUNTS, RUNNERS, TEST_COUNTS, UNCAUGHT } from './formats.js';
import { excerptFrom, Frame, framesIn, isTestFile, linesOf } from './output.js';

/** Characters of a message, a test's name and an excerpt; tests, reasons and frames of a failure. */
const MOST = { message: 300, name: 500, excerpt: 4000, tests: 100, reasons: 50, frames: 20, testFrames: 5 };

const text = z.string();
const count = z.number().int().min(0);

/** One test that failed, with its own message and never another one's. */
export const FailingTest = z.object({
  /** As its runner names it: `file > suite > case`, `file::Class::test[param]`. */
  name: text,
  /** The file that the output names for it, as it is spelled there; null: none. */
  file: text.nullable(),
  /** Why it failed, in one line; null: the output does not say. */
  reason: text.nullable(),
  frames: z.array(Frame),
});
export type FailingTest = z.infer<typeof FailingTest>;

/** The output of a failing command or tool, parsed once, when it is recorded. All texts are at most 500 characters. */
export const Failure = z.object({
  /** The runner or compiler that printed it: `pytest`, `tsc`; null: unknown. */
  tool: text.nullable(),
  type: z.enum(ERROR_TYPES),
  /** Failing tests in the order of the output, at most 100. */
  tests: z.array(FailingTest),
  /** Messages that belong to no test (compiler errors, exceptions, tool errors), in order, at most 50. */
  reasons: z.array(text),
  /** The line that says best what went wrong: of the first test by name, else of the first message. */
  reason: text,
  /** Places in the project's own code, innermost first, without installed packages, at most 20. */
  frames: z.array(Frame),
  /** How many tests or errors the tool counted; null: it did not say. */
  counts: z.object({ failed: count, passed: count.nullable() }).nullable(),
  /** Whether the runner stopped early, so that other tests may fail too. */
  stopped: z.boolean(),
});
export type Failure = z.infer<typeof Failure>;

/** What is known of a call whose output is parsed. */
export interface ParseOptions {
  /** What a shell ran; a tool's name where it was none. Stands for the reason when nothing was printed. */
  readonly command?: string | null;
  /** The project's folder, absolute: places elsewhere are no frames. Default: `cwd`. */
  readonly root?: string | null;
  /** The folder in which the command ran, absolute: paths below it become relative to it. Default: `root`. */
  readonly cwd?: string | null;
  readonly isShell: boolean;
  readonly exitCode?: number | null;
}

interface Reading {
  readonly format: Format;
  readonly type: ErrorType;
  readonly sightings: readonly Sighting[];
}

/** Parses what a failing call printed; where nothing is recognised, the best line is the reason. Never throws. */
export function parseFailure(output: string, options: ParseOptions): Failure {
  return parseOutput(output, options).failure;
}

/** {@link parseFailure}, and the part of the output that shows the failure, at most 4,100 characters. */
export function parseOutput(output: string, options: ParseOptions): { failure: Failure; excerpt: string } {
  const folder = options.cwd ?? options.root ?? null;
  const root = options.root ?? folder;
  const lines = linesOf(output, folder);
  const read = readingsOf(lines, options);
  // A tool may run tests; what else it says are its own words.
  const isRead = options.isShell || read.length > 0;
  const counts = isRead ? countsIn(lines) : null;
  const failed = counts?.failed ?? 0;
  const sightings = read.flatMap((one) => one.sightings);
  const from = sightings.length === 0 ? 0 : Math.min(...sightings.map((one) => one.from));
  const all = read.flatMap((one) => testsOf(one, lines, root));
  const tests = unique(all, ({ name }) => name).slice(0, MOST.tests);
  const reason = sightings.length > 0 ? firstByName(sightings) : bestLine(lines, options);
  const others = sightings.flatMap((one) => (one.isTest ? [] : described(one)));
  const reasons = unique(sightings.length > 0 ? others : [reason], (text) => text);
  const unread = failed > 0 ? counts?.type : null;
  return {
    failure: {
      tool: read[0]?.format.tool ?? null,
      type: read[0]?.type ?? unread ?? (options.isShell ? 'runtime_error' : 'tool_error'),
      tests,
      reasons: reasons.map(oneLine).slice(0, MOST.reasons),
      reason: oneLine(reason),
      frames: isRead ? framesOf(tests, read, lines.slice(from), from, root) : [],
      counts: failed > 0 ? { failed: Math.max(failed, tests.length), passed: counts?.passed ?? null } : null,
      stopped: lines.some((line) => STOPPED.test(line)),
    },
    excerpt: excerptFrom(lines, from, MOST.excerpt),
  };
}

/** Whether an output shows failing tests or compile errors, whatever the exit code was. */
export function showsFailure(output: string): boolean {
  const lines = linesOf(output, null);
  const read = readingsOf(lines, { isShell: true });
  return read.some(({ type }) => type !== 'runtime_error') || (countsIn(lines)?.failed ?? 0) > 0;
}

/** What clients answer when an agent's own call was wrong or refused, in words that no project prints. */
const SLIP =
  /<tool_use_error>|InputValidationError|No such tool(?: available)?:|\bnot found in registry\b|params must have required property|String to replace not found|\bmatches of the string to replace|File has (?:not been read yet|been (?:unexpectedly )?modified since)|old_string and new_string are exactly the same|occurrences found for old_string|occurrences? but found \d|Could not find an exact match for|No replacement performed|[Tt]he user (?:doesn't|does not) want to (?:proceed with|take this action)|[Uu]ser (?:rejected|denied|declined|cancelled)|\[Operation Cancelled\]|\[Request interrupted by user|Permission to use \S{1,80} (?:with|has been) |requires (?:user )?approval|requested permissions to use|Cancelled: parallel tool call|file_path must be absolute|[Pp]ath must be (?:absolute|within)/u;

/**
 * Whether a failure is the agent's own slip (an edit that did not fit, a call that was denied) and none of
 * the project.
 * @param failure Parsed, or the text that the client showed.
 */
export function isAgentSlip(failure: Failure | string, isShell: boolean): boolean {
  if (typeof failure === 'string') {
    if (SLIP.test(failure.slice(0, 2000))) return true;
    return !isShell && parseFailure(failure, { isShell }).tests.length === 0;
  }
  if (failure.tests.length > 0) return false;
  return !isShell || [failure.reason, ...failure.reasons].some((one) => SLIP.test(one));
}

/** An error as a client logged it in its own words. */
export interface LoggedError {
  readonly error_type: ErrorType;
  readonly message: string;
  readonly raw_log_excerpt: string;
  readonly tests: readonly string[];
}

/** The failure of an error that a client logged: its type, message and tests stay; its excerpt adds reasons and places. */
export function failureOfError(error: LoggedError): Failure {
  const { error_type: type, message: said } = error;
  const options = { isShell: type !== 'tool_error' };
  const parsed = parseFailure(error.raw_log_excerpt || said, options);
  // A message of several lines is an output that a client passed on.
  const isOutput = said.trim().includes('\n');
  const message = isOutput ? parseFailure(said, options).reason : oneLine(said);
  const whole = error.tests.length === 1 && !isOutput ? message : '';
  // As a client names it, with what the excerpt or the message says of it.
  const logged = error.tests.map((one): FailingTest => {
    const name = one.slice(0, MOST.name);
    const key = testKeys(name, null)?.name;
    const same = parsed.tests.filter(
      (test) => test.name === name || testKeys(test.name, test.file)?.name === key,
    );
    const found = same.length > 1 ? same.find((test) => test.name === name) : same[0];
    const own = message.startsWith(`${name}: `)
      ? message.slice(name.length + 2)
      : whole === name
        ? ''
        : whole;
    const file = found?.file ?? /^[^\s:]+\.\w+(?=::| [>›] )/u.exec(name)?.[0] ?? null;
    return { name, file, reason: found?.reason ?? (own || null), frames: found?.frames ?? [] };
  });
  const tests = logged.length > 0 || type === 'compile_error' ? logged : parsed.tests;
  // With tests the message is about one of them, or about all.
  const isReason = tests.length === 0 && message !== '';
  return {
    ...parsed,
    type,
    tests: unique(tests, ({ name }) => name).slice(0, MOST.tests),
    reasons: isReason ? unique([message, ...parsed.reasons], (text) => text) : parsed.reasons,
    reason: message || parsed.reason,
  };
}

/** What was read, in the order of the output; of a tool that is no shell only tests. */
function readingsOf(lines: readonly string[], { isShell }: Pick<ParseOptions, 'isShell'>): Reading[] {
  if (!isShell && lines.slice(0, 5).some((line) => SLIP.test(line))) return [];
  const taken = new Uint8Array(lines.length);
  // A line that one format has read is not another's.
  const sightingsOfFree = (format: Format): Sighting[] => {
    const free = sightingsOf(format, lines).filter(({ from }) => taken[from] === 0);
    for (const { from, to } of free) taken.fill(1, from, to);
    return free;
  };
  const read: Reading[] = [];
  for (const format of RUNNERS) {
    if (format.brief && read.some((one) => one.format.tool === format.tool)) continue;
    const free = sightingsOfFree(format);
    if (free.length === 0) continue;
    const ofTests = free.some(({ isTest }) => isTest);
    // A file that could not be loaded counts as a test where others ran.
    const sightings = ofTests ? free.map((one) => ({ ...one, isTest: one.name !== null })) : free;
    read.push({ format, type: ofTests ? 'test_failure' : 'compile_error', sightings });
  }
  if (!isShell) return read.filter(({ type }) => type === 'test_failure');
  const ofTests = read.length > 0;
  const errors = COMPILERS.flatMap((format) => sightingsOfFree(format).map((one) => ({ ...one, format })))
    // A program under test may log what looks like a syntax error.
    .filter(({ reason }) => !ofTests || !/^\w+Error: /u.test(reason))
    .sort((a, b) => a.from - b.from);
  if (errors[0]) read.push({ format: errors[0].format, type: 'compile_error', sightings: errors });
  for (const format of UNCAUGHT) {
    if (read.length > 0) break;
    const all = sightingsOf(format, lines);
    // Of Python's chained errors the last one is what the program died of.
    const sightings = format.outermostFirst ? all.slice(-1) : all.slice(0, 1);
    if (sightings.length > 0) read.push({ format, type: 'runtime_error', sightings });
  }
  const order = ({ type, sightings: [first] }: Reading) =>
    // A test failure says more than a compiler's error next to it.
    (type === 'test_failure' ? 0 : lines.length) + (first?.from ?? 0);
  return read.sort((a, b) => order(a) - order(b));
}

function testsOf(
  { format, sightings }: Reading,
  lines: readonly string[],
  root: string | null,
): FailingTest[] {
  return sightings.slice(0, MOST.tests).flatMap(({ name, file, reason, from, to, isTest }) => {
    if (!isTest || name === null) return [];
    const frames = framesIn(lines.slice(from, to), root, format.outermostFirst);
    const files = [name, ...frames.map((frame) => frame.file)].filter((one) => !/\s/u.test(one));
    const own = (file ?? files.findLast(isTestFile))?.slice(0, MOST.name) ?? null;
    return {
      name: name.slice(0, MOST.name),
      file: own,
      reason: reason === '' ? null : oneLine(reason),
      frames: codeFirst(frames, [own]).slice(0, MOST.testFrames),
    };
  });
}

function codeFirst(frames: readonly Frame[], tests: readonly (string | null)[]): Frame[] {
  const own = new Set(tests);
  const isTest = ({ file }: Frame) => own.has(file) || isTestFile(file);
  return [...frames.filter((frame) => !isTest(frame)), ...frames.filter(isTest)];
}

/** The places of all tests and errors; where they name none, those of the output. */
function framesOf(
  tests: readonly FailingTest[],
  read: readonly Reading[],
  shown: readonly string[],
  from: number,
  root: string | null,
): Frame[] {
  const others = read.flatMap(({ format, sightings }) => {
    const errors = sightings.filter(({ isTest }) => !isTest);
    const own = errors.flatMap((one) => shown.slice(one.from - from, one.to - from));
    const places = errors.flatMap(({ name }) => (name === null ? [] : `${name}:`));
    return framesIn([...own, ...places], root, format.outermostFirst);
  });
  const named = [...tests.flatMap(({ frames }) => frames), ...others];
  const all = named.length > 0 ? named : framesIn(shown, root);
  const files = tests.flatMap(({ file }) => file ?? []);
  const bare = files.filter((file) => !all.some((frame) => frame.file === file));
  return unique(
    [...codeFirst(all, files), ...bare.map((file) => ({ file, line: null }))],
    ({ file, line }) => `${file}:${line}`,
  ).slice(0, MOST.frames);
}

/** Of several failures the first by name stands for all: runners print them in any order. */
function firstByName(sightings: readonly Sighting[]): string {
  const tests = sightings.filter(({ isTest }) => isTest);
  const keyOf = ({ name }: Sighting) => name ?? '\uffff';
  return described((tests.length > 0 ? tests : sightings).reduce((a, b) => (keyOf(b) < keyOf(a) ? b : a)));
}

function described({ name, reason }: Sighting): string {
  return name === null ? reason : reason === '' ? `${name} failed` : `${name}: ${reason}`;
}

const STOPPED = /\bstopping after \d+ failures|^Bail out!|\b[Bb]ail(?:ed|ing)? (?:out )?after \d+/u;
const LONGEST_SUMMARY = 300;

function countsIn(lines: readonly string[]) {
  let most = null as { failed: number; passed: number | null; type: ErrorType } | null;
  let passing: number | null = null;
  for (const line of lines) {
    if (line.length > LONGEST_SUMMARY || !/\d/u.test(line)) continue;
    const alone = /^(?:[#ℹ] pass | {1,2}(?=\d+ pass(?:ing)?\b))(\d+)/u.exec(line)?.[1];
    if (alone !== undefined) passing = Number(alone);
    const form = COUNTS.find((one) => one.test(line));
    if (!form) continue;
    const { failed = 0, errors = 0, passed, total } = form.exec(line)?.groups ?? {};
    const count = Number(failed) + Number(errors);
    const rest = total === undefined ? null : Math.max(0, Number(total) - count);
    const others = (passed === undefined ? rest : Number(passed)) ?? most?.passed ?? null;
    const type = ERROR_COUNTS.includes(form) ? 'compile_error' : 'test_failure';
    if (!most || count > most.failed) most = { failed: count, passed: others, type };
    else most.passed ??= others;
  }
  if (most) most.passed ??= passing;
  return most;
}

const COUNTS = [...TEST_COUNTS, ...ERROR_COUNTS];

/** Lines that say what went wrong: an error by its class, the words of compilers and shells, the best kind first. */
const SAYS_WHY: readonly RegExp[] = [
  /^\s*(?:E\s+)?(?:[\w.$]+\.)?\w*(?:Error|Exception|Interrupt)\b(?:\s?\[\w+\])?: \S|\b(?:error|fatal|panic)(?:\[\w+\])?: \S|\berror TS\d+: \S/iu,
  /: (?:command not found|not found|No such file or directory|Permission denied|No module named \S+)|\bundefined reference to\b|\b[Mm]issing script: \S/u,
  /\b(?:error|fatal|failed|failure|cannot|can't|could not|unable|not found|no such|denied|refused|exception|invalid|unknown|missing|unexpected|timed out|already in use|abort(?:ed)?)\b/iu,
];
/** Lines that look like it and are not, or say only that something failed. */
const NOISE =
  /^\s*(?:npm warn\b|warning\b|0 errors?\b|\d+ passed\b|> |(?:error: )?usage: |(?:npm (?:ERR!|error) )?(?:code|errno|syscall|Exit code|Exit status|Lifecycle script)\b|Error: \(none\)|[=_*#~⎯-]{5,})/iu;

/** Of a tool's error its first sentence: advice follows. Of a command the line that says best what went wrong, else the last. */
function bestLine(lines: readonly string[], { isShell, command, exitCode = null }: ParseOptions): string {
  const printed = lines.filter((line) => line.trim() !== '');
  const [first] = printed;
  if (first === undefined) {
    const what = oneLine(command ?? '') || 'The call';
    return exitCode === null ? `${what} failed` : `${what}: exit code ${exitCode}`;
  }
  if (!isShell) return /^.{20,}?[.!](?=\s+\p{Lu})/u.exec(first)?.[0] ?? first;
  const heard = printed.filter((line) => !NOISE.test(line));
  for (const form of SAYS_WHY) {
    const line = heard.find((one) => form.test(one));
    if (line !== undefined) return line;
  }
  return heard.at(-1) ?? first;
}

function oneLine(text: string): string {
  const line = text
    .slice(0, 10 * MOST.message)
    .replace(/\s+/gu, ' ')
    .trim();
  return line.length > MOST.message ? `${line.slice(0, MOST.message - 1)}…` : line;
}

function unique<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  const seen = new Set<string>();
  return items.filter((item) => !seen.has(keyOf(item)) && seen.add(keyOf(item)));
}
