import { type Node, type ParseError, parseTree } from 'jsonc-parser';
import type { FileFacts } from '../../facts.js';
import { deepPlace } from '../../json-depth.js';
import { KeyList } from './key-list.js';

/** The keys of a JSON text, comments and trailing commas allowed. What stands in a list is a value. */
export function jsonFacts(text: string): FileFacts {
  const list = new KeyList(text);
  const tooDeep = deepPlace(text);
  if (tooDeep !== null) {
    list.wrong(tooDeep);
    return list.facts('json');
  }
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  for (const { offset } of errors) list.wrong(offset);
  if (root) addKeys(list, root, [], null);
  return list.facts('json');
}

function addKeys(
  list: KeyList,
  { type, children }: Node,
  path: readonly string[],
  parent: number | null,
): void {
  if (type !== 'object') return;
  for (const property of children ?? []) {
    const [key, value] = property.children ?? [];
    if (!key) continue;
    const parts = [...path, String(key.value)];
    const end = value ? endOf(value) : endOf(key);
    const shown = value && value.type !== 'object' ? ([value.offset, end] as const) : null;
    const number = list.add(parts, parent, [key.offset, end], shown);
    if (value && number !== null) addKeys(list, value, parts, number);
  }
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}
