import { bothEnds, printedEnds } from '../both-ends.js';
import { placed } from '../placed.js';
import type { Call, Outcome } from '../told.js';
import { readCargoTest } from './cargo-test.js';
import { readCompilers } from './compilers.js';
import type { Failure } from './failure.js';
import type { Found, Reading, Sighting } from './found.js';
import { readGoTest } from './go-test.js';
import { readJest } from './jest.js';
import { readMocha } from './mocha.js';
import { readSpec, readTap } from './node-test.js';
import { placesIn } from './places.js';
import { readPytest, readUnittest } from './pytest.js';
import { readThrown } from './thrown.js';
import { readVitest } from './vitest.js';

export type { Failure } from './failure.js';

/** The ways of reading an output; the first that finds something says what it is. */
const READINGS: readonly Reading[] = [
  readVitest,
  readPytest,
  readUnittest,
  readCargoTest,
  readGoTest,
  readTap,
  readSpec,
  readMocha,
  readJest,
  readCompilers,
  readThrown,
];

/** Characters of an output that are looked at, from both ends. */
const LOOKED_AT = 100_000;
/** Lines of it that are read, half from either end: who prints more in as little prints no failures. */
const MOST_LINES = 8000;
/** Longest line that is read: what tells of a failure is no longer. */
const LONGEST_LINE = 1000;
/** Characters of the part that tells, of a message, of a test's name; and tests that are told. */
const MOST = { excerpt: 4000, message: 300, test: 500, tests: 100 };

/** Whether a command's output shows that tests or a compiler failed, whatever its exit code. */
export function showsFailure(call: Call, outcome: Outcome): boolean {
  const type = foundIn(linesOf(printedBy(outcome)))?.errorType;
  return call.doing === 'shell' && (type === 'test_failure' || type === 'compile_error');
}

/** What went wrong with a call that failed. */
export function failureOf(call: Call, outcome: Outcome): Failure {
  const text = ownPaths(printedBy(outcome), call.cwd);
  const lines = linesOf(text);
  const read = call.doing === 'shell' ? foundIn(lines) : null;
  const first = Math.min(...(read?.sightings.map(({ line }) => line) ?? [0]));
  const named = read?.sightings.flatMap(({ name }) => name ?? []) ?? [];
  const tests = read?.errorType === 'test_failure' ? named : [];
  return {
    errorType: read?.errorType ?? (call.doing === 'shell' ? 'runtime_error' : 'tool_error'),
    message: oneLine(read ? messageOf(read.sightings) : (toldBy(call, lines) ?? withoutWord(call, outcome))),
    tests: [...new Set(tests.map((name) => name.slice(0, MOST.test)))].slice(0, MOST.tests),
    files:
      call.doing === 'shell'
        ? placesIn([...named, text].join('\n')).map((file) => placed(file, call.cwd ?? undefined))
        : [],
    excerpt: bothEnds(lines.slice(first).join('\n').trim(), MOST.excerpt),
  };
}

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  const half = MOST_LINES / 2;
  const read = lines.length > MOST_LINES ? [...lines.slice(0, half), ...lines.slice(-half)] : lines;
  return read.map((line) => line.slice(0, LONGEST_LINE).trimEnd());
}

function printedBy({ stdout, stderr }: Outcome): string {
  const both = [stdout, stderr].filter((text) => text.trim() !== '').join('\n');
  return printedEnds(both, LOOKED_AT).replace(/\r\n?/gu, '\n');
}

/** Paths below the working directory as they are from there: the same on every machine. */
function ownPaths(text: string, cwd: string | null): string {
  if (cwd === null || cwd.length < 2) return text;
  const folder = `${cwd.replace(/(?<![\\/])[\\/]+$/u, '')}/`;
  // Half a surrogate pair has no place in a URL.
  const url = encodeURI(`file://${folder.replace(/\p{Cs}/gu, '')}`);
  return text.replaceAll(url, '').replaceAll(`file://${folder}`, '').replaceAll(folder, '');
}

function foundIn(lines: readonly string[]): Found | null {
  for (const read of READINGS) {
    const found = read(lines);
    if (found) return found;
  }
  return null;
}

/** Of several failures the first by name stands for all: runners tell them in any order. */
function messageOf(sightings: readonly Sighting[]): string {
  const [first, ...others] = sightings;
  if (!first) return '';
  const chosen = others.reduce(
    (least, one) => ((one.name ?? '￿') < (least.name ?? '￿') ? one : least),
    first,
  );
  const { name, reason } = chosen;
  return name === null ? reason : reason === '' ? `${name} failed` : `${name}: ${reason}`;
}

/** Words of lines that say what went wrong. */
const TELLING =
  /\b(?:error|fatal|failed|failure|cannot|can't|could not|unable|not found|no such|denied|refused|exception|invalid|unknown|missing|unexpected|timed out|already in use|abort(?:ed)?)\b/iu;
/** Lines that look like it and are not. */
const NOISE = /^\s*(?:npm warn\b|warning\b|0 errors?\b|\d+ passed\b|> |(?:error: )?usage: )/iu;

/** Of a tool's error its first sentence: advice follows. Of a command the first line that says what went wrong, else the last. */
function toldBy({ doing }: Call, lines: readonly string[]): string | null {
  const first = lines.find((line) => line.trim() !== '');
  if (doing !== 'shell' && first !== undefined) return /^.{20,}?[.!](?=\s+\p{Lu})/u.exec(first)?.[0] ?? first;
  const said = lines.filter((line) => line.trim() !== '' && !NOISE.test(line));
  return said.find((line) => TELLING.test(line)) ?? said.at(-1) ?? null;
}

function withoutWord({ tool, command }: Call, { exitCode }: Outcome): string {
  const what = command === null ? tool : oneLine(printedEnds(command, LOOKED_AT));
  return exitCode === null ? `${what} failed` : `${what}: exit code ${exitCode}`;
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/gu, ' ').trim();
  return line.length > MOST.message ? `${line.slice(0, MOST.message - 1)}…` : line;
}
