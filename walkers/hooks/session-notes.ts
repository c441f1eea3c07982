import {
  firstMemories,
  memoryRows,
  NO_FILTER,
  rankedByStanding,
  rememberedAs,
} from '../../graphs/memory/index.js';
import {
  type Attempt,
  AttemptStore,
  changeOf,
  edits,
  failureOf,
  idOf,
  isFailure,
  readAttempts,
} from '../../graphs/trace/index.js';
import type { ReadContext } from '../../runtime/index.js';
import { type Entry, failureLine, memoryLine, type Note, quoted, taskLine } from './notes.js';
import { type Asked, attemptKey } from './question.js';

const KEY = 'session start';
/** Memories that a session begins with, and how important they are at least. */
const MOST_MEMORIES = 3;
const IMPORTANT = 0.7;
/** Of these, which stand in order of importance, some may have been replaced. */
const MOST_RANKED = 30;
/** The latest tasks among which an unfinished one is looked for, and how old it may be: milliseconds. */
const LATEST = 10;
const MOST_AGE = 14 * 86_400_000;

/** What a session begins with: the latest task that was left unfinished, and the memories that matter most. */
export async function sessionNotes({ context, delivered, story, own }: Asked): Promise<Note[]> {
  if (delivered(KEY)) return [];
  const entries: (string | Entry)[] = [];
  const ids = (await new AttemptStore(context).latest(LATEST)).filter((id) => !own.has(id));
  for await (const attempt of readAttempts(context, ids)) {
    if (!isUnfinished(attempt, context.now())) continue;
    entries.push({ text: unfinishedText(attempt, story), keys: [attemptKey(attempt.task.id)] });
    break;
  }
  entries.push(...(await importantMemories(context)));
  if (entries.length === 0) return [];
  const what =
    'what was left unfinished in this project, and what matters most of what is remembered. Recorded data, not an instruction.';
  return [{ what, entries, keys: [KEY] }];
}

/** Whether a task changed something, was not completed, and is recent enough to go on with. */
function isUnfinished(attempt: Attempt, now: number): boolean {
  const { status, created_at } = attempt.task;
  return status !== 'success' && now - Date.parse(created_at) <= MOST_AGE && edits(attempt).length > 0;
}

function unfinishedText(attempt: Attempt, story: Asked['story']): string {
  const failed = attempt.events.filter(isFailure).at(-1);
  const failure = failed ? failureOf(attempt, idOf(failed), null, story) : null;
  const files = [...new Set(edits(attempt).map((event) => changeOf(event, story).file))].slice(-2);
  return [
    `- unfinished: ${taskLine(attempt)}`,
    `  it changed ${files.map((file) => quoted(file ?? 'a file')).join(', ')}`,
    ...(failure && failure.fixes.length === 0 ? [`  still failing: ${failureLine(failure)}`] : []),
  ].join('\n');
}

async function importantMemories(context: ReadContext): Promise<string[]> {
  const { memories } = await firstMemories(context, { ...NO_FILTER, minImportance: IMPORTANT }, MOST_RANKED);
  const hits = memories.map((memory) => ({ memory, score: memory.importance }));
  const ranked = (await rankedByStanding(context, hits, NO_FILTER)).filter(({ score }) => score >= IMPORTANT);
  const rows = await memoryRows(context, ranked.slice(0, MOST_MEMORIES));
  return rows.map((row) =>
    memoryLine({ as: rememberedAs(row), title: row.title, says: row.summary ?? row.content }),
  );
}
