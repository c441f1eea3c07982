import { quotedName, shownLine } from '../../shown-text.js';
import { candidatesText, functionLine, shownOf } from '../parts/shown-rows.js';
import { aboutText, groupedLines } from '../parts/target-row.js';
import type { CallersOutput } from '../query-callers.js';
import type { CallerRow, TestFileRow } from './call-sites.js';

/**
 * The callers as a list, production code first and nearest first; those that are farther away with what they call on the
 * way. Below them tests, a line per file, and calls that may be of the target.
 */
export function callersMarkdown({
  query,
  results: { callers, call_chains, tests = [], may_call = [], ...about },
  metadata,
  state,
}: CallersOutput): string {
  const unresolved = candidatesText(state?.unresolved ?? 0, 'of that name may be more');
  const inTests = tests.reduce((sum, row) => sum + row.callers, 0);
  const known =
    metadata.total_count === 0
      ? 'none are known'
      : `${shownOf(metadata.row_count, metadata.total_count, 'caller')}${inTests > 0 ? `, ${inTests} in tests` : ''}`;
  const lines = groupedLines(about, callers, (row) => {
    const way = wayText(call_chains?.[callers.indexOf(row)] ?? []);
    return [functionLine(row, `${way}${viaText(row)}${linesText(row)}`), ...textLines(row)];
  });
  const sections = [
    lines,
    tests.length === 0 ? [] : ['### Tests', ...tests.map(testLine)],
    may_call.length === 0 ? [] : ['### May be calls', ...may_call.map(mayCallLine)],
  ];
  const shown = sections.filter((one) => one.length > 0).map((one) => one.join('\n'));
  return `${[`${shownLine(query, 200)}${aboutText(about)}: ${known}.${unresolved}`, ...shown].join('\n\n')}\n`;
}

/** ` (2 calls away, by \`auth.login\`)`; empty for a direct call. */
function wayText(chain: readonly string[]): string {
  const [, next = ''] = chain;
  return chain.length <= 2 ? '' : ` (${chain.length - 1} calls away, by ${quotedName(next)})`;
}

/** ` (via \`a.Base.send\`)`: a call that names a base's or interface's member. */
function viaText({ via }: { readonly via?: string | undefined }): string {
  return via === undefined ? '' : ` (via ${quotedName(via)})`;
}

/** ` calls at 30, 45`; empty where the lines stand below with their texts. */
function linesText({ calls = [] }: CallerRow): string {
  if (calls.length === 0 || calls.some(({ text }) => text !== undefined)) return '';
  return `, calls at ${calls.map(({ line }) => line).join(', ')}`;
}

/** A line each: `  30: \`return validate(token);\``. */
function textLines({ calls = [] }: CallerRow): string[] {
  if (calls.every(({ text }) => text === undefined)) return [];
  return calls.map((call) => `  ${call.line}: ${quotedName(call.text ?? '')}${viaText(call)}`);
}

/** `- tests/test_auth.py: 3 callers at 12, 30, 41`. */
function testLine(row: TestFileRow): string {
  const path = shownLine(row.file_path, 200);
  return `- ${path}: ${shownOf(row.callers, row.callers, 'caller')}${viaText(row)} at ${row.lines.join(', ')}`;
}

function mayCallLine({ caller, file_path, line, text, cause }: MayCall): string {
  const place = file_path === undefined ? '' : `, ${shownLine(file_path, 200)}:${line}`;
  return `- ${quotedName(caller)}${place}: ${quotedName(text)} (${cause})`;
}

type MayCall = NonNullable<CallersOutput['results']['may_call']>[number];
