import { type Found, found, type Sighting } from './found.js';
import { ERROR_NAME, indentOf, indexFrom } from './lines.js';

/** `____ name ____`: a part of its own for each failure. */
const HEADER = /^_{2,} (.+?) _{2,}$/u;
const PART_ENDS = /^_{2,} .+ _{2,}$|^={3,} .* ={3,}$|^!{3,} .* !{3,}$|^ImportError while loading conftest /u;
/** Lines of a failure's part: calls and their sources, and at its end why. */
const LONGEST_PART = 2000;
const LOADING = /^ImportError while loading conftest '([^']+)'/u;

/** What a failure's own part says. */
interface Part {
  readonly header: string;
  readonly reason: string;
  /** The first place that it names. */
  readonly file: string | null;
  /** Of a syntax error: `file:line`. */
  readonly place: string | null;
  readonly line: number;
}

/** pytest: the summary's `FAILED file::test - why`, else the parts of its failures; errors of collecting are no test's. */
export function readPytest(lines: readonly string[]): Found | null {
  const parts = partsOf(lines);
  const collecting = parts.filter(
    ({ header }) => header.startsWith('ERROR collecting ') || LOADING.test(header),
  );
  const summary = summaryOf(lines, parts);
  const known = new Set(summary.map(({ name }) => headerOf(name)));
  const others = parts
    .filter(({ header }) => !known.has(testIn(header)))
    .flatMap((part) => testOf(part) ?? []);
  const sightings = [...summary, ...others];
  if (sightings.length > 0) return found('test_failure', sightings);
  return found(
    'compile_error',
    collecting.map(({ header, reason, place, line }) => {
      const file = LOADING.exec(header)?.[1] ?? header.replace('ERROR collecting ', '');
      return { name: place ?? file, reason, line };
    }),
  );
}

function summaryOf(
  lines: readonly string[],
  parts: readonly Part[],
): (Sighting & { readonly name: string })[] {
  const partOf = new Map(parts.map((part) => [testIn(part.header), part]));
  const from = lines.findLastIndex((line) => /^={3,} short test summary info ={3,}$/u.test(line));
  return lines.flatMap((line, index) => {
    const said =
      /^(?:FAILED|ERROR) (?=.*\.\w+(?:::|$))(.*)/su.exec(line)?.[1] ??
      /^(?:FAILED|ERROR) (\S+::.*)/su.exec(line)?.[1];
    if (said === undefined || index < from) return [];
    const { id, reason } = atDash(said);
    if (!id.includes('::')) return [];
    const own = partOf.get(headerOf(id));
    // The summary's lines are cut at the width of the terminal.
    const cut = reason === '' || reason.endsWith('...');
    return [{ name: id, reason: cut ? (own?.reason ?? reason) : reason, line: own?.line ?? index }];
  });
}

/** `id - why`: a parameter in the id may hold a dash, too. */
function atDash(said: string): { id: string; reason: string } {
  for (let at = said.indexOf(' - '); at >= 0; at = said.indexOf(' - ', at + 1)) {
    const id = said.slice(0, at);
    if (!id.includes('[') || id.endsWith(']')) return { id, reason: said.slice(at + 3).trim() };
  }
  return { id: said.trim(), reason: '' };
}

/** What a test is called above its part: `file::Class::test[a]` is `Class.test[a]`. */
function headerOf(id: string): string {
  return id.split('::').slice(1).join('.');
}

/** The test that a part is about. */
function testIn(header: string): string {
  return header.replace(/^ERROR at (?:setup|teardown) of /u, '');
}

function testOf({ header, reason, file, line }: Part): Sighting | null {
  if (header.startsWith('ERROR collecting ') || LOADING.test(header)) return null;
  const name = testIn(header);
  const bracket = name.indexOf('[');
  const plain = bracket < 0 ? name : name.slice(0, bracket);
  const id = `${plain.replaceAll('.', '::')}${name.slice(plain.length)}`;
  return { name: file === null ? name : `${file}::${id}`, reason, line };
}

function partsOf(lines: readonly string[]): Part[] {
  return lines.flatMap((line, index) => {
    const header = HEADER.exec(line)?.[1] ?? (LOADING.test(line) ? line : undefined);
    if (header === undefined || /^(?:_ )+_$/u.test(line)) return [];
    const part = lines.slice(index + 1, indexFrom(lines, index + 1, PART_ENDS, LONGEST_PART));
    const errors = part.flatMap((one) => /^E( +\S.*)$/u.exec(one)?.[1] ?? []);
    // What belongs to a message, a difference of two values, is indented further.
    const indent = Math.min(...errors.map(indentOf));
    const told = errors.filter((one) => indentOf(one) === indent).map((one) => one.trim());
    const reason =
      told.findLast((one) => ERROR_NAME.test(one)) ?? told[0] ?? part.findLast((one) => ERROR_NAME.test(one));
    if (reason === undefined) return [];
    const syntax = /^(?:Syntax|Indentation|Tab)Error\b/u.test(reason);
    const [, file, at] = part.join('\n').match(/^E +File "([^"]+)", line (\d+)/mu) ?? [];
    return [
      {
        header,
        reason,
        file: part.flatMap((one) => /^((?:[\w.-]+\/)*[\w.-]+\.py):\d+: /u.exec(one)?.[1] ?? [])[0] ?? null,
        place: syntax && file !== undefined ? `${file}:${at}` : null,
        line: index,
      },
    ];
  });
}

/** unittest: `FAIL: test_a (module.Class.test_a)`, a traceback, and at its end why. */
export function readUnittest(lines: readonly string[]): Found | null {
  const sightings = lines.flatMap((line, index) => {
    const [, method, of, sub = ''] = /^(?:FAIL|ERROR): (\S+) \(([\w.]+)\)(.*)$/u.exec(line) ?? [];
    if (method === undefined || of === undefined) return [];
    const end = indexFrom(lines, index + 2, /^(?:={10,}|-{10,})$/u);
    const reason = lines.slice(index, end).findLast((one) => /^[A-Za-z_][\w.]*(?:: |$)/u.test(one)) ?? '';
    const name = of.endsWith(`.${method}`) ? of : `${of}.${method}`;
    return [{ name: `${name}${sub.trimEnd()}`, reason, line: index }];
  });
  return found('test_failure', sightings);
}
