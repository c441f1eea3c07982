import type { Expression } from '../ast.js';
import type { PlanContext } from './context.js';
import { countOfLabels } from './cost.js';
import { namesIn, needsGraph } from './expression-tree.js';
import type { SeekPlan } from './plan.js';

/** A condition that an index on a property may answer. */
interface Seekable {
  readonly property: string;
  readonly kind: SeekPlan['wanted']['kind'];
  readonly value: Expression;
  /** Nodes that it finds, about. */
  readonly rows: number;
}

/** Nodes that one value of an indexed property leads to, about. */
const PER_VALUE = 2;

const PER_PREFIX = 50;

/** Where a pattern may start that nothing is bound of. */
export interface Start {
  readonly node: string;
  /** The rarest of its labels; null: it has none. */
  readonly label: string | null;
  /** Nodes to look at, about. */
  readonly rows: number;
  /** Null: all nodes of the label. */
  readonly seek: Seekable | null;
}

/** What is known of the nodes of a pattern. */
export interface PatternKnowledge {
  labelsOf(node: string): readonly string[];
  readonly conditions: readonly Expression[];
  isBound(name: string): boolean;
}

/** The node that fewest are to be looked at for: by an index, else by the rarest label. Of several the first. */
export function bestStart(
  context: PlanContext,
  nodes: readonly string[],
  knowledge: PatternKnowledge,
): Start {
  const starts = nodes.map((node) => startAt(context, node, knowledge));
  return starts.reduce((least, start) => (start.rows < least.rows ? start : least));
}

function startAt(context: PlanContext, node: string, knowledge: PatternKnowledge): Start {
  const labels = knowledge.labelsOf(node);
  const label = rarest(labels, context);
  const all = countOfLabels(labels, context.counts);
  let seek: Seekable | null = null;
  for (const condition of knowledge.conditions) {
    const found = seekableOf(condition, node, (name) => knowledge.isBound(name));
    if (found === null || (seek !== null && found.rows >= seek.rows)) continue;
    if (context.hasIndex(label, found.property)) seek = found;
  }
  return { node, label, rows: seek === null ? all : Math.min(seek.rows, all), seek };
}

/** Whether a condition asks for just this label of a node. */
export function isLabelOf(condition: Expression, name: string, label: string | null): boolean {
  if (condition.kind !== 'has labels' || condition.on.kind !== 'variable') return false;
  return condition.on.name === name && condition.labels.kind === 'label' && condition.labels.name === label;
}

/** Labels of which a condition asks a node to have at least one; null: none does. */
export function anyLabelOf(conditions: readonly Expression[], name: string): readonly string[] | null {
  for (const condition of conditions) {
    if (condition.kind !== 'has labels' || condition.on.kind !== 'variable' || condition.on.name !== name)
      continue;
    if (condition.labels.kind !== 'or') continue;
    const names = condition.labels.parts.map((part) => (part.kind === 'label' ? part.name : null));
    if (!names.includes(null)) return [...new Set(names.filter((one) => one !== null))];
  }
  return null;
}

function rarest(labels: readonly string[], { counts }: PlanContext): string | null {
  const [first, ...others] = labels;
  if (first === undefined) return null;
  const countOf = (label: string) => counts.nodes.get(label) ?? 0;
  return others.reduce((least, label) => (countOf(label) < countOf(least) ? label : least), first);
}

/** How a condition finds nodes called `name`, once names that it takes values from are bound; null: it does not. */
function seekableOf(
  condition: Expression,
  name: string,
  isBound: (name: string) => boolean,
): Seekable | null {
  const found = shapeOfSeek(condition, name);
  if (found === null || needsGraph(found.value) || ![...namesIn(found.value)].every(isBound)) return null;
  return found;
}

function shapeOfSeek(condition: Expression, name: string): Seekable | null {
  if (condition.kind === 'comparison' && condition.operators.length === 1 && condition.operators[0] === '=') {
    const [left, right] = condition.operands;
    if (left === undefined || right === undefined) return null;
    return seekOf(left, right, name, 'one', PER_VALUE) ?? seekOf(right, left, name, 'one', PER_VALUE);
  }
  if (condition.kind !== 'binary') return null;
  const { operator, left, right } = condition;
  if (operator === 'starts with') return seekOf(left, right, name, 'prefix', PER_PREFIX);
  if (operator !== 'in') return null;
  const values = right.kind === 'list' ? right.items.length : PER_PREFIX;
  return seekOf(left, right, name, 'any of', PER_VALUE * values);
}

function seekOf(
  property: Expression,
  value: Expression,
  name: string,
  kind: Seekable['kind'],
  rows: number,
): Seekable | null {
  if (property.kind !== 'property' || property.on.kind !== 'variable' || property.on.name !== name)
    return null;
  return { property: property.key, kind, value, rows };
}
