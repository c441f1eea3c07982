import { plural } from '../../markdown.js';
import { quotedName, shownLine } from '../../shown-text.js';
import { candidatesText, functionLine, moduleLine } from '../parts/shown-rows.js';
import { aboutText, groupedLines } from '../parts/target-row.js';
import type { DependenciesOutput } from '../query-dependencies.js';

/** The dependencies as two lists; of what is followed the adjacency, too. */
export function dependenciesMarkdown(output: DependenciesOutput): string {
  const {
    query,
    results: { imports, calls, dependency_graph, ...about },
    metadata,
    state,
  } = output;
  const unresolved = candidatesText(state?.unresolved ?? 0, 'may lead to more', 'name');
  const counts = [
    ...(imports.length > 0 ? [plural(imports.length, 'import')] : []),
    ...(calls.length > 0 ? [plural(calls.length, 'call')] : []),
  ];
  const of = metadata.truncated ? ` of ${metadata.total_count} in all` : '';
  const nodes = Object.entries(dependency_graph);
  return [
    `${shownLine(query, 200)}${aboutText(about)}: ${counts.join(', ') || 'none are known'}${of}.${unresolved}`,
    ...listed('Imports', imports.length > 0 ? groupedLines(about, imports, moduleLine) : []),
    ...listed('Calls', calls.length > 0 ? groupedLines(about, calls, (row) => functionLine(row)) : []),
    ...listed('What needs what', nodes.length > 1 ? nodes.map(neededLine) : []),
    '',
  ].join('\n');
}

function listed(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', `${title}:`, ...lines];
}

function neededLine([name, needed]: [string, readonly string[]]): string {
  return `- ${quotedName(name)}: ${needed.map((one) => quotedName(one)).join(', ') || 'none of these'}`;
}
