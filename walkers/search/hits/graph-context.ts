import { z } from 'zod';
import type { ReadContext } from '../../../runtime/index.js';
import {
  type EdgeType,
  FileContainsSymbol,
  FileImports,
  fileId,
  LIMITS,
  parseId,
  SymbolCallsSymbol,
  SymbolContainsSymbol,
  SymbolExtendsSymbol,
  SymbolImplementsSymbol,
  SymbolMayCallSymbol,
  SymbolOverridesSymbol,
  SymbolReferencesSymbol,
  SymbolTestsSymbol,
} from '../../../schema/index.js';

const { neighbours } = LIMITS;

/** What stands around a hit in the graph (S1-21 to S1-23): always an object, its lists may be empty. */
export const GraphContext = z.object({
  /** Paths that its file imports. */
  imports: z.array(z.string()),
  /** Paths of files that import its file. */
  imported_by: z.array(z.string()),
  /** How a neighbour is joined to it, and the neighbour's id. */
  related_chunks: z.array(z.object({ relation: z.string(), id: z.string() })),
});
export type GraphContext = z.infer<typeof GraphContext>;

/** The kinds of neighbours: the neighbour, as it is seen from the hit. */
const RELATIONS: readonly (readonly [relation: string, edge: EdgeType, direction: 'in' | 'out'])[] = [
  ['called by', SymbolCallsSymbol, 'in'],
  ['calls', SymbolCallsSymbol, 'out'],
  ['tested by', SymbolTestsSymbol, 'in'],
  ['extends', SymbolExtendsSymbol, 'out'],
  ['extended by', SymbolExtendsSymbol, 'in'],
  ['implements', SymbolImplementsSymbol, 'out'],
  ['implemented by', SymbolImplementsSymbol, 'in'],
  ['overrides', SymbolOverridesSymbol, 'out'],
  ['overridden by', SymbolOverridesSymbol, 'in'],
  ['contains', SymbolContainsSymbol, 'out'],
  ['part of', SymbolContainsSymbol, 'in'],
  ['uses', SymbolReferencesSymbol, 'out'],
  ['used by', SymbolReferencesSymbol, 'in'],
  ['may be called by', SymbolMayCallSymbol, 'in'],
];
/** Of a file: what it defines. */
const OF_FILES: typeof RELATIONS = [['contains', FileContainsSymbol, 'out']];
/** Files of each kind that are named before all neighbours have a place. */
const FIRST_FILES = 2;

/** Tells what stands around a file or a symbol: at most `neighbours` of each, by id. Links of a file are looked up once. */
export function graphContextOf(context: Pick<ReadContext, 'q'>): (id: string) => Promise<GraphContext> {
  const files = new Map<string, FileLinks>();
  return async (id) => {
    const path = parseId(id)?.path ?? '';
    const links = files.get(path) ?? (await linksOf(context, path));
    files.set(path, links);
    return chosen(links, await relatedOf(context, id));
  };
}

interface FileLinks {
  readonly imports: readonly string[];
  readonly imported_by: readonly string[];
}

async function linksOf({ q }: Pick<ReadContext, 'q'>, path: string): Promise<FileLinks> {
  const file = fileId(path);
  const pathsOf = (found: readonly string[]) => found.flatMap((id) => parseId(id)?.path ?? []);
  return {
    imports: pathsOf(await q(file).out(FileImports).slice(0, neighbours.max).ids()),
    imported_by: pathsOf(await q(file).in(FileImports).slice(0, neighbours.max).ids()),
  };
}

type Related = GraphContext['related_chunks'];

/** Neighbours by turns of each kind, so that none takes all places. */
async function relatedOf({ q }: Pick<ReadContext, 'q'>, id: string): Promise<Related> {
  const kinds: Related[] = [];
  for (const [relation, edge, direction] of parseId(id)?.form === 'file' ? OF_FILES : RELATIONS) {
    const found = await q(id)[direction](edge).slice(0, neighbours.max).ids();
    const known = found.filter((far) => far !== id && parseId(far)?.form !== 'sym');
    if (known.length > 0) kinds.push(known.map((far) => ({ relation, id: far })));
  }
  const related: Related = [];
  const seen = new Set<string>();
  for (let turn = 0; related.length < neighbours.max && kinds.some((kind) => kind.length > turn); turn++)
    for (const kind of kinds) {
      const next = kind[turn];
      if (!next || seen.has(next.id) || related.length === neighbours.max) continue;
      seen.add(next.id);
      related.push(next);
    }
  return related;
}

function chosen(links: FileLinks, related: Related): GraphContext {
  const first = (paths: readonly string[]) => Math.min(paths.length, FIRST_FILES);
  const related_chunks = related.slice(0, neighbours.max - first(links.imports) - first(links.imported_by));
  let left = neighbours.max - related_chunks.length - first(links.imported_by);
  const imports = links.imports.slice(0, left);
  left = neighbours.max - related_chunks.length - imports.length;
  return { imports, imported_by: links.imported_by.slice(0, left), related_chunks };
}
