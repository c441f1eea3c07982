import type { EdgeType, NodeType } from './archetype.js';
import * as code from './code.js';
import * as codeEdges from './code-edges.js';
import * as memory from './memory.js';
import * as memoryEdges from './memory-edges.js';
import * as trace from './trace.js';
import * as traceEdges from './trace-edges.js';
import * as traceEvents from './trace-events.js';

/** Every node archetype of Codewalk's own schema, ancestors before descendants. */
export const NODE_ARCHETYPES: readonly NodeType[] = [code, trace, traceEvents, memory, memoryEdges]
  .flatMap((room) => Object.values<unknown>(room))
  .filter(isNode)
  .sort(byDepth);

/** Every edge archetype of Codewalk's own schema, ancestors before descendants. */
export const EDGE_ARCHETYPES: readonly EdgeType[] = [
  ...Object.values<unknown>(codeEdges),
  ...Object.values<unknown>(traceEdges),
  ...Object.values<unknown>(memoryEdges),
  ...Object.values(memoryEdges.MEMORY_RELATIONS),
]
  .filter(isEdge)
  .sort(byDepth);

/** The whole schema: every node and edge archetype. */
export const ARCHETYPES: readonly (NodeType | EdgeType)[] = [...NODE_ARCHETYPES, ...EDGE_ARCHETYPES];

const nodesByName = new Map(NODE_ARCHETYPES.map((type) => [type.name, type]));
const edgesByName = new Map(EDGE_ARCHETYPES.map((type) => [type.name, type]));

/** The node archetype of a stored name; undefined for one that is not ours (a user's own). */
export const nodeArchetype = (name: string): NodeType | undefined => nodesByName.get(name);

/** The edge archetype of a stored name; undefined for one that is not ours (a user's own). */
export const edgeArchetype = (name: string): EdgeType | undefined => edgesByName.get(name);

function elementOf(value: unknown): unknown {
  return typeof value === 'function' && 'element' in value ? value.element : undefined;
}

function isNode(value: unknown): value is NodeType {
  return elementOf(value) === 'node';
}

function isEdge(value: unknown): value is EdgeType {
  return elementOf(value) === 'edge';
}

/** Ancestors have the shorter lineage; a module's own order is its names'. */
function byDepth(a: NodeType | EdgeType, b: NodeType | EdgeType): number {
  return a.lineage.size - b.lineage.size || (a.name < b.name ? -1 : 1);
}
