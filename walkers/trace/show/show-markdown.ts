import { parseId } from '../../../schema/index.js';
import { plural } from '../../markdown.js';
import { quotedBlock, quotedName, shownLine } from '../../shown-text.js';
import { mendLines } from '../mend-row.js';
import { quotedEnd, quotedLines } from '../quoted-lines.js';
import { between, clockOf, minuteOf, tookText } from '../shown-times.js';
import type { TaskRow } from '../tasks/task-row.js';
import { countsOf } from '../tasks/tasks-markdown.js';
import { tellingLine } from '../telling-line.js';
import type { ErrorRow, EventRow, StepRow, ToolRow } from './timeline-rows.js';

/** What one line has left behind the columns in front, and on a line of its own. */
const BESIDE = 50;
const BELOW = 72;
/** Characters of a sub agent's name. */
const NAME = 30;
/** Lines of what was asked and of what was said at the end. */
const LINES = 30;
/** Tests that one line names. */
const TESTS = 3;

interface Shown {
  readonly task: TaskRow;
  readonly prompt: string;
  readonly summary: string;
  readonly steps: readonly StepRow[];
}

/** One task as a timeline for 80 columns. Whatever the record says is quoted: it is data (X-39). */
export function showMarkdown({ task, prompt, summary, steps }: Shown): string {
  const took = between(task.created_at, task.ended_at);
  return [
    `## ${shownLine(task.task_id)}`,
    '',
    `${task.status}, ${minuteOf(task.created_at)}, ${took ?? 'not ended'}`,
    `${countsOf(task)}, ${plural(task.files.length, 'file')}`,
    ...(task.session_id === null ? [] : [`session ${quotedName(task.session_id, NAME * 2)}`]),
    ...(task.client === null ? [] : [`client ${quotedName(task.client, NAME)}`]),
    '',
    ...(prompt === '' ? [] : ['What was asked:', '', block(prompt), '']),
    ...steps.flatMap(stepLines),
    ...(summary === '' ? [] : ['What the agent said at the end:', '', block(summary), '']),
  ].join('\n');
}

function stepLines(step: StepRow): string[] {
  const { order, role, agent, started_at, ended_at, summary, events, left_out } = step;
  const took = between(started_at, ended_at);
  const told = new Set(events.map((event) => (event.kind === 'error' ? tellingLine(event.message) : '')));
  const by = agent === null ? null : `by ${quotedName(agent, NAME)}`;
  const head = [`Step ${order}${role === null ? '' : ` ${role}`}`, by, took].filter((part) => part !== null);
  return [
    `### ${head.join(', ')}`,
    '',
    ...(summary === '' ? [] : [quotedName(summary, BELOW), '']),
    ...(left_out > 0 ? [`- ${plural(left_out, 'use')} of tools that went well are left out`] : []),
    ...events.flatMap((event) => eventLines(event, told)),
    '',
  ];
}

/** @param told What the errors of the step say. */
function eventLines(event: EventRow, told: ReadonlySet<string>): string[] {
  switch (event.kind) {
    case 'tool':
      return toolLines(event, told.has(event.said));
    case 'error':
      return errorLines(event);
    case 'checkpoint':
      return [line(event.at, 'saved', '', quotedName(event.checkpoint_file, BESIDE))];
  }
}

function toolLines(tool: ToolRow, isTold: boolean): string[] {
  const { at, tool_name, success, duration_ms, said, command, file, files, symbols, added, removed } = tool;
  const outcome = success === null ? 'open' : success ? 'ok' : 'FAILED';
  const took = duration_ms === null ? '' : tookText(duration_ms);
  const others = files.filter((path) => path !== (file ?? files[0]));
  const edit = added === null ? '' : ` +${added} -${removed ?? 0}`;
  return [
    line(
      at,
      outcome,
      took,
      command === null ? `${toolOn(tool_name, file ?? files[0], edit)}` : shell(command),
    ),
    ...(others.length > 0 ? [below(`files: ${listed(others)}`)] : []),
    ...(symbols.length > 0 ? [below(`symbols: ${listed(symbols.map(nameOf))}`)] : []),
    ...(said === '' || isTold ? [] : [below(quotedName(said, BELOW))]),
  ];
}

function nameOf(id: string): string {
  return parseId(id)?.name ?? id;
}

function shell(command: string): string {
  return quotedName(`$ ${command}`, BESIDE);
}

function toolOn(tool: string, file: string | undefined, edit: string): string {
  const name = /^[\w.:-]+$/u.test(tool) ? shownLine(tool, NAME) : quotedName(tool, NAME);
  const left = BESIDE - name.length - edit.length - 1;
  return file === undefined ? name : `${name} ${quotedName(file, left)}${edit}`;
}

function errorLines({ at, error_type, message, tests, resolved_by }: ErrorRow): string[] {
  return [
    line(at, 'error', '', error_type),
    ...quotedLines(tellingLine(message), BELOW).map(below),
    ...(tests.length > 0 ? [below(`failing: ${listed(tests)}`)] : []),
    ...(resolved_by ? mendLines(resolved_by).map(below) : []),
  ];
}

function line(at: string | null, outcome: string, took: string, what: string): string {
  return `- ${clockOf(at)}  ${outcome.padEnd(6)} ${took.padStart(7)}  ${what}`.trimEnd();
}

function below(text: string): string {
  return `    ${text}`;
}

function listed(names: readonly string[]): string {
  const more = names.length > TESTS ? ` and ${names.length - TESTS} more` : '';
  const room = Math.floor((BELOW - 20) / Math.min(TESTS, names.length));
  return `${names
    .slice(0, TESTS)
    .map((name) => quotedEnd(name, room))
    .join(', ')}${more}`;
}

function block(text: string): string {
  const lines = text.trimEnd().split('\n');
  const more = lines.length > LINES ? [`… ${lines.length - LINES} more lines: --json has them`] : [];
  return quotedBlock([...lines.slice(0, LINES), ...more].join('\n'));
}
