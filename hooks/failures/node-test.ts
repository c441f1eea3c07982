import { type Found, found, type Sighting } from './found.js';
import { indentOf, nextSaid } from './lines.js';

/** Failures of a test that only tell of the tests in it. */
const OF_OTHERS = /^(?:Error: )?'?\d+ subtests? failed/u;

/** What is said of a file that could not be run. */
const LOAD_FAILED = 'test failed';
/** Codes that the spec reporter tells and TAP does not. */
const CODE = /^(\w*Error) \[(?:ERR_ASSERTION|ERR_TEST_FAILURE|Error)\]: /u;

/** TAP, as `node --test` and others print it: `not ok 1 - name`, and below it in YAML why. */
export function readTap(lines: readonly string[]): Found | null {
  const sightings: Sighting[] = [];
  const outer: string[] = [];
  for (const [index, line] of lines.entries()) {
    const subtest = /^\s*# Subtest: (.*)$/u.exec(line)?.[1];
    const depth = Math.floor(indentOf(line) / 4);
    if (subtest !== undefined) outer.splice(depth, outer.length, subtest);
    const name = /^\s*not ok \d+(?: -)? ?(.*)/su.exec(line)?.[1];
    if (name === undefined || /# (?:TODO|SKIP)\b/iu.test(name)) continue;
    const reason = reasonInYaml(lines, index + 1);
    if (OF_OTHERS.test(reason)) continue;
    const names = [...outer.slice(0, depth), name];
    sightings.push({ name: names.join(' > '), reason: loadError(reason, lines, index), line: index });
  }
  return found(typeOf(sightings), sightings);
}

/** The spec reporter of `node --test`: `✖ name (1.2ms)`, and indented below it why. */
export function readSpec(lines: readonly string[]): Found | null {
  const sightings = new Map<string, Sighting>();
  const outer: string[] = [];
  const suites = new Set<string>();
  let listed = false;
  for (const [index, line] of lines.entries()) {
    // Behind it all are told again, without the suites that they are in.
    if (/^✖ failing tests:/u.test(line)) listed = true;
    const [, mark, name = ''] = /^\s*([▶✖✔﹣]) (.*?)(?: \(\d[\d.]*m?s\))?(?: #.*)?$/su.exec(line) ?? [];
    if (mark === undefined || listed) continue;
    const depth = Math.floor(indentOf(line) / 2);
    outer.splice(depth, outer.length, name);
    const reason = nextSaid(lines, index + 1, 2);
    if (mark !== '✖' || / # (?:TODO|SKIP)\b/iu.test(line)) continue;
    const why = indentOf(lines[index + 1] ?? '') > indentOf(line) && !/^[▶✖✔﹣]/u.test(reason) ? reason : '';
    const id = outer.join(' > ');
    if (!suites.has(id)) sightings.set(id, { name: id, reason: loadError(why, lines, index), line: index });
    suites.add(outer.slice(0, -1).join(' > '));
  }
  // Where the beginning was cut off only the list is left.
  const all = sightings.size > 0 ? [...sightings.values()] : listedTests(lines);
  const told = all.some(({ reason }) => reason !== '') || lines.some((line) => /^ℹ fail \d/u.test(line));
  return told ? found(typeOf(all), all) : null;
}

function listedTests(lines: readonly string[]): Sighting[] {
  return lines.flatMap((line, index) => {
    const name = /^✖ (.*?) \(\d[\d.]*m?s\)$/u.exec(line)?.[1];
    const place = /^test at \S+:\d+:\d+$/u.test(lines[index - 1] ?? '');
    return name === undefined || !place ? [] : [{ name, reason: nextSaid(lines, index + 1), line: index }];
  });
}

/** `error: 'text'`, or a block below `error: |-`; with the error's own name where it is another than an assertion's. */
function reasonInYaml(lines: readonly string[], from: number): string {
  const block = lines.slice(from, from + 60);
  const end = block.findIndex((line) => line.trim() === '...');
  const yaml = block.slice(0, end < 0 ? block.length : end);
  const at = yaml.findIndex((line) => /^\s*(?:error|message): /u.test(line));
  if (at < 0) return '';
  const value = (yaml[at] ?? '').replace(/^\s*\w+: /u, '').trim();
  const said = /^[|>]-?$/u.test(value) ? nextSaid(yaml, at + 1) : unquoted(value);
  const name = /^\s*name: '?(\w+)/u.exec(yaml.find((line) => /^\s*name: /u.test(line)) ?? '')?.[1];
  if (said === LOAD_FAILED) return said;
  // An error without a name of its own is an Error; other things may be thrown, too.
  return `${name ?? 'Error'}: ${said}`;
}

function unquoted(value: string): string {
  if (/^".*"$/u.test(value)) return value.slice(1, -1).replaceAll('\\"', '"');
  return /^'.*'$/u.test(value) ? value.slice(1, -1).replaceAll("''", "'") : value;
}

/** Of a file that could not be run it is said above why. */
function loadError(reason: string, lines: readonly string[], index: number): string {
  if (unquoted(reason) !== LOAD_FAILED) return reason.replace(CODE, '$1: ');
  const above = lines.slice(Math.max(0, index - 60), index).map((line) => line.replace(/^\s*# ?/u, ''));
  return above.findLast((line) => /^(?:Uncaught )?(?:[A-Z]\w*)?Error\b.*: /u.test(line)) ?? LOAD_FAILED;
}

function typeOf(sightings: readonly Sighting[]): Found['errorType'] {
  const loads = /^SyntaxError\b|\[ERR_MODULE_NOT_FOUND\]|^Error: Cannot find module/u;
  return sightings.length > 0 && sightings.every(({ reason }) => loads.test(reason))
    ? 'compile_error'
    : 'test_failure';
}
