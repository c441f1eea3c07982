import {
  type EdgeType,
  FileContainsSymbol,
  FileImports,
  SymbolCallsSymbol,
  SymbolContainsSymbol,
  SymbolExtendsSymbol,
  SymbolImports,
} from '../../../schema/index.js';

/** The relations of packs and of `query_codebase` (S2-04). */
export const PACK_RELATIONS = ['CONTAINS', 'CALLS', 'IMPORTS', 'INHERITS'] as const;
/** One of {@link PACK_RELATIONS}. */
export type PackRelation = (typeof PACK_RELATIONS)[number];

/** What is stored of each; CONTAINS is one step of nesting. */
export const EDGES_OF: Readonly<
  Record<PackRelation, readonly { readonly edge: EdgeType; readonly topLevel?: true }[]>
> = {
  CONTAINS: [{ edge: FileContainsSymbol, topLevel: true }, { edge: SymbolContainsSymbol }],
  CALLS: [{ edge: SymbolCallsSymbol }],
  IMPORTS: [{ edge: FileImports }, { edge: SymbolImports }],
  INHERITS: [{ edge: SymbolExtendsSymbol }],
};
