import { isDeepStrictEqual } from 'node:util';
import {
  applyEdits,
  createScanner,
  type Edit,
  findNodeAtLocation,
  getNodePath,
  getNodeValue,
  type JSONPath,
  modify,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { deepPlace } from '../../source/index.js';
import { type Entries, SERVER_NAME } from '../agent.js';
import { type EntryMap, isOurGroup, isOurHook, isOurServer } from './entries.js';
import { refusal } from './files.js';

/** The mark that some editors put at the beginning of a text in UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';
const SERVER: JSONPath = ['mcpServers', SERVER_NAME];

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
 * @throws CodewalkError `INSTALL_REFUSED` where it is no JSON object in UTF-8, or has two of a key that we look at.
 */
function settingsText(path: string, bytes: Uint8Array): SettingsText {
  const whole = decoded(path, bytes);
  const mark = whole.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  const given = whole.slice(mark.length);
  const text = isBlank(given) ? withObject(given) : given;
  const deep = deepPlace(text);
  if (deep !== null) throw refusal(path, `is nested too deep at ${lineOf(text, deep)}`);
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first !== undefined)
    throw refusal(
      path,
      `is no valid JSON: ${printParseErrorCode(first.error)} at ${lineOf(text, first.offset)}`,
    );
  if (root?.type !== 'object') throw refusal(path, 'holds no JSON object');
  for (const object of [root, nodeAt(root, ['hooks']), nodeAt(root, ['mcpServers'])]) {
    // Of two equal keys readers take this one or that one.
    const keys = propertiesOf(object).map(({ key }) => key);
    const twice = keys.find((key, nth) => keys.indexOf(key) !== nth);
    if (twice !== undefined) throw refusal(path, `has the key '${twice}' twice`);
  }
  return { mark, text, root };
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
  return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}{}\n`;
}

function lineOf(text: string, offset: number): string {
  const lines = text.slice(0, offset).split('\n');
  return `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`;
}

function nodeAt(root: Node, keys: JSONPath): Node | undefined {
  return findNodeAtLocation(root, [...keys]);
}

function valueAt(root: Node, keys: JSONPath): unknown {
  const node = nodeAt(root, keys);
  return node === undefined ? undefined : getNodeValue(node);
}

function propertiesOf(object: Node | undefined): { key: string; value: Node | undefined }[] {
  const properties = object?.type === 'object' ? (object.children ?? []) : [];
  return properties.map(({ children: [key, value] = [] }) => ({ key: String(key?.value), value }));
}

/**
 * A settings file with entries of ours in it, which it has none of. What else is in it stays as it is.
 *
 * @param path For errors.
 * @throws CodewalkError `INSTALL_REFUSED` where it cannot hold them.
 */
export function withEntries(
  path: string,
  bytes: Uint8Array,
  { hooks = {}, mcpServers }: Entries,
): Uint8Array {
  const { mark, text, root } = settingsText(path, bytes);
  const refuseOther = (keys: JSONPath, type: Node['type']) => {
    const node = nodeAt(root, keys);
    if (node !== undefined && node.type !== type)
      throw refusal(path, `has something else than an ${type} in '${keys.join('.')}'`);
    return node !== undefined;
  };
  let now = text;
  for (const [event, groups] of Object.entries(hooks)) {
    refuseOther(['hooks'], 'object');
    if (!refuseOther(['hooks', event], 'array')) now = inserted(now, ['hooks', event], groups);
    else for (const group of groups) now = inserted(now, ['hooks', event, -1], group);
  }
  if (mcpServers !== undefined) {
    refuseOther(['mcpServers'], 'object');
    if (nodeAt(root, SERVER) !== undefined)
      throw refusal(path, `has a '${SERVER.join('.')}' that is not ours`, 'Rename or remove that entry');
    now = inserted(now, SERVER, mcpServers[SERVER_NAME]);
  }
  return Buffer.from(mark + now);
}

/** A text with a value at a path, written as its surroundings are: line ends, indentation, or all on one line. */
function inserted(text: string, keys: JSONPath, value: unknown): string {
  const isFlat = !text.trim().includes('\n') && text.trim() !== '{}';
  const unit = /^([ \t]+)["{[\]}]/mu.exec(text)?.[1] ?? '  ';
  const formattingOptions = {
    insertSpaces: !unit.startsWith('\t'),
    tabSize: unit.startsWith('\t') ? 1 : unit.length,
    eol: /\r?\n/u.exec(text)?.[0] ?? '\n',
  };
  const options = { isArrayInsertion: true, ...(isFlat ? {} : { formattingOptions }) };
  return applyEdits(text, modify(text, [...keys], value, options));
}

/**
 * A settings file without the entries of ours, of whatever version. What they leave empty goes too, if it was not there
 * before.
 *
 * @param before The file before we wrote to it; null: not known, or there was none.
 * @throws CodewalkError `INSTALL_REFUSED` where it cannot be read.
 */
export function withoutEntries(path: string, bytes: Uint8Array, before: Uint8Array | null): Uint8Array {
  const old = before === null ? null : settingsText(path, before).root;
  for (let now = bytes; ; ) {
    const { mark, text, root } = settingsText(path, now);
    let node = firstOfOurs(root);
    if (node === undefined) return now;
    for (let holder = holderOf(node); holder !== null; holder = holderOf(node)) {
      if (holder.value.children?.length !== 1 || (old && nodeAt(old, holder.keys))) break;
      node = holder.value.parent ?? node;
    }
    now = Buffer.from(mark + applyEdits(text, removal(text, node)));
  }
}

/** The first group, hook in a group of others, or server of ours. */
function firstOfOurs(root: Node): Node | undefined {
  const server = nodeAt(root, SERVER);
  if (server && isOurServer(getNodeValue(server))) return server.parent;
  const lists = propertiesOf(nodeAt(root, ['hooks'])).map(({ value }) => value);
  const groups = lists.flatMap((list) => (list?.type === 'array' ? (list.children ?? []) : []));
  const group = groups.find((one) => isOurGroup(getNodeValue(one)));
  const hooks = (group && nodeAt(group, ['hooks'])?.children) ?? [];
  const ours = hooks.filter((hook) => isOurHook(getNodeValue(hook)));
  return ours.length < hooks.length ? ours[0] : group;
}

/** The list or object that a node of ours may have been made with; null: none. */
function holderOf(node: Node): { readonly value: Node; readonly keys: JSONPath } | null {
  const value = node.parent;
  const keys = value ? getNodePath(value) : [];
  // A group's own list of hooks goes with the group.
  return value === undefined || keys.length === 0 || keys.length > 2 ? null : { value, keys };
}

/**
 * What takes a property or an element out again, with its comma and, where it had lines of its own, those. `modify`
 * would take the comments around it, too.
 */
function removal(text: string, child: Node): Edit[] {
  const { parent } = child;
  const siblings = parent?.children ?? [];
  const before = siblings[siblings.indexOf(child) - 1];
  const behind = tokenBehind(text, child);
  const hasComma = text[behind] === ',';
  const end = hasComma ? behind + 1 : endOf(child);
  if (parent && siblings.length === 1) {
    const [from, to] = [parent.offset + 1, endOf(parent) - 1];
    if (`${text.slice(from, child.offset)}${text.slice(end, to)}`.trim() === '')
      return [{ offset: from, length: to - from, content: '' }];
  }
  const comma = hasComma || before === undefined ? [] : [{ offset: tokenBehind(text, before), length: 1 }];
  return [...comma, wholeLines(text, child.offset, end)].map((range) => ({ ...range, content: '' }));
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}

/** Where the next token behind a node is that is no comment. */
function tokenBehind(text: string, node: Node): number {
  const scanner = createScanner(text, true);
  scanner.setPosition(endOf(node));
  scanner.scan();
  return scanner.getTokenOffset();
}

/** A range, and the line ends and white space around it where nothing else stands on its lines. */
function wholeLines(text: string, offset: number, end: number): { offset: number; length: number } {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const [trailing] = /^[ \t]*(?=\r?\n|$)/u.exec(text.slice(end)) ?? [];
  if (trailing === undefined || start === 0 || text.slice(start, offset).trim() !== '')
    return { offset, length: end - offset };
  const from = text[start - 2] === '\r' ? start - 2 : start - 1;
  return { offset: from, length: end + trailing.length - from };
}

/** The entries of ours that a settings file has, of whatever version. Throws as {@link withoutEntries}. */
export function entriesIn(path: string, bytes: Uint8Array): EntryMap {
  const { root } = settingsText(path, bytes);
  const found = propertiesOf(nodeAt(root, ['hooks'])).flatMap(({ key, value }) => {
    const groups: unknown = value && getNodeValue(value);
    const ours = Array.isArray(groups) ? groups.filter(isOurGroup) : [];
    return ours.length === 0 ? [] : [[['hooks', key].join('.'), ours] as const];
  });
  const server = valueAt(root, SERVER);
  return new Map<string, unknown>([
    ...found,
    ...(isOurServer(server) ? [[SERVER.join('.'), server] as const] : []),
  ]);
}

/** Entries by their places. */
export function entryMap({ hooks = {}, mcpServers = undefined }: Entries): EntryMap {
  const all = { hooks, mcpServers: mcpServers ?? {} };
  return new Map<string, unknown>(
    Object.entries(all).flatMap(([key, values]) =>
      Object.entries(values).map(([name, value]) => [`${key}.${name}`, value] as const),
    ),
  );
}

/** A setting at the top of a file. Throws as {@link withoutEntries}. */
export function settingAt(path: string, bytes: Uint8Array, key: string): unknown {
  return valueAt(settingsText(path, bytes).root, [key]);
}

/** Whether a settings file has exactly these entries of ours, in whatever order. */
export function holdsEntries(path: string, bytes: Uint8Array, entries: Entries): boolean {
  return isDeepStrictEqual(entriesIn(path, bytes), entryMap(entries));
}

/** Whether a settings file holds nothing but an empty object. */
export function isEmptyObject(path: string, bytes: Uint8Array): boolean {
  return settingsText(path, bytes).text.trim() === '{}';
}
