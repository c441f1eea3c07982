import { plural, quotedBlock, quotedLine } from '../../../present/index.js';
import type { CypherOutput } from '../query-cypher.js';
import type { CypherRow } from './fit-cypher.js';

/** Characters of one cell. */
const CELL = 100;

/** Rows as a table, or the plan where that was asked for. Values are data of the project: they are shown as such. */
export function cypherMarkdown({ results: { columns, rows, hints, plan }, metadata }: CypherOutput): string {
  const { row_count: shown, total_count: total } = metadata;
  const parts: string[] = [];
  if (plan !== null) parts.push(quotedBlock(plan));
  if (columns.length > 0) {
    parts.push(shown < total ? `${shown} of ${plural(total, 'row')}` : plural(total, 'row'));
    if (rows.length > 0) parts.push(table(columns, rows));
  }
  if (hints.length > 0) parts.push(hints.map((hint) => `- ${quotedLine(hint, 300)}`).join('\n'));
  return `${parts.join('\n\n')}\n`;
}

function table(columns: readonly string[], rows: readonly CypherRow[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    line(columns.map((column) => quotedLine(column, CELL))),
    line(columns.map(() => '---')),
    ...rows.map((row) => line(columns.map((column) => quotedLine(shownValue(row[column]), CELL)))),
  ].join('\n');
}

/** A value in one line: a node by its name and place, other things as Cypher would write them. */
function shownValue(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return `[${value.map(shownValue).join(', ')}]`;
  const told = value as CypherRow;
  if ('labels' in told && 'id' in told) return shownNode(told);
  if ('type' in told && 'from' in told) return `${told.from} -${told.type}-> ${told.to}`;
  if ('nodes' in told && Array.isArray(told.nodes)) return told.nodes.map(shownValue).join(' - ');
  const entries = Object.entries(told).map(([name, one]) => `${name}: ${shownValue(one)}`);
  return `{${entries.join(', ')}}`;
}

function shownNode(node: CypherRow): string {
  const name = node.qualified_name || node.name || node.id;
  const path = node.file_path ?? node.path;
  const place = typeof path === 'string' && path !== name ? ` ${path}` : '';
  return `${name}${place}${node.line_start === undefined ? '' : `:${node.line_start}`}`;
}
