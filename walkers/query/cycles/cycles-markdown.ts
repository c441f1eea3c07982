import { diagramBlock } from '../../diagram/index.js';
import { plural } from '../../markdown.js';
import { quotedName, shownLine } from '../../shown-text.js';
import type { CyclesOutput } from '../query-cycles.js';

/** The circles as a list, the shortest first; a diagram in its own language. */
export function cyclesMarkdown(output: CyclesOutput): string {
  const {
    query,
    results: { circular_dependencies, diagram },
    metadata,
  } = output;
  const { row_count, total_count } = metadata;
  const count =
    row_count === total_count ? plural(total_count, 'circle') : `${row_count} of ${total_count} circles`;
  const head = `${shownLine(query, 200)}: ${total_count === 0 ? 'none' : count}.`;
  if (diagram !== undefined) return `${head}\n\n${diagramBlock(diagram)}\n`;
  const typed = circular_dependencies.filter(({ type_only }) => type_only).length;
  const types =
    typed === 0
      ? []
      : [
          `${typed} of them ${typed === 1 ? 'exists for types alone, and is' : 'exist for types alone, and are'} gone when the code runs.`,
        ];
  const lines = circular_dependencies.map(({ cycle_path, cycle_type, type_only, places }) => {
    const [first] = places;
    // A module is its file.
    const place = cycle_type === 'imports' || !first ? '' : `, ${shownLine(first, 200)}`;
    return `- ${cycle_path.map((name) => quotedName(name)).join(' > ')}${type_only ? ' (types alone)' : ''}${place}`;
  });
  return [head, ...types, ...(lines.length > 0 ? ['', ...lines] : []), ''].join('\n');
}
