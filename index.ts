/**
 * Codewalk as a library: open a graph, spawn walkers on it, define your own.
 *
 * @packageDocumentation
 */
export { z } from 'zod';
export {
  type BuildOptions,
  type BuildStats,
  type CodeKind,
  type CodeLibrary,
  type CodeRelation,
  type ExpandOptions,
  Extraction,
  type ExtractionResult,
  type ExtractOptions,
  extract,
  History,
  type OpenGraph,
  type OpenOptions,
  openGraph,
  type ReachedNode,
  WalkerRegistry,
  type WrittenCounts,
} from './host/index.js';
export * from './runtime/index.js';
export {
  ClassSymbol,
  CodeSymbol,
  CodewalkError,
  ComponentSymbol,
  Concept,
  ConfigSymbol,
  DirContainsDir,
  DirContainsFile,
  Directory,
  ERROR_CODES,
  type ErrorBody,
  type ErrorCode,
  ExternalPackage,
  File,
  FileContainsImport,
  FileContainsSymbol,
  FileImports,
  FileImportsPackage,
  FileMentionsConcept,
  FunctionSymbol,
  Import,
  ImportResolvesTo,
  MethodSymbol,
  OtherSymbol,
  Project,
  ProjectContainsDir,
  RouteSymbol,
  SymbolCallsSymbol,
  SymbolContainsSymbol,
  SymbolExtendsSymbol,
  SymbolImplementsConcept,
  SymbolImplementsSymbol,
  SymbolImports,
  SymbolMayCallSymbol,
  SymbolOverridesSymbol,
  SymbolReferencesSymbol,
  SymbolTestsSymbol,
  TestSymbol,
  Unresolved,
} from './schema/index.js';
export type { Embedder, Vector } from './search/index.js';
export type { CodeEdge, CodeNode } from './walkers/index.js';
