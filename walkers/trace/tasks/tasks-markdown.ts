import { plural } from '../../markdown.js';
import { quotedName, shownLine } from '../../shown-text.js';
import { minuteOf } from '../shown-times.js';
import type { TaskRow } from './task-row.js';

/** An id made of a hash, up to as many digits as tell the tasks of a lifetime apart. */
const HASHED = /^(?:task|error):[0-9a-v]{10}(?=[0-9a-v]{10,}$)/u;
/** Characters of a name that a client gave a task. */
const NAME = 30;
/** Of the longest status. */
const STATUS = 'running'.length;
/** What one line has left for what was asked. */
const PROMPT = 76;

/** A list of tasks, two lines each, for 80 columns. What was asked is quoted: it is data. */
export function tasksMarkdown(tasks: readonly TaskRow[], total: number): string {
  if (tasks.length === 0) return 'No task that fits is recorded here.\n';
  const which = tasks.length < total ? `${tasks.length} of ${plural(total, 'task')}` : plural(total, 'task');
  const handles = tasks.map(({ task_id }) => handleOf(task_id));
  const width = Math.max(...handles.map(({ length }) => length));
  const lines = tasks.flatMap((task, at) => {
    const handle = handles[at]?.padEnd(width);
    const client = task.client === null ? '' : `  ${task.client}`;
    const asked = task.prompt === '' ? '(no prompt)' : quotedName(task.prompt, PROMPT);
    return [
      `- ${handle}  ${minuteOf(task.created_at)}  ${task.status.padEnd(STATUS)}  ${countsOf(task)}${client}`,
      `  ${asked}`,
    ];
  });
  return [`## ${which}, newest first`, '', ...lines, '', '`codewalk show TASK` shows one.', ''].join('\n');
}

/** What a task or an error is called in a line: the beginning of its id, enough to ask for it by. */
export function handleOf(id: string): string {
  return HASHED.exec(id)?.[0] ?? shownLine(id, NAME);
}

/** `1 step, 3 tools, no error`. */
export function countsOf({ steps, tools, errors }: Pick<TaskRow, 'steps' | 'tools' | 'errors'>): string {
  return [plural(steps, 'step'), plural(tools, 'tool'), plural(errors, 'error')].join(', ');
}
