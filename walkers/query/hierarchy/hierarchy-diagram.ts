import type { Diagram, DiagramNode } from '../../diagram/index.js';
import { type ClassLike, isOfProject } from '../inheritance/class-targets.js';
import type { InheritanceLink } from '../inheritance/inheritance-links.js';
import { diagramNode } from '../parts/code-node.js';

/** What a diagram of classes is made from. */
export interface DrawnHierarchy {
  readonly title: string;
  readonly links: readonly InheritanceLink[];
  readonly known: ReadonlyMap<string, ClassLike>;
  readonly isShown: (id: string) => boolean;
}

/** Classes as boxes, each with an arrow to what it extends or implements. @param starts Ids of those that are always shown. */
export function hierarchyDiagram(
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
