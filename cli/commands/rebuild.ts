import { Command } from 'commander';
import { CodewalkError } from '../../schema/index.js';
import type { GlobalFlags, Session } from '../session.js';
import { namedRoot, storeOwner } from '../store-owner.js';
import { counted } from '../text-table.js';

interface RebuildFlags extends GlobalFlags {
  readonly durable?: boolean;
}

/** `codewalk rebuild --durable`: the durable layer again, from the archive of events. */
export function rebuildCommand(session: Session): Command {
  const command = new Command('rebuild')
    .description(
      'Make what is remembered of a project again, from its archive of events and what its store still tells.',
    )
    .argument('[PATH]', "the project's folder; default: the one that holds the working directory")
    .option('--durable', 'the traces and stated concepts: the code graph is made by index --mode full');
  return command.action(async (path?: string) => {
    const flags: RebuildFlags = command.optsWithGlobals();
    if (!flags.durable)
      throw new CodewalkError('INVALID_INPUT', 'rebuild: say --durable', {
        suggestion: "The code graph is made again by 'codewalk index --mode full'.",
      });
    const { rebuildHistory } = await import('../../host/index.js');
    const root = await namedRoot(session, flags, path ?? flags.root);
    const rebuilt = await rebuildHistory(root, await storeOwner(flags), { home: flags.home });
    const { events, others, old_store, damaged } = rebuilt;
    const unread = old_store ? '' : '; the old store could not be read';
    const left = damaged > 0 ? `; ${counted(damaged, 'damaged record')} left out` : '';
    if (flags.json) session.terminal.json(rebuilt);
    else
      session.terminal.out(
        `Made again from ${counted(events, 'event')} and ${counted(others, 'other write')}${unread}${left}.\n`,
      );
  });
}
