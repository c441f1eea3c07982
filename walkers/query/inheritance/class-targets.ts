import { isA, type NodeRef, type ReadContext } from '../../../runtime/index.js';
import {
  CodeSymbol,
  CodewalkError,
  lastNamePart,
  parseId,
  SymbolExtendsSymbol,
  SymbolImplementsSymbol,
  stubId,
  Unresolved,
} from '../../../schema/index.js';
import { findNamed, type Wanted } from '../../find-symbol.js';
import { CLASSES, isSymbol, type Targets, targetsOf } from '../parts/targets.js';
import { type FoundRelative, type Lineage, relativesOf } from './inheritance.js';

/** Something that stands in a hierarchy: a class of the project, or a base outside of it. */
export type ClassLike = NodeRef<typeof CodeSymbol | typeof Unresolved>;

/** Classes of every subkind; where there are none, types that classes may implement. */
const TYPES: Wanted = { ...CLASSES, also: (node) => isSymbol(node) && node.subkind === 'type_alias' };

/**
 * The classes that a name leads to (P-03); where the project has none of that name, the bases outside of it that classes
 * of the project are written with: `Exception`, `React.Component`, or the last parts of such a name.
 *
 * @throws CodewalkError `NODE_NOT_FOUND`.
 */
export async function classTargets(
  context: Parameters<typeof findNamed>[0],
  name: string,
): Promise<Targets<ClassLike>> {
  try {
    const { nodes, targets } = await findNamed(context, name, TYPES);
    return targetsOf(name, { nodes: nodes.filter(isSymbol), targets: targets.filter(isSymbol) });
  } catch (error) {
    if (!(error instanceof CodewalkError) || error.code !== 'NODE_NOT_FOUND') throw error;
    const nodes = await outsideBases(context, name.trim());
    if (nodes.length === 0) throw error;
    return targetsOf(name, { nodes, targets: nodes });
  }
}

/** Whether a node is one of the project, and not merely a name that leads out of it. */
export function isOfProject(node: ClassLike | undefined): node is NodeRef<typeof CodeSymbol> {
  return node !== undefined && isA(node.archetype, CodeSymbol);
}

/** Whether a node is one that stands in a hierarchy. */
export function isClassLike(node: NodeRef | undefined): node is ClassLike {
  return node !== undefined && (isA(node.archetype, CodeSymbol) || isA(node.archetype, Unresolved));
}

async function outsideBases(
  { find, entries }: Pick<ReadContext, 'find' | 'entries'>,
  name: string,
): Promise<NodeRef<typeof Unresolved>[]> {
  const id = parseId(name);
  const wanted = id?.form === 'sym' ? (id.name ?? '') : name;
  const stubs = (await find(Unresolved, { name: lastNamePart(wanted) })).filter(
    ({ qualified_name }) => qualified_name === wanted || qualified_name.endsWith(`.${wanted}`),
  );
  const ids = stubs.map(({ id }) => id);
  const extended = await entries(ids, 'in', SymbolExtendsSymbol);
  const implemented = await entries(ids, 'in', SymbolImplementsSymbol);
  return stubs.filter((_, at) => (extended[at]?.length ?? 0) + (implemented[at]?.length ?? 0) > 0);
}

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

/** The relatives of each symbol of an answer that are classes of the project, with their nodes. */
export async function relativesOfEach(
  { nodes }: Pick<ReadContext, 'nodes'>,
  symbols: readonly (readonly ClassLike[])[],
  lineages: ReadonlyMap<string, Lineage>,
): Promise<FoundRelative[]> {
  const relatives = symbols.flatMap((classes, target) => {
    const ids = classes.map(({ id }) => id);
    const rows = relativesOf(ids, lineages);
    return symbols.length > 1 ? rows.map((row) => ({ ...row, target })) : rows;
  });
  const found = await nodes(relatives.map(({ id }) => id));
  return relatives.flatMap((relative, at) => {
    const node = found[at];
    return isClassLike(node) && isOfProject(node) ? [{ ...relative, node }] : [];
  });
}
