import { createHash } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writeWhole } from '../../host/index.js';
import { CodewalkError, issuesText } from '../../schema/index.js';

const InstalledFile = z.object({
  client: z.string(),
  scope: z.enum(['user', 'project']),
  /** The project's root; null in scope `user`. */
  root: z.string().nullable(),
  /** As it was named: a link stays one. */
  path: z.string(),
  /** Whether the file is ours alone; else it has entries of ours. */
  whole: z.boolean(),
  /** What it held before, in base64; null: there was none. */
  before: z.string().nullable(),
  /** SHA-256 of what we wrote. */
  wrote: z.string(),
  /** Folders that were made for it, outermost first. */
  folders: z.array(z.string()),
  /** ISO 8601. */
  at: z.string(),
});
const Record = z.object({ version: z.literal(1), files: z.array(InstalledFile) });

/** A file that an installer wrote, and what restores it. */
export type InstalledFile = z.infer<typeof InstalledFile>;

/** In the folder of all graphs. It holds whole settings files: mode 0600. */
function recordFile(home: string): string {
  return join(home, 'installs.json');
}

/**
 * The files that were installed; none where there is no record.
 *
 * @throws CodewalkError `CONFIG_INVALID`
 */
export function readInstalls(home: string): readonly InstalledFile[] {
  const file = recordFile(home);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return [];
  }
  const parsed = Record.safeParse(jsonOf(text));
  if (parsed.success) return parsed.data.files;
  throw new CodewalkError('CONFIG_INVALID', `${file}: ${issuesText(parsed.error)}`, {
    input: file,
    suggestion: 'Move it away: our entries are known without it, and are taken out of the files one by one.',
  });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Stores the record; one of nothing is no file. */
export function writeInstalls(home: string, files: readonly InstalledFile[]): void {
  if (files.length === 0) rmSync(recordFile(home), { force: true });
  else writeWhole(recordFile(home), `${JSON.stringify({ version: 1, files }, null, 2)}\n`);
}

/** Tells whether a file is as we wrote it. */
export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** What a file held before we wrote it; null: there was none. */
export function bytesBefore({ before }: InstalledFile): Uint8Array | null {
  return before === null ? null : Buffer.from(before, 'base64');
}
