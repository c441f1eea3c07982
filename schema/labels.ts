import { NODE_ARCHETYPES } from './archetypes.js';

/** What labels are read from: a node's archetype name and its properties. */
export interface Labelled {
  readonly type: string;
  readonly props: Readonly<Record<string, unknown>>;
}

/** A label that nodes of an archetype (and of its descendants) carry, always or on a condition. */
export interface LabelRule {
  readonly label: string;
  readonly archetype: string;
  /** The property must have one of these values; `'set'`: any value but null. */
  readonly when?: { readonly property: string; readonly is: readonly unknown[] | 'set' };
}

const SYMBOL_LABELS = ['Function', 'Method', 'Class', 'Component', 'Test', 'Route', 'Config'];
const CALLABLE_LABELS = { Function: 'function', Method: 'method', Class: 'class' };
/** Kinds that a function, method or class can have instead of its own; a label's nodes are looked for nowhere else. */
const ROLES = ['Component', 'Test', 'Route', 'Config'];

/**
 * Which labels a stored node answers to (mapping table, X-01 to X-05). One table serves both directions:
 * {@link labelsOf} a node, and {@link rulesOf} a label for finding its nodes.
 */
export const LABEL_RULES: readonly LabelRule[] = [
  always('Project', 'Project'),
  always('Directory', 'Directory'),
  when('Package', 'Directory', 'is_package', [true]),
  always('File', 'File'),
  when('Module', 'File', 'is_module', [true]),
  always('ExternalPackage', 'ExternalPackage'),
  always('Symbol', 'Symbol'),
  ...SYMBOL_LABELS.map((label) => always(label, label)),
  ...Object.entries(CALLABLE_LABELS).flatMap(([label, form]) =>
    ROLES.map((role) => when(label, role, 'callable_kind', [form])),
  ),
  when('Interface', 'Class', 'subkind', ['interface']),
  when('Enum', 'Class', 'subkind', ['enum']),
  when('Struct', 'Class', 'subkind', ['struct']),
  when('Trait', 'Class', 'subkind', ['trait']),
  when('Protocol', 'Class', 'subkind', ['protocol']),
  // A constant is a Variable too: S1-07 asks for Variable {is_constant: true}.
  when('Variable', 'Other', 'subkind', ['variable', 'constant']),
  when('Constant', 'Other', 'subkind', ['constant']),
  when('TypeAlias', 'Other', 'subkind', ['type_alias']),
  always('Import', 'Import'),
  always('Unresolved', 'Unresolved'),
  when('ExternalSymbol', 'Unresolved', 'package', 'set'),
  always('Concept', 'Concept'),
  always('Task', 'Task'),
  always('Step', 'Step'),
  always('ToolInvocation', 'ToolInvocation'),
  always('CheckpointNode', 'CheckpointNode'),
  always('Checkpoint', 'CheckpointNode'),
  always('Error', 'Error'),
  always('Memory', 'Memory'),
];

/** Labels of what is computed from spans when it is asked for, and never stored (mapping table). */
export const VIRTUAL_LABELS = ['DocString', 'Comment', 'CodeChunk'] as const;

const rulesByType = new Map(
  NODE_ARCHETYPES.map(({ name, lineage }) => [
    name,
    LABEL_RULES.filter((rule) => lineage.has(rule.archetype)),
  ]),
);
const rulesByLabel = new Map(
  LABEL_RULES.map(({ label }) => [label, LABEL_RULES.filter((rule) => rule.label === label)]),
);

/** The labels of a stored node, in the table's order. An archetype that is not ours is its own label. */
export function labelsOf(node: Labelled): readonly string[] {
  const rules = rulesByType.get(node.type);
  if (rules === undefined) return [node.type];
  return [...new Set(rules.filter((rule) => holds(rule, node)).map((rule) => rule.label))];
}

/** Whether a stored node carries a label. */
export function hasLabel(node: Labelled, label: string): boolean {
  return labelsOf(node).includes(label);
}

/** Where the nodes of a label are found: any of the rules; empty for a label that is unknown or virtual. */
export function rulesOf(label: string): readonly LabelRule[] {
  return rulesByLabel.get(label) ?? [];
}

function holds(rule: LabelRule, node: Labelled): boolean {
  if (rule.when === undefined) return true;
  const value = node.props[rule.when.property] ?? null;
  return rule.when.is === 'set' ? value !== null : rule.when.is.includes(value);
}

function always(label: string, archetype: string): LabelRule {
  return { label, archetype };
}

function when(label: string, archetype: string, property: string, is: readonly unknown[] | 'set'): LabelRule {
  return { label, archetype, when: { property, is } };
}
