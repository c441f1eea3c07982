import { type Found, found, type Sighting } from './found.js';
import { MOST_LINES } from './lines.js';

/** One way in which compilers tell an error: the place and what they say of it; `file`: whose errors are listed. */
type Telling = (
  lines: readonly string[],
  index: number,
  file: string | null,
) => Omit<Sighting, 'line'> | null;

/** `a.ts(1,7): error TS2322: …`, as tsc and the compilers of .NET say it. */
const bracketed: Telling = (lines, index) => {
  const [, file, line, column, code, said] =
    /^(\S.*?)\((\d+),(\d+)\): (?:fatal )?error ([A-Z]+\d+): (.*)/su.exec(lines[index] ?? '') ?? [];
  return said === undefined ? null : { name: `${file}:${line}:${column}`, reason: `${code}: ${said}` };
};

/** `a.ts:1:7 - error TS2322: …`, tsc for people; `a.py:1:7 - error: …`, pyright. */
const dashed: Telling = (lines, index) => {
  const [, place, code, said] =
    /^\s*(\S+:\d+:\d+) - error(?: (TS\d+))?: (.*)$/u.exec(lines[index] ?? '') ?? [];
  return place === undefined
    ? null
    : { name: place, reason: code === undefined ? (said ?? '') : `${code}: ${said}` };
};

/** `a.c:1:22: error: …`: gcc, clang, javac, swiftc, ghc, mypy. */
const coloned: Telling = (lines, index) => {
  const [, place, said] = /^(\S+?:\d+(?::\d+)?):? (?:fatal )?error: (.*)$/u.exec(lines[index] ?? '') ?? [];
  return place === undefined ? null : { name: place, reason: said ?? '' };
};

/** `error[E0308]: …`, below it ` --> src/lib.rs:1:21`: rustc. */
const arrowed: Telling = (lines, index) => {
  const [, code, said] = /^error(?:\[(E\d+)\])?: (.*)$/u.exec(lines[index] ?? '') ?? [];
  const place = /^\s*--> (\S+:\d+:\d+)$/u.exec(lines[index + 1] ?? '')?.[1];
  if (said === undefined || place === undefined) return null;
  return { name: place, reason: code === undefined ? said : `${code}: ${said}` };
};

/** `./a.go:3:5: undefined: y`, below `# package`: the Go compiler, and vet. */
const goes: Telling = (lines, index) => {
  const [, place, said] = /^(?:vet: )?(\S+\.go:\d+:\d+): (.*)$/u.exec(lines[index] ?? '') ?? [];
  return place === undefined ? null : { name: place, reason: said ?? '' };
};

/** `✘ [ERROR] …`, below it `    a.ts:1:8:`: esbuild. */
const crossed: Telling = (lines, index) => {
  const said = /^\s*[✘X] \[ERROR\] (.*)$/u.exec(lines[index] ?? '')?.[1];
  if (said === undefined) return null;
  const below = lines.slice(index + 1, index + 4).find((line) => line.trim() !== '') ?? '';
  return { name: /^\s+(\S+:\d+:\d+):$/u.exec(below)?.[1] ?? null, reason: said };
};

/** `SyntaxError: …` of Python, above it `File "a.py", line 1`; of Node, above it `a.js:1`. */
const syntax: Telling = (lines, index) => {
  const reason = /^\s*((?:Syntax|Indentation|Tab)Error: .*)$/u.exec(lines[index] ?? '')?.[1];
  if (reason === undefined) return null;
  for (const line of lines.slice(Math.max(0, index - 8), index).toReversed()) {
    const [, file, at] =
      /^\s*File "([^"]+)", line (\d+)/u.exec(line) ??
      /^(?:file:\/\/)?(\/\S+\.\w+|[\w./-]+\.\w+):(\d+)$/u.exec(line) ??
      [];
    if (file !== undefined) return { name: `${file}:${at}`, reason };
  }
  return { name: null, reason };
};

/** `  3:5  error  'x' is not defined  no-undef`, somewhere above it the file: eslint. */
const listed: Telling = (lines, index, file) => {
  const [, place, said] = /^\s+(\d+:\d+)\s+error\s+(.*?)(?:\s{2,}[\w@/-]+)?$/u.exec(lines[index] ?? '') ?? [];
  return place === undefined || file === null ? null : { name: `${file}:${place}`, reason: said ?? '' };
};

const TELLINGS: readonly Telling[] = [bracketed, dashed, coloned, arrowed, goes, crossed, syntax, listed];

/** What compilers and checkers print of code that they do not take. */
export function readCompilers(lines: readonly string[]): Found | null {
  // The last line above that is a file's path alone, and where it stands.
  let [file, at] = ['', Number.NEGATIVE_INFINITY];
  const sightings = lines.flatMap((line, index): Sighting[] => {
    const near = index - at <= MOST_LINES ? file : null;
    if (/[\\/]/u.test(line) && /^\S+\.\w+$/u.test(line)) [file, at] = [line, index];
    for (const telling of TELLINGS) {
      const told = telling(lines, index, near);
      if (told) return [{ ...told, line: index }];
    }
    return [];
  });
  return found('compile_error', sightings);
}
