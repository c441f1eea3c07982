import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { entriesOf } from '../folders.js';
import { BackupLine } from './backup-line.js';

const text = z.string();

/** A line of an archive: those of a backup, and what was deleted later. */
const ArchiveLine = z.discriminatedUnion('type', [
  ...BackupLine.options,
  z.object({ type: z.literal('gone'), id: text }),
  z.object({ type: z.literal('cut'), archetype: text, from: text, to: text, seq: z.number().int() }),
]);

/**
 * The lines of an archive, to which earlier versions appended with every commit: its events in their order, then the
 * nodes and edges that were not deleted. Damaged lines are left out; there are none where there is no folder.
 */
export async function* archiveLines(folder: string): AsyncGenerator<BackupLine[]> {
  const events = new Set<string>();
  const others = new Map<string, BackupLine>();
  for (const { name } of entriesOf(folder).filter((entry) => entry.isFile() && entry.name.endsWith('.jsonl')))
    for (const written of readFileSync(join(folder, name), 'utf8').split('\n')) {
      const line = parsed(written);
      if (line === null) continue;
      const isEdge = line.type === 'edge' || line.type === 'cut';
      const key = isEdge ? JSON.stringify([line.archetype, line.from, line.to, line.seq]) : line.id;
      if (line.type === 'gone' || line.type === 'cut') others.delete(key);
      else if (line.type !== 'event') others.set(key, line);
      else if (!events.has(key)) {
        events.add(key);
        yield [line];
      }
    }
  yield [...others.values()];
}

function parsed(line: string): z.infer<typeof ArchiveLine> | null {
  try {
    return ArchiveLine.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}
