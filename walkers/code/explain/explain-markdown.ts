import { parseId } from '../../../schema/index.js';
import { type EdgeRow, type EndRow, type ExplainOutput, type PlaceRow, shortName } from './explain-rows.js';

/** An explanation as Markdown: the same things in the same order. */
export function explainMarkdown(output: Omit<ExplainOutput, 'state'>): string {
  const { from, to, edges, candidates, reverse, path, why_not, summary } = output;
  const sections = [`## ${headOf(from)} to ${headOf(to)}`, summary];
  for (const [title, ends] of [
    ['From', from],
    ['To', to],
  ] as const)
    if (ends.length > 0)
      sections.push(`### ${ends.length > 1 ? `${title} one of` : title}\n${ends.map(endLine).join('\n')}`);
  if (edges.length > 0) sections.push(edges.map(edgeText).join('\n'));
  if (why_not.length > 0) sections.push(`### Why not\n${why_not.map((text) => `- ${text}`).join('\n')}`);
  if (candidates.length > 0)
    sections.push(`### Candidates, not facts\n${candidates.map(edgeText).join('\n')}`);
  if (path)
    sections.push(
      `### Shortest way\n${path.map((step) => `- ${nodeText(step.from)} ${step.kind} ${nodeText(step.to)} at line ${step.line}`).join('\n')}`,
    );
  if (reverse.length > 0) sections.push(`### The other way round\n${reverse.map(edgeText).join('\n')}`);
  return `${sections.join('\n\n')}\n`;
}

function headOf(ends: readonly EndRow[]): string {
  return ends[0]?.name ?? '';
}

function endLine({ qualified_name, kind, path, line }: EndRow): string {
  const place = path === null ? '' : `, ${path}${line === null ? '' : `:${line}`}`;
  return `- \`${qualified_name}\` ${kind}${place}`;
}

function edgeText(edge: EdgeRow): string {
  const how = [
    edge.call_type,
    edge.access,
    edge.resolution === null ? null : `resolved by ${edge.resolution}`,
    edge.confidence === null ? null : `confidence ${edge.confidence}`,
  ].filter((part) => part !== null);
  const head = `- ${nodeText(edge.from)} ${edge.kind} ${nodeText(edge.to)}${how.length > 0 ? ` (${how.join(', ')})` : ''}`;
  return [head, ...edge.places.map(placeLine)].join('\n');
}

function placeLine({ path, line, expression, text }: PlaceRow): string {
  const shown = text ?? expression;
  return `  - ${path ?? ''}:${line}${shown === '' ? '' : ` \`${shown.replaceAll('`', "'")}\``}`;
}

/** `Auth.login in src/auth.ts`. */
function nodeText(id: string): string {
  const { path, name } = parseId(id) ?? {};
  return path !== null && path !== undefined && name ? `${name} (${path})` : shortName(id);
}
