import { quotedName, shownLine } from '../../shown-text.js';
import type { RelatedClass } from '../inheritance/class-row.js';
import { placeText } from '../parts/shown-rows.js';
import { aboutText, groupedLines } from '../parts/target-row.js';
import type { ImplementationsOutput } from '../query-implementations.js';

/** The classes as a list, the direct ones first. */
export function implementationsMarkdown({
  query,
  results: { implementations, ...about },
  metadata,
  state,
}: ImplementationsOutput): string {
  const { row_count, total_count } = metadata;
  const unresolved = state?.unresolved ?? 0;
  const maybe =
    unresolved === 0 ? '' : ` ${unresolved} more have a base of that name that leads nowhere known.`;
  const count =
    total_count === 0
      ? 'none are known'
      : `${row_count === total_count ? '' : `${row_count} of `}${total_count === 1 ? '1 class' : `${total_count} classes`}`;
  const line = (row: RelatedClass) =>
    `- ${quotedName(row.qualified_name)} ${row.relation} ${row.depth > 1 ? `over ${row.depth} steps` : 'it'}${placeText(row)}`;
  const lines = implementations.length > 0 ? groupedLines(about, implementations, line) : [];
  return [
    `${shownLine(query, 200)}${aboutText(about)}: ${count}.${maybe}`,
    ...(lines.length > 0 ? ['', ...lines] : []),
    '',
  ].join('\n');
}
