import type { ReadContext } from '../../../runtime/index.js';
import { SymbolExtendsSymbol, SymbolImplementsSymbol, stubId } from '../../../schema/index.js';
import { type ClassLike, isOfProject } from './class-targets.js';

/** How many classes are written with a base of one of these names that leads nowhere known: they may mean these (P-01). */
export async function unresolvedHeirs(
  { entries }: Pick<ReadContext, 'entries'>,
  targets: readonly ClassLike[],
): Promise<number> {
  const stubs = [...new Set(targets.filter(isOfProject).map(({ name }) => stubId(name)))];
  const found = [
    ...(await entries(stubs, 'in', SymbolExtendsSymbol)),
    ...(await entries(stubs, 'in', SymbolImplementsSymbol)),
  ];
  return new Set(found.flat().map(({ far }) => far)).size;
}

/** How many bases lead to nothing known: not to the project, and to no package either. */
export function unknownBases(nodes: Iterable<ClassLike | undefined>): number {
  let count = 0;
  for (const node of nodes)
    if (node && !isOfProject(node) && 'package' in node && node.package === null) count++;
  return count;
}
