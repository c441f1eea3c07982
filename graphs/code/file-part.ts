import {
  conceptId,
  FileDependsOnFile,
  FileMentionsConcept,
  fileId,
  grouped,
  SymbolImplementsConcept,
  SymbolReferencesSymbol,
} from '../../schema/index.js';
import type { FileFacts, Resolution, RouteFact } from '../../source/index.js';
import { type GraphPart, type Link, link } from './code-graph.js';
import { type FileSymbols, holds } from './file-symbols.js';
import { importPart } from './imports.js';
import { type IndexedFile, type OwnPart, ownPart } from './own-part.js';
import { type ReferenceSite, referenceLinks, stubNode } from './references.js';
import type { SharedNode } from './shared-nodes.js';
import { testedLinks } from './tested-links.js';

/** How issues are referred to: `#12`, `owner/repository#12`, `ABC-12`, an address. Anything else is a person. */
const ISSUE = /^(?:[\w./-]*#\d+|[A-Z][A-Z\d]+-\d+|https?:\/\/\S+)$/;

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

/** The references of a file that name what its routes run, by index. */
function runByRoutes({ routes, references }: FileFacts): Set<number> {
  const spans = grouped(
    routes.flatMap(({ named }) => named),
    ({ start_line }) => start_line,
  );
  const run = new Set<number>();
  if (spans.size > 0)
    for (const [index, place] of references.entries())
      if (spans.get(place.line)?.some((span) => holds(span, place))) run.add(index);
  return run;
}

/**
 * What routes lead to besides what is found for the symbol around a name: the functions that the file itself says they
 * run, which the framework calls, and for all routes of one registration what is said of the first.
 *
 * @param links Of the file's references.
 */
function routeLinks(facts: FileFacts, symbols: FileSymbols, links: readonly Link[]): Link[] {
  if (facts.routes.length === 0) return [];
  const first = new Set(symbols.routes.flatMap(([id]) => id ?? []));
  const own = links.filter(({ from }) => first.has(from));
  const named = new Set(
    own.flatMap(({ from, to, edge }) =>
      edge.archetype === SymbolReferencesSymbol ? [`${from}\0${to}`] : [],
    ),
  );
  const run = handlerLinks(facts, symbols).filter(({ from, to }) => !named.has(`${from}\0${to}`));
  return [...run, ...sharedLinks([...own, ...run], symbols)];
}

/** Each registration's first route to the functions that are written in the call, or decorated. */
function handlerLinks({ routes }: FileFacts, symbols: FileSymbols): Link[] {
  return routes.flatMap((route, index) =>
    route.handlers.flatMap((handler) => {
      const [from, to] = [symbols.routes[index]?.[0], symbols.ids[handler]];
      if (from === undefined || to === undefined) return [];
      return [link(from, SymbolReferencesSymbol, to, { access: 'run', ...registered(route) })];
    }),
  );
}

/** How an edge to what a registration itself holds is found. */
function registered({ signature, span }: RouteFact) {
  const { start_line: line, start_column: column } = span;
  const evidence = [{ line, expression: signature }];
  return { resolution: 'exact' as const, confidence: 1, line, column, evidence };
}

function sharedLinks(links: readonly Link[], { routes }: FileSymbols): Link[] {
  const byFirst = grouped(links, ({ from }) => from);
  return routes.flatMap(([first, ...others]) =>
    others.flatMap((from) => (byFirst.get(first ?? '') ?? []).map((one) => ({ ...one, from }))),
  );
}

/** The concepts that TODO, FIXME, HACK and XXX comments name (S3-21): one per distinct text and issue, in all files. */
function todoConcepts(
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
