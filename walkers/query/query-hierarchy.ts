import { z } from 'zod';
import {
  type Diagram,
  type DiagramNode,
  diagramBlock,
  diagramText,
  plural,
  quotedName,
  shownLine,
} from '../../present/index.js';
import type { ReadContext } from '../../runtime/index.js';
import { append, LIMITS } from '../../schema/index.js';
import {
  type ClassLike,
  classTargets,
  isClassLike,
  isOfProject,
  relativesOfEach,
  unknownBases,
  unresolvedHeirs,
} from './inheritance/class-targets.js';
import {
  type InheritanceLink,
  type Lineage,
  lineages,
  RelatedClass,
  type Relation,
  relatedClass,
  type Step,
  stepsOf,
  type Way,
} from './inheritance/inheritance.js';
import { diagramNode } from './parts/code-node.js';
import { CircularDependency, circularDependency, cycleText, shortestCycles } from './parts/cycles.js';
import { defineQuery, type QueryOutput } from './parts/query-answer.js';
import { depthField, diagramFields, nameField, queryFields, rowsField } from './parts/query-input.js';
import { outOfScope, withinScope } from './parts/scope.js';
import { placeText } from './parts/shown-rows.js';
import { aboutText, targetFields } from './parts/target-row.js';
import { declarationsOf } from './parts/targets.js';

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
  depth: z.number().int(),
  children: z.array(z.custom<HierarchyTree>((value) => typeof value === 'object' && value !== null)),
});

interface TreeParts {
  readonly steps: Readonly<Record<Way, ReadonlyMap<string, readonly Step[]>>>;
  /** The walk from the tree's class on each way: a class unfolds under the one from which it was reached. */
  readonly lineage: Readonly<Record<Way, Lineage | undefined>>;
  readonly maxDepth: number;
  /** Whether a class has a row; one without stands in the tree where it leads to one that has. */
  readonly isShown: (id: string) => boolean;
  readonly isExternal: (id: string) => boolean;
  readonly nameOf: (id: string) => string;
}

/** The tree of one class: ancestors first, then descendants. Each class unfolds once on each way, where it is nearest. */
function hierarchyTree(start: string, parts: TreeParts): HierarchyTree {
  const ways: readonly Way[] = ['up', 'down'];
  return {
    name: parts.nameOf(start),
    depth: 0,
    children: ways.flatMap((way) => branches(start, way, parts)),
  };
}

/** Several trees as one, where a name leads to several classes. */
function joinedTree(name: string, trees: readonly HierarchyTree[]): HierarchyTree {
  const [first] = trees;
  return first && trees.length === 1 ? first : { name, depth: 0, children: [...trees] };
}

function branches(start: string, direction: Way, parts: TreeParts): HierarchyTree[] {
  const { steps, lineage, maxDepth, isShown, isExternal, nameOf } = parts;
  const below = (here: string, depth: number): HierarchyTree[] =>
    (steps[direction].get(here) ?? []).flatMap(({ to, relation }) => {
      if (depth > maxDepth) return [];
      const isUnfolded = lineage[direction]?.before(to) === here;
      const children = isUnfolded ? below(to, depth + 1) : [];
      if (children.length === 0 && !isShown(to)) return [];
      const isRepeated = !isUnfolded && (to === start || (steps[direction].get(to) ?? []).length > 0);
      return [
        {
          name: nameOf(to),
          depth,
          direction,
          relation,
          ...(isExternal(to) ? { external: true } : {}),
          ...(isRepeated ? { repeated: true } : {}),
          children,
        },
      ];
    });
  return below(start, 1);
}

/** What a diagram of classes is made from. */
interface DrawnHierarchy {
  readonly title: string;
  readonly links: readonly InheritanceLink[];
  readonly known: ReadonlyMap<string, ClassLike>;
  readonly isShown: (id: string) => boolean;
}

const { hierarchyDepth } = LIMITS;

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
    max_depth: depthField(hierarchyDepth).describe('Steps away'),
    ...diagramFields,
    limit: rowsField(),
    ...queryFields,
  },
  results,
  examples: [
    { title: 'The whole family of a class', input: { class_name: 'flask.views.View' } },
    { title: 'What extends a base of a package', input: { class_name: 'Exception', direction: 'down' } },
  ],
  answer: async ({ class_name, direction, max_depth, format, scope }, context, [from = 0]) => {
    const about = await classTargets(context, class_name);
    const { nodes, notes, head } = about;
    const starts = nodes.map(({ id }) => id);
    const walked = (way: Way) =>
      lineages(context, direction === 'both' || direction === way ? starts : [], way, max_depth);
    const ways = { up: await walked('up'), down: await walked('down') };
    const links = [...ways.up.links, ...ways.down.links];
    const steps = { up: stepsOf(ways.up.links, 'up'), down: stepsOf(ways.down.links, 'down') };
    const known = await classesOf(context, nodes, links);
    const symbols = declarationsOf(about);
    const isWithin = await withinScope(context, scope);
    const ancestors = await relativesOfEach(context, symbols, ways.up.of);
    const descendants = await relativesOfEach(context, symbols, ways.down.of);
    const up = ancestors.filter(({ node }) => isWithin(node));
    const rows = [...up, ...descendants.filter(({ node }) => isWithin(node))];
    const nameOf = (id: string) => known.get(id)?.qualified_name ?? id;
    const isExternal = (id: string) => !isOfProject(known.get(id));
    const cycles = await circles(links);
    const circular_dependencies = cycles.map((cycle) => circularDependency('inheritance', cycle, nameOf));
    const bases = [...new Set(ways.up.links.map(({ parent }) => parent))];
    const heirs = direction === 'up' ? 0 : await unresolvedHeirs(context, nodes);
    return {
      query: `${WORDS[direction]} of ${class_name}`,
      what: 'classes',
      total: rows.length,
      narrower: '`direction`, `max_depth` and `scope` narrow them',
      make: (count) => {
        const page = rows.slice(from, from + count);
        const above = Math.max(0, up.length - from);
        const shown = new Set([...starts, ...page.map(({ id }) => id)]);
        const isShown = (id: string) => shown.has(id) || (scope === undefined && isExternal(id));
        const trees = starts.map((start) => {
          const lineage = { up: ways.up.of.get(start), down: ways.down.of.get(start) };
          return hierarchyTree(start, { steps, lineage, maxDepth: max_depth, isShown, isExternal, nameOf });
        });
        const drawn = { title: `Hierarchy of ${class_name}`, links, known, isShown };
        return {
          ...head,
          hierarchy_tree: joinedTree(class_name, trees),
          ancestors: page.slice(0, above).map(relatedClass),
          descendants: page.slice(above).map(relatedClass),
          circular_dependencies,
          warnings: circular_dependencies.map((one) => `Circular inheritance: ${cycleText(one)}.`),
          ...(format ? { diagram: diagramText(hierarchyDiagram(starts, drawn), format) } : {}),
        };
      },
      maxDepth: max_depth,
      notes: [
        ...notes,
        ...outOfScope(ancestors.length + descendants.length, rows.length, 'class', 'classes'),
      ],
      unresolved: heirs + unknownBases(bases.map((id) => known.get(id))),
    };
  },
  markdown: hierarchyMarkdown,
});

const WORDS = { up: 'Ancestors', down: 'Descendants', both: 'Hierarchy' } as const;

/** The nodes of all that links join, by id. */
async function classesOf(
  { nodes }: Pick<ReadContext, 'nodes'>,
  targets: readonly ClassLike[],
  links: readonly InheritanceLink[],
): Promise<ReadonlyMap<string, ClassLike>> {
  const ids = new Set(links.flatMap(({ child, parent }) => [child, parent]));
  const found = (await nodes([...ids])).filter(isClassLike);
  return new Map([...targets, ...found].map((node) => [node.id, node]));
}

async function circles(links: readonly InheritanceLink[]) {
  const parents = new Map<string, string[]>();
  for (const { child, parent } of links) append(parents, child, parent);
  return shortestCycles(parents);
}

/** Classes as boxes, each with an arrow to what it extends or implements. @param starts Ids of those that are always shown. */
function hierarchyDiagram(
  starts: readonly string[],
  { title, links, known, isShown }: DrawnHierarchy,
): Diagram {
  const ids = new Set([...starts, ...links.flatMap(({ child, parent }) => [child, parent]).filter(isShown)]);
  const edges = new Map(
    links.map(({ child, parent, relation }) => [
      `${child}\n${parent}\n${relation}`,
      { from: child, to: parent, kind: relation },
    ]),
  );
  return {
    title,
    nodes: [...ids].flatMap((id) => {
      const node = known.get(id);
      return node ? [boxOf(node)] : [];
    }),
    edges: [...edges.values()],
  };
}

function boxOf(node: ClassLike): DiagramNode {
  if (isOfProject(node)) return diagramNode(node);
  return { id: node.id, label: node.qualified_name, kind: 'external' };
}

/** The tree as nested lists, bases before heirs; a diagram in its own language. */
function hierarchyMarkdown(output: HierarchyOutput): string {
  const { query, results, metadata, state } = output;
  const { ancestors, descendants, hierarchy_tree, circular_dependencies, diagram } = results;
  const unresolved = state?.unresolved ?? 0;
  const unknown =
    unresolved === 0
      ? ''
      : ` ${plural(unresolved, 'base')} of classes here ${unresolved === 1 ? 'is' : 'are'} neither defined nor imported.`;
  const cut = metadata.truncated ? ` of ${metadata.total_count}` : '';
  const head = `${shownLine(query, 200)}${aboutText(results)}: ${plural(ancestors.length, 'ancestor')}, ${plural(descendants.length, 'descendant')}${cut}.${unknown}`;
  if (diagram !== undefined) return `${head}\n\n${diagramBlock(diagram)}\n`;
  const rows = new Map([...ancestors, ...descendants].map((row) => [row.qualified_name, row]));
  const line = ({ name, depth, relation, external, repeated }: HierarchyTree): string => {
    const row = depth === 0 ? undefined : rows.get(name);
    const said = [
      relation === 'implements' ? 'implemented' : '',
      external ? 'outside of the project' : '',
      repeated ? 'also elsewhere here' : '',
    ].filter((one) => one !== '');
    const notes = said.length > 0 ? ` (${said.join(', ')})` : '';
    return `${quotedName(row?.name ?? name)}${row ? placeText(row) : ''}${notes}`;
  };
  const tree = (node: HierarchyTree, indent: string): string[] => [
    `${indent}- ${line(node)}`,
    ...node.children.flatMap((child) => tree(child, `${indent}  `)),
  ];
  const [up, down] = (['up', 'down'] as const).map((way) => sideOf(hierarchy_tree, way));
  const side = (title: string, branches: readonly HierarchyTree[] = []) =>
    branches.length > 0 ? ['', title, '', ...branches.flatMap((one) => tree(one, ''))] : [];
  return [
    head,
    ...side('Inherits from:', up),
    ...side('Inherited by:', down),
    ...circular_dependencies.map((one) => `\nCircular: ${shownLine(cycleText(one), 400)}`),
    '',
  ].join('\n');
}

/** The branches of one side; of several classes that a name leads to each stands above its own. */
function sideOf({ children }: HierarchyTree, way: Way): HierarchyTree[] {
  return children.flatMap((child) => {
    if (child.direction !== undefined) return child.direction === way ? [child] : [];
    const own = sideOf(child, way);
    return own.length > 0 ? [{ ...child, children: own }] : [];
  });
}
