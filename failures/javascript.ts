import { indentOf, isCutAt, nextText, sectionEnd } from './output.js';
import { firstText, type Reader, type Sighting, testSighting, withValues } from './reader.js';

/** Names that are looked at above a cause they share. */
const MOST_SHARING = 100;

/** Vitest: ` FAIL  a.test.ts > suite > name`, perhaps with a project's name before the file, and below it why; tests of one cause share what stands below. */
export const vitest: Reader = {
  tool: 'vitest',
  read(lines) {
    const found: Sighting[] = [];
    let below = 0;
    for (const [from, line] of lines.entries()) {
      const heading = /^ ?FAIL {2}(?:\|[^|]*\| |[\w@/.-]+ {2})?(\S.*)/su.exec(line)?.[1];
      const unhandled = /^⎯+ Unhandled (?:Rejection|Exception|Error) ⎯+$/u.test(line.trim());
      if (heading === undefined && !unhandled) continue;
      if (below <= from)
        below = unhandled ? from + 1 : sectionEnd(lines, from + 1, /^(?! ?FAIL {2})/u, lines.length);
      const to = sectionEnd(lines, below, /^ ?FAIL {2}|^\s*⎯{3,}/u);
      const body = lines.slice(below, to);
      const first = firstText(body);
      const next = firstText(body.slice(body.findIndex((one) => one.trim() === first) + 1));
      const reason = first.endsWith(':') ? `${first} ${next}` : first;
      // The file of a suite that could not be loaded stands once more in brackets.
      const bracket = heading?.endsWith(' ]') ? heading.indexOf(' [ ', 1) : -1;
      const name = bracket > 0 ? (heading?.slice(0, bracket) ?? null) : (heading ?? null);
      const [file = null] = name?.split(' > ', 1) ?? [];
      const isTest = !unhandled && bracket <= 0;
      found.push({ name, file, reason, from: Math.max(from, below - MOST_SHARING), to, isTest });
    }
    return found.length > 0 ? found : vitestList(lines);
  },
};

/** Where the sections were cut off, the list of tests is left: ` × name 8ms`, below it `→ why`. */
function vitestList(lines: readonly string[]): Sighting[] {
  let file: string | null = null;
  return lines.flatMap((line, from) => {
    file = isCutAt(lines, from)
      ? null
      : (/^ ❯ (?:\|[^|]*\| | ?[\w@/.-]+ {2})?(\S+) \(\d+ tests?\b/u.exec(line)?.[1] ?? file);
    const [, name, took] = /^\s+[×✗] (.*?)( \d+m?s)?$/u.exec(line) ?? [];
    const reason = /^\s+→ (.*)$/u.exec(lines[from + 1] ?? '')?.[1] ?? '';
    // Linters mark their findings with the same sign.
    if (name === undefined || (file === null && took === undefined && reason === '')) return [];
    const whole = file === null || name.startsWith(file) ? name : `${file} > ${name}`;
    return [testSighting({ name: whole, file, reason }, [from, from + 2])];
  });
}

/** Jest: `FAIL ./a.test.js`, and in it `  ● suite › name`, below that why. */
export const jest: Reader = {
  tool: 'jest',
  read(lines) {
    let file: string | null = null;
    let isJest = false;
    const found = new Map<string, Sighting>();
    for (const [from, line] of lines.entries()) {
      const heading = /^\s?FAIL (?:\.\/)?(\S+\.\w+)/u.exec(line)?.[1];
      file = isCutAt(lines, from) ? null : (heading ?? file);
      isJest ||= heading !== undefined || /^Tests?(?: Suites)?: .*\bfailed\b/u.test(line);
      const title = /^ {2}● (.+)$/u.exec(line)?.[1];
      if (title === undefined || title.startsWith('Console')) continue;
      const isTest = title !== 'Test suite failed to run';
      const name = isTest ? [file, title].filter((part) => part !== null).join(' › ') : file;
      const to = sectionEnd(lines, from + 1, /^ {2}● |^\s?FAIL |^Test Suites:/u);
      const reason = jestReason(lines.slice(from + 1, to));
      if (!found.has(name ?? title)) found.set(name ?? title, { name, file, reason, from, to, isTest });
    }
    return isJest ? [...found.values()] : [];
  },
};

/** The message of an `expect` is in what it expected and received. */
function jestReason(body: readonly string[]): string {
  const first = firstText(body);
  if (first === 'Jest encountered an unexpected token')
    return body.find((line) => /^\s*SyntaxError: /u.test(line))?.trim() ?? first;
  return first.startsWith('expect(') ? withValues(first.replace(/ \/\/ .*/su, ''), body) : first;
}

/** Mocha: after `2 failing` each as `  1) suite`, its title in further lines up to a colon, then why. */
export const mocha: Reader = {
  tool: 'mocha',
  read(lines) {
    const start = lines.findIndex((line) => /^ {2}\d+ failing$/u.test(line));
    return lines.flatMap((line, from) => {
      const first = /^ {2}\d+\) (.*)$/u.exec(line)?.[1];
      if (first === undefined || start < 0 || from < start) return [];
      const title = sectionEnd(lines, from, /:$/u, 20);
      if (!lines[title]?.endsWith(':')) return [];
      const titles = [first, ...lines.slice(from + 1, title + 1).map((one) => one.trim())];
      const to = sectionEnd(lines, title + 1, /^ {2}\d+\) /u);
      const reason = nextText(lines, title + 1);
      return [testSighting({ name: titles.join(' > ').replace(/:$/u, ''), reason }, [from, to])];
    });
  },
};

/** Failures of a test that only report those of the tests in it. */
const OF_OTHERS = /^(?:Error: )?'?\d+ subtests? failed/u;
/** What is said of a file that could not be run. */
const LOAD_FAILED = 'test failed';
/** Codes that the spec reporter prints and TAP does not. */
const CODE = /^(\w*Error) \[(?:ERR_ASSERTION|ERR_TEST_FAILURE|Error)\]: /u;
const NOT_LOADED = /^SyntaxError\b|\[ERR_MODULE_NOT_FOUND\]|^Error: Cannot find module/u;

/** Puts a name at its depth; what is deeper is over, what is less deep may be unknown. */
function nest(outer: string[], depth: number, name: string): void {
  outer.splice(depth);
  while (outer.length < depth) outer.push('');
  outer.push(name);
}

const joined = (names: readonly string[]): string => names.filter((name) => name !== '').join(' > ');

/** TAP, of `node --test` and others: `not ok 1 - name`, and below it in YAML why. */
export const tap: Reader = {
  tool: 'node:test',
  read(lines) {
    const outer: string[] = [];
    const found = lines.flatMap((line, from) => {
      const depth = Math.floor(indentOf(line) / 4);
      const subtest = /^\s*# Subtest: (.*)$/u.exec(line)?.[1];
      if (subtest !== undefined) nest(outer, depth, subtest);
      if (isCutAt(lines, from)) outer.length = 0;
      const name = /^\s*not ok \d+(?: -)? ?(.*)/su.exec(line)?.[1];
      if (name === undefined || /# (?:TODO|SKIP)\b/iu.test(name)) return [];
      const to = sectionEnd(lines, from + 1, /^\s*(?:\.\.\.$|(?:not )?ok \d)/u, 60);
      const yaml = lines.slice(from + 1, to);
      const reason = yamlReason(yaml);
      if (OF_OTHERS.test(reason)) return [];
      const file = yaml.flatMap((one) => /^\s+location: '(.*?):\d+:\d+'$/u.exec(one)?.[1] ?? [])[0];
      const whole = joined([...outer.slice(0, depth), name]);
      const why = loadReason(reason, lines, from);
      return [testSighting({ name: whole, file, reason: why }, [from, to])];
    });
    return notLoaded(found);
  },
};

/** The spec reporter of `node --test`: `✖ name (1.2ms)`, and indented below it why. */
export const spec: Reader = {
  tool: 'node:test',
  read(lines) {
    const found = new Map<string, Sighting>();
    const outer: string[] = [];
    const suites = new Set<string>();
    for (const [from, line] of lines.entries()) {
      // After it all are listed again, without their suites.
      if (/^✖ failing tests:/u.test(line)) break;
      if (isCutAt(lines, from)) outer.length = 0;
      const [, mark, name = ''] = /^\s*([▶✖✔﹣]) (.*?)(?: \(\d[\d.]*m?s\))?(?: #.*)?$/su.exec(line) ?? [];
      if (mark === undefined) continue;
      const depth = Math.floor(indentOf(line) / 2);
      nest(outer, depth, name);
      if (mark !== '✖' || !/\(\d[\d.]*m?s\)$/u.test(line)) continue;
      const sighting = specTest(lines, from, joined(outer));
      if (!suites.has(sighting.name ?? '')) found.set(sighting.name ?? '', sighting);
      suites.add(joined(outer.slice(0, -1)));
    }
    // Where the beginning was cut off, only the list is left.
    if (found.size > 0) return notLoaded([...found.values()]);
    return lines.flatMap((line, from) => {
      const name = /^✖ (.*?) \(\d[\d.]*m?s\)$/u.exec(line)?.[1];
      const file = /^test at (\S+):\d+:\d+$/u.exec(lines[from - 1] ?? '')?.[1];
      return name === undefined || file === undefined ? [] : [{ ...specTest(lines, from, name), file }];
    });
  },
};

function specTest(lines: readonly string[], from: number, name: string): Sighting {
  const to = sectionEnd(lines, from + 1, /^\s*[▶✖✔﹣ℹ] /u);
  const at = (lines[from + 1] ?? '').trim() === '' ? from + 2 : from + 1;
  const isBelow = at < to && indentOf(lines[at] ?? '') > indentOf(lines[from] ?? '');
  const reason = isBelow ? (lines[at] ?? '').trim() : '';
  return testSighting({ name, reason: loadReason(reason, lines, from) }, [from, to]);
}

/** `error: 'text'`, or a block below `error: |-`, with the error's own class. */
function yamlReason(yaml: readonly string[]): string {
  const at = yaml.findIndex((line) => /^\s*(?:error|message): /u.test(line));
  if (at < 0) return '';
  const value = (yaml[at] ?? '').replace(/^\s*\w+: /u, '').trim();
  const text = /^[|>]-?$/u.test(value) ? nextText(yaml, at + 1) : unquoted(value);
  if (text === LOAD_FAILED) return text;
  const name = /^\s*name: '?(\w+)/u.exec(yaml.find((line) => /^\s*name: /u.test(line)) ?? '')?.[1];
  return `${name ?? 'Error'}: ${text}`;
}

function unquoted(value: string): string {
  if (/^".*"$/u.test(value)) return value.slice(1, -1).replaceAll('\\"', '"');
  return /^'.*'$/u.test(value) ? value.slice(1, -1).replaceAll("''", "'") : value;
}

/** Why a file could not be run stands above its line. */
function loadReason(reason: string, lines: readonly string[], at: number): string {
  if (unquoted(reason) !== LOAD_FAILED) return reason.replace(CODE, '$1: ');
  const above = lines.slice(Math.max(0, at - 60), at).map((line) => line.replace(/^\s*# ?/u, ''));
  // Not what stands above another file's line.
  const cut = above.findLastIndex(
    (line, index) => isCutAt(above, index) || /^\s*(?:[✖✔] |(?:not )?ok \d)/u.test(line),
  );
  return (
    above.slice(cut + 1).findLast((line) => /^(?:Uncaught )?(?:[A-Z]\w*)?Error\b.*: /u.test(line)) ??
    LOAD_FAILED
  );
}

/** Where every file that failed could not even be loaded, no test failed. */
function notLoaded(found: readonly Sighting[]): readonly Sighting[] {
  const none = found.every(({ reason }) => NOT_LOADED.test(reason));
  return none ? found.map((one) => ({ ...one, isTest: false })) : found;
}
