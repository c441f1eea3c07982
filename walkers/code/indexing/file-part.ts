import type { NodeDraft } from '../../../runtime/index.js';
import { File, FileDependsOnFile, fileId } from '../../../schema/index.js';
import type { DiscoveredFile, FileFacts, Resolution } from '../../../source/index.js';
import { type GraphPart, type Link, link } from './code-graph.js';
import { containmentLinks } from './containment.js';
import { type FileSymbols, fileSymbols } from './file-symbols.js';
import { importNodes, importPart } from './imports.js';
import { type ReferenceSite, referenceLinks, stubNode } from './references.js';
import type { SharedNode } from './shared-nodes.js';
import { type DefinitionSite, symbolNode } from './symbol-node.js';
import { testNode } from './test-node.js';
import { testedLinks } from './tested-links.js';
import { todoConcepts } from './todo-concepts.js';

/** One file of the index: what discovery, reading and extraction found. */
export interface IndexedFile {
  readonly file: Pick<DiscoveredFile, 'path' | 'size' | 'mtimeMs' | 'language'>;
  /** SHA-256 of the content, lower-case hex. */
  readonly hash: string;
  /** Extractor and writer, with their versions. */
  readonly by: string;
  /** Null when its language is not extracted or extraction failed. */
  readonly facts: FileFacts | null;
  /** The qualified name of its module; empty when it is none. */
  readonly module: string;
}

/** What one file contributes, and what it needs of the nodes that files share. */
export interface FilePart extends GraphPart {
  /** Each once. */
  readonly shared: readonly SharedNode[];
}

/** What a part is made with. */
export interface Making {
  readonly indexed_at: string;
  /** The nodes of the part, where {@link fileNodes} made them before. */
  readonly nodes?: readonly NodeDraft[] | undefined;
}

/** The part of the code graph that one file contributes: pure, so that it can be compared and tested. */
export function filePart(
  indexed: IndexedFile,
  resolution: Resolution,
  factsOf: ReferenceSite['factsOf'],
  { nodes: made, ...times }: Making,
): FilePart {
  const { file, facts } = indexed;
  const id = fileId(file.path);
  const symbols = facts && fileSymbols(file.path, facts);
  const nodes = made ?? fileNodes(indexed, times, symbols);
  if (!facts || !symbols) return { nodes, links: [], shared: [] };
  const owners = facts.references.map((reference) => symbols.enclosing(reference.from, reference));
  const site: ReferenceSite = { path: file.path, facts, symbols, owners, factsOf };
  const imports = importPart(site, resolution.imports);
  const references = referenceLinks(site, resolution.references, resolution.inheritance);
  const concepts = todoConcepts(facts, symbols);
  return {
    nodes,
    links: [
      ...containmentLinks(facts, symbols),
      ...imports.links,
      ...references.links,
      ...testedLinks(site, resolution),
      ...concepts.links,
      ...dependencyLinks(id, imports.files, references.calls),
    ],
    shared: [
      ...imports.packages.values(),
      ...[...new Map([...imports.stubs, ...references.stubs]).values()].map(stubNode),
      ...concepts.nodes.values(),
    ],
  };
}

/** The nodes of a file's part: they follow from the file alone. */
export function fileNodes(
  indexed: IndexedFile,
  times: { indexed_at: string },
  symbols: FileSymbols | null = indexed.facts && fileSymbols(indexed.file.path, indexed.facts),
): NodeDraft[] {
  const { file, facts, module } = indexed;
  const own = fileNode(indexed, times);
  if (!facts || !symbols) return [own];
  const site = { path: file.path, language: facts.language, module, facts };
  return [own, ...symbolNodes(site, symbols), ...importNodes(file.path, facts)];
}

function symbolNodes(site: DefinitionSite, { ids, cases, tests, parents }: FileSymbols): NodeDraft[] {
  const isTop = (id: string) => (parents.get(id) ?? null) === null;
  const definitions = site.facts.definitions.map((definition, index) => {
    const id = ids[index] ?? '';
    return symbolNode(site, definition, { id, isTest: tests.has(id), isTop: isTop(id) });
  });
  return [...definitions, ...cases.map((one) => testNode(site, one, isTop(one.id)))];
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

/** File to file, from imports and calls together. */
function dependencyLinks(
  id: string,
  imported: ReadonlySet<string>,
  calls: ReadonlyMap<string, number>,
): Link[] {
  const paths = [...new Set([...imported, ...calls.keys()])];
  return paths.map((path) =>
    link(id, FileDependsOnFile, fileId(path), { imports: imported.has(path), calls: calls.get(path) ?? 0 }),
  );
}
