import { z } from 'zod';
import { nameField, withinScope } from '../../graphs/code/index.js';
import {
  type DiagramNode,
  diagramText,
  limitField,
  plural,
  quotedName,
  shownLine,
} from '../../present/index.js';
import { append, LIMITS } from '../../schema/index.js';
import { defineQuery, diagramFields, type QueryOutput, queryFields, rowsField } from './answer.js';
import {
  type ClassLike,
  classTargets,
  type FoundRelative,
  type InheritanceLink,
  isClassLike,
  isOfProject,
  type Lineage,
  lineages,
  RelatedClass,
  type Relation,
  relatedClass,
  relativesOfEach,
  unresolvedHeirs,
  type Way,
} from './inheritance.js';
import { CircularDependency, circularDependency, shortestCycles } from './query-cycles.js';
import { diagramNode, placeText } from './rows.js';
import { targetFields } from './targets.js';

/** A class in the tree, and those that it leads to (S0-29). */
interface HierarchyTree {
  /** Qualified; of what is outside of the project as it is known. */
  name: string;
  /** Steps from the class that was asked for, which has 0. */
  depth: number;
  /** `up` for ancestors, `down` for descendants; absent at the root. */
  direction?: Way | undefined;
  relation?: Relation | undefined;
  /** True for a base outside of the project: nothing is known of what is above it. */
  external?: boolean | undefined;
  /** True where its own branches stand at another place in the tree: a diamond or a circle. */
  repeated?: boolean | undefined;
  children: HierarchyTree[];
}

/** See {@link HierarchyTree}: the root, whose branches are of the same shape. */
const HierarchyTree = z.object({
  name: z.string(),
  depth: z.number(),
  children: z.array(z.custom<HierarchyTree>((value) => typeof value === 'object' && value !== null)),
});

const results = {
  ...targetFields,
  hierarchy_tree: HierarchyTree,
  ancestors: z.array(RelatedClass),
  descendants: z.array(RelatedClass),
  circular_dependencies: z.array(CircularDependency),
  warnings: z.array(z.string()),
  diagram: z.string().optional(),
};
/** What `query_hierarchy` answers. */
export type HierarchyOutput = QueryOutput<typeof results>;

type FoundClass = FoundRelative & { readonly way: Way };

const WAYS = ['up', 'down'] as const;
const WORDS = { up: 'Ancestors', down: 'Descendants', both: 'Hierarchy' } as const;

/**
 * What a class inherits from and what inherits from it, along what it extends and implements, each class once with its
 * shortest distance. Bases outside of the project are leaves of the tree, and no rows.
 */
export const QueryHierarchy = defineQuery('query_hierarchy', {
  description:
    'What a class or interface inherits from and what inherits from it, over extends and implements: ancestors, descendants, the tree, circles.',
  input: {
    class_name: nameField('Name, qualified name, id or path:line'),
    direction: z.enum(['up', 'down', 'both']).default('both').describe('up: ancestors, down: descendants'),
    max_depth: limitField(LIMITS.hierarchyDepth).describe('Steps away'),
    ...diagramFields,
    limit: rowsField(),
    ...queryFields,
  },
  results,
  examples: [
    { title: 'The whole family of a class', input: { class_name: 'flask.views.View' } },
    { title: 'What extends a base of a package', input: { class_name: 'Exception', direction: 'down' } },
  ],
  answer: async ({ class_name, direction, max_depth, format, scope }, context, page) => {
    const { nodes, declarations, notes, head } = await classTargets(context, class_name);
    const starts = nodes.map(({ id }) => id);
    const isWithin = await withinScope(context, scope);
    const walked = async (way: Way) => {
      const from = direction === 'both' || direction === way ? starts : [];
      const { of, links } = await lineages(context, from, way, max_depth);
      const all = await relativesOfEach(context, declarations, of);
      return {
        of,
        links,
        all,
        within: all.filter(({ node }) => isWithin(node)).map((row) => ({ ...row, way })),
      };
    };
    const ways = { up: await walked('up'), down: await walked('down') };
    const links = [...ways.up.links, ...ways.down.links];
    const ids = new Set(links.flatMap(({ child, parent }) => [child, parent]));
    const found = (await context.nodes([...ids])).filter(isClassLike);
    const known = new Map([...nodes, ...found].map((node) => [node.id, node]));
    const steps = { up: stepsOf(ways.up.links, 'up'), down: stepsOf(ways.down.links, 'down') };
    const rows: FoundClass[] = [...ways.up.within, ...ways.down.within];
    const nameOf = (id: string) => known.get(id)?.qualified_name ?? id;
    const parents = new Map<string, string[]>();
    for (const { child, parent } of links) append(parents, child, parent);
    const circular_dependencies = (await shortestCycles(parents)).map((cycle) =>
      circularDependency('inheritance', cycle, nameOf),
    );
    const bases = new Set(ways.up.links.map(({ parent }) => parent));
    const heirs = direction === 'up' ? 0 : await unresolvedHeirs(context, nodes);
    const unknown = [...bases].filter((id) => {
      const node = known.get(id);
      return node && !isOfProject(node) && 'package' in node && node.package === null;
    });
    return {
      query: `${WORDS[direction]} of ${class_name}`,
      noun: ['class', 'classes'],
      rows: page.of(rows),
      total: rows.length,
      narrower: '`direction`, `max_depth` and `scope` narrow them',
      make: (rows: readonly FoundClass[]) => {
        const shown = new Set([...starts, ...rows.map(({ id }) => id)]);
        const isShown = (id: string) => shown.has(id) || (scope === undefined && !isOfProject(known.get(id)));
        const parts = { steps, known, max_depth, isShown };
        const trees = starts.map((start): HierarchyTree => {
          const lineage = { up: ways.up.of.get(start), down: ways.down.of.get(start) };
          const children = WAYS.flatMap((way) => branches(start, start, 1, way, lineage[way], parts));
          return { name: nameOf(start), depth: 0, children };
        });
        const [tree] = trees;
        const title = `Hierarchy of ${class_name}`;
        const related = (way: Way) => rows.flatMap((row) => (row.way === way ? [relatedClass(row)] : []));
        return {
          ...head,
          hierarchy_tree: tree && trees.length === 1 ? tree : { name: class_name, depth: 0, children: trees },
          ancestors: related('up'),
          descendants: related('down'),
          circular_dependencies,
          warnings: circular_dependencies.map((one) => `Circular inheritance: ${cycleText(one)}.`),
          ...(format ? { diagram: diagramText(diagramOf(title, starts, links, parts), format) } : {}),
        };
      },
      maxDepth: max_depth,
      notes,
      outside: ways.up.all.length + ways.down.all.length - rows.length,
      unresolved: heirs + unknown.length,
    };
  },
  // The tree as nested lists, bases before heirs.
  markdown: ({ results, metadata, state }) => {
    const { ancestors, descendants, hierarchy_tree, circular_dependencies } = results;
    const unresolved = state?.unresolved ?? 0;
    const are = unresolved === 1 ? 'is' : 'are';
    const rows = new Map([...ancestors, ...descendants].map((row) => [row.qualified_name, row]));
    const tree = (node: HierarchyTree, indent: string): string[] => [
      `${indent}- ${treeLine(node, node.depth === 0 ? undefined : rows.get(node.name))}`,
      ...node.children.flatMap((child) => tree(child, `${indent}  `)),
    ];
    const side = (title: string, way: Way) => {
      const own = sideOf(hierarchy_tree, way);
      return own.length > 0 ? [title, '', ...own.flatMap((one) => tree(one, ''))] : [];
    };
    return {
      count: `${plural(ancestors.length, 'ancestor')}, ${plural(descendants.length, 'descendant')}`,
      also: metadata.truncated ? ` of ${metadata.total_count}` : '',
      more:
        unresolved === 0
          ? ''
          : ` ${plural(unresolved, 'base')} of classes here ${are} neither defined nor imported.`,
      blocks: [
        side('Inherits from:', 'up'),
        side('Inherited by:', 'down'),
        ...circular_dependencies.map((one) => [`Circular: ${shownLine(cycleText(one), 400)}`]),
      ],
    };
  },
});

/** What the trees and the diagram are made from. */
interface TreeParts {
  /** Where the links lead from each class, on each way. */
  readonly steps: Readonly<Record<Way, ReadonlyMap<string, readonly Step[]>>>;
  readonly known: ReadonlyMap<string, ClassLike>;
  readonly max_depth: number;
  /** Whether a class has a row; one without stands in the tree where it leads to one that has. */
  readonly isShown: (id: string) => boolean;
}

interface Step {
  readonly to: string;
  readonly relation: Relation;
}

function stepsOf(links: readonly InheritanceLink[], way: Way): ReadonlyMap<string, readonly Step[]> {
  const steps = new Map<string, Step[]>();
  for (const { child, parent, relation } of links) {
    const [from, to] = way === 'up' ? [child, parent] : [parent, child];
    if (!steps.get(from)?.some((step) => step.to === to)) append(steps, from, { to, relation });
  }
  return steps;
}

/** The branches of a tree at one of its classes. Each class unfolds once on each way, under the one from which it was reached. */
function branches(
  start: string,
  here: string,
  depth: number,
  direction: Way,
  lineage: Lineage | undefined,
  parts: TreeParts,
): HierarchyTree[] {
  const { steps, known, max_depth, isShown } = parts;
  if (depth > max_depth) return [];
  return (steps[direction].get(here) ?? []).flatMap(({ to, relation }) => {
    const isUnfolded = lineage?.before(to) === here;
    const children = isUnfolded ? branches(start, to, depth + 1, direction, lineage, parts) : [];
    if (children.length === 0 && !isShown(to)) return [];
    const node = known.get(to);
    const isRepeated = !isUnfolded && (to === start || (steps[direction].get(to) ?? []).length > 0);
    return [
      {
        name: node?.qualified_name ?? to,
        depth,
        direction,
        relation,
        ...(isOfProject(node) ? {} : { external: true }),
        ...(isRepeated ? { repeated: true } : {}),
        children,
      },
    ];
  });
}

/** Classes as boxes, each with an arrow to what it extends or implements. @param starts Ids of those that are always shown. */
function diagramOf(
  title: string,
  starts: readonly string[],
  links: readonly InheritanceLink[],
  { known, isShown }: TreeParts,
) {
  const ids = new Set([...starts, ...links.flatMap(({ child, parent }) => [child, parent]).filter(isShown)]);
  const edges = new Map(links.map((link) => [Object.values(link).join('\n'), link]));
  const boxOf = (node: ClassLike): DiagramNode =>
    isOfProject(node) ? diagramNode(node) : { id: node.id, label: node.qualified_name, kind: 'external' };
  return {
    title,
    nodes: [...ids].flatMap((id) => known.get(id) ?? []).map(boxOf),
    edges: [...edges.values()].map(({ child, parent, relation }) => ({
      from: child,
      to: parent,
      kind: relation,
    })),
  };
}

function treeLine(
  { name, relation, external, repeated }: HierarchyTree,
  row: RelatedClass | undefined,
): string {
  const said = [
    ...(relation === 'implements' ? ['implemented'] : []),
    ...(external ? ['outside of the project'] : []),
    ...(repeated ? ['also elsewhere here'] : []),
  ];
  const notes = said.length > 0 ? ` (${said.join(', ')})` : '';
  return `${quotedName(row?.name ?? name)}${row ? placeText(row) : ''}${notes}`;
}

/** A circle in words: `A -> B -> A`. */
function cycleText({ cycle_path }: CircularDependency): string {
  return cycle_path.join(' -> ');
}

/** The branches of one side; of several classes that a name leads to each stands above its own. */
function sideOf({ children }: HierarchyTree, way: Way): HierarchyTree[] {
  return children.flatMap((child) => {
    if (child.direction !== undefined) return child.direction === way ? [child] : [];
    const own = sideOf(child, way);
    return own.length > 0 ? [{ ...child, children: own }] : [];
  });
}
