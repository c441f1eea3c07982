import { plural, quotedName } from '../../../present/index.js';
import { grouped, parseId } from '../../../schema/index.js';
import { handleOf, minuteOf } from '../rows.js';
import type { ImpactOutput } from './impact-rows.js';

/** What one line has left for a text. */
const TEXT = 74;
/** Characters of a memory. */
const REMEMBERED = 200;
/** Characters of names and of a path that stand in one line. */
const NAME = 30;
const CALLED = 22;
const PLACE = 40;
/** Names that one line has of a list. */
const LISTED = 2;

/** What was touched and who would notice, for 80 columns. Whatever the record says is quoted: it is data (X-39). */
export function impactMarkdown(output: ImpactOutput): string {
  const { tasks, errors, steps, files, symbols, callers, tests, memories, summary } = output;
  const orders = new Map(steps.map(({ step_id, order }) => [step_id, order]));
  return [
    '## Impact',
    '',
    summary,
    ...section('Tasks', tasks, ({ task_id, status, created_at, prompt }) => [
      `- ${handleOf(task_id)}  ${minuteOf(created_at)}  ${status}`,
      `  ${quotedName(prompt, TEXT)}`,
    ]),
    ...section('Errors', errors, ({ error_id, error_type, created_at, message }) => [
      `- ${handleOf(error_id)}  ${minuteOf(created_at ?? '')}  ${error_type}`,
      `  ${quotedName(message, TEXT)}`,
    ]),
    ...section('Steps', steps, (step) => stepLines(step, tasks.length > 1)),
    ...section('Files', files, ({ path, use, step_ids, there }) => {
      const how = use === 'write' ? 'changed' : (use ?? 'touched');
      const where = step_ids.map((id) => orders.get(id)).filter((order) => order !== undefined);
      const gone = there ? '' : ', not in the code graph';
      return [`- ${how.padEnd(7)}  ${quotedName(path, PLACE)} in ${stepNames(where)}${gone}`];
    }),
    ...section('Worked on', [...grouped(symbols, ({ path }) => path)], (group) =>
      groupLines(group, (row) => {
        const counts = `: ${plural(row.callers, 'caller')}, ${plural(row.tests, 'test')}`;
        return `${named(row)}${row.callers + row.tests === 0 ? '' : counts}`;
      }),
    ),
    ...section('Callers', [...grouped(callers, ({ path }) => path)], (group) =>
      groupLines(group, (row) => {
        const far = row.distance > 1 ? `, ${row.distance} calls away` : '';
        return `${named(row)} calls ${listed(row.calls)}${far}`;
      }),
    ),
    ...section('Tests', [...grouped(tests, ({ path }) => path)], (group) =>
      groupLines(group, (row) => `${named(row)} tests ${listed(row.tests)}${row.failed ? ', FAILED' : ''}`),
    ),
    ...section('Remembered', memories, (line) => [`- ${quotedName(line, REMEMBERED)}`]),
    '',
  ].join('\n');
}

function section<T>(title: string, rows: readonly T[], lines: (row: T) => readonly string[]): string[] {
  return rows.length === 0 ? [] : ['', `### ${title}`, '', ...rows.flatMap(lines)];
}

function stepLines(step: ImpactOutput['steps'][number], withTask: boolean): string[] {
  const { order, role, task_id, summary, met, mended } = step;
  const what = [
    ...(met.length > 0 ? [`met ${met.map(handleOf).slice(0, LISTED).join(', ')}`] : []),
    ...(mended.length > 0 ? [`mended ${mended.map(handleOf).slice(0, LISTED).join(', ')}`] : []),
  ];
  const task = withTask ? `  ${handleOf(task_id)}` : '';
  return [
    `- ${String(order).padStart(2)} ${(role ?? '').padEnd('refactoring'.length)}${task}  ${what.join('; ')}`.trimEnd(),
    ...(summary === '' ? [] : [`  ${quotedName(summary, TEXT)}`]),
  ];
}

function stepNames(orders: readonly number[]): string {
  const sorted = [...new Set(orders)].sort((a, b) => a - b);
  const more = sorted.length > 5 ? '…' : '';
  return `${sorted.length === 1 ? 'step' : 'steps'} ${sorted.slice(0, 5).join(', ')}${more}`;
}

function groupLines<T extends { readonly line: number }>(
  [path, rows]: readonly [string, readonly T[]],
  text: (row: T) => string,
): string[] {
  return [`- ${quotedName(path, TEXT)}`, ...rows.map((row) => `  - ${row.line} ${text(row)}`)];
}

function named({ name }: { name: string }): string {
  return quotedName(name, NAME);
}

function listed(ids: readonly string[]): string {
  const names = ids.slice(0, 1).map((id) => quotedName(parseId(id)?.name ?? id, CALLED));
  return `${names.join(', ')}${ids.length > 1 ? ` and ${ids.length - 1} more` : ''}`;
}
