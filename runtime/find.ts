import type { NodeType } from '../schema/index.js';
import { isA } from '../schema/index.js';
import { compareIds, type IndexQuery } from '../storage/index.js';
import { isNodeDraft } from './live-nodes.js';
import type { Overlay } from './overlay.js';
import type { Predicate } from './path.js';
import { holdsAll } from './predicate.js';
import type { NodeRef } from './refs.js';
import type { View } from './view.js';

/** A look-up of nodes by archetype and properties. */
export interface FindQuery {
  readonly type: NodeType;
  readonly predicates: readonly Predicate[];
}

/** Evaluates a look-up over the stored nodes and the run's own changes; results by id. */
export async function findNodes(view: View, overlay: Overlay | null, query: FindQuery): Promise<NodeRef[]> {
  const found = new Map<string, NodeRef>();
  const take = async (page: readonly string[]) => {
    await view.load(page);
    for (const id of page) {
      const ref = view.known(id);
      if (ref) found.set(id, ref);
    }
  };
  const wanted = indexQuery(query);
  const kept = view.hot(query.type.layer)?.find(wanted);
  if (kept) await take(kept);
  else for await (const page of view.find(query.type.layer, wanted)) await take(page);
  for (const [id, change] of overlay?.nodes ?? []) {
    const after = change.after && isA(change.after.archetype, query.type) ? change.after : undefined;
    const ref = after && isNodeDraft(after) ? view.known(id) : after;
    if (ref) found.set(id, ref);
    else found.delete(id);
  }
  return [...found.values()]
    .filter((ref) => holdsAll(query.predicates, ref))
    .sort((a, b) => compareIds(a.id, b.id));
}

/** The ids of every node of an archetype (and its descendants), sorted. */
export async function findIds(view: View, overlay: Overlay | null, type: NodeType): Promise<string[]> {
  const found = new Set<string>();
  for await (const page of view.find(type.layer, { type: type.name, property: null })) {
    for (const id of page) found.add(id);
  }
  for (const [id, { after }] of overlay?.nodes ?? []) {
    if (after && isA(after.archetype, type)) found.add(id);
    else found.delete(id);
  }
  return [...found].sort(compareIds);
}

/** The one index range that covers a look-up: an equality on an indexed property, else the whole archetype. */
function indexQuery({ type, predicates }: FindQuery): IndexQuery {
  for (const { field, op, value } of predicates) {
    if (op !== 'eq' || !type.indexes.includes(field)) continue;
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      return { type: type.name, property: field, equals: value };
  }
  return { type: type.name, property: null };
}
