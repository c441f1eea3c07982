import { LIMITS } from '../../../schema/index.js';
import type { Parameter } from '../../facts.js';
import { signatureLine } from '../signature-line.js';
import { folded, type SyntaxNode, type SyntaxSource } from './syntax.js';

/** The head of a definition as one line: its text up to the body. */
export function headOf(source: SyntaxSource, start: number, end: number, prefix = ''): string {
  // Some more than is kept: putting it on one line makes it shorter.
  const line = folded(prefix + source.text.slice(start, end), LIMITS.signature.max * 4);
  return folded(signatureLine(line, false), LIMITS.signature.max).replace(/[;,]$/, '');
}

/** The annotation of a node as written, without its colon; null when there is none. */
export function annotationOf(node: SyntaxNode): string | null {
  const annotation = node.child(
    'type_annotation',
    'type_predicate_annotation',
    'asserts_annotation',
    'adding_type_annotation',
    'omitting_type_annotation',
    'opting_type_annotation',
  );
  return annotation === null ? null : annotation.text.replace(/^[?!+-]*:\s*/, '');
}

/** The parameters of a function-like node in order; a `this` parameter is a type's matter, not one of them. */
export function parametersOf(node: SyntaxNode): Parameter[] {
  return parameterNodes(node)
    .map(parameterOf)
    .filter((one) => one.name !== 'this');
}

/** The nodes of the parameters of a function-like node. */
export function parameterNodes(node: SyntaxNode): readonly SyntaxNode[] {
  const list = node.child('formal_parameters');
  if (list !== null) return list.children.filter((one) => one.type !== 'ERROR');
  const single = node.type === 'arrow_function' ? node.first : null;
  return single?.type === 'identifier' && single !== node.last ? [single] : [];
}

/** The parts of one parameter, whichever grammar wrote it. */
export function partsOfParameter(node: SyntaxNode): { pattern: SyntaxNode; value: SyntaxNode | null } {
  if (node.type === 'assignment_pattern') return { pattern: node.first ?? node, value: node.last };
  if (node.type !== 'required_parameter' && node.type !== 'optional_parameter')
    return { pattern: node, value: null };
  const parts = node.children.filter((one) => !NOT_PATTERN.has(one.type));
  return { pattern: parts[0] ?? node, value: parts[1] ?? null };
}

const NOT_PATTERN = new Set(['decorator', 'accessibility_modifier', 'override_modifier', 'type_annotation']);

function parameterOf(node: SyntaxNode): Parameter {
  const { pattern, value } = partsOfParameter(node);
  const rest = pattern.type === 'rest_pattern';
  const name = rest ? (pattern.first ?? pattern) : pattern;
  return {
    name: folded(name.text, 120),
    type: annotationOf(node),
    optional: value !== null || node.type === 'optional_parameter',
    rest,
  };
}
