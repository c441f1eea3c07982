import { quotedLine, quotedName, shownLine } from '../../shown-text.js';
import type { NodeOutput } from '../graph-node.js';

/** A node: what it is, its properties that are not empty, and its edges, one line each. */
export function nodeMarkdown({ id, kind, labels, properties, edges, ...node }: NodeOutput): string {
  const told = Object.entries(properties).filter(([, value]) => isTelling(value));
  return [
    `${quotedName(id)} ${kind}${placeText(node)} (labels: ${labels.join(', ') || 'none'})`,
    '',
    ...told.map(([name, value]) => `- ${name}: ${valueText(value)}`),
    '',
    ...(edges.length === 0 ? ['No edges.'] : edges.map(groupLine)),
    '',
  ].join('\n');
}

function placeText({ module_path, lineno }: Pick<NodeOutput, 'module_path' | 'lineno'>): string {
  return module_path === null || lineno === null ? '' : `, ${shownLine(module_path, 200)}:${lineno}`;
}

function isTelling(value: unknown): boolean {
  return value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
}

function valueText(value: unknown): string {
  return quotedLine(typeof value === 'string' ? value : JSON.stringify(value), 200);
}

function groupLine({ type, direction, count, first }: NodeOutput['edges'][number]): string {
  const names = first.map((id) => quotedName(shownLine(id))).join(', ');
  const rest = count > first.length && first.length > 0 ? ', …' : '';
  return `- ${type} ${direction} ${count}${names === '' ? '' : `: ${names}${rest}`}`;
}
