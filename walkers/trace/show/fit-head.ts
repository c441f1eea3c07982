import { CHARACTERS_PER_TOKEN, largestThatFits, tokensOf } from '../../token-budget.js';
import { short } from '../fit-rows.js';
import type { TaskRow } from '../tasks/task-row.js';

/** What each of the texts, and the list of files, may take of the budget: most of it is for the steps. */
const SHARE = 0.2;

/** What stands above the steps of a task. */
export interface Head {
  readonly task: TaskRow;
  readonly prompt: string;
  readonly summary: string;
}

/** Makes it fit its share of a budget: long texts and lists of files are cut at their end. @param budget In tokens. */
export function fitHead(
  { task, prompt, summary }: Head,
  budget: number,
): { readonly fitted: Head; readonly cut: readonly string[] } {
  const most = Math.max(1, Math.floor(budget * SHARE));
  const files = largestThatFits(task.files.length, (count) => tokensOf(task.files.slice(0, count)) <= most);
  const characters = most * CHARACTERS_PER_TOKEN;
  const isCut = files < task.files.length || prompt.length > characters || summary.length > characters;
  return {
    fitted: {
      task: { ...task, files: task.files.slice(0, files) },
      prompt: short(prompt, characters),
      summary: short(summary, characters),
    },
    cut: isCut ? ['The prompt, the summary or the list of files is shortened.'] : [],
  };
}
