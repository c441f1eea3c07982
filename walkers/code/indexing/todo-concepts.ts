import { conceptId, FileMentionsConcept, SymbolImplementsConcept } from '../../../schema/index.js';
import type { FileFacts } from '../../../source/index.js';
import { type Link, link } from './code-graph.js';
import type { FileSymbols } from './file-symbols.js';
import type { SharedNode } from './shared-nodes.js';

/** How issues are referred to: `#12`, `owner/repository#12`, `ABC-12`, an address. Anything else is a person. */
const ISSUE = /^(?:[\w./-]*#\d+|[A-Z][A-Z\d]+-\d+|https?:\/\/\S+)$/;

/** The concepts that TODO, FIXME, HACK and XXX comments name (S3-21): one per distinct text and issue, in all files. */
export function todoConcepts(
  { comments }: FileFacts,
  { fileId, enclosing }: FileSymbols,
): { nodes: Map<string, SharedNode>; links: Link[] } {
  const nodes = new Map<string, SharedNode>();
  const links = new Map<string, Link>();
  const add = (from: string, concept: string, made: Link) => {
    const key = `${from}\0${concept}`;
    if (!links.has(key)) links.set(key, made);
  };
  for (const { tag, text, reference, line, column, from } of comments) {
    const head = ISSUE.test(reference) ? `${tag}(${reference})` : tag;
    const label = text === '' ? head : `${head}: ${text}`;
    const id = conceptId('todo', label);
    nodes.set(id, { as: 'todo', label, description: text });
    add(fileId, id, link(fileId, FileMentionsConcept, id, { line, column }));
    const symbol = enclosing(from, { line, column });
    if (symbol !== null) add(symbol, id, link(symbol, SymbolImplementsConcept, id, { line, column }));
  }
  return { nodes, links: [...links.values()] };
}
