import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';
import { masked, maskedEnds } from '../source/index.js';

/** Characters of an output that are read, from both ends; lines of it; characters of one line. */
const LOOKED_AT = 100_000;
const MOST_LINES = 8000;
const LONGEST_LINE = 1000;
const WIDTH = 80;

/** An error by its class: `KeyError: 'user'`, `AssertionError [ERR_ASSERTION]: 1 == 2`. */
export const ERROR_NAME =
  /^(?:[A-Za-z_][\w.$]*)?(?:Error|Exception|Exit|Interrupt|Failed|Failure|Warning|Panic)\b/u;

/** Where a client or we left out a part of an output: what follows belongs to nothing before it. */
const CUT =
  /(?:^|[[(<.…])[^A-Za-z\n]{0,20}(?:(?:characters?|chars|bytes?|lines?|[KMG]i?B|output|content|tokens?) {0,2}(?:truncated|left out|omitted|elided|hidden|skipped|removed)|(?:truncated|omitted) \d)/iu;

const CUT_MARK = '\0';

/** The beginning and end of a text that is longer than so many characters, with a line between that says what was left out. */
export function bothEnds(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = most >> 1;
  return `${text.slice(0, head)}${leftOut(text.length - most)}${text.slice(text.length - (most - head))}`;
}

const leftOut = (characters: number) => `\n[… ${characters} characters left out …]\n`;

/** {@link bothEnds} of an output without colours, and with secrets masked before they could be cut in half. */
export function printedEnds(text: string, most: number): string {
  const plain = stripVTControlCharacters(text);
  if (plain.length <= most) return masked(plain);
  const head = most >> 1;
  const [start, end] = maskedEnds(plain, head, plain.length - (most - head));
  return `${start}${leftOut(plain.length - most)}${end}`;
}

/**
 * The lines of an output as the parsers read them: plain, masked, unwrapped, with paths relative to the
 * folder (null: unknown), long outputs as both ends.
 */
export function linesOf(output: string, folder: string | null): string[] {
  const printed = printedEnds(output, LOOKED_AT).replace(/\r\n?/gu, '\n').replaceAll(CUT_MARK, '');
  const lines = relativePaths(unwrapped(printed.split('\n')).join('\n'), folder).split('\n');
  const half = MOST_LINES / 2;
  const read = lines.length > MOST_LINES ? [...lines.slice(0, half), ...lines.slice(-half)] : lines;
  const short = read.map((line) => line.slice(0, LONGEST_LINE).trimEnd());
  for (const [at, line] of short.entries()) {
    short[at] = line.replace(/^Output: /u, '');
    // pytest shortens messages in lines of its own.
    if (!CUT.test(line) || /^E\s/u.test(line)) continue;
    short[at] = `${CUT_MARK}${line}`;
    // A cut goes through lines: half a name is no name.
    if (at > 0) short[at - 1] = '';
    if (at + 1 < short.length) short[at + 1] = '';
  }
  return short;
}

function unwrapped(lines: readonly string[]): string[] {
  const isHard = !lines.some((line) => line.length > WIDTH);
  const whole: string[] = [];
  let continues = false;
  for (const [at, line] of lines.entries()) {
    if (continues && line !== '') whole.push(`${whole.pop() ?? ''}${line}`);
    else whole.push(line);
    const next = lines[at + 1] ?? '';
    // Rules and summaries fill a line of themselves.
    const isFull = isHard && line.length === WIDTH && !/[=_\-⎯\]^~]$|\.\.\.$/u.test(line);
    const word = next.search(/\s|$/u);
    const isSoft = /[^\s-] $/u.test(line) && line.length <= WIDTH && line.length + word > WIDTH;
    continues =
      (isFull && !/^(?:E {2}|FAILED |ERROR |[-+] |\s*at |\s*File "|[=_-]{3})/u.test(next)) || isSoft;
  }
  return whole;
}

function relativePaths(text: string, folder: string | null): string {
  if (folder === null || folder.length < 2) return text;
  const prefix = `${folder.replace(/(?<![\\/])[\\/]+$/u, '')}/`;
  // Half a surrogate pair has no place in a URL.
  const url = encodeURI(`file://${prefix.replace(/\p{Cs}/gu, '')}`);
  return text.replaceAll(url, '').replaceAll(`file://${prefix}`, '').replaceAll(prefix, '');
}

/** Columns that a line is indented by. */
export function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** Whether an output was cut at a line: names of files and packages before it are not those of what follows. */
export function isCutAt(lines: readonly string[], at: number): boolean {
  return lines[at]?.startsWith(CUT_MARK) ?? false;
}

/** Lines as a text for people, where the output began to show a failure. */
export function excerptFrom(lines: readonly string[], from: number, most: number): string {
  return bothEnds(lines.slice(from).join('\n').replaceAll(CUT_MARK, '').trim(), most);
}

/** A place in the code that an output names. Lines count from 1; null where only the file is named. */
export const Frame = z.object({ file: z.string(), line: z.number().int().min(0).nullable() });
export type Frame = z.infer<typeof Frame>;

/** `a.ts:1`, `a.ts(1,7)`, `File "a.py", line 1`, `a.cs:line 3`, `in a.php on line 3`. */
const PLACE =
  /(?<![\w@~+.%\-/\\])((?:[A-Za-z]:(?=[\\/]))?[\w@~+.%\-/\\]*\w\.[A-Za-z]\w{0,7})(?::(?:line )?|\((?=\d+(?:,\d+)?\))|", line | on line |:\[)(\d{1,9})/gu;
/** `at com.acme.Cart.add(Cart.java:12)`: the package says the folder. */
const JAVA = /^\s*(?:at )?(?:[\w.@-]*\/+)?([\w.$]+)\.[\w$<>]+\((\w+\.(?:java|kt|scala|groovy)):(\d{1,9})\)/u;
const JAVA_FOREIGN =
  /^(?:java|javax|jdk|sun|com\.sun|kotlin|scala|groovy|org\.(?:junit|opentest4j|hamcrest|assertj|mockito|gradle|apache|testng|codehaus|springframework))\./u;
const FOREIGN =
  /(?:^|[\\/])(?:node_modules|site-packages|dist-packages|\.cargo|\.rustup|rustc|target|\.venv|venv|vendor|gems|lib[\\/](?:python|ruby)[\d.]*)[\\/]|^(?:node|internal):/u;
/** What code is written in: `Cart.adds:12` and `example.com:443` are no places. */
const SOURCE =
  /\.(?:[cm]?[jt]sx?|vue|svelte|astro|pyi?|rb|rake|erb|go|rs|java|kts?|scala|groovy|gradle|cs|fs|vb|razor|php|c|h|cc|hh|cpp|hpp|cxx|mm?|swift|exs?|erl|hs|lua|pl|pm|t|sh|bash|sql|css|scss|less|html|json|ya?ml|toml|xml|mdx?|graphql|proto|dart|jl|r|zig|nim|clj[cs]?|elm|mli?|cfg|ini|txt)$/iu;
const ABSOLUTE = /^(?:[\\/]|[A-Za-z]:[\\/])/u;
const TEST_FILE =
  /(?:^|[\\/])(?:tests?|specs?|__tests__)[\\/]|(?:^|[\\/])test_|[._](?:test|spec)\.\w+$|(?:Test|Tests|Spec)\.\w+$/u;
const MOST_FRAMES = 20;

/** Whether a path is that of a test's file. */
export function isTestFile(path: string): boolean {
  return SOURCE.test(path) && TEST_FILE.test(path);
}

/**
 * The places in the project's own code that lines name, innermost first, each once.
 * @param root Absolute; null: unknown.
 * @param outermostFirst Whether the outermost call stands first, as in Python.
 */
export function framesIn(lines: readonly string[], root: string | null, outermostFirst = false): Frame[] {
  const frames = new Map<string, Frame>();
  for (const line of outermostFirst ? lines.toReversed() : lines)
    for (const [file, number] of placesIn(line)) {
      const own = file.replace(/^\.[\\/]/u, '');
      const isElsewhere = root !== null && ABSOLUTE.test(own) && !own.startsWith(`${root}/`);
      if (SOURCE.test(own) && !FOREIGN.test(own) && !isElsewhere)
        frames.set(`${own}:${number}`, { file: own, line: Number(number) });
      if (frames.size >= MOST_FRAMES) return [...frames.values()];
    }
  return [...frames.values()];
}

function placesIn(line: string): [file: string, line: string][] {
  const [, type = '', name = '', number] = JAVA.exec(line) ?? [];
  if (number === undefined) return [...line.matchAll(PLACE)].map(([, file = '', at = '']) => [file, at]);
  if (JAVA_FOREIGN.test(type)) return [];
  return [[[...type.split('.').slice(0, -1), name].join('/'), number]];
}
