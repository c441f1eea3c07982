import { z } from 'zod';
import { findNamed, type Wanted } from '../../graphs/code/index.js';
import { compareText, defineWalker, isA, type NodeRef, type ReadContext } from '../../runtime/index.js';
import {
  CodeSymbol,
  CodewalkError,
  lastNamePart,
  parseId,
  SymbolExtendsSymbol,
  SymbolImplementsSymbol,
  stubId,
  Unresolved,
} from '../../schema/index.js';
import { stepsAt } from './calls.js';
import { ClassNode, classNode } from './rows.js';
import { CLASSES, isSymbol, type Targets, targetField, targetsOf } from './targets.js';

/** How one class stands above another. */
const RELATIONS = ['extends', 'implements'] as const;
/** One of {@link RELATIONS}. */
export type Relation = (typeof RELATIONS)[number];

const EDGES = { extends: SymbolExtendsSymbol, implements: SymbolImplementsSymbol } as const;

/** A class and one that it extends or implements, by their ids. */
export interface InheritanceLink {
  readonly child: string;
  readonly parent: string;
  readonly relation: Relation;
}

/** Towards the bases, or towards those who have them. */
export type Way = 'up' | 'down';

/** Walks along inheritance and gathers every link that it meets. It runs inside of other walks: its links are no reports of theirs. */
const InheritanceWalk = defineWalker('inheritance_walk', {
  input: { way: z.enum(['up', 'down']), max_depth: z.number(), max_links: z.number() },
  state: () => ({ links: [] as InheritanceLink[] }),
  on: (w) => [
    w.frontier(async (ids, ctx) => {
      const { way, max_depth, max_links, links } = ctx.state;
      if (ctx.depth === max_depth || links.length >= max_links) return;
      const found = await Promise.all(
        RELATIONS.map((relation) => ctx.entries(ids, way === 'up' ? 'out' : 'in', EDGES[relation])),
      );
      const hops = ids.flatMap((from, at) =>
        RELATIONS.flatMap((relation, which) =>
          (found[which]?.[at] ?? []).map(({ far }) => ({ from, to: far, relation })),
        ),
      );
      for (const { from, to, relation } of hops)
        links.push(
          way === 'up' ? { child: from, parent: to, relation } : { child: to, parent: from, relation },
        );
      await ctx.visit(hops);
    }),
  ],
});

/** What a walk along inheritance from some classes found. */
export interface Lineage {
  /**
   * All links: nearest first, of a class those that it extends before those that it implements, by their lines and ids.
   * What lies outside of the project is a link's parent like any other.
   */
  readonly links: readonly InheritanceLink[];
  /** What the classes lead to, but for themselves, nearest first. */
  relatives(): Relative[];
  /** The class that the walk came to one from; null for a start. */
  before(id: string): string | null;
}

/** A class that others lead to. */
interface Relative {
  readonly id: string;
  /** Steps from the nearest class that was asked for: 1 is direct. */
  readonly depth: number;
  /** How the last of these steps stands in the source. */
  readonly relation: Relation;
}

/** Follows inheritance from some classes. @param max_links Once there are so many links, no further step is taken. */
export async function lineageOf(
  context: Pick<ReadContext, 'spawn'>,
  starts: readonly string[],
  way: Way,
  max_depth: number,
  max_links = Number.MAX_SAFE_INTEGER,
): Promise<Lineage> {
  const { reached, state } = await context.spawn(InheritanceWalk, starts, { way, max_depth, max_links });
  return {
    links: state.links,
    relatives: () =>
      reached.ids.flatMap((id) => {
        const { relation } = reached.hop(id) as unknown as { relation: Relation };
        return starts.includes(id) ? [] : [{ id, depth: reached.distance(id) ?? 0, relation }];
      }),
    before: (id) => (starts.includes(id) ? null : (reached.hop(id)?.from ?? null)),
  };
}

/** The lineage of each of some classes on a way, and all their links together, each once. */
export async function lineages(
  context: Pick<ReadContext, 'spawn'>,
  starts: readonly string[],
  way: Way,
  max_depth: number,
): Promise<{ of: ReadonlyMap<string, Lineage>; links: readonly InheritanceLink[] }> {
  const of = new Map<string, Lineage>();
  for (const start of starts) of.set(start, await lineageOf(context, [start], way, max_depth));
  const links = [...of.values()].flatMap((one) => one.links);
  return { of, links: [...new Map(links.map((link) => [Object.values(link).join('\n'), link])).values()] };
}

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

async function outsideBases(
  context: Pick<ReadContext, 'find' | 'entries'>,
  name: string,
): Promise<NodeRef<typeof Unresolved>[]> {
  const id = parseId(name);
  const wanted = id?.form === 'sym' ? (id.name ?? '') : name;
  const stubs = (await context.find(Unresolved, { name: lastNamePart(wanted) })).filter(
    ({ qualified_name }) => qualified_name === wanted || qualified_name.endsWith(`.${wanted}`),
  );
  const heirs = await heirSteps(
    context,
    stubs.map(({ id }) => id),
  );
  const isBase = new Set(heirs.map(({ node }) => node));
  return stubs.filter(({ id }) => isBase.has(id));
}

/** How many classes are written with a base of one of these names that leads nowhere known: they may mean these (P-01). */
export async function unresolvedHeirs(
  context: Pick<ReadContext, 'entries'>,
  targets: readonly ClassLike[],
): Promise<number> {
  const stubs = [...new Set(targets.filter(isOfProject).map(({ name }) => stubId(name)))];
  return new Set((await heirSteps(context, stubs)).map(({ entry }) => entry.far)).size;
}

async function heirSteps(context: Pick<ReadContext, 'entries'>, ids: readonly string[]) {
  return [
    ...(await stepsAt(context, ids, 'in', SymbolExtendsSymbol)),
    ...(await stepsAt(context, ids, 'in', SymbolImplementsSymbol)),
  ];
}

/** Whether a node is one of the project, and not merely a name that leads out of it. */
export function isOfProject(node: ClassLike | undefined): node is NodeRef<typeof CodeSymbol> {
  return node !== undefined && isA(node.archetype, CodeSymbol);
}

/** Whether a node is one that stands in a hierarchy. */
export function isClassLike(node: NodeRef | undefined): node is ClassLike {
  return node !== undefined && (isA(node.archetype, CodeSymbol) || isA(node.archetype, Unresolved));
}

/** A class with how it stands to the one that was asked for. */
export const RelatedClass = ClassNode.extend({
  /** Steps from it: 1 is direct. */
  depth: z.number().int(),
  /** Of the last step, child to parent. */
  relation: z.enum(RELATIONS),
  ...targetField,
});
export type RelatedClass = z.infer<typeof RelatedClass>;

/** A relative that is a class of the project, with its node. */
export interface FoundRelative extends Relative {
  readonly node: NodeRef<typeof CodeSymbol>;
  /** The place of the class that was asked for among several. */
  readonly target?: number;
}

/** The relatives of each symbol that are classes of the project, each with its shortest distance, nearest first, then by id. */
export async function relativesOfEach(
  { nodes }: Pick<ReadContext, 'nodes'>,
  symbols: readonly (readonly ClassLike[])[],
  lineages: ReadonlyMap<string, Lineage>,
): Promise<FoundRelative[]> {
  const relatives = symbols.flatMap((classes, target) => {
    const found = new Map<string, Relative>();
    for (const relative of classes.flatMap(({ id }) => lineages.get(id)?.relatives() ?? []))
      if (relative.depth < (found.get(relative.id)?.depth ?? Number.POSITIVE_INFINITY))
        found.set(relative.id, relative);
    const rows = [...found.values()].sort((a, b) => a.depth - b.depth || compareText(a.id, b.id));
    return symbols.length > 1 ? rows.map((row) => ({ ...row, target })) : rows;
  });
  const found = await nodes(relatives.map(({ id }) => id));
  return relatives.flatMap((relative, at) => {
    const node = found[at];
    return isClassLike(node) && isOfProject(node) ? [{ ...relative, node }] : [];
  });
}

/** The row of a relative. */
export function relatedClass({ node, depth, relation, target }: FoundRelative): RelatedClass {
  return { ...classNode(node), depth, relation, ...(target === undefined ? {} : { target }) };
}
