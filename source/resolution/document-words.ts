import type { FileFacts } from '../facts.js';
import { documentNames } from '../languages/index.js';
import { byText } from './file-path.js';

/*
 * Documents define names that code refers to without an import of them: messages, types of schemas, operations, tables.
 * Their interfaces say these names in words: `n:` a name, `t:` one of a table, in lower case, with and without its schema.
 * Documents are found by these words, and by `f:` with the name of their file; by an empty one whether there are any.
 */

/** What the interface of a document says, behind its digest, of the names that it is found by; of other files nothing. */
export function documentWords(facts: FileFacts): string[] {
  if (documentNames(facts.language) === undefined) return [];
  return ['d:', ...offeredNames(facts).map(([word]) => word)].sort(byText);
}

/** The words of what a document offers, each with the definition that it means, by index. */
export function offeredNames({
  language,
  exports,
  definitions,
}: FileFacts): [word: string, definition: number][] {
  const isFolded = documentNames(language) === 'folded';
  return exports.flatMap(({ name, definition = -1 }): [string, number][] => {
    const { qualname = name } = definitions[definition] ?? {};
    if (/\s/.test(qualname)) return [];
    const tables = isFolded ? new Set([name, qualname].map((one) => `t:${one.toLowerCase()}`)) : [];
    return [`n:${name}`, ...tables].map((word) => [word, definition]);
  });
}

/** The keys that a file is found by, by the words of its interface; none for what is no document. */
export function documentKeys(path: string, words: string): string[] {
  return isDocument(words) ? [fileKey(path), ...words.split(' ').slice(2)] : [];
}

/** Whether the words of an interface are those of a document. */
export function isDocument(words: string): boolean {
  return words.startsWith(' d:');
}

/** The key that a document is found by whose path ends in a name. */
export function fileKey(path: string): string {
  return `f:${path.slice(path.lastIndexOf('/') + 1)}`;
}
