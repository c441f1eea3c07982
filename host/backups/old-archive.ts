import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { entriesOf } from '../folders.js';
import { BackupLine, type LineOf } from './backup-line.js';

const text = z.string();

/** A line of an archive: those of a backup, and what was deleted later. */
const ArchiveLine = z.discriminatedUnion('type', [
  ...BackupLine.options,
  z.object({ type: z.literal('gone'), id: text }),
  z.object({ type: z.literal('cut'), archetype: text, from: text, to: text, seq: z.number().int() }),
]);

/**
 * The lines of an archive, which versions before 0.1 wrote with every commit: its events as they stand there, then the
 * nodes and edges that were not deleted. Lines that are damaged are left out; there are none where there is no folder.
 */
export async function* archiveLines(folder: string): AsyncGenerator<BackupLine[]> {
  const events = new Set<string>();
  const others = new Map<string, LineOf<'node'> | LineOf<'edge'>>();
  for (const { name } of entriesOf(folder).filter(
    (entry) => entry.isFile() && /^\d{8}\.jsonl$/u.test(entry.name),
  ))
    for (const written of readFileSync(join(folder, name), 'utf8').split('\n')) {
      const line = parsed(written);
      if (line === null) continue;
      if (line.type === 'event') {
        if (events.has(line.id)) continue;
        events.add(line.id);
        yield [line];
      } else if (line.type === 'node') others.set(line.id, line);
      else if (line.type === 'gone') others.delete(line.id);
      else if (line.type === 'edge') others.set(edgeKey(line), line);
      else others.delete(edgeKey(line));
    }
  yield [...others.values()];
}

function edgeKey({
  archetype,
  from,
  to,
  seq,
}: Pick<LineOf<'edge'>, 'archetype' | 'from' | 'to' | 'seq'>): string {
  return JSON.stringify([archetype, from, to, seq]);
}

function parsed(line: string): z.infer<typeof ArchiveLine> | null {
  try {
    return ArchiveLine.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}
