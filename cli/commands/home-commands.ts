import { resolve } from 'node:path';
import type { Command } from 'commander';
import { type Forgotten, graphsFolderOf, type HomeStatus, stopDaemon } from '../../host/index.js';
import { CodewalkError } from '../../schema/index.js';
import { commandSpec } from '../command.js';
import { EXIT } from '../failure-text.js';
import { checkedRoot, type Session } from '../session.js';
import { namedRoot, storeOwner } from '../store-owner.js';
import { bytesText, counted, textTable } from '../text-table.js';
import { backupCommands } from './backup-commands.js';
import { configCommand } from './config.js';
import { installCommand } from './install.js';
import { uninstallCommand } from './uninstall.js';

/** Milliseconds of the units of `--since`. */
const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Takes what was recorded out of everything that is stored. */
const forget = commandSpec({
  name: 'forget',
  description:
    'Forget what was recorded and remembered: in traces, memories, backups and journal, and in the bytes on disk. Several flags: what all of them mean.',
  flags: [
    ['--task <id>', 'a task, by its id or the beginning of it'],
    ['--session <id>', "all tasks of an agent's session, by its name or the beginning of it"],
    ['--file <path>', 'every event and memory that names the file or folder'],
    ['--since <time>', "what was recorded since: a time, or '30m', '2h', '7d' ago"],
    ['--memory <id>', 'one memory, with all that it said before'],
    ['--project [path]', 'in this project; with no other flag all that is remembered of it, memories too'],
    ['--all', 'all that is remembered of every project'],
    ['--dry-run', 'only say what would be forgotten'],
  ],
  async run({ session, flags }) {
    const { forgetEvents, forgetProjects } = await import('../../host/index.js');
    const { task, session: client, file, since, memory, project, all, home, dryRun = false } = flags;
    const { cwd } = session.terminal;
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
    return { body: { forgotten }, text: forgotten.map(line).join('') || 'Nothing is kept.\n' };
  },
});

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

/** Starts no daemon. */
const status = commandSpec({
  name: 'status',
  description: 'Show the daemon, the projects with their sizes and revisions, and what waits in the journal.',
  async run({ flags: { home } }) {
    const { homeStatus } = await import('../home.js');
    const body = await homeStatus(graphsFolderOf({ home }));
    return { body, text: statusText(body) };
  },
});

const projects = commandSpec({
  name: 'projects',
  description:
    'List the projects that have a graph: their size, when they were used, and whether their root is still there.',
  async run({ flags: { home } }) {
    const { homeStatus } = await import('../home.js');
    const { projects } = await homeStatus(graphsFolderOf({ home }));
    return { body: { projects }, text: projectsText(projects) };
  },
});

function projectsText(projects: HomeStatus['projects']): string {
  if (projects.length === 0) return "No project has a graph yet: 'codewalk index PATH' makes one.\n";
  const heads = ['ROOT', 'KIND', 'FILES', 'REVISION', 'CODE', 'TRACES', 'BACKUPS', 'USED', ''];
  const rows = projects.map((project) => [
    project.root ?? project.hash,
    project.kind,
    String(project.files ?? '-'),
    String(project.revision ?? '-'),
    ...sizeCells(project),
    project.used_at?.slice(0, 16).replace('T', ' ') ?? '-',
    marks(project),
  ]);
  return textTable([heads, ...rows]);
}

function sizeCells({ bytes }: HomeStatus['projects'][number]): string[] {
  return [bytes.derived, bytes.durable, bytes.backups].map(bytesText);
}

function marks({ gone, paused }: HomeStatus['projects'][number]): string {
  return [...(gone ? ['gone'] : []), ...(paused ? ['paused'] : [])].join(', ');
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
    ...sizeCells(project),
    marks(project),
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

/** Whether what agents do is recorded, in one project or in all. */
const pause = pausing('pause', 'Record nothing more of what agents do in a project, or with --all in any.');
const resume = pausing(
  'resume',
  'Record again what agents do in a project, or with --all where it was paused.',
);

function pausing(name: 'pause' | 'resume', description: string): (session: Session) => Command {
  return commandSpec({
    name,
    description,
    places: [['[PATH]', "the project's folder; default: the project that holds the working directory"]],
    flags: [['--all', 'all projects; what was paused by itself stays so']],
    async run({ session, flags, places: [path] }) {
      const { setPaused, pausedBy } = await import('../home.js');
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
      return { body: { root, paused }, text: `${says}${still}\n` };
    },
  });
}

const doctor = commandSpec({
  name: 'doctor',
  description:
    'Try what everything stands on (home, settings, daemon, journal, agents) and say what to do where it fails.',
  async run({ session: { terminal }, flags: { home } }) {
    const { examine, projectRootOf, settingsFor } = await import('../home.js');
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
    const lines = checks.map(({ name, ok, note, found, suggestion }) => {
      const sign = !ok ? 'FAIL' : note ? 'note' : 'ok  ';
      return `${sign}  ${name.padEnd(width)} ${found}${suggestion === '' ? '' : `\n      ${suggestion}`}\n`;
    });
    if (checks.some(({ ok }) => !ok)) process.exitCode = EXIT.failure;
    return { body: { checks }, text: lines.join('') };
  },
});

/** Whether embeddings are on; settings that are wrong have a check of their own. */
function hasEndpoint(settings: () => { readonly embeddings_url: string }): boolean {
  try {
    return settings().embeddings_url !== '';
  } catch {
    return false;
  }
}

/** A project's code graph, or with it all that is remembered of the project. */
const remove = commandSpec({
  name: 'remove',
  description:
    "Remove a project's code graph, which 'codewalk index' makes again; with a flag, its history too.",
  places: [['<PATH>', "the project's folder, which may have vanished"]],
  flags: [
    ['--with-history', 'its traces, memories and backups too: they cannot be made again'],
    ['--dry-run', 'only say what would be removed'],
  ],
  async run({ session, flags, places: [path] }) {
    const { removeProject } = await import('../home.js');
    const { home, withHistory = false, dryRun = false, force = false } = flags;
    const root = await namedRoot(session, flags, path);
    const options = { home, withHistory, dryRun, force };
    const removal = await removeProject(root, storeOwner(flags), options);
    const { derived, durable, backups } = removal.bytes;
    const parts = [
      `code graph ${bytesText(derived)}`,
      ...(withHistory ? [`traces ${bytesText(durable)}`, `backups ${bytesText(backups)}`] : []),
    ];
    const verb = dryRun ? 'Would remove' : 'Removed';
    return { body: removal, text: `${verb} of ${root}: ${parts.join(', ')}.\n` };
  },
});

const gc = commandSpec({
  name: 'gc',
  description:
    'Drop what is beyond retention: graphs of vanished roots, the least recently used graphs, old backups, leftovers.',
  flags: [['--dry-run', 'only say what would be dropped']],
  async run({ flags }) {
    const { collectGarbage } = await import('../../host/index.js');
    const { home, dryRun = false } = flags;
    const collection = await collectGarbage(storeOwner(flags), Date.now(), { home, dryRun });
    const { dropped, bytes } = collection;
    const rows = dropped.map(({ what, path, root, bytes: size, why, kept: reason }) => [
      what,
      bytesText(size),
      root ?? path,
      reason === null ? why : `kept: ${reason}`,
    ]);
    const verb = dryRun ? 'would be dropped' : 'dropped';
    return { body: collection, text: `${textTable(rows)}${bytesText(bytes)} ${verb}\n` };
  },
});

const adopt = commandSpec({
  name: 'adopt',
  description: 'Bring the history of a project that has moved to its new place: traces, memories, settings.',
  places: [
    ['<OLD>', 'where it was'],
    ['<NEW>', 'where it is now'],
  ],
  async run({ session, flags, places: [old, fresh] }) {
    const { adopt } = await import('../../host/index.js');
    const [from, to] = [await namedRoot(session, flags, old), await namedRoot(session, flags, fresh)];
    const options = { home: flags.home, force: flags.force ?? false };
    const adoption = await adopt(from, to, storeOwner(flags), options);
    const { bytes, files } = adoption;
    const size = bytesText(bytes.durable + bytes.backups);
    const indexed = counted(files ?? 0, 'file');
    const text = `The history of ${from} (${size}) is now that of ${to}; ${indexed} indexed.\n`;
    return { body: adoption, text };
  },
});

/** The next client that needs a daemon starts one again. */
const stop = commandSpec({
  name: 'stop',
  description: 'End the daemon that owns the open graphs; the next command or agent starts it again.',
  async run({ flags: { home, json, quiet } }) {
    const pid = await stopDaemon(graphsFolderOf({ home }));
    const text = pid === null ? 'No daemon was running.\n' : `The daemon (process ${pid}) has ended.\n`;
    return quiet && !json ? null : { body: { stopped: pid !== null, pid }, text };
  },
});

/** The commands about what is stored, for all projects: they are no walkers. */
export function homeCommands(session: Session): Command[] {
  return [
    installCommand,
    uninstallCommand,
    status,
    doctor,
    stop,
    projects,
    adopt,
    remove,
    forget,
    gc,
    ...backupCommands,
    pause,
    resume,
    configCommand,
  ].map((make) => make(session));
}
