import { resolve } from 'node:path';
import { Command } from 'commander';
import type { Forgotten } from '../../host/index.js';
import { CodewalkError } from '../../schema/index.js';
import type { GlobalFlags, Session } from '../session.js';
import { namedRoot, storeOwner } from '../store-owner.js';
import { counted } from '../text-table.js';

interface ForgetFlags extends GlobalFlags {
  readonly task?: string;
  readonly session?: string;
  readonly file?: string;
  readonly since?: string;
  readonly memory?: string;
  /** True: the project that holds the working directory. */
  readonly project?: string | true;
  readonly all?: boolean;
  readonly dryRun?: boolean;
}

/** Milliseconds of the units of `--since`. */
const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `codewalk forget`: takes what was recorded out of everything that is kept. */
export function forgetCommand(session: Session): Command {
  const command = new Command('forget')
    .description(
      'Forget what was recorded and remembered: in traces, memories, archive and journal, and in the bytes on disk. Several flags: what all of them mean.',
    )
    .option('--task <id>', 'a task, by its id or the beginning of it')
    .option('--session <id>', "all tasks of an agent's session, by its name or the beginning of it")
    .option('--file <path>', 'every event and memory that names the file or folder')
    .option('--since <time>', "what was recorded since: a time, or '30m', '2h', '7d' ago")
    .option('--memory <id>', 'one memory, with all that it said before')
    .option(
      '--project [path]',
      'in this project; with no other flag all that is remembered of it, memories too',
    )
    .option('--all', 'all that is remembered of every project')
    .option('--dry-run', 'only say what would be forgotten');
  return command.action(async () => {
    const flags: ForgetFlags = command.optsWithGlobals();
    const { forgetEvents, forgetProjects } = await import('../../host/index.js');
    const { task, session: client, file, since, memory, project, all, json, home, dryRun = false } = flags;
    const { cwd, out, json: outJson } = session.terminal;
    const some = [task, client, file, since, memory].some((given) => given !== undefined);
    if (!some && project === undefined && !all) throw unsaid('it is not said what to forget');
    if (all && (some || project !== undefined)) throw unsaid('--all goes with no other flag');
    const path = typeof project === 'string' ? project : flags.root;
    const root = all ? null : await namedRoot(session, flags, path);
    const options = { home, dryRun };
    const what = {
      task,
      session: client,
      file: file === undefined ? undefined : resolve(cwd, file),
      since: since === undefined ? undefined : sinceOf(since),
      memory,
    };
    const owner = storeOwner(flags);
    const forgotten =
      some && root !== null
        ? [await forgetEvents(root, what, owner, options)]
        : await forgetProjects(root, owner, options);
    if (json) outJson({ forgotten });
    else out(forgotten.map(line).join('') || 'Nothing is kept.\n');
  });
}

/** `2h` as milliseconds since 1970; anything else as it is. */
function sinceOf(text: string): string | number {
  const [, number, unit = ''] = /^(\d+)([mhd])$/.exec(text) ?? [];
  return number === undefined ? text : Date.now() - Number(number) * (UNITS[unit] ?? 0);
}

function line({ root, dry_run, events, tasks, tasks_changed, memories, graph_removed }: Forgotten): string {
  const verb = dry_run ? 'Would forget' : 'Forgot';
  if (events === null) return `${verb} all that is remembered of ${root}.\n`;
  const rest = tasks_changed ? `, and part of ${tasks_changed} more` : '';
  const remembered = memories ? `, ${memories} ${memories === 1 ? 'memory' : 'memories'}` : '';
  const graph = graph_removed ? " The code graph knew the file: 'codewalk index' makes it again." : '';
  return `${verb} ${counted(events, 'event')} of ${root}: ${counted(tasks ?? 0, 'task')}${rest}${remembered}.${graph}\n`;
}

function unsaid(why: string): CodewalkError {
  return new CodewalkError('INVALID_INPUT', `forget: ${why}`, {
    suggestion: 'Give --task, --session, --file, --since, --memory or --project; or --all alone.',
  });
}
