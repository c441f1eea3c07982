import type { LayerCounts, ReadContext } from '../../../runtime/index.js';
import {
  LABEL_RULES,
  type LabelRule,
  NODE_ARCHETYPES,
  type NodeType,
  nodeProperty,
  rulesOf,
} from '../../../schema/index.js';
import { isBookkeeping } from './edge-names.js';

/** Ids per page. */
const PAGE = 256;
/** Nodes of an archetype that are looked at one by one rather than calling a whole look-up off for want of an index. */
const FEW = 64;

/** An archetype in which nodes of a label are found. */
export interface LabelSource {
  readonly archetype: NodeType;
  /** Whether properties decide if a node has the label. */
  readonly isConditional: boolean;
}

/** A look-up by an index that covers all nodes that may have a property. */
export interface SeekPlan {
  readonly indexed: readonly { readonly archetype: NodeType; readonly property: string }[];
  /** Few nodes without an index. */
  readonly scanned: readonly NodeType[];
}

/** By the counts of a version, which stay the same object: what follows from them is asked for by every query. */
const knownSources = new WeakMap<LayerCounts, Map<string | null, readonly LabelSource[]>>();
const knownPlans = new WeakMap<LayerCounts, Map<string, SeekPlan | null>>();

/** The archetypes in which nodes of a label (null: any) are found, of those that have nodes. */
export function labelSources(label: string | null, counts: LayerCounts): readonly LabelSource[] {
  return remembered(knownSources, counts, label, () => sourcesOf(label, counts));
}

function sourcesOf(label: string | null, counts: LayerCounts): LabelSource[] {
  const rules = label === null ? null : rulesOf(label);
  return NODE_ARCHETYPES.filter((archetype) => (counts.nodes.get(archetype.name) ?? 0) > 0).flatMap(
    (archetype) => {
      if (rules === null) return isBookkeeping(archetype.name) ? [] : [{ archetype, isConditional: false }];
      const own = rules.filter((rule) => archetype.lineage.has(rule.archetype));
      if (own.length === 0) return [];
      return [{ archetype, isConditional: own.every((rule) => rule.when !== undefined) }];
    },
  );
}

/** About how many nodes have a label. */
export function countLabel(label: string | null, counts: LayerCounts): number {
  return labelSources(label, counts).reduce(
    (sum, { archetype }) => sum + (counts.nodes.get(archetype.name) ?? 0),
    0,
  );
}

/** The ids of an archetype's own nodes, without those of its descendants, in pages. */
export async function* idsOf(
  { findIds }: Pick<ReadContext, 'findIds'>,
  archetype: NodeType,
  counts: LayerCounts,
): AsyncGenerator<readonly string[]> {
  const descendants = NODE_ARCHETYPES.filter(
    (other) => other !== archetype && other.lineage.has(archetype.name) && counts.nodes.has(other.name),
  );
  const others = new Set((await Promise.all(descendants.map((other) => findIds(other)))).flat());
  const ids = (await findIds(archetype)).filter((id) => !others.has(id));
  for (let at = 0; at < ids.length; at += PAGE) yield ids.slice(at, at + PAGE);
}

/** How nodes of a label are found by a property; null where an index is missing. */
export function seekPlan(label: string | null, property: string, counts: LayerCounts): SeekPlan | null {
  return remembered(knownPlans, counts, `${label ?? ''}\0${property}`, () => planOf(label, property, counts));
}

function planOf(label: string | null, property: string, counts: LayerCounts): SeekPlan | null {
  const indexed = new Map<string, SeekPlan['indexed'][number]>();
  const scanned: NodeType[] = [];
  for (const { archetype } of labelSources(label, counts)) {
    const alias = nodeProperty(archetype.name, property);
    if (alias === undefined) continue;
    if ('stored' in alias && archetype.indexes.includes(alias.stored)) {
      const widest = widestWith(archetype, alias.stored);
      indexed.set(`${widest.name}\0${alias.stored}`, { archetype: widest, property: alias.stored });
    } else if ((counts.nodes.get(archetype.name) ?? 0) <= FEW) scanned.push(archetype);
    else return null;
  }
  return { indexed: [...indexed.values()], scanned };
}

/** Every label that a node may have. */
export function storedLabels(): string[] {
  return [...new Set(LABEL_RULES.map(({ label }: LabelRule) => label))];
}

/** The widest archetype above one whose index covers it, too: one look-up instead of one for each kind of symbol. */
function widestWith(archetype: NodeType, property: string): NodeType {
  const above = archetype.parents.filter(
    (parent) => parent.layer === archetype.layer && parent.indexes.includes(property),
  );
  const [parent] = above;
  return parent === undefined ? archetype : widestWith(parent, property);
}

function remembered<K, V>(
  known: WeakMap<LayerCounts, Map<K, V>>,
  counts: LayerCounts,
  key: K,
  make: () => V,
): V {
  const own = known.get(counts) ?? new Map<K, V>();
  known.set(counts, own);
  const value = own.get(key);
  if (value !== undefined) return value;
  const made = make();
  own.set(key, made);
  return made;
}
