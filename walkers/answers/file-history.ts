import { compareText } from '../../runtime/index.js';
import { firstLine } from '../shown-text.js';
import type { Attempt } from '../trace/attempts/attempt.js';
import { ATTEMPTS } from '../trace/attempts/attempt-index.js';
import { fileLink } from '../trace/attempts/attempt-text.js';
import { mendOf } from '../trace/attempts/mend.js';
import { readAttempts } from '../trace/attempts/read-attempts.js';
import { failureLine, mendLines } from './attempt-lines.js';
import type { Asked } from './question.js';
import { quoted } from './shown-record.js';

/** Tasks that touched the file and are looked at, the latest; those that changed it and are told. */
const LOOKED_AT = 6;
const MOST_TOLD = 2;
/** Characters of a prompt. */
const PROMPT = 140;
/** How much is told of what mended a failure there. */
const SHAPE = { source: null, changes: 1, lines: 2 };

/** The last tasks that changed a file: what was asked, and what failed and was mended there. */
export async function fileHistory(path: string, { context, own, placeOf }: Asked): Promise<string[]> {
  const latest = await context.digest(ATTEMPTS, (index) =>
    [...index.linkedBy(fileLink(path))]
      .flatMap((id) => index.of(id) ?? [])
      .filter(({ id, open }) => !own.has(id) && !open)
      .sort((a, b) => compareText(b.created_at, a.created_at) || compareText(a.id, b.id))
      .slice(0, LOOKED_AT)
      .map(({ id }) => id),
  );
  const lines: string[] = [];
  let told = 0;
  for await (const attempt of readAttempts(context, latest)) {
    if (told === MOST_TOLD) break;
    if (!changes(attempt, (file) => placeOf(file) === path)) continue;
    told++;
    const { created_at, user_prompt, status } = attempt.task;
    const asked = firstLine(user_prompt, PROMPT) || 'not recorded';
    lines.push(`- changed ${created_at.slice(0, 10)} (${status}) for: ${quoted(asked, PROMPT)}`);
    const mend = mendOf(attempt, null);
    const here = mend?.changes.some(({ use }) => use.file !== null && placeOf(use.file) === path) ?? false;
    if (here) lines.push(`  it met: ${failureLine(attempt, null)}`, ...mendLines(attempt, SHAPE, placeOf));
  }
  return lines;
}

function changes({ events }: Attempt, isIt: (file: string) => boolean): boolean {
  return events.some(
    (event) =>
      event.kind === 'tool' &&
      event.tool.success !== false &&
      event.use.added !== null &&
      event.use.file !== null &&
      isIt(event.use.file),
  );
}
