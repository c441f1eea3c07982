import { Command } from 'commander';
import type { GlobalFlags, Session } from '../session.js';
import { namedRoot, storeOwner } from '../store-owner.js';
import { bytesText, counted } from '../text-table.js';

/** `codewalk adopt OLD NEW`: the history of a project that has moved. */
export function adoptCommand(session: Session): Command {
  const command = new Command('adopt')
    .description(
      'Bring the history of a project that has moved to its new place: traces, memories, settings.',
    )
    .argument('<OLD>', 'where it was')
    .argument('<NEW>', 'where it is now');
  return command.action(async (old: string, fresh: string) => {
    const { adopt } = await import('../../host/index.js');
    const flags: GlobalFlags = command.optsWithGlobals();
    const [from, to] = [await namedRoot(session, flags, old), await namedRoot(session, flags, fresh)];
    const options = { home: flags.home, force: flags.force ?? false };
    const adoption = await adopt(from, to, storeOwner(flags), options);
    const { bytes, files } = adoption;
    if (flags.json) session.terminal.json(adoption);
    else
      session.terminal.out(
        `The history of ${from} (${bytesText(bytes.durable + bytes.archive)}) is now that of ${to}; ${counted(files ?? 0, 'file')} indexed.\n`,
      );
  });
}
