import { plural } from '../markdown.js';
import { quotedBlock, quotedLine, quotedName } from '../shown-text.js';
import type { StepRow, TaskRow } from './task-rows.js';

/** Files that one line names. */
const FILES = 5;

/** A list of tasks, one a line. What was asked is quoted: it is data. */
export function tasksMarkdown(tasks: readonly TaskRow[], total: number): string {
  if (tasks.length === 0) return 'No such task is recorded of this project.\n';
  const lines = tasks.map(
    (task) =>
      `- ${task.task_id} (${task.status}, ${shortTime(task.created_at)}): "${quotedLine(task.prompt)}". ${countsOf(task)}${filesOf(task.files)}`,
  );
  const which = tasks.length < total ? `${tasks.length} of ${plural(total, 'task')}` : plural(total, 'task');
  return [`## ${which}, newest first`, '', ...lines, ''].join('\n');
}

/** One task with its steps. */
export function taskMarkdown(task: TaskRow, prompt: string, steps: readonly StepRow[]): string {
  const end = task.ended_at === null ? '' : ` to ${shortTime(task.ended_at)}`;
  return [
    `## ${task.task_id}`,
    '',
    `${task.status}, ${shortTime(task.created_at)}${end}. ${countsOf(task)}${filesOf(task.files)}`,
    '',
    'What was asked:',
    '',
    quotedBlock(prompt),
    '',
    ...steps.flatMap(stepLines),
    '',
  ].join('\n');
}

function stepLines(step: StepRow): string[] {
  const role = step.role === null ? '' : ` ${step.role}`;
  const summary = step.summary === '' ? '' : `: "${quotedLine(step.summary, 300)}"`;
  return [
    `### Step ${step.order}${role}${summary}`,
    '',
    `${step.step_id}${filesOf(step.files)}`,
    ...step.tools.map((tool) => {
      const outcome = tool.success === null ? 'not ended' : tool.success ? 'ok' : 'FAILED';
      const took = tool.duration_ms === null ? '' : `, ${Math.round(tool.duration_ms)} ms`;
      const why = tool.success === false && tool.stderr !== '' ? `: "${quotedLine(tool.stderr)}"` : '';
      return `- ${quotedName(tool.tool_name)}: ${outcome}${took}${filesOf(tool.files)}${why}`;
    }),
    ...step.errors.map(({ error_type, message }) => `- error, ${error_type}: "${quotedLine(message, 300)}"`),
    ...step.checkpoints.map((file) => `- checkpoint: ${quotedName(file)}`),
    '',
  ];
}

function countsOf({ steps, tools, errors }: TaskRow): string {
  return [plural(steps, 'step'), plural(tools, 'tool'), plural(errors, 'error')].join(', ');
}

function filesOf(files: readonly string[]): string {
  if (files.length === 0) return '';
  const more = files.length > FILES ? ` and ${files.length - FILES} more` : '';
  return `; ${files
    .slice(0, FILES)
    .map((path) => quotedName(path))
    .join(', ')}${more}`;
}

/** To the minute. */
function shortTime(iso: string): string {
  return iso.slice(0, 16).replace('T', ' ');
}
