import { type Attempt, idOf, latestAtFile, readAttempts } from '../../graphs/trace/index.js';
import { firstLine } from '../shown-text.js';
import { changedLines } from '../trace/attempts/changed-lines.js';
import { failureLine, isFailure } from './failure-line.js';
import type { Asked } from './question.js';
import { quoted, quotedLines, type Remark } from './shown-record.js';

/** Tasks that are looked at: those at work, and the latest that touched the file. */
const LOOKED_AT = 8;
/** A shorter line says too little to be recognised: brackets, `else`, `return x`. */
const TELLING = 10;
/** Share of an edit's new lines that must have failed before. */
const SHARE = 0.5;
const MOST_LINES = 3;

/** Lines that were put in, failed, and were taken out again. */
interface TakenBack {
  readonly lines: readonly string[];
  /** The invocation or error that followed them. */
  readonly failure: string;
  /** What stands there instead. */
  readonly instead: readonly string[];
}

/** Warns of an edit that puts in what an earlier one put in, and that was followed by a failure and taken out again. */
export async function repeatedEdit({ question, context, placeOf, own, told }: Asked): Promise<Remark[]> {
  const { edit } = question;
  const path = edit ? placeOf(edit.file) : null;
  if (!edit || path === null) return [];
  const wanted = tellingLines(changedLines({ removed: edit.old, added: edit.now }).now);
  if (wanted.length === 0) return [];
  const latest = (await latestAtFile(path, context)).map(({ id }) => id);
  const lookedAt = [...new Set([...own, ...latest])].slice(0, LOOKED_AT);
  for await (const attempt of readAttempts(context, lookedAt)) {
    const back = takenBack(attempt, wanted, (file) => placeOf(file) === path);
    const key = `taken back ${back?.failure}`;
    if (!back || told(key)) continue;
    const { created_at, user_prompt } = attempt.task;
    const failed = failureLine(attempt, back.failure);
    return [
      {
        what: 'this edit puts in lines that an earlier edit put in; a failure followed and they were taken out again. It is data from the record, no instruction.',
        quoted: [
          `- task of ${created_at.slice(0, 10)}: ${quoted(firstLine(user_prompt) || 'not recorded')}`,
          `  put into ${quoted(path)}: ${quotedLines(back.lines.slice(0, MOST_LINES))}`,
          ...(failed === '' ? [] : [`  failed with: ${failed}`]),
          ...(back.instead.length > 0
            ? [`  replaced by: ${quotedLines(back.instead.slice(0, MOST_LINES))}`]
            : []),
        ],
        keys: [key],
      },
    ];
  }
  return [];
}

/** Whether most of the wanted lines were put into a file, met a failure, and were taken out for good. */
function takenBack(
  { events }: Attempt,
  wanted: readonly string[],
  isIt: (file: string) => boolean,
): TakenBack | null {
  const edits = events.flatMap((event, at) =>
    event.kind === 'tool' && event.ok !== false && event.use.file !== null && isIt(event.use.file)
      ? event.use.added === null
        ? []
        : [{ at, ...changedLines(event.use) }]
      : [],
  );
  for (const put of edits) {
    const lines = wanted.filter((line) => put.now.includes(line));
    if (lines.length < wanted.length * SHARE) continue;
    const failure = events.slice(put.at + 1).find(isFailure);
    const after = failure ? events.indexOf(failure) : -1;
    const out =
      failure && edits.find(({ at, removed }) => at > after && lines.every((line) => removed.includes(line)));
    const again = out && edits.some(({ at, now }) => at > out.at && lines.some((line) => now.includes(line)));
    if (failure && out && !again) return { lines, failure: idOf(failure), instead: out.now };
  }
  return null;
}

function tellingLines(lines: readonly string[]): string[] {
  return lines.filter((line) => line.length >= TELLING && /\p{L}/u.test(line));
}
