/**
 * Codewalk as a library: open a graph, spawn walkers on it, define your own.
 *
 * @packageDocumentation
 */
export { z } from 'zod';
export { History, type OpenGraph, type OpenOptions, openGraph, WalkerRegistry } from './host/index.js';
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
