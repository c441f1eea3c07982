import { isDeepStrictEqual } from 'node:util';
import {
  createScanner,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { isRecord } from '../../schema/index.js';
import { deepPlace } from '../../source/index.js';
import { type Entries, isOurGroup, isOurHook, isOurServer, SERVER_NAME } from './entries.js';
import { refusal } from './refusal.js';

/** A change of a text: what stands at an offset makes way for something else. */
interface Splice {
  readonly offset: number;
  readonly length: number;
  readonly text: string;
}

/** A text with changes that do not overlap. */
function spliced(text: string, splices: readonly Splice[]): string {
  return [...splices]
    .sort((a, b) => b.offset - a.offset)
    .reduce(
      (so, { offset, length, text: fresh }) => so.slice(0, offset) + fresh + so.slice(offset + length),
      text,
    );
}

/**
 * What puts a property behind the last one of an object, or (without a key) an element behind the last one of an array,
 * written as its surroundings are: line ends, indentation, or all on one line.
 */
function insertion(text: string, into: Node, value: unknown, key?: string): Splice {
  const style = styleOf(text);
  const last = into.children?.at(-1);
  const outer = indentationAt(text, into.offset);
  const inner = last === undefined ? outer + style.unit : indentationAt(text, last.offset);
  const name = key === undefined ? '' : `${JSON.stringify(key)}:${style.flat ? '' : ' '}`;
  const json = style.flat ? JSON.stringify(value) : JSON.stringify(value, null, style.unit);
  const fresh = name + json.replaceAll('\n', style.newline + inner);
  if (style.flat)
    return { offset: last ? end(last) : into.offset + 1, length: 0, text: last ? `,${fresh}` : fresh };
  const line = `${style.newline}${inner}${fresh}`;
  if (last !== undefined) return { offset: end(last), length: 0, text: `,${line}` };
  // Behind an object of one line, its end stands on a line of its own.
  const closes = text.slice(into.offset + 1, end(into) - 1).trim() === '';
  return {
    offset: into.offset + 1,
    length: closes ? into.length - 2 : 0,
    text: `${line}${closes ? style.newline + outer : ''}`,
  };
}

/** What takes a property or an element out again, with its comma and, where it had lines of its own, those. */
function removal(text: string, child: Node): Splice[] {
  const inside = onlyOneIn(text, child);
  if (inside !== null) return [inside];
  const after = tokenBehind(text, end(child));
  const own = { offset: child.offset, length: child.length };
  if (text[after] === ',') own.length = after + 1 - child.offset;
  const line = wholeLines(text, own);
  if (text[after] === ',') return [{ ...line, text: '' }];
  const before = commaBefore(text, child);
  const comma = before === null ? [] : [{ offset: before, length: 1, text: '' }];
  return [...comma, { ...line, text: '' }];
}

function end(node: Node): number {
  return node.offset + node.length;
}

function styleOf(text: string): { newline: string; unit: string; flat: boolean } {
  return {
    newline: /\r?\n/u.exec(text)?.[0] ?? '\n',
    unit: /^([ \t]+)["{[\]}]/mu.exec(text)?.[1] ?? '  ',
    flat: !text.trim().includes('\n') && text.trim() !== '{}',
  };
}

/** The white space at the beginning of the line that an offset is in. */
function indentationAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/u.exec(text.slice(start, offset))?.[0] ?? '';
}

/** Where the next token is that is no comment. */
function tokenBehind(text: string, offset: number): number {
  const scanner = createScanner(text, true);
  scanner.setPosition(offset);
  scanner.scan();
  return scanner.getTokenOffset();
}

/** Where the comma before a child stands; null where it is the first. */
function commaBefore(text: string, child: Node): number | null {
  const siblings = child.parent?.children ?? [];
  const before = siblings[siblings.indexOf(child) - 1];
  return before === undefined ? null : tokenBehind(text, end(before));
}

/** All that is between the brackets of what holds nothing but this child, no comment either; null where it holds more. */
function onlyOneIn(text: string, child: Node): Splice | null {
  const { parent } = child;
  if (parent === undefined || (parent.type !== 'object' && parent.type !== 'array')) return null;
  const before = text.slice(parent.offset + 1, child.offset);
  const after = text.slice(end(child), end(parent) - 1);
  if (`${before}${after.replace(',', '')}`.trim() !== '') return null;
  return { offset: parent.offset + 1, length: parent.length - 2, text: '' };
}

/** A range, and the line ends and white space around it where nothing else stands on its lines. */
function wholeLines(text: string, { offset, length }: { offset: number; length: number }) {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const stop = offset + length;
  const alone = text.slice(start, offset).trim() === '' && /^[ \t]*(?:\r?\n|$)/u.test(text.slice(stop));
  if (!alone || start === 0) return { offset, length };
  const from = text[start - 2] === '\r' ? start - 2 : start - 1;
  const trailing = /^[ \t]*/u.exec(text.slice(stop))?.[0].length ?? 0;
  return { offset: from, length: stop + trailing - from };
}

/** The mark that some editors put at the beginning of a text in UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';

/** A settings file as text, which may have comments and trailing commas. */
interface SettingsText {
  /** What stands before the text: a byte order mark, or nothing. */
  readonly mark: string;
  readonly text: string;
  /** The object that it holds. */
  readonly root: Node;
}

/**
 * Reads a settings file. An empty one, and one of comments alone, is as if `{}` stood at its end.
 *
 * @throws CodewalkError `INSTALL_REFUSED` where it is no JSON object in UTF-8, or where what we would look at stands in
 * it twice.
 */
function settingsText(path: string, bytes: Uint8Array): SettingsText {
  const whole = decoded(path, bytes);
  const mark = whole.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  const given = whole.slice(mark.length);
  const text = isBlank(given) ? withObject(given) : given;
  const deep = deepPlace(text);
  if (deep !== null) throw refusal(path, `is nested too deep at ${place(text, deep)}`);
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first !== undefined)
    throw refusal(
      path,
      `is no valid JSON: ${printParseErrorCode(first.error)} at ${place(text, first.offset)}`,
    );
  if (root?.type !== 'object') throw refusal(path, 'holds no JSON object');
  refuseDoubles(path, root);
  return { mark, text, root };
}

/** The value of a key of an object; undefined where it has none, or is no object. */
function valueNode(node: Node | undefined, key: string): Node | undefined {
  if (node?.type !== 'object') return undefined;
  return node.children?.find((property) => property.children?.[0]?.value === key)?.children?.[1];
}

/** The value at a path of keys. */
function nodeAt(root: Node, keys: readonly string[]): Node | undefined {
  return keys.reduce<Node | undefined>(valueNode, root);
}

/** A part of a file as a value; undefined where there is no such part. */
function plainValue(node: Node | undefined): unknown {
  return node === undefined ? undefined : getNodeValue(node);
}

function decoded(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw refusal(path, 'is not in UTF-8');
  }
}

function isBlank(text: string): boolean {
  const code = text.replace(/\/\*[\s\S]*?(\*\/|$)|\/\/.*/gu, (comment, end) => (end === '' ? comment : ''));
  return code.trim() === '';
}

function withObject(text: string): string {
  const between = text === '' || text.endsWith('\n') ? '' : '\n';
  return `${text}${between}{}\n`;
}

/** Of two keys alike, readers take this one or that one. */
function refuseDoubles(path: string, root: Node): void {
  for (const node of [root, valueNode(root, 'hooks'), valueNode(root, 'mcpServers')]) {
    const keys = (node?.type === 'object' ? node.children : undefined)?.map(
      (property) => property.children?.[0]?.value,
    );
    const twice = keys?.find((key, at) => keys.indexOf(key) !== at);
    if (twice !== undefined) throw refusal(path, `has the key '${twice}' twice`);
  }
}

function place(text: string, offset: number): string {
  const lines = text.slice(0, offset).split('\n');
  return `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`;
}

/** A file as bytes. */
type Bytes = Uint8Array;

/** What of {@link Entries} a file has, of whatever version. */
export interface FoundEntries {
  readonly hooks?: Readonly<Record<string, readonly unknown[]>>;
  readonly mcpServers?: Readonly<Record<string, unknown>>;
}

/**
 * A settings file with entries of ours in it, which it has none of. What else is in it stays as it is, byte for byte.
 *
 * @param path For errors.
 * @throws CodewalkError `INSTALL_REFUSED` where it cannot hold them.
 */
export function withEntries(path: string, bytes: Bytes, { hooks = {}, mcpServers }: Entries): Bytes {
  let now = bytes;
  const insert = (keys: readonly string[], value: unknown, asElement = false) => {
    now = changed(path, now, (file) => insertAt(path, file, keys, value, asElement));
  };
  if (Object.keys(hooks).length > 0) {
    if (!has(path, now, ['hooks'])) insert(['hooks'], hooks);
    else
      for (const [event, groups] of Object.entries(hooks)) {
        if (!has(path, now, ['hooks', event])) insert(['hooks', event], groups);
        else for (const group of groups) insert(['hooks', event], group, true);
      }
  }
  if (mcpServers !== undefined) {
    if (!has(path, now, ['mcpServers'])) insert(['mcpServers'], mcpServers);
    else insert(['mcpServers', SERVER_NAME], mcpServers[SERVER_NAME]);
  }
  return now;
}

/**
 * A settings file without the entries of ours, of whatever version. What they leave empty goes too, if it was not there
 * before.
 *
 * @param before The file before we wrote to it; null: not known, or there was none.
 * @throws CodewalkError `INSTALL_REFUSED` where it cannot be read.
 */
export function withoutEntries(path: string, bytes: Bytes, before: Bytes | null): Bytes {
  const old = before === null ? null : settingsText(path, before);
  const was = (keys: readonly string[]) => old !== null && nodeAt(old.root, keys) !== undefined;
  let now = bytes;
  for (;;) {
    const next = changed(path, now, (file) => firstRemoval(file, was));
    if (Buffer.compare(next, now) === 0) return now;
    now = next;
  }
}

/** The entries of ours that a settings file has. Throws as {@link withoutEntries}. */
export function entriesIn(path: string, bytes: Bytes): FoundEntries {
  const { root } = settingsText(path, bytes);
  const server = plainValue(nodeAt(root, ['mcpServers', SERVER_NAME]));
  const hooks: unknown = plainValue(valueNode(root, 'hooks'));
  const groups = Object.entries(isRecord(hooks) ? hooks : {}).flatMap(([event, list]) => {
    const ours = Array.isArray(list) ? list.filter(isOurGroup) : [];
    return ours.length === 0 ? [] : [[event, ours] as const];
  });
  return {
    ...(groups.length === 0 ? {} : { hooks: Object.fromEntries(groups) }),
    ...(isOurServer(server) ? { mcpServers: { [SERVER_NAME]: server } } : {}),
  };
}

/** Entries by their places: `hooks.Stop`, `mcpServers.codewalk`. */
export function keysOfEntries({ hooks = {}, mcpServers = {} }: FoundEntries): ReadonlyMap<string, unknown> {
  return new Map<string, unknown>([
    ...Object.entries(hooks).map(([event, groups]) => [`hooks.${event}`, groups] as const),
    ...Object.entries(mcpServers).map(([name, server]) => [`mcpServers.${name}`, server] as const),
  ]);
}

/** A setting at the top of a file. Throws as {@link withoutEntries}. */
export function settingAt(path: string, bytes: Bytes, key: string): unknown {
  return plainValue(valueNode(settingsText(path, bytes).root, key));
}

/** Whether a settings file has exactly these entries of ours, in whatever order. */
export function holdsEntries(path: string, bytes: Bytes, entries: Entries): boolean {
  return isDeepStrictEqual(entriesIn(path, bytes), JSON.parse(JSON.stringify(entries)));
}

/** Whether nothing is in a settings file but an empty object. */
export function isEmptyObject(path: string, bytes: Bytes): boolean {
  return settingsText(path, bytes).text.trim() === '{}';
}

function changed(path: string, bytes: Bytes, change: (file: SettingsText) => readonly Splice[]): Bytes {
  const file = settingsText(path, bytes);
  const splices = change(file);
  return splices.length === 0 ? bytes : Buffer.from(file.mark + spliced(file.text, splices));
}

function has(path: string, bytes: Bytes, keys: readonly string[]): boolean {
  return nodeAt(settingsText(path, bytes).root, keys) !== undefined;
}

function insertAt(
  path: string,
  { text, root }: SettingsText,
  keys: readonly string[],
  value: unknown,
  asElement: boolean,
): Splice[] {
  const into = asElement ? nodeAt(root, keys) : nodeAt(root, keys.slice(0, -1));
  const type = asElement ? 'array' : 'object';
  const name = (asElement ? keys : keys.slice(0, -1)).join('.');
  if (into?.type !== type) throw refusal(path, `has something else than an ${type} in '${name}'`);
  const key = keys.at(-1);
  if (asElement || key === undefined) return [insertion(text, into, value)];
  if (valueNode(into, key) !== undefined)
    throw refusal(path, `has a '${keys.join('.')}' that is not ours`, 'Rename or remove that entry');
  return [insertion(text, into, value, key)];
}

/** What takes out the first thing of ours that is found, or what such a thing has left empty. */
function firstRemoval({ text, root }: SettingsText, was: (keys: readonly string[]) => boolean): Splice[] {
  const server = nodeAt(root, ['mcpServers', SERVER_NAME]);
  if (server?.parent && isOurServer(plainValue(server)))
    return takenOut(text, root, server.parent, [['mcpServers']], was);
  for (const property of propertiesOf(valueNode(root, 'hooks'))) {
    const [event, list] = property.children ?? [];
    const group = (list?.type === 'array' ? list.children : undefined)?.find((one) =>
      isOurGroup(plainValue(one)),
    );
    if (group === undefined) continue;
    const commands = valueNode(group, 'hooks')?.children ?? [];
    const ours = commands.filter((one) => isOurHook(plainValue(one)));
    const [first] = ours;
    if (first !== undefined && ours.length < commands.length) return removal(text, first);
    return takenOut(text, root, group, [['hooks', String(event?.value)], ['hooks']], was);
  }
  return [];
}

/** A child goes, and with it what held nothing else and was not there before. */
function takenOut(
  text: string,
  root: Node,
  child: Node,
  holders: readonly (readonly string[])[],
  was: (keys: readonly string[]) => boolean,
): Splice[] {
  const [keys, ...above] = holders;
  const holder = keys && nodeAt(root, keys);
  const alone = keys !== undefined && holder?.children?.length === 1;
  if (alone && holder.parent && !was(keys)) return takenOut(text, root, holder.parent, above, was);
  return removal(text, child);
}

function propertiesOf(node: Node | undefined): readonly Node[] {
  return node?.type === 'object' ? (node.children ?? []) : [];
}
