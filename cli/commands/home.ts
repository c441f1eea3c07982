import { resolve } from 'node:path';
import {
  changeSetting,
  configFile,
  graphsFolderOf,
  type HeldSetting,
  type HomeStatus,
  heldSettings,
  homeStatus,
  knownRoot,
  pausedBy,
  projectRootOf,
  setPaused,
  settingName,
  settingsFor,
  stopDaemon,
  typedValue,
} from '../../host/index.js';
import { CodewalkError } from '../../schema/index.js';
import { checkRoot } from '../../source/index.js';
import type { Handler } from '../commands.js';
import { checkedRoot, namedRoot } from '../session.js';
import { bytesText, counted, textTable } from '../text.js';

type ProjectRow = HomeStatus['projects'][number];

/** Starts no daemon. */
export const status: Handler<'status'> = async ({ flags: { home } }) => {
  const body = await homeStatus(graphsFolderOf({ home }));
  return { body, text: statusText(body) };
};

/** The projects that have a graph. */
export const projects: Handler<'projects'> = async ({ flags: { home } }) => {
  const { projects } = await homeStatus(graphsFolderOf({ home }));
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
  const none = "No project has a graph yet: 'codewalk index PATH' makes one.\n";
  return { body: { projects }, text: rows.length === 0 ? none : textTable([heads, ...rows]) };
};

function statusText({ home, daemon, projects, journal, paused, bytes }: HomeStatus): string {
  const runs =
    daemon === null
      ? 'not running: the next command or agent starts it'
      : `process ${daemon.pid}, version ${daemon.version}, since ${daemon.started}, ${bytesText(daemon.memory_bytes)}, ${daemon.pending} requests at work`;
  const waiting = [
    `${counted(journal.pending, 'event')} ${journal.pending === 1 ? 'waits' : 'wait'}`,
    ...sumText(journal.quarantine, 'files set aside in quarantine'),
    ...sumText(journal.held, 'held for clients without an adapter'),
    ...sumText(journal.declined, 'not recorded by rule'),
  ].join(', ');
  const heads = ['PROJECT', 'GRAPH', 'FILES', 'REVISION', 'PENDING', 'CODE', 'TRACES', 'BACKUPS', ''];
  const rows = projects.map((project) => [
    project.root ?? project.hash,
    project.open ? 'open' : '-',
    String(project.files ?? '-'),
    String(project.revision ?? '-'),
    String(project.pending ?? '-'),
    ...sizeCells(project),
    marks(project),
  ]);
  const notes = projects
    .filter(({ not_watched }) => not_watched !== null)
    .map(
      ({ root, hash, not_watched }) =>
        `${root ?? hash} is not watched: ${not_watched}; every question looks at its files.\n`,
    );
  return [
    `home     ${home} (${bytesText(bytes)})\n`,
    `daemon   ${runs}\n`,
    `journal  ${waiting}${paused ? ', recording is paused' : ''}\n`,
    rows.length === 0 ? 'no project has a graph yet\n' : `\n${textTable([heads, ...rows])}`,
    ...(notes.length === 0 ? [] : ['\n', ...notes]),
  ].join('');
}

function sizeCells({ bytes }: ProjectRow): string[] {
  return [bytes.derived, bytes.durable, bytes.backups].map(bytesText);
}

function marks({ gone, paused }: ProjectRow): string {
  return [...(gone ? ['gone'] : []), ...(paused ? ['paused'] : [])].join(', ');
}

/** A sum and its parts; nothing where nothing was counted. */
function sumText(counts: Readonly<Record<string, number>>, what: string): string[] {
  const each = Object.entries(counts);
  if (each.length === 0) return [];
  const sum = each.reduce((all, [, count]) => all + count, 0);
  return [`${sum} ${what} (${each.map(([name, count]) => `${name} ${count}`).join(', ')})`];
}

/** Stops recording, in one project or in all. */
export const pause: Handler<'pause'> = async (call) => recording(true, call);
/** Records again. */
export const resume: Handler<'resume'> = async (call) => recording(false, call);

function recording(pauses: boolean, { session, flags, places: [path] }: Parameters<typeof pause>[0]) {
  if (flags.all && path !== undefined)
    throw new CodewalkError('INVALID_INPUT', `PATH is '${path}' and --all names every project`, {
      suggestion: 'Give one of the two.',
    });
  const options = { home: flags.home };
  const root = flags.all ? null : namedRoot(session, flags, path);
  // A project that was paused and has vanished can go on, should it come back.
  if (root !== null && pausedBy(root, options) !== 'project') checkedRoot(session, root, flags);
  setPaused(pauses, root, options);
  const paused = pausedBy(root, options);
  const now =
    paused === null
      ? `What agents do in ${root ?? 'every project'} is recorded.`
      : `Nothing is recorded in ${root ?? 'any project'}.`;
  const still = paused === 'all' && root !== null ? " All projects are paused: 'codewalk resume --all'." : '';
  return { body: { root, paused }, text: `${now}${still}\n` };
}

/** The next client that needs a daemon starts one again. */
export const stop: Handler<'stop'> = async ({ flags: { home, json, quiet } }) => {
  const pid = await stopDaemon(graphsFolderOf({ home }));
  const text = pid === null ? 'No daemon was running.\n' : `The daemon (process ${pid}) has ended.\n`;
  return quiet && !json ? null : { body: { stopped: pid !== null, pid }, text };
};

/** Shows and changes settings. */
export const config: Handler<'config'> = async ({ session, flags, places: [action, key, ...words] }) => {
  const options = { home: flags.home };
  const { cwd } = session.terminal;
  const projectOf = (path: string) =>
    action === 'set' ? checkRoot(path, { cwd, home: '', force: true }) : knownRoot(resolve(cwd, path));
  const { project = null } = flags;
  const root = project === true ? projectRootOf(cwd, options) : project === null ? null : projectOf(project);
  const file = configFile(options);
  if (action === 'list') {
    const settings = heldSettings(root, options);
    return { body: { file, project: root, settings }, text: settings.map(settingLine).join('') };
  }
  if (key === undefined)
    throw new CodewalkError('INVALID_INPUT', `config ${action}: the KEY is missing`, {
      suggestion: "'codewalk config list' shows all.",
    });
  const name = settingName(key);
  if (action === 'set') changeSetting(name, typedValue(name, words), root, options);
  if (action === 'unset') changeSetting(name, undefined, root, options);
  const held = heldSettings(root, options).find((setting) => setting.key === name);
  if (held === undefined)
    throw new CodewalkError('INVALID_INPUT', `${name} is for one project`, {
      input: key,
      suggestion: 'Give --project PATH.',
    });
  return { body: { file, project: root, ...held }, text: settingLine(held) };
};

function settingLine({ key, value, source }: HeldSetting): string {
  return `${key} = ${JSON.stringify(value)}${source === 'default' ? '' : `  (${source})`}\n`;
}

/** The folders of users' own walkers that the settings name. @throws CodewalkError `CONFIG_INVALID` */
export function walkersOfSettings(home: string | undefined): readonly string[] {
  return settingsFor(null, { home }).walkers;
}
