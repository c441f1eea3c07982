import { quotedName, shownLine } from '../../shown-text.js';
import { candidatesText, functionLine, shownOf } from '../parts/shown-rows.js';
import { aboutText } from '../parts/target-row.js';
import type { CallersOutput } from '../query-callers.js';
import type { CallerRow } from './call-sites.js';

/** The callers as a list, nearest first; those that are farther away with what they call on the way. */
export function callersMarkdown({
  query,
  results: { callers, call_chains, ...about },
  metadata,
  state,
}: CallersOutput): string {
  const unresolved = candidatesText(state?.unresolved ?? 0, 'of that name may be more');
  if (metadata.total_count === 0)
    return `${shownLine(query, 200)}${aboutText(about)}: none are known.${unresolved}\n`;
  const head = `${shownLine(query, 200)}${aboutText(about)}: ${shownOf(metadata.row_count, metadata.total_count, 'caller')}.${unresolved}`;
  const lines = callers.flatMap((row, at) => {
    const way = wayText(call_chains?.[at] ?? []);
    return [functionLine(row, `${way}${linesText(row)}`), ...textLines(row)];
  });
  return [head, '', ...lines, ''].join('\n');
}

/** ` (2 calls away, by \`auth.login\`)`; empty for a direct call. */
function wayText(chain: readonly string[]): string {
  const [, next = ''] = chain;
  return chain.length <= 2 ? '' : ` (${chain.length - 1} calls away, by ${quotedName(next)})`;
}

/** ` calls at 30, 45`; empty where the lines stand below with their texts. */
function linesText({ calls = [] }: CallerRow): string {
  if (calls.length === 0 || calls.some(({ text }) => text !== undefined)) return '';
  return `, calls at ${calls.map(({ line }) => line).join(', ')}`;
}

/** A line each: `  30: \`return validate(token);\``. */
function textLines({ calls = [] }: CallerRow): string[] {
  if (calls.every(({ text }) => text === undefined)) return [];
  return calls.map(({ line, text = '' }) => `  ${line}: ${quotedName(text)}`);
}
