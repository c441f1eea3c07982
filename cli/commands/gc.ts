import { Command } from 'commander';
import type { GlobalFlags, Session } from '../session.js';
import { storeOwner } from '../store-owner.js';
import { bytesText, textTable } from '../text-table.js';

interface GcFlags extends GlobalFlags {
  readonly dryRun?: boolean;
}

/** `codewalk gc`: drops what retention allows to drop. */
export function gcCommand(session: Session): Command {
  const command = new Command('gc')
    .description(
      'Drop what is beyond retention: graphs of vanished roots, the least recently used graphs and events, leftovers.',
    )
    .option('--dry-run', 'only say what would be dropped');
  return command.action(async () => {
    const { collectGarbage } = await import('../../host/index.js');
    const flags: GcFlags = command.optsWithGlobals();
    const { json, home, dryRun = false } = flags;
    const collection = await collectGarbage(storeOwner(flags), Date.now(), { home, dryRun });
    const { dropped, bytes } = collection;
    const rows = dropped.map(({ what, path, root, bytes: size, why, kept }) => [
      what,
      bytesText(size),
      root ?? path,
      kept === null ? why : `kept: ${kept}`,
    ]);
    const verb = dryRun ? 'would be dropped' : 'dropped';
    if (json) session.terminal.json(collection);
    else session.terminal.out(`${textTable(rows)}${bytesText(bytes)} ${verb}\n`);
  });
}
