import type { ToolUse } from '../../../graphs/trace/index.js';
import { shownLine } from '../../shown-text.js';

/** Lines of one side of a change that are shown, and characters of one. */
const MOST_LINES = 12;
const LINE = 200;

/** What an edit took out, and what stands there now. */
export interface ChangedLines {
  readonly removed: string[];
  readonly now: string[];
}

/**
 * The lines that differ between an edit's old and new text, without their indentation. Where an edit only took lines
 * out (or moved them), those that stay are shown: they say where.
 */
export function changedLines({ removed, added }: Pick<ToolUse, 'removed' | 'added'>): ChangedLines {
  const [before, after] = [linesOf(removed), linesOf(added)];
  const [was, is] = [new Set(before), new Set(after)];
  const gone = before.filter((line) => !is.has(line));
  const come = after.filter((line) => !was.has(line));
  return {
    removed: (gone.length > 0 || come.length > 0 ? gone : before).slice(0, MOST_LINES),
    now: (come.length > 0 ? come : after).slice(0, MOST_LINES),
  };
}

function linesOf(text: string | null): string[] {
  return (text ?? '')
    .split('\n')
    .map((line) => shownLine(line, LINE))
    .filter((line) => line !== '');
}
