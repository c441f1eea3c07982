import { type AST, ParseError, parseTOML } from 'toml-eslint-parser';
import type { FileFacts } from '../../facts.js';
import { KeyList } from './key-list.js';

/** Lines that are left out to read the rest of a text that is not TOML. */
const MOST_LEFT_OUT = 20;

/** The keys and tables of a TOML text. What stands in a list is a value; each table of a list of tables is a key. */
export function tomlFacts(text: string): FileFacts {
  const list = new KeyList(text);
  const tree = readable(text, list);
  const tables: Tables = new Map();
  for (const one of tree?.body[0].body ?? []) {
    if (one.type === 'TOMLKeyValue') addKey(list, one, [], null);
    else addTable(list, one, tables);
  }
  return list.facts('toml');
}

/** The tree of a text, without the lines that are in the way; null where too many are. */
function readable(text: string, list: KeyList): AST.TOMLProgram | null {
  let left = text;
  for (let tries = 0; tries <= MOST_LEFT_OUT; tries += 1) {
    try {
      return parseTOML(left);
    } catch (thrown) {
      if (!(thrown instanceof ParseError)) throw thrown;
      const at = Math.min(thrown.index, left.length - 1);
      list.wrong(Math.max(at, 0));
      const start = left.lastIndexOf('\n', at - 1) + 1;
      const newline = left.indexOf('\n', start);
      const end = newline < 0 ? left.length : newline;
      const blank = ' '.repeat(end - start);
      if (left.slice(start, end) === blank) return null;
      left = left.slice(0, start) + blank + left.slice(end);
    }
  }
  return null;
}

/** Numbers of the tables so far, the last of each name, by the parts of their names. */
type Tables = Map<string, number>;

function addTable(list: KeyList, { key, body, range }: AST.TOMLTable, tables: Tables): void {
  const path = partsOf(key);
  const number = list.add(path, around(path, tables), range, null);
  if (number !== null) tables.set(JSON.stringify(path), number);
  for (const one of body) addKey(list, one, path, number);
}

/** The table that a table of a longer name belongs to. */
function around(path: readonly string[], tables: Tables): number | null {
  for (let length = path.length - 1; length > 0; length -= 1) {
    const number = tables.get(JSON.stringify(path.slice(0, length)));
    if (number !== undefined) return number;
  }
  return null;
}

function addKey(
  list: KeyList,
  { key, value, range }: AST.TOMLKeyValue,
  table: readonly string[],
  parent: number | null,
) {
  const path = [...table, ...partsOf(key)];
  const isTable = value.type === 'TOMLInlineTable';
  const number = list.add(path, parent, range, isTable ? null : value.range);
  if (isTable && number !== null) for (const one of value.body) addKey(list, one, path, number);
}

function partsOf({ keys }: AST.TOMLKey): string[] {
  return keys.map((one) => (one.type === 'TOMLBare' ? one.name : one.value));
}
