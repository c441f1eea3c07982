import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { TreeCursor } from 'web-tree-sitter';
import { languages } from '../../source/languages/index.js';
import { createParser } from '../../source/parser.js';
import { readTree } from '../../source/tree-reader.js';

const parser = await createParser(languages);
const folder = join(import.meta.dirname, '../languages');

/** Every file that the languages are tested with, and what no file holds. */
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((path) => !path.endsWith('.listing') && parser.languageOf(path)?.grammar)
  .map((path): [string, string] => [path, readFileSync(join(folder, path), 'utf8')]);
const odd: [string, string][] = [
  ['empty.go', ''],
  ['blank.py', ' \n\t\n'],
  ['broken.ts', 'const a = (((; class { }} `${'],
  ['missing.go', 'package\nfunc (\n'],
  ['wide.py', 'a = "\u{1F600}é" # ü\nb = a'],
  ['chain.ts', `a${'.b(c)'.repeat(300)};`],
];

/** All visible nodes as a cursor tells them, which asks the library for each. */
function walked(cursor: TreeCursor, depth: number, found: number[]): number[] {
  found.push(cursor.nodeTypeId, cursor.currentFieldId, cursor.startIndex, cursor.endIndex, depth);
  if (!cursor.gotoFirstChild()) return found;
  do walked(cursor, depth + 1, found);
  while (cursor.gotoNextSibling());
  cursor.gotoParent();
  return found;
}

it.each([...files, ...odd])('reads all nodes of %s as a cursor does', (path, text) => {
  const { tree } = parser.parse(path, text);
  const cursor = tree.walk();
  const expected = walked(cursor, 0, []);
  cursor.delete();
  const found: number[] = [];
  let depth = 0;
  readTree(tree, {
    enter(symbol, field, start, end) {
      found.push(symbol, field, start, end, depth);
      depth += 1;
      return true;
    },
    leave() {
      depth -= 1;
    },
  });
  tree.delete();
  expect(found).toEqual(expected);
  expect(depth).toBe(0);
});
