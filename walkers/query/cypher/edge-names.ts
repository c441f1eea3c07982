import {
  EDGE_ALIASES,
  EDGE_ARCHETYPES,
  type EdgeAlias,
  type EdgeType,
  edgeArchetype,
  edgesOf,
  exportEdgeKind,
  exportNodeKind,
  nodeArchetype,
} from '../../../schema/index.js';

/** One stored edge type under a name by which it was asked for. */
export interface AskedEdge extends EdgeAlias {
  /** The name as it was asked for. */
  readonly type: string;
  /** Null: of an archetype that is not ours. */
  readonly archetype: EdgeType | null;
}

/**
 * What the names of a pattern stand for (mapping table): an alias, a stored name, or that in upper case. A name that is
 * none of these may be of an archetype that is not ours, and stands for itself.
 */
export function askedEdges(types: readonly string[]): AskedEdge[] {
  return types.flatMap((type) => {
    const known = edgesOf(type);
    const spelled = known.length > 0 ? known : edgesOf(type.toLowerCase());
    const edges = spelled.length > 0 ? spelled : [{ edge: type }];
    return edges.map((alias) => ({ ...alias, type, archetype: edgeArchetype(alias.edge) ?? null }));
  });
}

/** The name of a stored edge that was found without asking for one. */
export function preferredName(edge: string): string {
  return exportEdgeKind(edge) ?? ALIAS_OF.get(edge) ?? edge.toUpperCase();
}

/** Whether nodes of an archetype are only bookkeeping, which nobody is shown. */
export function isBookkeeping(archetype: string): boolean {
  return nodeArchetype(archetype) !== undefined && exportNodeKind({ type: archetype, props: {} }) === null;
}

/** Names of relationships that a pattern may have: aliases, then stored names, then those in upper case. */
export function relationshipNames(): string[] {
  const stored = EDGE_ARCHETYPES.map(({ name }) => name);
  return [...Object.keys(EDGE_ALIASES), ...stored, ...stored.map((name) => name.toUpperCase())];
}

/** Of edges that are not exported. */
const ALIAS_OF = new Map(
  Object.entries(EDGE_ALIASES).flatMap(([name, edges]) => edges.map(({ edge }) => [edge, name] as const)),
);
