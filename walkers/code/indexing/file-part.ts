import type { NodeDraft } from '../../../runtime/index.js';
import {
  Concept,
  conceptId,
  File,
  FileContainsSymbol,
  FileDependsOnFile,
  FileMentionsConcept,
  fileId,
  parseId,
  SymbolCallsSymbol,
  SymbolContainsSymbol,
  SymbolImplementsConcept,
} from '../../../schema/index.js';
import type { DiscoveredFile, FileFacts, Resolution } from '../../../source/index.js';
import { type GraphPart, type Link, link } from './code-graph.js';
import { importPart } from './imports.js';
import { type ReferenceSite, referenceLinks, type Stub } from './references.js';
import { definitionId, symbolNode } from './symbol-node.js';

/** One file of the index: what discovery, reading and extraction found. */
export interface IndexedFile {
  readonly file: DiscoveredFile;
  /** SHA-256 of the content, lower-case hex. */
  readonly hash: string;
  /** Null when its language is not extracted or extraction failed. */
  readonly facts: FileFacts | null;
  /** The qualified name of its module; empty when it is none. */
  readonly module: string;
}

/** What one file contributes, and what it needs of the nodes that files share. */
export interface FilePart extends GraphPart {
  readonly packages: ReadonlyMap<string, NodeDraft>;
  readonly stubs: ReadonlyMap<string, Stub>;
  readonly concepts: ReadonlyMap<string, NodeDraft>;
}

/** The part of the code graph that one file contributes: pure, so that it can be compared and tested. */
export function filePart(
  indexed: IndexedFile,
  resolution: Resolution,
  factsOf: ReferenceSite['factsOf'],
  times: { indexed_at: string },
): FilePart {
  const { file, facts } = indexed;
  const id = fileId(file.path);
  const nodes: NodeDraft[] = [fileNode(indexed, times)];
  if (!facts) return { nodes, links: [], packages: new Map(), stubs: new Map(), concepts: new Map() };
  const ids = facts.definitions.map((definition) => definitionId(file.path, definition));
  const site: ReferenceSite = { path: file.path, facts, fileId: id, ids, factsOf };
  const imports = importPart(site, resolution.imports);
  const references = referenceLinks(site, resolution.references, resolution.inheritance);
  const concepts = conceptPart(site);
  const symbols = facts.definitions.map((definition) =>
    symbolNode({ path: file.path, language: facts.language, module: indexed.module, facts }, definition),
  );
  const dependencies = dependencyLinks(id, imports.files, references.links);
  return {
    nodes: [...nodes, ...symbols, ...imports.nodes],
    links: [...containment(site), ...imports.links, ...references.links, ...concepts.links, ...dependencies],
    packages: imports.packages,
    stubs: new Map([...imports.stubs, ...references.stubs]),
    concepts: concepts.nodes,
  };
}

function fileNode(
  { file, hash, facts, module }: IndexedFile,
  { indexed_at }: { indexed_at: string },
): NodeDraft {
  const name = file.path.slice(file.path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return File(
    {
      path: file.path,
      name,
      qualified_name: facts ? module : '',
      language: file.language,
      extension: dot > 0 ? name.slice(dot) : '',
      size_bytes: file.size,
      line_count: facts?.lines ?? null,
      hash,
      extracted: facts !== null,
      docstring: facts?.docstring ?? null,
      syntax_errors: facts?.syntax_errors ?? [],
      last_modified: new Date(file.mtimeMs).toISOString(),
      indexed_at,
    },
    { id: fileId(file.path) },
  );
}

function containment({ facts, fileId: id, ids }: ReferenceSite): Link[] {
  return facts.definitions.flatMap((definition, index) => {
    const symbol = ids[index] ?? '';
    const at = { line: definition.span.start_line, column: definition.span.start_column };
    const flat = link(id, FileContainsSymbol, symbol, { ...at, top_level: definition.parent === null });
    const parent = definition.parent === null ? undefined : ids[definition.parent];
    return parent === undefined ? [flat] : [flat, link(parent, SymbolContainsSymbol, symbol, at)];
  });
}

/** The concepts that TODO, FIXME, HACK and XXX comments name (S3-21): one per distinct text. */
function conceptPart({ facts, fileId: id, ids }: ReferenceSite): {
  nodes: Map<string, NodeDraft>;
  links: Link[];
} {
  const nodes = new Map<string, NodeDraft>();
  const links = new Map<string, Link>();
  for (const { tag, text, line, from } of facts.comments) {
    const label = text === '' ? tag : `${tag}: ${text}`;
    const concept = conceptId('todo', label);
    nodes.set(concept, Concept({ label, description: text, source: 'todo' }, { id: concept }));
    const mention = link(id, FileMentionsConcept, concept, { line });
    if (!links.has(`${id}\0${concept}`)) links.set(`${id}\0${concept}`, mention);
    const symbol = from === null ? undefined : ids[from];
    const key = `${symbol}\0${concept}`;
    if (symbol !== undefined && !links.has(key))
      links.set(key, link(symbol, SymbolImplementsConcept, concept, { line }));
  }
  return { nodes, links: [...links.values()] };
}

/** File to file, from imports and calls together. */
function dependencyLinks(id: string, imported: ReadonlySet<string>, references: readonly Link[]): Link[] {
  const calls = new Map<string, number>();
  for (const { to, edge } of references) {
    if (edge.archetype.name !== SymbolCallsSymbol.name) continue;
    const path = parseId(to)?.path ?? null;
    if (path === null || fileId(path) === id) continue;
    const { evidence } = edge.props as { evidence: unknown[] };
    calls.set(path, (calls.get(path) ?? 0) + evidence.length);
  }
  const paths = [...new Set([...imported, ...calls.keys()])];
  return paths.map((path) =>
    link(id, FileDependsOnFile, fileId(path), { imports: imported.has(path), calls: calls.get(path) ?? 0 }),
  );
}
