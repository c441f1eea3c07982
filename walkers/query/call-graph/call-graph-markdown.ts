import { diagramBlock } from '../../diagram/index.js';
import { plural } from '../../markdown.js';
import { quotedName, shownLine } from '../../shown-text.js';
import type { FunctionNode } from '../parts/code-node.js';
import { candidatesText, functionLine, rowName, shownOf } from '../parts/shown-rows.js';
import { aboutText } from '../parts/target-row.js';
import type { CallGraphOutput } from '../query-call-graph.js';

/** The call graph as a tree: each node once with what it calls under it; where it comes again, a word says so. */
export function callGraphMarkdown(output: CallGraphOutput): string {
  const {
    query,
    results: { nodes, edges, total_nodes, ...about },
    state,
  } = output;
  const unresolved = candidatesText(state?.unresolved ?? 0, 'may lead to more');
  const head = `${shownLine(query, 200)}${aboutText(about)}: ${shownOf(nodes.length, total_nodes, 'node')}, ${plural(edges.length, 'call')}.${unresolved}`;
  if (output.results.diagram !== undefined) return `${head}\n\n${diagramBlock(output.results.diagram)}\n`;
  return [head, '', ...treeLines(output), ''].join('\n');
}

/** Nodes come nearest first: in the tree a node stands under the first of those before it that calls it. */
function treeLines({ results: { nodes, edges } }: CallGraphOutput): string[] {
  const places = new Map(nodes.map(({ qualified_name }, at) => [qualified_name, at]));
  const called = new Map<string, Set<string>>();
  const may = new Set(edges.filter((edge) => edge.may).map(edgeKey));
  for (const { from_function, to_function } of edges)
    called.set(from_function, (called.get(from_function) ?? new Set()).add(to_function));
  const parents = new Map<string, string>();
  for (const [name, at] of places)
    for (const to of called.get(name) ?? [])
      if (at < (places.get(to) ?? 0) && !parents.has(to)) parents.set(to, name);
  const lines: string[] = [];
  const show = (name: string, from: string | null, depth: number): void => {
    const row = nodes[places.get(name) ?? -1];
    if (!row) return;
    const isHome = (parents.get(name) ?? null) === from;
    const maybe = may.has(edgeKey({ from_function: from ?? '', to_function: name }))
      ? ' (may run instead)'
      : '';
    const shown = isHome ? functionLine(row, maybe) : `- ${againText(row, name === from)}`;
    lines.push(`${'  '.repeat(depth)}${shown}`);
    for (const to of isHome ? (called.get(name) ?? []) : []) show(to, name, depth + 1);
  };
  for (const name of places.keys()) if (!parents.has(name)) show(name, null, 0);
  // Edges tell nodes by their names: of several that share one the others have no place in the tree.
  for (const [at, row] of nodes.entries())
    if (places.get(row.qualified_name) !== at) lines.push(functionLine(row));
  return lines;
}

function edgeKey({ from_function, to_function }: { from_function: string; to_function: string }): string {
  return `${from_function}\0${to_function}`;
}

/** A node that stands with its calls in another place of the tree. */
function againText(row: FunctionNode, isItself: boolean): string {
  return `${quotedName(rowName(row))} (${isItself ? 'itself' : 'again'})`;
}
