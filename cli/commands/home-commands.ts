import { resolve } from 'node:path';
import { Command } from 'commander';
import { type Forgotten, graphsFolderOf, type HomeStatus, stopDaemon } from '../../host/index.js';
import { CodewalkError } from '../../schema/index.js';
import { EXIT } from '../failure-text.js';
import { checkedRoot, type GlobalFlags, type Session } from '../session.js';
import { namedRoot, storeOwner } from '../store-owner.js';
import { bytesText, counted, textTable } from '../text-table.js';
import { backupCommands } from './backup-commands.js';
import { configCommand } from './config.js';
import { installCommand } from './install.js';
import { projectsCommand } from './projects.js';
import { uninstallCommand } from './uninstall.js';

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
function forgetCommand(session: Session): Command {
  const command = new Command('forget')
    .description(
      'Forget what was recorded and remembered: in traces, memories, backups and journal, and in the bytes on disk. Several flags: what all of them mean.',
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
  const graph = graph_removed
    ? " The code graph went with it, as it may name the file: 'codewalk index' makes it again."
    : '';
  return `${verb} ${counted(events, 'event')} of ${root}: ${counted(tasks ?? 0, 'task')}${rest}${remembered}.${graph}\n`;
}

function unsaid(why: string): CodewalkError {
  return new CodewalkError('INVALID_INPUT', `forget: ${why}`, {
    suggestion: 'Give --task, --session, --file, --since, --memory or --project; or --all alone.',
  });
}

/** `codewalk status`: the daemon, the projects with their sizes, and what waits in the journal. Starts nothing. */
function statusCommand({ terminal }: Session): Command {
  const command = new Command('status').description(
    'Show the daemon, the projects with their sizes and revisions, and what waits in the journal.',
  );
  return command.action(async () => {
    const { graphsFolderOf, homeStatus } = await import('../home.js');
    const { home, json }: GlobalFlags = command.optsWithGlobals();
    const status = await homeStatus(graphsFolderOf({ home }));
    if (json) terminal.json(status);
    else terminal.out(statusText(status));
  });
}

/** A sum and what it is made of; nothing where nothing was counted. */
function countedText(counts: Readonly<Record<string, number>>, what: string): string[] {
  const each = Object.entries(counts);
  if (each.length === 0) return [];
  const sum = each.reduce((all, [, count]) => all + count, 0);
  return [`${sum} ${what} (${each.map(([name, count]) => `${name} ${count}`).join(', ')})`];
}

function statusText({ home, daemon, projects, journal, paused, bytes }: HomeStatus): string {
  const runs =
    daemon === null
      ? 'not running: the next command or agent starts it'
      : `process ${daemon.pid}, version ${daemon.version}, since ${daemon.started}, ${bytesText(daemon.memory_bytes)}, ${daemon.pending} requests at work`;
  const waiting = [
    `${counted(journal.pending, 'event')} ${journal.pending === 1 ? 'waits' : 'wait'}`,
    ...countedText(journal.quarantine, 'files set aside in quarantine'),
    ...countedText(journal.held, 'held for clients without an adapter'),
    ...countedText(journal.declined, 'not recorded by rule'),
  ].join(', ');
  const rows = projects.map((project) => [
    project.root ?? project.hash,
    project.open ? 'open' : '-',
    String(project.files ?? '-'),
    String(project.revision ?? '-'),
    String(project.pending ?? '-'),
    bytesText(project.bytes.derived),
    bytesText(project.bytes.durable),
    bytesText(project.bytes.backups),
    [...(project.gone ? ['gone'] : []), ...(project.paused ? ['paused'] : [])].join(', '),
  ]);
  const notes = projects.flatMap(({ root, hash, not_watched }) =>
    not_watched === null
      ? []
      : [`${root ?? hash} is not watched: ${not_watched}; every question looks at its files.\n`],
  );
  const heads = ['PROJECT', 'GRAPH', 'FILES', 'REVISION', 'PENDING', 'CODE', 'TRACES', 'BACKUPS', ''];
  return [
    `home     ${home} (${bytesText(bytes)})\n`,
    `daemon   ${runs}\n`,
    `journal  ${waiting}${paused ? ', recording is paused' : ''}\n`,
    rows.length === 0 ? 'no project has a graph yet\n' : `\n${textTable([heads, ...rows])}`,
    ...(notes.length === 0 ? [] : ['\n', ...notes]),
  ].join('');
}

interface PauseFlags extends GlobalFlags {
  readonly all?: boolean;
}

/** `codewalk pause` and `codewalk resume`: whether what agents do is recorded, in one project or in all. */
function pauseCommands(session: Session): Command[] {
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
    // A project that was paused and has vanished can go on, should it come back.
    if (root !== null && pausedBy(root, options) !== 'project') checkedRoot(session, root, flags);
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

/** `codewalk doctor`: tries what everything else stands on, and says of each what to do where it fails. */
function doctorCommand({ terminal }: Session): Command {
  const command = new Command('doctor').description(
    'Try what everything stands on (home, settings, daemon, journal, agents) and say what to do where it fails.',
  );
  return command.action(async () => {
    const { graphsFolderOf, examine, projectRootOf, settingsFor } = await import('../home.js');
    const { home, json }: GlobalFlags = command.optsWithGlobals();
    const folder = graphsFolderOf({ home });
    const { examineClients, ownPrograms, thisMachine } = await import('../installing.js');
    const root = projectRootOf(terminal.cwd, { home });
    const ofAgents = { home: folder, root, programs: ownPrograms(home), machine: thisMachine(terminal.cwd) };
    const checks = [...(await examine(folder, root)), ...(await examineClients(ofAgents))];
    if (hasEndpoint(() => settingsFor(root, { home: folder }))) {
      const { examineEmbeddings } = await import('../../host/index.js');
      checks.push(await examineEmbeddings(root, folder));
    }
    const width = Math.max(...checks.map(({ name }) => name.length));
    if (json) terminal.json({ checks });
    else {
      for (const { name, ok, note, found, suggestion } of checks)
        terminal.out(
          `${!ok ? 'FAIL' : note ? 'note' : 'ok  '}  ${name.padEnd(width)} ${found}${suggestion === '' ? '' : `\n      ${suggestion}`}\n`,
        );
    }
    if (checks.some(({ ok }) => !ok)) process.exitCode = EXIT.failure;
  });
}

/** Whether embeddings are on; settings that are wrong have a check of their own. */
function hasEndpoint(settings: () => { readonly embeddings_url: string }): boolean {
  try {
    return settings().embeddings_url !== '';
  } catch {
    return false;
  }
}

interface RemoveFlags extends GlobalFlags {
  readonly withHistory?: boolean;
  readonly dryRun?: boolean;
}

/** `codewalk remove PATH`: a project's code graph, or with it all that is remembered of the project. */
function removeCommand(session: Session): Command {
  const command = new Command('remove')
    .description(
      "Remove a project's code graph, which 'codewalk index' makes again; with a flag, its history too.",
    )
    .argument('<PATH>', "the project's folder, which may have vanished")
    .option('--with-history', 'its traces, memories and backups too: they cannot be made again')
    .option('--dry-run', 'only say what would be removed');
  return command.action(async (path: string) => {
    const { removeProject } = await import('../home.js');
    const flags: RemoveFlags = command.optsWithGlobals();
    const { json, home, withHistory = false, dryRun = false, force = false } = flags;
    const root = await namedRoot(session, flags, path);
    const options = { home, withHistory, dryRun, force };
    const removal = await removeProject(root, storeOwner(flags), options);
    const { derived, durable, backups } = removal.bytes;
    const parts = [
      `code graph ${bytesText(derived)}`,
      ...(withHistory ? [`traces ${bytesText(durable)}`, `backups ${bytesText(backups)}`] : []),
    ];
    const verb = dryRun ? 'Would remove' : 'Removed';
    if (json) session.terminal.json(removal);
    else session.terminal.out(`${verb} of ${root}: ${parts.join(', ')}.\n`);
  });
}

interface GcFlags extends GlobalFlags {
  readonly dryRun?: boolean;
}

/** `codewalk gc`: drops what retention allows to drop. */
function gcCommand(session: Session): Command {
  const command = new Command('gc')
    .description(
      'Drop what is beyond retention: graphs of vanished roots, the least recently used graphs, old backups, leftovers.',
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

/** `codewalk adopt OLD NEW`: the history of a project that has moved. */
function adoptCommand(session: Session): Command {
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
        `The history of ${from} (${bytesText(bytes.durable + bytes.backups)}) is now that of ${to}; ${counted(files ?? 0, 'file')} indexed.\n`,
      );
  });
}

/** `codewalk stop`: ends the daemon. Whoever needs it next starts it again. */
function stopCommand({ terminal }: Session): Command {
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

/** The commands about what is kept, for all projects: they are no walkers. */
export function homeCommands(session: Session): Command[] {
  return [
    installCommand(session),
    uninstallCommand(session),
    statusCommand(session),
    doctorCommand(session),
    stopCommand(session),
    projectsCommand(session),
    adoptCommand(session),
    removeCommand(session),
    forgetCommand(session),
    gcCommand(session),
    ...backupCommands(session),
    ...pauseCommands(session),
    configCommand(session),
  ];
}
