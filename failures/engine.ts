import { ERROR_NAME, indentOf, isCutAt } from './output.js';

/** One failure that an output shows: its lines go from `from` to the one before `to`. */
export interface Sighting {
  /** A test as its runner names it, a file that could not be loaded, or a place; null: not named. */
  readonly name: string | null;
  /** The test's file, as the output spells it; null: nothing in its lines says. */
  readonly file: string | null;
  /** In one line; empty: not shown. */
  readonly reason: string;
  readonly from: number;
  readonly to: number;
  readonly isTest: boolean;
}

type Lines = readonly string[];
type Groups = Readonly<Record<string, string | undefined>>;

/** Where a failure stands; `scope` is what {@link Format.scope} names, null: none. */
export type Section = Readonly<{ lines: Lines; from: number; groups: Groups; scope: string | null }>;

/** How a runner or compiler prints failures. */
export interface Format {
  /** As `Failure.tool`; null: it does not say. */
  readonly tool: string | null;
  /** Whether the outermost call stands first in its stack traces. */
  readonly outermostFirst?: true;
  /** Whether it counts only where no other format of the tool fits: a list that is left of a longer output. */
  readonly brief?: true;
  readonly needs?: RegExp;
  readonly until?: RegExp;
  /** The first line of a failure, with groups `name`, `file`, `unloaded` (a file), `place`, `code` and `reason`. */
  readonly head: RegExp;
  /** The first line that belongs to it no more, apart from the next head; without it, and `longest`, the head is all. */
  readonly end?: RegExp;
  readonly longest?: number;
  /** Of the lines below the head, how many are its own. */
  readonly own?: (body: Lines, head: string) => number;
  /** Where its message begins, as of {@link messageIn}. */
  readonly why?: RegExp;
  /** Its message, where no group and no line below the head say it; null: it is no failure. */
  readonly reason?: (body: Lines, section: Section) => string | null;
  readonly named?: (groups: Groups, body: Lines) => string;
  /** Which line of its own names a test's file. */
  readonly file?: RegExp;
  /** Reasons that say that a file was not loaded. */
  readonly notLoaded?: RegExp;
  /** The line near the head that says the place, and how many lines below it are looked at; negative: above. */
  readonly near?: readonly [line: RegExp, within: number];
  /** Whether heads that follow each other share the lines below the last. */
  readonly shares?: true;
  /** A line that names what the heads below it belong to, a `file` or a `suite`; without a name: nothing. */
  readonly scope?: RegExp;
  readonly columns?: number;
  /** Whether what heads belong to stands below them. */
  readonly fromEnd?: true;
  /** What stands between it and a name (default ` > `; null: it is no part of the name), and a test and those in it. */
  readonly joint?: string | null;
  readonly inner?: string;
  readonly read?: (lines: Lines) => readonly Sighting[];
}

/** Lines of one failure when nothing marks its end, so that no output costs more than its length. */
const LONGEST = 200;
const MOST_SHARING = 100;

/** The failures that lines show in one format, in their order. */
export function sightingsOf(format: Format, lines: Lines): readonly Sighting[] {
  const { needs, until, head, scope, columns, joint = ' > ' } = format;
  if (format.read) return format.read(lines);
  if (needs && !lines.some((line) => needs.test(line))) return [];
  const found: Sighting[] = [];
  const scopes: string[] = [];
  let scopeFile: string | null = null;
  let below = 0;
  for (const from of format.fromEnd ? [...lines.keys()].reverse() : lines.keys()) {
    const line = lines[from] ?? '';
    if (until?.test(line)) break;
    const depth = columns === undefined ? 0 : Math.floor(indentOf(line) / columns);
    const opened = scope?.exec(line);
    if (opened) nest(scopes, depth, opened.groups?.file ?? opened.groups?.suite);
    if (opened || isCutAt(lines, from)) scopeFile = opened?.groups?.file ?? null;
    if (isCutAt(lines, from)) scopes.length = 0;
    const groups = head.exec(line)?.groups;
    if (!groups) continue;
    if (!format.shares || below <= from) below = from + 1;
    while (format.shares && head.test(lines[below] ?? '')) below++;
    const section = { lines, from, groups, scope: scopes[0] ?? null };
    const body = bodyOf(format, section, below);
    const said = groups.reason ?? messageIn(body, format.why);
    const plain = groups.code === undefined ? said : `${groups.code}: ${said}`;
    const reason = format.reason ? format.reason(body, section) : plain;
    const place = groups.place ?? (format.near ? placeNear(format.near, lines, from) : null);
    if (reason === null || (format.near && place === null)) continue;
    const own = format.named?.(groups, body) ?? groups.name ?? groups.unloaded ?? place;
    const around = joint === null ? [] : columns === undefined ? scopes : scopes.slice(0, depth);
    const names = [...around, plainPlace(own ?? '')].filter((name) => name !== '');
    found.push({
      name: own == null || names.length === 0 ? null : names.join(joint ?? ''),
      file: groups.file ?? (format.file ? firstFit(body, format.file) : null) ?? scopeFile,
      reason,
      from: Math.max(from, below - MOST_SHARING),
      to: below + body.length,
      isTest: groups.name !== undefined && !format.notLoaded?.test(reason),
    });
  }
  // Tests that only failed because others in them did are left out.
  const inner = format.inner ?? joint ?? ' > ';
  const outer = new Set(found.map(({ name }) => name?.slice(0, Math.max(0, name.lastIndexOf(inner)))));
  const own = found.filter(({ name, reason }) => reason !== '' || name === null || !outer.has(name));
  return format.fromEnd ? own.reverse() : own;
}

function nest(scopes: string[], depth: number, name: string | undefined): void {
  scopes.splice(depth);
  while (scopes.length < depth) scopes.push('');
  if (name !== undefined) scopes.push(name);
}

function bodyOf({ head, end, longest = end ? LONGEST : 0, own }: Format, section: Section, below: number) {
  const { lines, from } = section;
  const isOver = (line: string) => head.test(line) || end?.test(line);
  let to = below;
  const most = Math.min(lines.length, below + longest);
  while (to < most && !isOver(lines[to] ?? '') && !isCutAt(lines, to)) to++;
  const body = lines.slice(below, to);
  return own ? body.slice(0, own(body, lines[from] ?? '')) : body;
}

function placeNear([place, within]: readonly [RegExp, number], lines: Lines, at: number) {
  if (within > 0) return firstFit(lines.slice(at + 1, at + 1 + within), place);
  return firstFit(lines.slice(Math.max(0, at + within), at).reverse(), place);
}

/** What the first group of an expression matches in the first line that fits; null: none. */
export function firstFit(lines: Lines, expression: RegExp): string | null {
  for (const line of lines) {
    const found = expression.exec(line)?.[1];
    if (found !== undefined) return found;
  }
  return null;
}

/** `a.ts(1,7)`, `a.java:[3,5]`, `a.py", line 3`, `a.php on line 3` as `file:line:column`. */
function plainPlace(name: string): string {
  return name.replace(/:?[([](\d+),(\d+)[)\]]$/u, ':$1:$2').replace(/(?:", line | on line )(\d+)$/u, ':$1');
}

const VALUE = /^(?:expected|received|actual|got|left|right)\b[^:]{0,20}: /iu;
const SIGNS = /^(?:[-+] ?|\[Diff\] )(?:actual|expected|received)\b/iu;
/** A call of a stack trace, or a line of source: the message is over. */
const BELOW_MESSAGE = /^(?:at |❯ |› |File "|Stack:$|(?:> ?)?\d+ \|)/u;
const MOST_VALUES = 8;

/**
 * The first line with text, with the values or, after a colon, the line below it.
 * @param why The line in which or below which it begins.
 */
export function messageIn(body: Lines, why?: RegExp): string {
  const at = why ? body.findIndex((line) => why.test(line)) : -1;
  if (why && at < 0) return '';
  const [, ...groups] = why?.exec(body[at] ?? '') ?? [];
  const texts = [groups.find(Boolean) ?? '', ...body.slice(at + 1)].map((line) => line.trim());
  const [first = '', ...rest] = texts.filter((line) => line !== '').slice(0, MOST_VALUES);
  const end = rest.findIndex((line) => BELOW_MESSAGE.test(line));
  const message = first.replace(/^(?:error: )?(expect\(.*?)(?: \/\/ .*)?$/isu, '$1');
  return [message, ...valuesBelow(message, end < 0 ? rest : rest.slice(0, end))].join(' ');
}

function valuesBelow(first: string, below: Lines): Lines {
  const isOpen = first.endsWith(':');
  const [next = ''] = below;
  // The message of an error by its class has them in it.
  if (ERROR_NAME.test(first) && !isOpen && !/^\[Diff\]/u.test(next)) return [];
  const values = below.filter((line) => VALUE.test(line));
  if (values.length > 0) return values.slice(0, VALUE.test(first) ? 1 : 2);
  if (isOpen && !SIGNS.test(next)) return below.slice(0, 1);
  if (!below.some((line) => SIGNS.test(line))) return [];
  // Of a difference the first line of each side.
  const sides = below.filter((line) => /^[-+]/u.test(line) && !SIGNS.test(line));
  return ['-', '+'].flatMap((sign) => sides.find((line) => line.startsWith(sign)) ?? []);
}
