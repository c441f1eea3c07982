import { ERROR_NAME } from './output.js';
import type { Reader, Sighting } from './reader.js';

/** How a compiler or linter prints one error. Groups: `place` (`file:line:column`), `file` `line` `column`, `code`, `text`. */
interface Form {
  readonly tool: string | ((place: string, code: string) => string | null);
  readonly error: RegExp;
  /** Where the place stands in another line: one of the next three, or of those above. */
  readonly below?: RegExp;
  readonly above?: RegExp;
  /** Lines above that are looked at. Default: 8. */
  readonly within?: number;
}

/** Lines below a file's heading that a linter lists of it. */
const MOST_LISTED = 200;

/** Which compiler says `a.c:1:2: error: …`, by the file. */
const BY_EXTENSION: Readonly<Record<string, string>> = {
  py: 'mypy',
  pyi: 'mypy',
  java: 'javac',
  swift: 'swiftc',
  hs: 'ghc',
  ...Object.fromEntries(['c', 'cc', 'cpp', 'cxx', 'h', 'hpp', 'm'].map((extension) => [extension, 'gcc'])),
};
const byFile = (place: string): string | null => BY_EXTENSION[/\.(\w+):/u.exec(place)?.[1] ?? ''] ?? null;

const FORMS: readonly Form[] = [
  // `a.ts(1,7): error TS2322: …`: tsc, and the compilers of .NET.
  {
    tool: (_, code) => (code.startsWith('TS') ? 'tsc' : 'dotnet build'),
    error:
      /^(?<file>\S.*?)\((?<line>\d+),(?<column>\d+)\): (?:fatal )?error (?<code>[A-Z]+\d+): (?<text>.*)/su,
  },
  // `a.ts:1:7 - error TS2322: …`: tsc for people; `a.py:1:7 - error: …`: pyright.
  {
    tool: (_, code) => (code === '' ? 'pyright' : 'tsc'),
    error: /^\s*(?<place>\S+:\d+:\d+) - error(?: (?<code>TS\d+))?: (?<text>.*)$/u,
  },
  // `a.c:1:22: error: …`: gcc, clang, javac, swiftc, ghc, mypy.
  { tool: byFile, error: /^(?<place>\S+?:\d+(?::\d+)?):? (?:fatal )?error: (?<text>.*)$/u },
  // Maven: `[ERROR] /a/B.java:[3,5] …`; Kotlin: `e: file:///a/B.kt:3:5 …`.
  { tool: 'javac', error: /^\[ERROR\] (?<file>\S+\.\w+):\[(?<line>\d+),(?<column>\d+)\] (?<text>.*)$/u },
  { tool: 'kotlinc', error: /^e: (?:file:\/\/)?(?<place>\S+\.kts?:\d+:\d+):? (?<text>.*)$/u },
  // `./a.go:3:5: undefined: y`: the Go compiler, and vet.
  { tool: 'go build', error: /^(?:vet: )?(?<place>\S+\.go:\d+:\d+): (?<text>.*)$/u },
  // `a.py:1:8: F401 …`: ruff, flake8, pylint.
  {
    tool: 'ruff',
    error: /^(?<place>\S+\.pyi?:\d+:\d+): (?<code>[A-Z]{1,4}\d{2,4}):? (?:\[\*\] )?(?<text>.*)$/u,
  },
  {
    tool: 'php',
    error: /^(?:PHP )?(?:Parse|Fatal) error: {1,4}(?<text>\S.*) in (?<file>\S+) on line (?<line>\d+)$/u,
  },
  // `error[E0308]: …`, below it ` --> src/lib.rs:1:21`: rustc; ruff likewise: `F401 [*] …`.
  {
    tool: 'rustc',
    error: /^error(?:\[(?<code>E\d+)\])?: (?<text>.*)$/u,
    below: /^\s*--> (\S+\.rs:\d+:\d+)$/u,
  },
  {
    tool: 'ruff',
    error: /^(?:(?<code>[A-Z]{1,4}\d{3,4}) |invalid-syntax: )(?:\[\*\] )?(?<text>.*)$/u,
    below: /^\s*--> (\S+:\d+:\d+)$/u,
  },
  { tool: 'esbuild', error: /^\s*[✘X] \[ERROR\] (?<text>.*)$/u, below: /^\s+(\S+:\d+:\d+):$/u },
  { tool: 'oxlint', error: /^\s*[×x] (?<text>\S.*)$/u, below: /^\s*[╭,][─-]+\[(\S+:\d+:\d+)\]$/u },
  {
    tool: 'biome',
    error: /^\s*[✖×] (?<text>\S.*)$/u,
    above: /^(\S+\.\w+:\d+:\d+) (?:lint|parse|assist|syntax|suppressions)\b/u,
    within: 2,
  },
  // Python's `SyntaxError: …`, above it `File "a.py", line 1`; Node's, above it `a.js:1`.
  {
    tool: (place) => (/\.py:/u.test(place) ? 'python' : 'node'),
    error: /^\s*(?<text>(?:Syntax|Indentation|Tab)Error: .*)$/u,
    above: /^\s*File "([^"]+", line \d+)|^(?:file:\/\/)?((?:\/\S+|[\w./-]+)\.\w+:\d+)$/u,
  },
];
/** `  3:5  error  'x' is not defined  no-undef`: eslint, below the file's own line. */
const LISTED = /^\s+(\d+:\d+)\s+error\s+(.*?)(?:\s{2,}[\w@/-]+)?$/u;

/** What compilers, type checkers and linters print. Each finding's tool is that of its form. */
export function compileErrors(lines: readonly string[]): { tool: string | null; sightings: Sighting[] } {
  const tools = new Set<string | null>();
  // The last line above that is a file's path alone, and where it stands.
  let [heading, headingAt] = ['', Number.NEGATIVE_INFINITY];
  const sightings = lines.flatMap((line, from): Sighting[] => {
    const near = from - headingAt <= MOST_LISTED ? heading : '';
    if (/[\\/]/u.test(line) && /^\S+\.\w+$/u.test(line)) [heading, headingAt] = [line, from];
    for (const form of FORMS) {
      const error = form.error.exec(line)?.groups;
      const place = error && placeOf(error, form, lines, from);
      if (!error || place === null || place === undefined) continue;
      const { code = '', text = '' } = error;
      tools.add(typeof form.tool === 'string' ? form.tool : form.tool(place, code));
      return [compileError(place, code === '' ? text : `${code}: ${text}`, from)];
    }
    const [, at, text = ''] = near === '' ? [] : (LISTED.exec(line) ?? []);
    if (at === undefined) return [];
    tools.add('eslint');
    return [compileError(`${near}:${at}`, text, from)];
  });
  const [tool = null] = tools;
  return { tool, sightings };
}

/** Where an error is; null: no line says, and so it is no error of this form. */
function placeOf(
  { place, file, line, column }: Record<string, string | undefined>,
  { below, above, within = 8 }: Form,
  lines: readonly string[],
  at: number,
): string | null {
  if (place !== undefined) return place;
  if (file !== undefined) return [file, line, column].filter((part) => part !== undefined).join(':');
  const near = below ? lines.slice(at + 1, at + 4) : lines.slice(Math.max(0, at - within), at).toReversed();
  for (const one of near) {
    const [, quoted, plain = quoted] = (below ?? above)?.exec(one) ?? [];
    if (plain !== undefined) return plain.replace('", line ', ':');
  }
  return null;
}

function compileError(place: string, reason: string, at: number): Sighting {
  return { name: place, file: null, reason, from: at, to: at + 1, isTest: false };
}

/** What a program died of: an error that nobody caught. */
export const uncaught: Reader = {
  tool: null,
  read(lines) {
    for (const find of [traceback, thrown, panic]) {
      const found = find(lines);
      if (found) return [{ name: null, file: null, ...found, isTest: false }];
    }
    return [];
  },
};

type Thrown = Pick<Sighting, 'reason' | 'from' | 'to'>;

/** Python: the last error that stands below a traceback, and below the calls in it. */
function traceback(lines: readonly string[]): Thrown | null {
  const from = lines.findLastIndex((line) => /^\s*Traceback \(most recent call last\):$/u.test(line));
  if (from < 0) return null;
  const at = lines.findIndex((line, index) => index > from && /^[A-Za-z_][\w.]*(?:: .*)?$/u.test(line));
  return at < 0 ? null : { reason: lines[at] ?? '', from, to: at + 1 };
}

/** Node, Java, Ruby and others: `TypeError: …`, and calls below it. */
function thrown(lines: readonly string[]): Thrown | null {
  const from = lines.findIndex((one, index) => {
    if (/^\S+\.rb:\d+:in .*\(\w+(?:::\w+)*\)$/u.test(one)) return true;
    if (!ERROR_NAME.test(one) && !/^(?:Uncaught |Exception in thread |PHP Fatal error: )/u.test(one))
      return false;
    return lines.slice(index + 1, index + 8).some((next) => /^\s+(?:at \S|from \S|#0 )/u.test(next));
  });
  const line = lines[from];
  if (line === undefined) return null;
  const [, text, name] = /^\S+\.rb:\d+:in [^:]*: (.*) \((\w+(?:::\w+)*)\)$/u.exec(line) ?? [];
  const reason =
    name === undefined ? line.replace(/^Uncaught |^Exception in thread "[^"]*" /u, '') : `${name}: ${text}`;
  const end = lines.findIndex((next, index) => index > from + 1 && !/^\s/u.test(next) && next !== '');
  return { reason, from, to: Math.min(end < 0 ? lines.length : end, from + 50) };
}

/** Go: `panic: …`; Rust: `thread 'main' panicked at src/main.rs:2:5:`, and why in the next line. */
function panic(lines: readonly string[]): Thrown | null {
  const from = lines.findIndex((one) => /^panic: |^thread '(?:(?!' ).)*' .*panicked at /u.test(one));
  const line = lines[from];
  if (line === undefined) return null;
  const reason = line.startsWith('panic: ') ? line : `panicked: ${lines[from + 1]?.trim() ?? ''}`;
  return { reason, from, to: Math.min(lines.length, from + 50) };
}
