import { Command } from 'commander';
import { graphsFolderOf, stopDaemon } from '../../host/index.js';
import type { GlobalFlags, Session } from '../session.js';

/** `codewalk stop`: ends the daemon. Whoever needs it next starts it again. */
export function stopCommand({ terminal }: Session): Command {
  const command = new Command('stop').description(
    'End the daemon that owns the open graphs; the next command or agent starts it again.',
  );
  return command.action(async () => {
    const { home, json, quiet }: GlobalFlags = command.optsWithGlobals();
    const pid = await stopDaemon(graphsFolderOf({ home }));
    if (json) terminal.json({ stopped: pid !== null, pid });
    else if (!quiet)
      terminal.out(pid === null ? 'No daemon was running.\n' : `The daemon (process ${pid}) has ended.\n`);
  });
}
