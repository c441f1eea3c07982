import { firstLine, plural, quotedLine, quotedName, shownLine } from '../../../present/index.js';
import { parseId } from '../../../schema/index.js';
import type { CodebaseOutput } from '../query-codebase.js';
import type { PackNode } from './pack-rows.js';

const MOST_EDGES = 40;

/** Counts, nodes by rank, and the edges between them. What comes from the repository is quoted: it is data. */
export function codebaseMarkdown(output: CodebaseOutput): string {
  const { nodes, edges, notes } = output;
  const names = new Map(nodes.map(({ id, qualname }) => [id, shortName(id, qualname)]));
  const shown = edges.slice(0, MOST_EDGES);
  return [
    summaryLine(output),
    ...(nodes.length > 0 ? ['', ...nodes.map(nodeLine)] : []),
    ...(shown.length > 0
      ? ['', ...shown.map(({ src, rel, dst }) => `- ${names.get(src)} ${rel} ${names.get(dst)}`)]
      : []),
    ...(edges.length > shown.length ? [`- and ${edges.length - shown.length} more edges`] : []),
    ...(notes.length > 0 ? ['', ...notes.map((note) => `- ${note}`)] : []),
    '',
  ].join('\n');
}

/** What was asked, and how much was found. */
export function summaryLine(
  output: Pick<CodebaseOutput, 'query' | 'seeds' | 'expanded_nodes' | 'returned_nodes' | 'hop'>,
): string {
  const { query, seeds, expanded_nodes, returned_nodes, hop } = output;
  return `"${quotedLine(query, 80)}": ${plural(seeds, 'seed')}, ${expanded_nodes} nodes within ${plural(hop, 'hop')}, ${returned_nodes} shown.`;
}

function nodeLine({ id, kind, qualname, module_path, lineno, best_hop, docstring }: PackNode): string {
  const place = module_path === null ? '' : `, ${shownLine(module_path, 200)}:${lineno ?? 1}`;
  const about = firstLine(docstring ?? '', 80);
  const said = about === '' ? '' : ` - ${quotedLine(about, 80)}`;
  return `- ${best_hop} ${shortName(id, qualname)} ${kind}${place}${said}`;
}

function shortName(id: string, qualname: string): string {
  return quotedName(parseId(id)?.name ?? qualname);
}
