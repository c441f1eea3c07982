import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { deepPlace } from '../../source/index.js';
import { refusal } from './refusal.js';

/** The mark that some editors put at the beginning of a text in UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';

/** A settings file as text, which may have comments and trailing commas. */
export interface SettingsText {
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
export function settingsText(path: string, bytes: Uint8Array): SettingsText {
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
export function valueNode(node: Node | undefined, key: string): Node | undefined {
  if (node?.type !== 'object') return undefined;
  return node.children?.find((property) => property.children?.[0]?.value === key)?.children?.[1];
}

/** The value at a path of keys. */
export function nodeAt(root: Node, keys: readonly string[]): Node | undefined {
  return keys.reduce<Node | undefined>(valueNode, root);
}

/** A part of a file as a value; undefined where there is no such part. */
export function plainValue(node: Node | undefined): unknown {
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
