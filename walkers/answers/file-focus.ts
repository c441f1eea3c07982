import { CodeSymbol, FileContainsSymbol, fileId, Task } from '../../schema/index.js';
import { insideRoot, readText } from '../../source/index.js';
import type { Asked } from './question.js';

const MOST_SYMBOLS = 2000;
/** Bytes of a file in which an edit is looked for, and lines of the edit. */
const LARGEST = 1_000_000;
const MOST_LINES = 200;

/** What an agent is at in a file: the ids of symbols, each with how much it is that. What has none is not in it. */
export type Focus = ReadonlyMap<string, number>;

/** The symbols of a file that are edited, the innermost first, then those that the prompt at work names. */
export async function focusIn(path: string, { context, question, own, placeOf }: Asked): Promise<Focus> {
  const { edit } = question;
  const edited = edit && placeOf(edit.file) === path ? edit : null;
  const tasks = await context.nodesOf(Task, [...own]);
  const prompt = tasks.map((task) => (task.gone ? '' : task.user_prompt)).join('\n');
  const focus = new Map<string, number>();
  if (!edited && prompt.trim() === '') return focus;
  const symbols = await context.q(fileId(path)).out(FileContainsSymbol).slice(0, MOST_SYMBOLS).of(CodeSymbol);
  const raise = (id: string, weight: number) => focus.set(id, Math.max(weight, focus.get(id) ?? 0));
  for (const { id, qualified_name } of symbols) {
    const [name = '', ...owners] = qualified_name.split('.').reverse();
    if (hasWord(prompt, name)) raise(id, 1);
    else if (owners.some((owner) => hasWord(prompt, owner))) raise(id, 0.5);
  }
  if (!edited) return focus;
  const lines = editedLines(edited, textOf(path, context.projectRoot), question.moment === 'edited');
  for (const line of lines) {
    const around = symbols
      .filter(({ start_line, end_line }) => start_line <= line && line <= end_line)
      .sort((a, b) => a.end_line - a.start_line - (b.end_line - b.start_line));
    for (const [depth, { id }] of around.entries()) raise(id, depth === 0 ? 3 : 2);
  }
  if (lines.length === 0) for (const { id, name } of symbols) if (hasWord(edited.old, name)) raise(id, 3);
  return focus;
}

/** The lines (from 1) that an edit changes, by how the file is now; none where it does not hold the edit's text. */
function editedLines(edit: { old: string; now: string }, text: string, isDone: boolean): number[] {
  const before = edit.old.split('\n');
  const sides = [
    [edit.old, edit.now],
    [edit.now, edit.old],
  ];
  for (const [here = '', there = ''] of isDone ? sides.reverse() : sides) {
    const at = here === '' ? -1 : text.indexOf(here);
    if (at < 0) continue;
    const first = text.slice(0, at).split('\n').length;
    const others = new Set(there.split('\n').map((line) => line.trim()));
    // The graph may know the lines as they were: what an edit adds stands where the next symbol stood.
    const lines = here.split('\n').slice(0, Math.min(before.length, MOST_LINES));
    const changed = lines.flatMap((line, nth) => (others.has(line.trim()) ? [] : [first + nth]));
    return changed.length > 0 ? changed : lines.map((_, nth) => first + nth);
  }
  return [];
}

function textOf(path: string, root: string | null): string {
  if (root === null) return '';
  const read = readText({ diskPath: insideRoot(root, path).diskPath }, { maxFileBytes: LARGEST });
  return read.ok ? read.text : '';
}

function hasWord(text: string, word: string): boolean {
  const at = word.length > 2 ? text.indexOf(word) : -1;
  return at >= 0 && !/[\p{L}\p{N}_$]/u.test(`${text[at - 1] ?? ''}${text[at + word.length] ?? ''}`);
}
