import type { ReadContext } from '../../../runtime/index.js';
import {
  CodeSymbol,
  type EdgeType,
  File,
  FileImports,
  parseId,
  SymbolCallsSymbol,
  SymbolExtendsSymbol,
  SymbolImplementsSymbol,
} from '../../../schema/index.js';
import { withinScope } from '../parts/scope.js';
import type { CycleType } from './circular-dependency.js';

type Look = Pick<ReadContext, 'entries' | 'find' | 'findIds' | 'projectRoot'>;

/** What circles are looked for in. */
export interface CycleLinks {
  readonly all: ReadonlyMap<string, readonly string[]>;
  /** Links between files that are there for types alone: `from`, a line end, `to`. */
  readonly typeOnly: ReadonlySet<string>;
}

const EDGES: Readonly<Record<CycleType, readonly EdgeType[]>> = {
  imports: [FileImports],
  calls: [SymbolCallsSymbol],
  inheritance: [SymbolExtendsSymbol, SymbolImplementsSymbol],
};

/** A link as {@link CycleLinks.typeOnly} has it. */
export function linkKey(from: string, to: string): string {
  return `${from}\n${to}`;
}

/** All links of a kind between things in a scope. */
export async function cycleLinks(
  context: Look,
  type: CycleType,
  scope: string | undefined,
): Promise<CycleLinks> {
  const isWithin = await scopeOf(context, scope);
  const ids = (await context.findIds(type === 'imports' ? File : CodeSymbol)).filter(isWithin);
  const all = new Map<string, string[]>();
  const typeOnly = new Set<string>();
  for (const edge of EDGES[type])
    for (const [at, entries] of (await context.entries(ids, 'out', edge)).entries()) {
      const from = ids[at] ?? '';
      const fars = entries.filter(({ far, farType }) => farType !== 'Unresolved' && isWithin(far));
      if (fars.length > 0) all.set(from, [...(all.get(from) ?? []), ...fars.map(({ far }) => far)]);
      for (const { far, props } of fars) if (props.type_only === true) typeOnly.add(linkKey(from, far));
    }
  return { all, typeOnly };
}

/** Whether a file, or what stands in one, is within a scope. */
async function scopeOf(
  { find, projectRoot }: Look,
  scope: string | undefined,
): Promise<(id: string) => boolean> {
  if (scope === undefined) return () => true;
  const paths = new Set((await find(File)).filter(withinScope(scope, projectRoot)).map(({ path }) => path));
  return (id) => paths.has(parseId(id)?.path ?? '');
}
