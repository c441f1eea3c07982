import { z } from 'zod';
import type { EdgeDraft, EdgeType, NodeDraft, NodeType, PropsInput, PropsOf } from './archetype.js';

/** What a field holds that is not given; undefined where it is left out. */
type Defaults = readonly (readonly [field: string, value: unknown])[];

const defaultsOf = new WeakMap<NodeType | EdgeType, Defaults>();

/**
 * A node's draft as its archetype makes it, of properties that this program made itself. The compiler has checked
 * them; nothing is validated, only defaults are filled in. What comes from outside goes through the archetype:
 * validating every property of a large program's graph takes longer than making it.
 */
export function knownNode<T extends NodeType>(archetype: T, props: PropsInput<T>, id: string): NodeDraft<T> {
  return { draft: 'node', archetype, id, props: filled(archetype, props) };
}

/** An edge's draft, as {@link knownNode} makes a node's. */
export function knownEdge<E extends EdgeType>(archetype: E, props?: PropsInput<E>): EdgeDraft<E> {
  return { draft: 'edge', archetype, props: filled(archetype, props) };
}

/** The properties in the order of the schema, as validation would give them. */
function filled<T extends NodeType | EdgeType>(archetype: T, props?: PropsInput<T>): PropsOf<T> {
  const given: Readonly<Record<string, unknown>> = props ?? {};
  const made: Record<string, unknown> = {};
  for (const [field, value] of defaults(archetype)) {
    const own = given[field];
    const chosen = own === undefined ? value : own;
    if (chosen !== undefined) made[field] = chosen;
  }
  return made as PropsOf<T>;
}

/** A field's default is what its schema makes of nothing; shared by all drafts, which nobody changes in place. */
function defaults(archetype: NodeType | EdgeType): Defaults {
  const known = defaultsOf.get(archetype);
  if (known) return known;
  const made = Object.entries(archetype.shape).map(
    ([field, schema]) => [field, z.safeParse(schema, undefined).data] as const,
  );
  defaultsOf.set(archetype, made);
  return made;
}
