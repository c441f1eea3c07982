import { diagramBlock } from '../../diagram/index.js';
import { plural } from '../../markdown.js';
import { quotedName, shownLine } from '../../shown-text.js';
import { cycleText } from '../cycles/circular-dependency.js';
import type { Way } from '../inheritance/inheritance-links.js';
import { placeText } from '../parts/shown-rows.js';
import { aboutText } from '../parts/target-row.js';
import type { HierarchyOutput } from '../query-hierarchy.js';
import type { HierarchyTree } from './hierarchy-tree.js';

/** The tree as nested lists, bases before heirs; a diagram in its own language. */
export function hierarchyMarkdown(output: HierarchyOutput): string {
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
