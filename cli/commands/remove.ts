import { Command } from 'commander';
import type { GlobalFlags, Session } from '../session.js';
import { namedRoot, storeOwner } from '../store-owner.js';
import { bytesText } from '../text-table.js';

interface RemoveFlags extends GlobalFlags {
  readonly withHistory?: boolean;
  readonly dryRun?: boolean;
}

/** `codewalk remove PATH`: a project's code graph, or with it all that is remembered of the project. */
export function removeCommand(session: Session): Command {
  const command = new Command('remove')
    .description(
      "Remove a project's code graph, which 'codewalk index' makes again; with a flag, its history too.",
    )
    .argument('<PATH>', "the project's folder, which may have vanished")
    .option('--with-history', 'its traces, memories and archive too: they cannot be made again')
    .option('--dry-run', 'only say what would be removed');
  return command.action(async (path: string) => {
    const { removeProject } = await import('../home.js');
    const flags: RemoveFlags = command.optsWithGlobals();
    const { json, home, withHistory = false, dryRun = false, force = false } = flags;
    const root = await namedRoot(session, flags, path);
    const options = { home, withHistory, dryRun, force };
    const removal = await removeProject(root, storeOwner(flags), options);
    const { derived, durable, archive } = removal.bytes;
    const parts = [
      `code graph ${bytesText(derived)}`,
      ...(withHistory ? [`traces ${bytesText(durable)}`, `archive ${bytesText(archive)}`] : []),
    ];
    const verb = dryRun ? 'Would remove' : 'Removed';
    if (json) session.terminal.json(removal);
    else session.terminal.out(`${verb} of ${root}: ${parts.join(', ')}.\n`);
  });
}
