import { compareText } from '../../runtime/index.js';
import { firstLine } from '../shown-text.js';
import type { Attempt } from '../trace/attempts/attempt.js';
import { ATTEMPTS } from '../trace/attempts/attempt-index.js';
import { fileLink } from '../trace/attempts/attempt-text.js';
import { mendOf } from '../trace/attempts/mend.js';
import { readAttempts } from '../trace/attempts/read-attempts.js';
import { attemptKey } from './alike-attempts.js';
import { mendLines } from './attempt-lines.js';
import { failureLine, mainFailure } from './failure-line.js';
import type { Asked } from './question.js';
import { quoted, type Remark } from './shown-record.js';

/** Tasks that touched the file and are looked at, the latest; those that changed it and are told. */
const LOOKED_AT = 6;
const MOST_TOLD = 2;
/** Characters of a prompt. */
const PROMPT = 140;
/** How much is told of what mended a failure there. */
const SHAPE = { changes: 1, lines: 2 };

/** The last tasks that changed a file, but those that were told: what was asked, and what failed and was mended there. */
export async function fileHistory(
  path: string,
  { context, own, told, placeOf }: Asked,
): Promise<Pick<Remark, 'quoted' | 'keys'>> {
  const latest = await context.digest(ATTEMPTS, (index) =>
    [...index.linkedBy(fileLink(path))]
      .flatMap((id) => index.of(id) ?? [])
      .filter(({ id, open }) => !own.has(id) && !open && !told(attemptKey(id)))
      .sort((a, b) => compareText(b.created_at, a.created_at) || compareText(a.id, b.id))
      .slice(0, LOOKED_AT)
      .map(({ id }) => id),
  );
  const lines: string[] = [];
  const keys: string[] = [];
  for await (const attempt of readAttempts(context, latest)) {
    if (keys.length === MOST_TOLD) break;
    if (!changes(attempt, (file) => placeOf(file) === path)) continue;
    const { id, created_at, user_prompt, status } = attempt.task;
    keys.push(attemptKey(id));
    const asked = firstLine(user_prompt, PROMPT) || 'not recorded';
    lines.push(`- changed ${created_at.slice(0, 10)} (${status}) for: ${quoted(asked, PROMPT)}`);
    const source = mainFailure(attempt);
    const mend = source === null ? null : mendOf(attempt, source);
    const here = mend?.changes.some(({ use }) => use.file !== null && placeOf(use.file) === path) ?? false;
    if (here)
      lines.push(
        `  it failed with: ${failureLine(attempt, source)}`,
        ...mendLines(attempt, { ...SHAPE, source, wanted: [path] }, placeOf),
      );
  }
  return { quoted: lines, keys };
}

function changes({ events }: Attempt, isIt: (file: string) => boolean): boolean {
  return events.some(
    (event) =>
      event.kind === 'tool' &&
      event.ok !== false &&
      event.use.added !== null &&
      event.use.file !== null &&
      isIt(event.use.file),
  );
}
