import * as edges from './code-edges.js';
import { MEMORY_RELATIONS, MemoryAbout } from './memory-edges.js';
import * as trace from './trace-edges.js';

/** What one edge type may join: archetype names, each standing for its descendants too. */
export interface Ends {
  readonly edge: string;
  readonly from: readonly string[];
  readonly to: readonly string[];
  /** Stored once and seen from both ends alike. */
  readonly undirected?: true;
}

/** A module-level caller is the File. */
const CALLER = ['Symbol', 'File'];
const CALLEE = ['Symbol', 'Unresolved'];

/**
 * The allowed ends of every edge type: for the reference pages, and for the check after indexing that
 * no edge joins what it should not.
 */
export const EDGE_ENDS: readonly Ends[] = [
  ends(edges.ProjectContainsDir, ['Project'], ['Directory']),
  ends(edges.DirContainsDir, ['Directory'], ['Directory']),
  ends(edges.DirContainsFile, ['Directory'], ['File']),
  ends(edges.FileContainsSymbol, ['File'], ['Symbol']),
  ends(edges.SymbolContainsSymbol, ['Symbol'], ['Symbol']),
  ends(edges.FileContainsImport, ['File'], ['Import']),
  ends(edges.SymbolCallsSymbol, CALLER, CALLEE),
  ends(edges.SymbolMayCallSymbol, CALLER, ['Symbol']),
  ends(edges.SymbolReferencesSymbol, CALLER, CALLEE),
  ends(edges.SymbolExtendsSymbol, ['Symbol'], CALLEE),
  ends(edges.SymbolImplementsSymbol, ['Symbol'], CALLEE),
  ends(edges.SymbolOverridesSymbol, ['Symbol'], ['Symbol']),
  ends(edges.SymbolTestsSymbol, ['Symbol'], ['Symbol']),
  ends(edges.ImportResolvesTo, ['Import'], ['File', 'Symbol', 'ExternalPackage', 'Unresolved']),
  ends(edges.FileImports, ['File'], ['File']),
  ends(edges.FileImportsPackage, ['File'], ['ExternalPackage']),
  ends(edges.SymbolImports, ['Symbol'], ['Import', 'File', 'ExternalPackage']),
  ends(edges.FileDependsOnFile, ['File'], ['File']),
  ends(edges.StubResolvesTo, ['Unresolved'], ['Symbol', 'File']),
  ends(edges.SymbolImplementsConcept, ['Symbol'], ['Concept']),
  ends(edges.FileMentionsConcept, ['File'], ['Concept']),
  ends(edges.SymbolImplementsAddedConcept, ['Symbol'], ['AddedConcept']),
  ends(edges.FileMentionsAddedConcept, ['File'], ['AddedConcept']),
  ends(trace.TaskHasStep, ['Task'], ['Step']),
  ends(trace.StepInvokesTool, ['Step'], ['ToolInvocation']),
  ends(trace.ToolTouchesFile, ['ToolInvocation'], ['File']),
  ends(trace.ToolTouchesSymbol, ['ToolInvocation'], ['Symbol']),
  ends(trace.StepHasCheckpoint, ['Step'], ['CheckpointNode']),
  ends(trace.StepHasError, ['Step'], ['Error']),
  ends(trace.ErrorResolvedByStep, ['Error'], ['Step']),
  ends(trace.StepDependsOnStep, ['Step'], ['Step']),
  ends(trace.TaskRelatedToConcept, ['Task'], ['Concept']),
  { ...ends(trace.SimilarStep, ['Step'], ['Step']), undirected: true },
  ends(MemoryAbout, ['Memory'], ['File', 'Symbol', 'Task', 'Error']),
  ...Object.values(MEMORY_RELATIONS).map((relation) => ends(relation, ['Memory'], ['Memory'])),
];

function ends(edge: { readonly name: string }, from: readonly string[], to: readonly string[]): Ends {
  return { edge: edge.name, from, to };
}
