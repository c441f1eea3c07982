import { Command } from 'commander';
import { CodewalkError } from '../../schema/index.js';
import type { GlobalFlags, Session } from '../session.js';
import { namedRoot } from '../store-owner.js';

interface PauseFlags extends GlobalFlags {
  readonly all?: boolean;
}

/** `codewalk pause` and `codewalk resume`: whether what agents do is recorded, in one project or in all. */
export function pauseCommands(session: Session): Command[] {
  return [
    pauseCommand(
      session,
      'pause',
      'Record nothing more of what agents do in a project, or with --all in any.',
    ),
    pauseCommand(
      session,
      'resume',
      'Record again what agents do in a project, or with --all where it was paused.',
    ),
  ];
}

function pauseCommand(session: Session, name: 'pause' | 'resume', description: string): Command {
  const command = new Command(name)
    .description(description)
    .argument('[PATH]', "the project's folder; default: the project that holds the working directory")
    .option('--all', 'all projects; what was paused by itself stays so');
  return command.action(async (path: string | undefined) => {
    const { setPaused, pausedBy } = await import('../home.js');
    const flags: PauseFlags = command.optsWithGlobals();
    if (flags.all && path !== undefined)
      throw new CodewalkError('INVALID_INPUT', `PATH is '${path}' and --all names every project`, {
        suggestion: 'Give one of the two.',
      });
    const options = { home: flags.home };
    const root = flags.all ? null : await namedRoot(session, flags, path);
    setPaused(name === 'pause', root, options);
    const paused = pausedBy(root, options);
    const says =
      paused === null
        ? `What agents do in ${root ?? 'every project'} is recorded.`
        : `Nothing is recorded in ${root ?? 'any project'}.`;
    const still =
      paused === 'all' && root !== null ? " All projects are paused: 'codewalk resume --all'." : '';
    if (flags.json) session.terminal.json({ root, paused });
    else session.terminal.out(`${says}${still}\n`);
  });
}
