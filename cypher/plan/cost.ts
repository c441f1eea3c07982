import type { Expression } from '../ast.js';
import type { ExpandDirection } from '../graph.js';
import type { Counts } from './counts.js';
import type { PatternHop } from './pattern-graph.js';

/** Share of rows that a condition keeps, where nothing is known. */
const KEPT = { equal: 0.1, other: 0.5 };
/** How far a pattern without an upper bound is taken to go. */
const USUAL_HOPS = 3;

/** Nodes with all of these labels, about: as many as have the rarest. */
export function countOfLabels(labels: readonly string[], counts: Counts): number {
  const all = counts.nodes.get(null) ?? 1;
  return Math.min(all, ...labels.map((label) => counts.nodes.get(label) ?? all));
}

/** Relationships of any of these types (null: all), about. */
export function countOfTypes(types: readonly string[] | null, counts: Counts): number {
  const all = counts.relationships.get(null) ?? 1;
  if (types === null) return all;
  return types.reduce((sum, type) => sum + (counts.relationships.get(type) ?? all), 0);
}

/** How many rows one row becomes by following a hop from a node with these labels, about. */
export function growthOf(
  hop: PatternHop,
  from: { readonly labels: readonly string[] },
  to: { readonly labels: readonly string[] },
  counts: Counts,
): number {
  const { direction, length } = hop.pattern;
  const types = typesOf(hop);
  const ways = direction === 'both' ? 2 : 1;
  const degree = (ways * countOfTypes(types, counts)) / Math.max(1, countOfLabels(from.labels, counts));
  const hops = length === null ? 1 : Math.min(length.max ?? USUAL_HOPS, 2 * USUAL_HOPS);
  const share = countOfLabels(to.labels, counts) / Math.max(1, countOfLabels([], counts));
  return Math.max(degree, 0.01) ** hops * Math.max(share, 0.1);
}

/** Share of rows that a condition keeps, about. */
export function shareOf(condition: Expression): number {
  const isEqual = condition.kind === 'comparison' && condition.operators[0] === '=';
  if (condition.kind === 'has labels') return 1;
  return isEqual ? KEPT.equal : KEPT.other;
}

/** Share of rows that several conditions keep, about. */
export function shareOfAll(conditions: readonly { readonly expression: Expression }[]): number {
  return conditions.reduce((share, { expression }) => share * shareOf(expression), 1);
}

/** The types of a hop; null: all. */
export function typesOf({ pattern }: PatternHop): readonly string[] | null {
  return pattern.types.length === 0 ? null : [...new Set(pattern.types)];
}

/** A direction as seen from the other end. */
export function turned(direction: ExpandDirection): ExpandDirection {
  return direction === 'both' ? 'both' : direction === 'out' ? 'in' : 'out';
}
