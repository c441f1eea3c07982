import { createHash } from 'node:crypto';
import { compareText, type NodeDraft } from '../../runtime/index.js';
import {
  append,
  ClassSymbol,
  ComponentSymbol,
  ConfigSymbol,
  conceptId,
  File,
  FileContainsSymbol,
  FileDependsOnFile,
  FileMentionsConcept,
  FunctionSymbol,
  fileId,
  grouped,
  knownNode,
  MethodSymbol,
  OtherSymbol,
  parseId,
  RouteSymbol,
  SymbolCallsSymbol,
  SymbolContainsSymbol,
  SymbolImplementsConcept,
  SymbolReferencesSymbol,
  TestSymbol,
} from '../../schema/index.js';
import {
  type Definition,
  type DiscoveredFile,
  type FileFacts,
  type LookupKey,
  languageOf,
  type Resolution,
  type ResolutionProblem,
  type RouteFact,
  type Span,
  symbolName,
  type Target,
} from '../../source/index.js';
import { type GraphPart, type Link, link, type SharedNode, sharedId } from './graph-part.js';
import { Counter } from './index-output.js';
import { importPart, ownImports, type ReferenceSite, referenceLinks } from './links.js';
import type { WrittenPart } from './state.js';
import { definitionIds, type ExtraSymbol, type FileSymbols, fileSymbols, holds } from './symbols.js';
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

/**
 * The part of the code graph that one file contributes: pure, so that it can be compared and tested.
 */
export function filePart(
  indexed: IndexedFile,
  resolution: Resolution,
  factsOf: ReferenceSite['factsOf'],
  indexed_at: string,
): FilePart {
  const own = ownPart(indexed, indexed_at);
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
    shared: [...new Map([...imports.shared, ...references.stubs, ...concepts.nodes]).values()],
  };
}

/**
 * A digest of what a file's part follows from: its content, who extracted and wrote it, its module's name, and what
 * its names were resolved to. Two parts of one basis are the same, but for the clock. Of other files only the ids of the
 * targets count, and whether they are components: nothing else of them is in the part. SHA-1, for speed and size.
 */
export function basisOf(
  { file, hash, by, module, facts }: IndexedFile,
  { imports, references, inheritance, overrides, names = [] }: Resolution,
  factsOf: ReferenceSite['factsOf'],
): string {
  const shown = (target: Target | null | undefined) => {
    if (!target || !('definition' in target)) return target;
    const facts = factsOf(target.file);
    const id = facts && definitionIds(target.file, facts)[target.definition];
    // A variable that holds a component is called, another one is used.
    return facts?.definitions[target.definition]?.is_component ? [id] : id;
  };
  // One flat list, each part of it after its length: there is one more per name that the file uses.
  const content: unknown[] = [file.path, file.size, file.language, hash, by, module, facts !== null];
  content.push(imports.length, references.length);
  for (const one of imports) {
    content.push(one.import, one.target, one.submodules, one.definitions.map(shown));
    content.push(one.passed_on.map(({ name, target }) => [name, shown(target)]));
  }
  for (const one of references) {
    content.push(one.reference, shown(one.target), shown(one.constructor_method));
    content.push(one.resolution, one.confidence, one.candidates?.length, one.called);
    for (const candidate of one.candidates ?? []) content.push(shown(candidate), candidate.confidence);
  }
  for (const one of inheritance)
    content.push(one.definition, one.base, shown(one.target), one.resolution, one.confidence);
  content.push(overrides.length);
  for (const one of overrides) content.push(one.definition, shown(one.target), one.resolution);
  for (const one of names) content.push(one.reference, one.from, one.evidence.line, shown(one.target));
  return createHash('sha1').update(JSON.stringify(content)).digest('base64url');
}

/** What is stored of a part that was written: enough to say what it brought, without making it again. */
export function writtenPart(
  { module, facts }: Pick<IndexedFile, 'module' | 'facts'>,
  { own, links, shared }: FilePart,
  looked: readonly LookupKey[],
  problem: ResolutionProblem | null,
): WrittenPart {
  const edges = new Counter();
  const symbols = new Counter();
  const calls = { resolved: 0, external: 0, unresolved: 0 };
  const external = new Set(
    shared.filter((node) => node.as === 'stub' && node.package !== null).map(sharedId),
  );
  const uses: string[] = [];
  for (const { to, edge } of [...own.links, ...links]) {
    const { name } = edge.archetype;
    edges.add(name);
    if (name === FileDependsOnFile.name) uses.push(parseId(to)?.path ?? '');
    if (name !== SymbolCallsSymbol.name) continue;
    if (external.has(to)) calls.external++;
    else if (to.startsWith('sym:')) calls.unresolved++;
    else calls.resolved++;
  }
  for (const { props } of own.nodes)
    if ('kind' in props && 'signature' in props) symbols.add(String(props.subkind ?? props.kind));
  return {
    module,
    looked: [...looked],
    modules: facts ? namedModules(facts) : [],
    shared: [...shared],
    symbols: symbols.sorted(),
    edges: edges.sorted(),
    calls,
    uses,
    syntax_errors: [...(facts?.syntax_errors ?? [])],
    problem,
  };
}

/** The modules that a file imports from or passes on, as written, each once. */
function namedModules({ imports, exports }: FileFacts): string[] {
  return [...new Set([...imports, ...exports].flatMap(({ module }) => module ?? []))];
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
 * What routes lead to in addition to what is found for the symbol around a name: the functions that the file itself says they
 * run, which the framework calls, and for all routes of one registration what is found for the first.
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
  const run = facts.routes.flatMap((route, index) =>
    route.handlers.flatMap((handler) => {
      const [from, to] = [symbols.routes[index]?.[0], symbols.ids[handler]];
      if (from === undefined || to === undefined || named.has(`${from}\0${to}`)) return [];
      return [link(from, SymbolReferencesSymbol, to, { access: 'run', ...registered(route) })];
    }),
  );
  const ofFirst = grouped([...own, ...run], ({ from }) => from);
  const ofOthers = symbols.routes.flatMap(([one, ...others]) =>
    others.flatMap((from) => (ofFirst.get(one ?? '') ?? []).map((shared) => ({ ...shared, from }))),
  );
  return [...run, ...ofOthers];
}

/** How an edge to what a registration itself holds is found. */
function registered({ signature, span }: RouteFact) {
  const { start_line: line, start_column: column } = span;
  const evidence = [{ line, expression: signature }];
  return { resolution: 'exact' as const, confidence: 1, line, column, evidence };
}

/** The concepts that TODO, FIXME, HACK and XXX comments name: one per distinct text and issue, in all files. */
function todoConcepts(
  { comments }: FileFacts,
  { fileId, enclosing }: FileSymbols,
): { nodes: Map<string, SharedNode>; links: Link[] } {
  const nodes = new Map<string, SharedNode>();
  const links = new Map<string, Link>();
  const add = (made: Link) => {
    const key = `${made.from}\0${made.to}`;
    if (!links.has(key)) links.set(key, made);
  };
  for (const { tag, text, reference, line, column, from } of comments) {
    const head = ISSUE.test(reference) ? `${tag}(${reference})` : tag;
    const label = text === '' ? head : `${head}: ${text}`;
    const id = conceptId('todo', label);
    nodes.set(id, { as: 'todo', label, description: text });
    add(link(fileId, FileMentionsConcept, id, { line, column }));
    const symbol = enclosing(from, { line, column });
    if (symbol !== null) add(link(symbol, SymbolImplementsConcept, id, { line, column }));
  }
  return { nodes, links: [...links.values()] };
}

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

/** What follows from a file alone, whatever its names mean elsewhere: its nodes and the links between them. */
export interface OwnPart extends GraphPart {
  /** Null without facts. */
  readonly symbols: FileSymbols | null;
}

/** A file's own part. @param indexed_at ISO time, the only thing that differs from run to run. */
export function ownPart(indexed: IndexedFile, indexed_at: string): OwnPart {
  const { file, facts } = indexed;
  const node = fileNode(indexed, indexed_at);
  if (!facts) return { symbols: null, nodes: [node], links: [] };
  const symbols = fileSymbols(file.path, facts);
  const imports = ownImports(file.path, facts, symbols);
  return {
    symbols,
    nodes: [node, ...symbolNodes(indexed, facts, symbols), ...imports.nodes],
    links: [...containmentLinks(facts, symbols), ...imports.links],
  };
}

function fileNode({ file, hash, facts, module }: IndexedFile, indexed_at: string): NodeDraft {
  const name = file.path.slice(file.path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  const isModule = facts !== null && languageOf(file.path)?.grammar !== null;
  const props = {
    path: file.path,
    name,
    qualified_name: isModule ? module : '',
    language: file.language,
    extension: dot > 0 ? name.slice(dot) : '',
    size_bytes: file.size,
    line_count: facts?.lines ?? null,
    hash,
    extracted: facts !== null,
    is_module: isModule,
    docstring: facts?.docstring ?? null,
    syntax_errors: facts?.syntax_errors ?? [],
    last_modified: new Date(file.mtimeMs).toISOString(),
    indexed_at,
  };
  return knownNode(File, props, fileId(file.path));
}

/** The file to each of its symbols, and each symbol to those that it directly encloses. */
function containmentLinks({ definitions }: FileFacts, symbols: FileSymbols): Link[] {
  const links: Link[] = [];
  const add = (id: string, { start_line: line, start_column: column }: Span) => {
    const parent = symbols.parents.get(id) ?? null;
    const props = { line, column, top_level: parent === null };
    links.push(link(symbols.fileId, FileContainsSymbol, id, props));
    if (parent !== null) links.push(link(parent, SymbolContainsSymbol, id, { line, column }));
  };
  for (const [index, { span }] of definitions.entries()) add(symbols.ids[index] ?? '', span);
  for (const { id, fact } of symbols.extras) add(id, fact.span);
  return links;
}

function symbolNodes(
  { file, module }: IndexedFile,
  facts: FileFacts,
  { ids, extras, tests, parents }: FileSymbols,
): NodeDraft[] {
  const outside = namesOutside(facts);
  const separator = languageOf(file.path)?.nameSeparator;
  const nameOf = (qualname: string) => symbolName(module, qualname, separator);
  const common = (id: string, qualname: string, span: Span) => ({
    qualified_name: nameOf(qualname),
    path: file.path,
    language: facts.language,
    start_line: span.start_line,
    end_line: span.end_line,
    start_column: span.start_column,
    name_line: span.start_line,
    top_level: (parents.get(id) ?? null) === null,
    line_count: span.end_line - span.start_line + 1,
  });
  const definitions = facts.definitions.map((definition, index) => {
    const id = ids[index] ?? '';
    const { name, parent, exported, bases, parameters } = definition;
    const around = parent === null ? undefined : facts.definitions[parent];
    const names = parent === null && exported ? (outside.get(name) ?? []) : [];
    const props = {
      ...common(id, definition.qualname, definition.span),
      name,
      name_line: definition.name_line,
      signature: definition.signature,
      docstring: definition.docstring,
      decorators: definition.decorators,
      is_async: definition.is_async,
      visibility: definition.visibility,
      exported,
      // Its own name alone says nothing more.
      exported_as: names.length === 1 && names[0] === name ? [] : names,
      class_name: around?.form === 'class' ? nameOf(around.qualname) : null,
      base_classes: bases.map((base) => base.name),
      value_type: definition.value_type,
      scope: definition.scope,
      is_constant: definition.is_constant,
      return_type: definition.return_type,
      parameters: parameters.map(({ name, type }) => ({ name, type })),
      ordinal: definition.ordinal,
    };
    return definitionNode(definition, props, id, tests.has(id));
  });
  const others = extras.map((extra) => {
    const { name, ordinal, fact } = extra;
    const placed = common(extra.id, extra.qualname, fact.span);
    return extraNode(extra, { ...placed, name, ordinal, signature: fact.signature });
  });
  return [...definitions, ...others];
}

type SymbolProps = Omit<
  Parameters<typeof knownNode<typeof FunctionSymbol>>[1],
  'kind' | 'callable_kind' | 'subkind'
>;

function definitionNode(definition: Definition, props: SymbolProps, id: string, isTest: boolean): NodeDraft {
  const { form, is_component, is_constant, subkind } = definition;
  if (isTest)
    return knownNode(TestSymbol, { ...props, callable_kind: form === 'method' ? 'method' : 'function' }, id);
  if (is_component)
    return knownNode(
      ComponentSymbol,
      { ...props, callable_kind: form === 'class' ? 'class' : 'function' },
      id,
    );
  switch (form) {
    case 'function':
      return knownNode(FunctionSymbol, { ...props, callable_kind: 'function' }, id);
    case 'method':
      return knownNode(MethodSymbol, { ...props, callable_kind: 'method' }, id);
    case 'class':
      return knownNode(ClassSymbol, { ...props, callable_kind: 'class', subkind }, id);
    case 'type':
      return knownNode(OtherSymbol, { ...props, subkind: 'type_alias' }, id);
    case 'variable':
      return knownNode(OtherSymbol, { ...props, subkind: is_constant ? 'constant' : 'variable' }, id);
  }
}

/** The Symbol node of what is no definition: the name of a test is its title. */
function extraNode(extra: ExtraSymbol, props: SymbolProps): NodeDraft {
  if (extra.as === 'test')
    return knownNode(TestSymbol, { ...props, is_async: extra.fact.is_async }, extra.id);
  return knownNode(extra.as === 'route' ? RouteSymbol : ConfigSymbol, props, extra.id);
}

/** The names under which a file offers what it defines itself, sorted, by the names inside. */
function namesOutside({ exports, definitions }: FileFacts): ReadonlyMap<string, string[]> {
  const names = new Map<string, string[]>();
  for (const { name, local, module, definition } of exports) {
    const inside = definition === undefined ? local : (definitions[definition]?.name ?? null);
    if (module === null && inside !== null) append(names, inside, name);
  }
  for (const [inside, outside] of names) names.set(inside, [...new Set(outside)].sort(compareText));
  return names;
}
