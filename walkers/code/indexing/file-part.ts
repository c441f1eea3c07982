import { FileDependsOnFile, fileId } from '../../../schema/index.js';
import type { Resolution } from '../../../source/index.js';
import { type GraphPart, type Link, link } from './code-graph.js';
import { importPart } from './imports.js';
import { type IndexedFile, type OwnPart, ownPart } from './own-part.js';
import { type ReferenceSite, referenceLinks, stubNode } from './references.js';
import { routeLinks, runByRoutes } from './route-links.js';
import type { SharedNode } from './shared-nodes.js';
import { testedLinks } from './tested-links.js';
import { todoConcepts } from './todo-concepts.js';

/** What one file contributes to the code graph. */
export interface FilePart {
  readonly own: OwnPart;
  /** What its names lead to, in other files and in itself. */
  readonly links: readonly Link[];
  /** The nodes that it needs and other files may need too, each once. */
  readonly shared: readonly SharedNode[];
}

/** What a part is made with. */
export interface Making {
  readonly indexed_at: string;
  /** The file's own part, where that was made before. */
  readonly own?: OwnPart | undefined;
}

/** The part of the code graph that one file contributes: pure, so that it can be compared and tested. */
export function filePart(
  indexed: IndexedFile,
  resolution: Resolution,
  factsOf: ReferenceSite['factsOf'],
  making: Making,
): FilePart {
  const own = making.own ?? ownPart(indexed, making);
  const { file, facts } = indexed;
  const { symbols } = own;
  if (!facts || !symbols) return { own, links: [], shared: [] };
  const owners = facts.references.map((reference) => symbols.enclosing(reference.from, reference));
  const site: ReferenceSite = { path: file.path, facts, symbols, owners, run: runByRoutes(facts), factsOf };
  const imports = importPart(site, resolution.imports);
  const references = referenceLinks(site, resolution);
  const concepts = todoConcepts(facts, symbols);
  return {
    own,
    links: [
      ...imports.links,
      ...references.links,
      ...routeLinks(facts, symbols, references.links),
      ...testedLinks(site, resolution),
      ...concepts.links,
      ...dependencyLinks(symbols.fileId, imports.files, references.calls),
    ],
    shared: [
      ...imports.packages.values(),
      ...[...new Map([...imports.stubs, ...references.stubs]).values()].map(stubNode),
      ...concepts.nodes.values(),
    ],
  };
}

/** All of a part, as it is compared with what the graph has. */
export function wholePart({ own, links }: FilePart): GraphPart {
  return { nodes: own.nodes, links: [...own.links, ...links] };
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
