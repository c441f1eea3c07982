import type { ErrorType } from '../schema/index.js';
import { type Format, type Sighting, sightingsOf } from './engine.js';
import type { FailingTest, Failure, Frame } from './failure.js';
import { testKeys } from './fingerprint.js';
import { COMPILERS, RUNNERS, UNCAUGHT } from './formats.js';
import { excerptFrom, framesIn, isTestFile, linesOf } from './output.js';

/** Characters of a message, a test's name and an excerpt; tests, reasons and frames of a failure. */
const MOST = { message: 300, name: 500, excerpt: 4000, tests: 100, reasons: 50, frames: 20, testFrames: 5 };

/** What is known of a call whose output is parsed. */
export interface ParseOptions {
  /** What a shell ran; a tool's name where it was none. Stands for the reason when nothing was printed. */
  readonly command?: string | null;
  /** The project's folder, absolute: places elsewhere are no frames. Default: unknown. */
  readonly root?: string | null;
  /** The folder in which the command ran, absolute: paths below it become relative to it. Default: `root`. */
  readonly cwd?: string | null;
  /** Whether a shell printed it; tools of an agent (edit, read) report in their own words. */
  readonly isShell: boolean;
  /** Default: unknown. */
  readonly exitCode?: number | null;
}

/** What one runner or compiler printed. */
interface Found {
  readonly tool: string | null;
  readonly type: ErrorType;
  readonly sightings: readonly Sighting[];
  readonly outermostFirst: boolean;
}

/**
 * Parses what a failing call printed. Never throws; looks at 100,000 characters from both ends.
 *
 * @returns A failure for every output: with its last telling line as reason where no runner or compiler is recognised.
 */
export function parseFailure(output: string, options: ParseOptions): Failure {
  return parseOutput(output, options).failure;
}

/** {@link parseFailure}, and the part of the output that shows the failure, at most 4,100 characters. */
export function parseOutput(output: string, options: ParseOptions): { failure: Failure; excerpt: string } {
  const folder = options.cwd ?? options.root ?? null;
  const lines = linesOf(output, folder);
  const found = options.isShell ? foundIn(lines) : [];
  const counts = options.isShell ? countsIn(lines) : null;
  const sightings = found.flatMap((one) => one.sightings);
  const from = Math.min(...sightings.map((one) => one.from), ...(sightings.length === 0 ? [0] : []));
  const root = options.root ?? folder;
  const tests = found.flatMap((one) => testsOf(one, lines, root));
  const reasons = sightings.filter(({ isTest }) => !isTest).map((one) => described(one.name, one.reason));
  const [first] = found;
  const failed = counts?.failed ?? 0;
  const type =
    first?.type ??
    (failed > 0 ? (counts?.type ?? 'runtime_error') : options.isShell ? 'runtime_error' : 'tool_error');
  const reason =
    sightings.length > 0 ? firstByName(sightings) : (tellingLine(lines, options) ?? silent(options));
  return {
    failure: {
      tool: first?.tool ?? null,
      type,
      tests: unique(tests, ({ name }) => name).slice(0, MOST.tests),
      reasons: unique(sightings.length > 0 ? reasons : [reason], (text) => text)
        .map(oneLine)
        .slice(0, MOST.reasons),
      reason: oneLine(reason),
      frames: options.isShell ? framesOf(tests, found, { lines, from, root }) : [],
      counts: failed > 0 ? { failed: Math.max(failed, tests.length), passed: counts?.passed ?? null } : null,
      stopped: lines.some((line) => STOPPED.test(line)),
    },
    excerpt: excerptFrom(lines, from, MOST.excerpt),
  };
}

/** Whether an output shows failing tests or compile errors, whatever the exit code was. */
export function showsFailure(output: string): boolean {
  const lines = linesOf(output, null);
  return foundIn(lines).some(({ type }) => type !== 'runtime_error') || (countsIn(lines)?.failed ?? 0) > 0;
}

/** An error as a client logged it in its own words. */
export interface LoggedError {
  readonly error_type: ErrorType;
  readonly message: string;
  readonly raw_log_excerpt: string;
  readonly tests: readonly string[];
}

/**
 * The failure of an error that a client logged: its type, message and tests stay; its excerpt adds reasons and places.
 *
 * @param options As of {@link parseFailure}. `isShell` defaults to whether the type is none of a tool's.
 */
export function failureOfError(error: LoggedError, options: Partial<ParseOptions> = {}): Failure {
  const all = { isShell: error.error_type !== 'tool_error', ...options };
  const parsed = parseFailure(error.raw_log_excerpt || error.message, all);
  // A message of several lines is an output that a client passed on.
  const isOutput = error.message.trim().includes('\n');
  const message = isOutput ? parseFailure(error.message, all).reason : oneLine(error.message);
  const tests = error.tests.map((name) => loggedTest(name.slice(0, MOST.name), message, parsed.tests));
  const own = tests.length > 0 || error.error_type === 'compile_error' ? tests : parsed.tests;
  return {
    ...parsed,
    type: error.error_type,
    tests: unique(own, ({ name }) => name).slice(0, MOST.tests),
    // Beside tests the message is about one of them, or about all.
    reasons:
      own.length > 0 || message === ''
        ? parsed.reasons
        : unique([message, ...parsed.reasons], (text) => text),
    reason: message === '' ? parsed.reason : message,
  };
}

/** A test as a client names it, with what the excerpt or the message says of it alone. */
function loggedTest(name: string, message: string, parsed: readonly FailingTest[]): FailingTest {
  const key = testKeys(name, null)?.name;
  const same = parsed.filter((test) => test.name === name || testKeys(test.name, test.file)?.name === key);
  const [one] = same.length > 1 ? same.filter((test) => test.name === name) : same;
  const reason = message.startsWith(`${name}: `) ? message.slice(name.length + 2) : null;
  return {
    name,
    file: one?.file ?? /^[^\s:]+\.\w+(?=::| [>›] )/u.exec(name)?.[0] ?? null,
    reason: one?.reason ?? reason,
    frames: one?.frames ?? [],
  };
}

/** What each runner and compiler printed, in the order of the output. */
function foundIn(lines: readonly string[]): Found[] {
  const found: Found[] = [];
  const taken = new Uint8Array(lines.length);
  const take = (format: Format): Sighting[] => {
    const own = sightingsOf(format, lines).filter(({ from }) => taken[from] === 0);
    // A line that one has read is not another's.
    for (const { from, to } of own) taken.fill(1, from, to);
    return own;
  };
  for (const format of RUNNERS) {
    if (format.brief && found.some(({ tool }) => tool === format.tool)) continue;
    const own = take(format);
    const isTest = own.some((one) => one.isTest);
    // A file that could not be loaded counts as a test where others ran.
    const sightings = isTest ? own.map((one) => ({ ...one, isTest: one.name !== null })) : own;
    add(format, isTest ? 'test_failure' : 'compile_error', sightings);
  }
  const ofTests = found.length > 0;
  const errors = COMPILERS.flatMap((format) => take(format).map((one) => ({ format, ...one })))
    // A program under test may log what looks like a syntax error.
    .filter(({ reason }) => !ofTests || !/^\w+Error: /u.test(reason))
    .sort((a, b) => a.from - b.from);
  if (errors[0]) add(errors[0].format, 'compile_error', errors);
  for (const format of found.length === 0 ? UNCAUGHT : []) {
    const all = sightingsOf(format, lines);
    // Of Python's chained errors the last one is what the program died of.
    const one = format.outermostFirst ? all.at(-1) : all[0];
    if (one && found.length === 0) add(format, 'runtime_error', [one]);
  }
  const first = ({ sightings }: Found) => sightings[0]?.from ?? 0;
  // A test failure says more than a compiler's error beside it.
  return found.sort(
    (a, b) => Number(b.type === 'test_failure') - Number(a.type === 'test_failure') || first(a) - first(b),
  );

  function add({ tool, outermostFirst }: Format, type: ErrorType, sightings: readonly Sighting[]) {
    if (sightings.length > 0) found.push({ tool, outermostFirst: outermostFirst ?? false, type, sightings });
  }
}

function testsOf(
  { sightings, outermostFirst }: Found,
  lines: readonly string[],
  root: string | null,
): FailingTest[] {
  return sightings.slice(0, MOST.tests).flatMap(({ name, file, reason, from, to, isTest }) => {
    if (!isTest || name === null) return [];
    const frames = framesIn(lines.slice(from, to), { root, outermostFirst });
    const named = [name, ...frames.map((frame) => frame.file)].filter((one) => !/\s/u.test(one));
    const own = file ?? named.findLast(isTestFile) ?? null;
    return {
      name: name.slice(0, MOST.name),
      file: own?.slice(0, MOST.name) ?? null,
      reason: reason === '' ? null : oneLine(reason),
      frames: codeFirst(frames, new Set(own === null ? [] : [own])).slice(0, MOST.testFrames),
    };
  });
}

/** Places in code first, the tests' own files after them, without which nothing is said. */
function codeFirst(frames: readonly Frame[], tests: ReadonlySet<string>): Frame[] {
  const isTest = ({ file }: Frame) => tests.has(file) || isTestFile(file);
  return [...frames.filter((frame) => !isTest(frame)), ...frames.filter(isTest)];
}

function framesOf(
  tests: readonly FailingTest[],
  found: readonly Found[],
  {
    lines,
    from,
    root,
  }: { readonly lines: readonly string[]; readonly from: number; readonly root: string | null },
): Frame[] {
  const others = found.flatMap(({ sightings, outermostFirst }) => {
    const places = sightings.flatMap(({ name, isTest }) => (isTest || name === null ? [] : [`${name}:`]));
    const ranges = sightings.flatMap((one) => (one.isTest ? [] : lines.slice(one.from, one.to)));
    return framesIn([...ranges, ...places], { root, outermostFirst });
  });
  const files = new Set(tests.flatMap(({ file }) => file ?? []));
  const named = [...tests.flatMap(({ frames }) => frames), ...others];
  const all = named.length > 0 ? named : framesIn(lines.slice(from), { root, outermostFirst: false });
  const bare = [...files].filter((file) => !all.some((frame) => frame.file === file));
  return unique(
    [...codeFirst(all, files), ...bare.map((file) => ({ file, line: null }))],
    ({ file, line }) => `${file}:${line}`,
  ).slice(0, MOST.frames);
}

/** Of several failures the first by name stands for all: runners print them in any order. */
function firstByName(sightings: readonly Sighting[]): string {
  const tests = sightings.filter(({ isTest }) => isTest);
  const [first, ...others] = tests.length > 0 ? tests : sightings;
  const least = others.reduce((a, b) => (a && (b.name ?? '\uffff') < (a.name ?? '\uffff') ? b : a), first);
  return least ? described(least.name, least.reason) : '';
}

function described(name: string | null, reason: string): string {
  return name === null ? reason : reason === '' ? `${name} failed` : `${name}: ${reason}`;
}

/** How runners and compilers say how much failed. Groups: `failed`, `errors`, `passed`, `total`. */
const COUNTS: readonly (readonly [type: ErrorType, form: RegExp])[] = [
  // vitest, jest: `Tests  2 failed | 1 passed (3)`; their files come in a line of their own.
  [
    'test_failure',
    /^\s*Tests:?\s+(?<failed>\d+) failed(?:[|,\s]+(?:\d+ (?:skipped|todo)[|,\s]+)*(?<passed>\d+) passed)?/u,
  ],
  // vitest, above and below its failures: `⎯⎯ Failed Tests 3 ⎯⎯`, `⎯⎯[1/3]⎯`.
  ['test_failure', /^⎯+ Failed Tests (?<failed>\d+) ⎯/u],
  ['test_failure', /^⎯+\[\d+\/(?<failed>\d+)\]⎯/u],
  // pytest: `3 failed, 1 passed, 1 error in 2.76s`; cargo: `1 passed; 2 failed`.
  [
    'test_failure',
    /^=*\s*(?<failed>\d+) failed(?:, (?<passed>\d+) passed)?(?:, \d+ [a-z]+)*?(?:, (?<errors>\d+) errors?)?(?:, | in )/u,
  ],
  ['test_failure', /^=*\s*(?:(?<passed>\d+) passed, )?(?:\d+ [a-z]+, )*?(?<errors>\d+) errors? in \d/u],
  ['test_failure', /^test result: FAILED\. (?<passed>\d+) passed; (?<failed>\d+) failed/u],
  ['test_failure', /^FAILED \((?:failures=(?<failed>\d+))?(?:, )?(?:errors=(?<errors>\d+))?/u],
  ['test_failure', /^ {2}(?<failed>\d+) failing$|^[#ℹ] fail (?<fail>\d+)$/u],
  ['test_failure', /\bTests run: (?<total>\d+), Failures: (?<failed>\d+), Errors: (?<errors>\d+)/u],
  [
    'test_failure',
    /^(?<total>\d+) tests? completed, (?<failed>\d+) failed|^(?<examples>\d+) examples?, (?<failures>\d+) failures?/u,
  ],
  ['test_failure', /^(?:Failed|Passed)! +- Failed: +(?<failed>\d+), Passed: +(?<passed>\d+)/u],
  [
    'test_failure',
    /^Tests: (?<total>\d+), Assertions: \d+(?:, Errors: (?<errors>\d+))?(?:, Failures: (?<failed>\d+))?/u,
  ],
  [
    'test_failure',
    /^(?<total>\d+) (?:runs|tests), .{0,60}?\b(?<failed>\d+) failures, (?<errors>\d+) errors/u,
  ],
  ['test_failure', /% tests passed, (?<failed>\d+) tests failed out of (?<total>\d+)/u],
  ['compile_error', /^\s*(?<failed>\d+) Error\(s\)$/u],
  ['compile_error', /^(?:✖ \d+ problems? \()?(?:Found )?(?<failed>\d+) errors?\b/u],
  ['compile_error', /due to (?<failed>\d+) previous errors?/u],
] as const;
const STOPPED = /\bstopping after \d+ failures|^Bail out!|\b[Bb]ail(?:ed|ing)? (?:out )?after \d+/u;
/** Longer lines are no summaries. */
const LONGEST_SUMMARY = 300;

interface Counts {
  failed: number;
  passed: number | null;
  type: ErrorType;
}

/** How much failed and passed, as the runner counts it: the largest of several counts. */
function countsIn(lines: readonly string[]): Counts | null {
  let most = null as Counts | null;
  let passing: number | null = null;
  for (const line of lines) {
    if (line.length > LONGEST_SUMMARY || !/\d/u.test(line)) continue;
    const alone = /^[#ℹ] pass (\d+)$|^ {2}(\d+) passing\b/u.exec(line)?.slice(1).find(Boolean);
    if (alone !== undefined) passing = Number(alone);
    for (const [type, form] of COUNTS) {
      const groups = form.exec(line)?.groups;
      if (!groups) continue;
      const { failed, fail = failed, failures = fail, errors, passed, total, examples = total } = groups;
      const count = Number(failures ?? 0) + Number(errors ?? 0);
      const rest = examples === undefined ? null : Math.max(0, Number(examples) - count);
      const others = (passed === undefined ? rest : Number(passed)) ?? most?.passed ?? null;
      if (!most || count > most.failed) most = { failed: count, passed: others, type };
      else most.passed ??= others;
      break;
    }
  }
  if (most) most.passed ??= passing;
  return most;
}

/** Lines that say what went wrong: an error by its class, the words of compilers and shells, the best kind first. */
const TELLING: readonly RegExp[] = [
  /^\s*(?:E\s+)?(?:[\w.$]+\.)?\w*(?:Error|Exception|Interrupt)\b(?:\s?\[\w+\])?: \S|\b(?:error|fatal|panic)(?:\[\w+\])?: \S|\berror TS\d+: \S/iu,
  /: (?:command not found|not found|No such file or directory|Permission denied|No module named \S+)|\bundefined reference to\b|\b[Mm]issing script: \S/u,
  /\b(?:error|fatal|failed|failure|cannot|can't|could not|unable|not found|no such|denied|refused|exception|invalid|unknown|missing|unexpected|timed out|already in use|abort(?:ed)?)\b/iu,
];
/** Lines that look like it and are not, or say only that something failed. */
const NOISE =
  /^\s*(?:npm warn\b|warning\b|0 errors?\b|\d+ passed\b|> |(?:error: )?usage: |(?:npm (?:ERR!|error) )?(?:code|errno|syscall|Exit code|Exit status|Lifecycle script)\b|Error: \(none\)|[=_*#~⎯-]{5,})/iu;

/** Of a tool's error its first sentence: advice follows. Of a command the line that says best what went wrong, else the last. */
function tellingLine(lines: readonly string[], { isShell }: ParseOptions): string | null {
  const first = lines.find((line) => line.trim() !== '');
  if (!isShell && first !== undefined) return /^.{20,}?[.!](?=\s+\p{Lu})/u.exec(first)?.[0] ?? first;
  const printed = lines.filter((line) => line.trim() !== '' && !NOISE.test(line));
  for (const form of TELLING) {
    const line = printed.find((one) => form.test(one));
    if (line !== undefined) return line;
  }
  return printed.at(-1) ?? first ?? null;
}

function silent({ command = null, exitCode = null }: ParseOptions): string {
  const what = oneLine(command ?? '') || 'The call';
  return exitCode === null ? `${what} failed` : `${what}: exit code ${exitCode}`;
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
