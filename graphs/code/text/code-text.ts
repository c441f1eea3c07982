import { parseId } from '../../../schema/index.js';
import { defineTextIndex } from '../../../search/index.js';

/**
 * The text index of the code: a document for every File and every Symbol, under the node's id, written by the index
 * runs with the nodes. Every word of a text counts in one field: what a name or a signature says is not counted once
 * more in the body.
 *
 * - `name`: a symbol's own name, the title of a test; of a file its name.
 * - `owner`: the names of what encloses the symbol in its file: a class, suites of tests.
 * - `path`: the path of the file.
 * - `signature`: the head of a definition, without its name.
 * - `doc`: its docstring or doc comment.
 * - `parts`: the names of what it directly encloses.
 * - `body`: its own text, without that of what it encloses; of a file what no symbol holds.
 */
export const CODE_TEXT = defineTextIndex('code-2', {
  layer: 'derived',
  fields: { name: 4, owner: 1, path: 1, signature: 2, doc: 2, parts: 1, body: 1 },
  groupOf: pathOf,
});

/** The path of the file that a document is of: what a file says is one group. */
function pathOf(id: string): string {
  return parseId(id)?.path ?? id;
}

/** See {@link CODE_TEXT}. */
export type CodeField = (typeof CODE_TEXT)['fields'][number];
