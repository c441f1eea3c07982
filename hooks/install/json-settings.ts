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
import { SERVER_KEYS, SERVER_NAME } from '../agent.js';
import { isOurHook, isOurServer, type SettingsLanguage } from './entries.js';
import { refusal } from './files.js';

/** A settings file as text, which may have comments and trailing commas. */
interface SettingsText {
  readonly text: string;
  /** The object that it holds. */
  readonly root: Node;
}

/**
 * Reads a settings file. An empty one, and one of comments alone, is as if `{}` stood at its end.
 *
 * @throws CodewalkError `INSTALL_REFUSED` where it is no JSON object, or has two of a key that we look at.
 */
function settingsText(path: string, given: string): SettingsText {
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
  for (const object of [root, ...['hooks', ...SERVER_KEYS].map((key) => nodeAt(root, [key]))]) {
    // Of two equal keys readers take this one or that one.
    const keys = keysOf(object);
    const twice = keys.find((key, nth) => keys.indexOf(key) !== nth);
    if (twice !== undefined) throw refusal(path, `has the key '${twice}' twice`);
  }
  return { text, root };
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

/** JSON, with the comments and trailing commas that readers of settings take. */
export const json: SettingsLanguage = {
  withEntries(path, given, { hooks = {}, server }) {
    const { text, root } = settingsText(path, given);
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
    if (server === undefined) return now;
    has([server.key], 'object');
    const place = [server.key, SERVER_NAME];
    if (nodeAt(root, place) !== undefined)
      throw refusal(path, `has a '${place.join('.')}' that is not ours`, 'Rename or remove that entry');
    return inserted(now, place, server.entry);
  },

  withoutEntries(path, given, before) {
    const old = before === null ? null : settingsText(path, before).root;
    for (let now = given; ; ) {
      const { text, root } = settingsText(path, now);
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
      now = applyEdits(text, removal(text, child));
    }
  },

  entriesIn(path, given) {
    const { root } = settingsText(path, given);
    const found = new Map<string, unknown>();
    for (const event of keysOf(nodeAt(root, ['hooks']))) {
      const groups = listAt(root, ['hooks', event]);
      // Some clients have no groups.
      const ours = groups.filter(
        (group, nth) => isOurHook(group) || listAt(root, ['hooks', event, nth, 'hooks']).some(isOurHook),
      );
      if (ours.length > 0) found.set(`hooks.${event}`, ours);
    }
    const server = placeOfServer(root);
    if (server !== undefined) found.set(server.join('.'), valueAt(root, server));
    return found;
  },

  settingAt: (path, text, keys) => valueAt(settingsText(path, text).root, [...keys]),

  isEmpty: (path, text) => settingsText(path, text).text.trim() === '{}',
};

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

function placeOfServer(root: Node): JSONPath | undefined {
  const places = SERVER_KEYS.map((key): JSONPath => [key, SERVER_NAME]);
  return places.find((place) => isOurServer(valueAt(root, place)));
}

/** The path of the first server, group of hooks, or hook in a group with hooks of others that is ours. */
function firstOfOurs(root: Node): JSONPath | null {
  const server = placeOfServer(root);
  if (server !== undefined) return server;
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
