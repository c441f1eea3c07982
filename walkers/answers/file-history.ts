import { type Attempt, idOf, latestAtFile, readAttempts } from '../../graphs/trace/index.js';
import { mendOf } from '../trace/attempts/mend.js';
import { asked, mendLines, times } from './attempt-lines.js';
import { failureLine, isFailure, mainFailure } from './failure-line.js';
import type { Asked } from './question.js';
import { attemptKey, keysOf, mendKeys, type SameMends, sameMends, withMend } from './same-mends.js';
import { type Entry, quoted } from './shown-record.js';

/** Tasks that touched the file and are looked at, the latest. */
const LOOKED_AT = 8;
/** Failures of one task that are looked at. */
const MOST_FAILURES = 20;
/** Characters of a prompt, and of what failed. */
const PROMPT = 70;
const FAILED = 110;
/** How much is told of what mended a failure there. */
const SHAPE = { changes: 1, lines: 1, size: 'brief' } as const;
const WHOLE = { changes: 9, lines: 9, size: 'whole' } as const;

/** What is known of earlier work on a file; null where there was none that was not told. */
export interface FileHistory {
  /** What failed and was mended there, else what failed in a task that changed it. */
  readonly failed: Entry | null;
  /** The last change that went well. */
  readonly changed: Entry | null;
}

/** The last tasks that changed a file, but those that were told: the one that tells most of what fails there. */
export async function fileHistory(
  path: string,
  { context, own, told, placeOf }: Asked,
): Promise<FileHistory> {
  const latest = (await latestAtFile(path, context))
    .filter(({ id, open }) => !own.has(id) && !open && !told(attemptKey(id)))
    .slice(0, LOOKED_AT)
    .map(({ id }) => id);
  const isIt = (file: string | null) => file !== null && placeOf(file) === path;
  const mended: SameMends[] = [];
  const failed: Attempt[] = [];
  const changed: Attempt[] = [];
  for await (const attempt of readAttempts(context, latest)) {
    if (!changes(attempt, isIt)) continue;
    const source = mendedHere(attempt, isIt);
    if (source !== null) mended.push(withMend(attempt, source, placeOf));
    else (mainFailure(attempt) === null ? changed : failed).push(attempt);
  }
  const [mend] = sameMends(mended).filter((same) => !told(mendKeys(same, own).session));
  const [failure] = failed;
  const [change] = changed;
  const plain = (attempt: Attempt): Entry => ({
    text: `- ${headOf(attempt)}`,
    keys: [attemptKey(attempt.task.id)],
  });
  const unmended = (attempt: Attempt): Entry => ({
    text: `- ${headOf(attempt)}\n  it failed with: ${failedWith(attempt, mainFailure(attempt))}`,
    keys: [attemptKey(attempt.task.id)],
  });
  return {
    failed: mend ? mendEntry(mend, path, { own, placeOf }) : failure ? unmended(failure) : null,
    changed: change ? plain(change) : null,
  };
}

function mendEntry(mend: SameMends, path: string, { own, placeOf }: Pick<Asked, 'own' | 'placeOf'>): Entry {
  const { attempt, source, tasks } = mend;
  const shape = { source, wanted: [path] };
  const lines = mendLines(attempt, { ...shape, ...SHAPE }, placeOf);
  const isWhole = lines.join() === mendLines(attempt, { ...shape, ...WHOLE }, placeOf).join();
  const text = [
    `- ${headOf(attempt)}`,
    `  it failed${times(tasks.length - 1)} with: ${failedWith(attempt, source)}`,
    ...lines,
  ].join('\n');
  // What was told in part is told whole where the failure is met.
  const part = mendKeys(mend, own).task;
  return { text, keys: keysOf(mend, own).filter((key) => isWhole || key !== part) };
}

function headOf(attempt: Attempt): string {
  const { created_at, status } = attempt.task;
  return `changed ${created_at.slice(0, 10)} (${status}) for: ${asked(attempt, PROMPT)}`;
}

function failedWith(attempt: Attempt, source: string | null): string {
  return quoted(failureLine(attempt, source), FAILED);
}

/** The first failure that a change of the file mended: one that was seen to pass, else one that was not. */
function mendedHere(attempt: Attempt, isIt: (file: string | null) => boolean): string | null {
  const here = attempt.events
    .filter(isFailure)
    .slice(0, MOST_FAILURES)
    .flatMap((event) => {
      const mend = mendOf(attempt, idOf(event));
      const isHere = mend?.changes.some(({ use }) => use.added !== null && isIt(use.file)) ?? false;
      // An edit that did not fit says less of the file than what was run.
      const isRun = mend?.failed?.use.command != null;
      return isHere ? [{ source: idOf(event), worth: Number(mend?.passed != null) + Number(isRun) }] : [];
    });
  return here.sort((a, b) => b.worth - a.worth)[0]?.source ?? null;
}

function changes({ events }: Attempt, isIt: (file: string | null) => boolean): boolean {
  return events.some(
    (event) =>
      event.kind === 'tool' && event.ok !== false && event.use.added !== null && isIt(event.use.file),
  );
}
