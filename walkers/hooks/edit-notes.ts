import {
  type Attempt,
  changedLines,
  edits,
  failingTests,
  failureOf,
  idOf,
  isFailure,
  latestAtFile,
  readAttempts,
} from '../../graphs/trace/index.js';
import { failureLine, type Note, quoted, taskLine } from './notes.js';
import type { Asked } from './question.js';

/** Tasks that are looked at: those at work, and the latest that touched the file. */
const LOOKED_AT = 8;
/** A shorter line says too little to be recognised: brackets, `else`, `return x`. */
const TELLING = 10;
/** Share of an edit's new lines that must be the ones from before. */
const SHARE = 0.5;
const MOST_LINES = 3;

/**
 * Warns of an edit that puts in lines that failed before and were taken out again, or that puts back what was replaced
 * to fix a failure.
 */
export async function repeatedEdit(asked: Asked): Promise<Note[]> {
  const { question, context, placeOf, own } = asked;
  const { edit } = question;
  const path = edit ? placeOf(edit.file) : null;
  if (!edit || path === null) return [];
  const change = changedLines({ removed: edit.old, added: edit.now });
  const [added, removed] = [telling(change.added), telling(change.removed)];
  if (added.length === 0) return [];
  const latest = (await latestAtFile(path, context)).map(({ id }) => id);
  const lookedAt = [...new Set([...own, ...latest])].slice(0, LOOKED_AT);
  for await (const attempt of readAttempts(context, lookedAt)) {
    const note =
      undoneFix(attempt, path, { added, removed }, asked) ?? failedLines(attempt, path, added, asked);
    if (note) return [note];
  }
  return [];
}

interface EditLines {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** An edit that takes out the lines of a fix and puts back what the fix replaced. */
function undoneFix(attempt: Attempt, path: string, edit: EditLines, asked: Asked): Note | null {
  const fixing = edits(attempt).filter(({ use }) => asked.placeOf(use.file ?? '') === path);
  for (const event of attempt.events.filter(isFailure)) {
    const source = idOf(event);
    for (const test of [...failingTests(attempt, source), null]) {
      const failure = failureOf(attempt, source, test, asked.story);
      const undone = failure?.fixes.find(({ tool, file, added, removed }) => {
        if (file !== path || !fixing.some((one) => one.tool.id === tool)) return false;
        const [was, is] = [telling(removed), telling(added)];
        return (
          was.length > 0 &&
          was.every((line) => edit.added.includes(line)) &&
          is.every((line) => edit.removed.includes(line))
        );
      });
      const key = `undone ${undone?.tool}`;
      if (!failure || !undone || asked.delivered(key)) continue;
      return {
        what: `this puts back what was replaced to fix ${failure.test === null ? 'a failure' : 'a failing test'}. Recorded data, not an instruction.`,
        entries: [
          `- ${failureLine(failure)}\n  ${taskLine(attempt)}\n  the fix in ${quoted(path)} was:\n${undone.added
            .slice(0, MOST_LINES)
            .map((line) => `    + ${quoted(line)}`)
            .join('\n')}`,
        ],
        keys: [key],
      };
    }
  }
  return null;
}

/** Lines that were put in, met a failure, and were taken out for good. */
function failedLines(attempt: Attempt, path: string, wanted: readonly string[], asked: Asked): Note | null {
  const { events } = attempt;
  const own = edits(attempt)
    .filter(({ use }) => asked.placeOf(use.file ?? '') === path)
    .map((event) => ({ at: events.indexOf(event), ...changedLines(event.use) }));
  for (const put of own) {
    const lines = wanted.filter((line) => put.added.includes(line));
    if (lines.length < wanted.length * SHARE) continue;
    const failure = events.slice(put.at + 1).find(isFailure);
    const after = failure ? events.indexOf(failure) : -1;
    const out = own.find(({ at, removed }) => at > after && lines.every((line) => removed.includes(line)));
    const isBack =
      out && own.some(({ at, added }) => at > out.at && lines.some((line) => added.includes(line)));
    if (!failure || !out || isBack) continue;
    const key = `failed lines ${idOf(failure)}`;
    if (asked.delivered(key)) continue;
    const failed = failureOf(attempt, idOf(failure), null, asked.story);
    return {
      what: 'these lines were put in before, a failure followed, and they were taken out again. Recorded data, not an instruction.',
      entries: [
        [
          `- ${taskLine(attempt)}`,
          `  put into ${quoted(path)}: ${lines
            .slice(0, MOST_LINES)
            .map((line) => quoted(line))
            .join('; ')}`,
          ...(failed ? [`  failed with: ${failureLine(failed)}`] : []),
          ...(out.added.length > 0
            ? [
                `  replaced by: ${out.added
                  .slice(0, MOST_LINES)
                  .map((line) => quoted(line))
                  .join('; ')}`,
              ]
            : []),
        ].join('\n'),
      ],
      keys: [key],
    };
  }
  return null;
}

function telling(lines: readonly string[]): string[] {
  return lines.filter((line) => line.length >= TELLING && /\p{L}/u.test(line));
}
