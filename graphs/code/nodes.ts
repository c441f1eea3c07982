import { compareText, type NodeDraft } from '../../runtime/index.js';
import {
  append,
  ClassSymbol,
  ComponentSymbol,
  ConfigSymbol,
  File,
  FileContainsSymbol,
  FunctionSymbol,
  fileId,
  knownNode,
  MethodSymbol,
  OtherSymbol,
  RouteSymbol,
  SymbolContainsSymbol,
  TestSymbol,
} from '../../schema/index.js';
import {
  type Definition,
  type DiscoveredFile,
  type FileFacts,
  languageOf,
  type Span,
  symbolName,
} from '../../source/index.js';
import { type GraphPart, type Link, link } from './graph-part.js';
import { ownImports } from './imports.js';
import { type ExtraSymbol, type FileSymbols, fileSymbols } from './symbols.js';

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
  const common = (id: string, qualname: string, span: Span) => ({
    qualified_name: symbolName(module, qualname),
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
      class_name: around?.form === 'class' ? symbolName(module, around.qualname) : null,
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
