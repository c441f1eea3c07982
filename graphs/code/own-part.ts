import type { NodeDraft } from '../../runtime/index.js';
import {
  ConfigSymbol,
  File,
  FileContainsSymbol,
  fileId,
  knownNode,
  RouteSymbol,
  SymbolContainsSymbol,
  TestSymbol,
} from '../../schema/index.js';
import {
  type DiscoveredFile,
  type FileFacts,
  languageOf,
  type Span,
  symbolName,
} from '../../source/index.js';
import { type GraphPart, type Link, link } from './code-graph.js';
import { type ExtraSymbol, type FileSymbols, fileSymbols } from './file-symbols.js';
import { ownImports } from './imports.js';
import { type DefinitionSite, symbolNode } from './symbol-node.js';

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
export function ownPart(indexed: IndexedFile, { indexed_at }: { readonly indexed_at: string }): OwnPart {
  const { file, facts, module } = indexed;
  const own = fileNode(indexed, indexed_at);
  if (!facts) return { symbols: null, nodes: [own], links: [] };
  const symbols = fileSymbols(file.path, facts);
  const site = { path: file.path, language: facts.language, module, facts };
  const imports = ownImports(file.path, facts, symbols);
  return {
    symbols,
    nodes: [own, ...symbolNodes(site, symbols), ...imports.nodes],
    links: [...containmentLinks(facts, symbols), ...imports.links],
  };
}

function symbolNodes(site: DefinitionSite, { ids, extras, tests, parents }: FileSymbols): NodeDraft[] {
  const isTop = (id: string) => (parents.get(id) ?? null) === null;
  const definitions = site.facts.definitions.map((definition, index) => {
    const id = ids[index] ?? '';
    return symbolNode(site, definition, { id, isTest: tests.has(id), isTop: isTop(id) });
  });
  return [...definitions, ...extras.map((one) => extraNode(site, one, isTop(one.id)))];
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
  const spans: [string, Span][] = [
    ...definitions.map(({ span }, index): [string, Span] => [symbols.ids[index] ?? '', span]),
    ...symbols.extras.map(({ id, fact }): [string, Span] => [id, fact.span]),
  ];
  return spans.flatMap(([id, { start_line: line, start_column: column }]) => {
    const parent = symbols.parents.get(id) ?? null;
    const at = { line, column };
    const flat = link(symbols.fileId, FileContainsSymbol, id, { ...at, top_level: parent === null });
    return parent === null ? [flat] : [flat, link(parent, SymbolContainsSymbol, id, at)];
  });
}

/** The Symbol node of what is no definition: the name of a test is its title. */
function extraNode(site: Omit<DefinitionSite, 'facts'>, extra: ExtraSymbol, isTop: boolean): NodeDraft {
  const { id } = extra;
  switch (extra.as) {
    case 'test': {
      const { title, qualname, ordinal, signature, is_async, span } = extra.fact;
      const own = {
        name: title,
        qualified_name: symbolName(site.module, qualname),
        signature,
        is_async,
        ordinal,
      };
      return knownNode(TestSymbol, { ...own, ...placed(site, span, isTop) }, id);
    }
    case 'route': {
      const { name, ordinal } = extra.route;
      const { signature, span } = extra.fact;
      const own = { name, qualified_name: symbolName(site.module, name), signature, ordinal };
      return knownNode(RouteSymbol, { ...own, ...placed(site, span, isTop) }, id);
    }
    case 'key': {
      const { name, ordinal, signature, span } = extra.fact;
      const own = { name, qualified_name: symbolName(site.module, name), signature, ordinal };
      return knownNode(ConfigSymbol, { ...own, ...placed(site, span, isTop) }, id);
    }
  }
}

function placed({ path, language }: Omit<DefinitionSite, 'facts'>, span: Span, isTop: boolean) {
  return {
    path,
    language,
    start_line: span.start_line,
    end_line: span.end_line,
    start_column: span.start_column,
    name_line: span.start_line,
    top_level: isTop,
    line_count: span.end_line - span.start_line + 1,
  };
}
