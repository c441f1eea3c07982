import { plural } from '../../markdown.js';
import { quotedName, shownLine } from '../../shown-text.js';
import { placeText, shownOf } from '../parts/shown-rows.js';
import { aboutText, groupedLines } from '../parts/target-row.js';
import type { ExportsOutput } from '../query-exports.js';
import type { ExportedModule, ExportNode } from './export-row.js';

/** The module, then what it offers as a list, and the modules and packages that it offers as wholes. */
export function exportsMarkdown({
  query,
  results: { exports, modules, ...about },
  metadata,
  state,
}: ExportsOutput): string {
  const unresolved = state?.unresolved ?? 0;
  const missing =
    unresolved === 0
      ? ''
      : ` ${plural(unresolved, 're-export')} ${unresolved === 1 ? 'leads' : 'lead'} nowhere known.`;
  const { row_count, total_count } = metadata;
  const count = total_count === 0 ? 'none are known' : shownOf(row_count, total_count, 'symbol');
  const line = (row: ExportNode) =>
    `- ${quotedName(row.name)}${aliasText(row.exported_as)} ${wordsOf(row)}${placeText(row)}`;
  const rows = exports.length > 0 ? groupedLines(about, exports, line) : [];
  const wholes = modules.length > 0 ? groupedLines(about, modules, (row) => `- ${wholeText(row)}`) : [];
  const blocks = [...(rows.length > 0 ? ['', ...rows] : []), ...(wholes.length > 0 ? ['', ...wholes] : [])];
  return [`${shownLine(query, 200)}${aboutText(about)}: ${count}.${missing}`, ...blocks, ''].join('\n');
}

function wordsOf({ kind, exported }: ExportNode): string {
  return exported ? kind : `${kind}, not exported`;
}

function aliasText(names: readonly string[] = []): string {
  return names.length === 0 ? '' : ` as ${names.map((name) => quotedName(name)).join(', ')}`;
}

/** A module under a name, names of a package, or all that a package offers. */
function wholeText({ kind, qualified_name, exported_as = [] }: ExportedModule): string {
  const whole = `${kind} ${quotedName(qualified_name)}`;
  if (kind === 'module') return `${whole}${aliasText(exported_as)}`;
  const names = exported_as.map((name) => (name === '*' ? 'all' : quotedName(name))).join(', ');
  return `${names} of ${whole}`;
}
