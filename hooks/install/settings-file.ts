import { isDeepStrictEqual } from 'node:util';
import {
  applyEdits,
  createScanner,
  type Edit,
  findNodeAtLocation,
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
import { type EntryMap, isOurHook, isOurServer } from './entries.js';
import { refusal } from './files.js';

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
  const text = isBlank(given) ? `${given}${given === '' || given.endsWith('\n') ? '' : '\n'}{}\n` : given;
  const deep = deepPlace(text);
  if (deep !== null) throw refusal(path, `is nested too deep at ${positionText(text, deep)}`);
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first !== undefined) {
    const why = printParseErrorCode(first.error);
    throw refusal(path, `is no valid JSON: ${why} at ${positionText(text, first.offset)}`);
  }
  if (root?.type !== 'object') throw refusal(path, 'holds no JSON object');
  for (const object of [root, nodeAt(root, ['hooks']), nodeAt(root, ['mcpServers'])]) {
    // Of two equal keys readers take this one or that one.
    const keys = keysOf(object);
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
  // A comment that is not closed is an error to report.
  const code = text.replace(/\/\*[\s\S]*?(\*\/|$)|\/\/.*/gu, (comment, end) => (end === '' ? comment : ''));
  return code.trim() === '';
}

function positionText(text: string, offset: number): string {
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

function listAt(root: Node, keys: JSONPath): readonly unknown[] {
  const value = valueAt(root, keys);
  return Array.isArray(value) ? value : [];
}

function keysOf(object: Node | undefined): string[] {
  const properties = object?.type === 'object' ? (object.children ?? []) : [];
  return properties.map(({ children: [key] = [] }) => String(key?.value));
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
  const has = (keys: JSONPath, type: Node['type']) => {
    const node = nodeAt(root, keys);
    if (node !== undefined && node.type !== type)
      throw refusal(path, `has something else than an ${type} in '${keys.join('.')}'`);
    return node !== undefined;
  };
  let now = text;
  for (const [event, groups] of Object.entries(hooks)) {
    has(['hooks'], 'object');
    if (!has(['hooks', event], 'array')) now = inserted(now, ['hooks', event], groups);
    else for (const group of groups) now = inserted(now, ['hooks', event, -1], group);
  }
  if (mcpServers !== undefined) {
    has(['mcpServers'], 'object');
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
    let keys = firstOfOurs(root);
    if (keys === null) return now;
    while (keys.length === 2 || keys.length === 3) {
      const holder = keys.slice(0, -1);
      if (nodeAt(root, holder)?.children?.length !== 1 || (old && nodeAt(old, holder))) break;
      keys = holder;
    }
    const value = nodeAt(root, keys);
    const child = value?.parent?.type === 'property' ? value.parent : value;
    if (child === undefined) return now;
    now = Buffer.from(mark + applyEdits(text, removal(text, child)));
  }
}

/** The path of the first server, group of hooks, or hook in a group with hooks of others that is ours. */
function firstOfOurs(root: Node): JSONPath | null {
  if (isOurServer(valueAt(root, SERVER))) return SERVER;
  for (const event of keysOf(nodeAt(root, ['hooks'])))
    for (const nth of listAt(root, ['hooks', event]).keys()) {
      const group: JSONPath = ['hooks', event, nth];
      const hooks = listAt(root, [...group, 'hooks']);
      const ours = hooks.findIndex(isOurHook);
      if (ours >= 0) return hooks.every(isOurHook) ? group : [...group, 'hooks', ours];
    }
  return null;
}

/** Takes a property or an element out with one comma, and its line if it is alone there. `modify` takes comments, too. */
function removal(text: string, child: Node): Edit[] {
  const { parent = child } = child;
  const [from, to] = [parent.offset + 1, endOf(parent) - 1];
  const [before, behind] = [text.slice(from, child.offset), text.slice(endOf(child), to)];
  if (['', ','].includes((before + behind).trim())) return [{ offset: from, length: to - from, content: '' }];
  const siblings = parent.children ?? [];
  const comma = commaBehind(text, child) ?? commaBehind(text, siblings[siblings.indexOf(child) - 1]);
  const [line = ''] = /^(?:\s*,)?[ \t]*\r?\n/u.test(behind) ? (/\r?\n[ \t]*$/u.exec(before) ?? []) : [];
  const own = { offset: child.offset - line.length, length: line.length + child.length, content: '' };
  return comma === undefined ? [own] : [own, { offset: comma, length: 1, content: '' }];
}

/** Where the comma behind a node is, past comments; undefined where there is none. */
function commaBehind(text: string, node: Node | undefined): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(node ? endOf(node) : text.length);
  scanner.scan();
  const at = scanner.getTokenOffset();
  return text[at] === ',' ? at : undefined;
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}

/** The entries of ours that a settings file has, of whatever version. Throws as {@link withoutEntries}. */
export function entriesIn(path: string, bytes: Uint8Array): EntryMap {
  const { root } = settingsText(path, bytes);
  const found = new Map<string, unknown>();
  for (const event of keysOf(nodeAt(root, ['hooks']))) {
    const groups = listAt(root, ['hooks', event]);
    const ours = groups.filter((_, nth) => listAt(root, ['hooks', event, nth, 'hooks']).some(isOurHook));
    if (ours.length > 0) found.set(`hooks.${event}`, ours);
  }
  const server = valueAt(root, SERVER);
  if (isOurServer(server)) found.set(SERVER.join('.'), server);
  return found;
}

/** Entries by their places. */
export function entryMap({ hooks = {}, mcpServers }: Entries): EntryMap {
  return new Map<string, unknown>([
    ...Object.entries(hooks).map(([event, groups]) => [`hooks.${event}`, groups] as const),
    ...Object.entries(mcpServers ?? {}).map(([name, server]) => [`mcpServers.${name}`, server] as const),
  ]);
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
