import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Forgotten } from '../../host/index.js';
import { CodewalkError } from '../../schema/index.js';
import type { Handler } from '../commands.js';
import { hostFor, namedRoot } from '../session.js';
import { bytesText, counted, textTable } from '../text.js';

/** Milliseconds of the units of `--since`. */
const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** What moves, removes and restores stores: with the engine, so it is loaded when it runs. */
const engine = () => import('../../host/index.js');

/** Takes what was recorded out of everything that is stored. */
export const forget: Handler<'forget'> = async ({ session, flags }) => {
  const { forgetEvents, forgetProjects } = await engine();
  const { task, session: client, file, since, memory, project, all, home, dryRun = false } = flags;
  const { cwd } = session.terminal;
  const some = [task, client, file, since, memory].some((given) => given !== undefined);
  if (!some && project === undefined && !all) throw unclear('it is not said what to forget');
  if (all && (some || project !== undefined)) throw unclear('--all goes with no other flag');
  const root = all ? null : namedRoot(session, flags, typeof project === 'string' ? project : flags.root);
  const options = { home, dryRun };
  const [, number, unit = ''] = /^(\d+)([mhd])$/.exec(since ?? '') ?? [];
  const what = {
    task,
    session: client,
    file: file === undefined ? undefined : resolve(cwd, file),
    since: number === undefined ? since : Date.now() - Number(number) * (UNITS[unit] ?? 0),
    memory,
  };
  const owner = hostFor(flags);
  const forgotten =
    some && root !== null
      ? [await forgetEvents(root, what, owner, options)]
      : await forgetProjects(root, owner, options);
  return { body: { forgotten }, text: forgotten.map(forgottenText).join('') || 'Nothing is kept.\n' };
};

function forgottenText(forgotten: Forgotten): string {
  const { root, dry_run, events, tasks, tasks_changed, memories, graph_removed } = forgotten;
  const verb = dry_run ? 'Would forget' : 'Forgot';
  if (events === null) return `${verb} all that is remembered of ${root}.\n`;
  const rest = tasks_changed ? `, and part of ${tasks_changed} more` : '';
  const remembered = memories ? `, ${memories} ${memories === 1 ? 'memory' : 'memories'}` : '';
  const graph = graph_removed
    ? " The code graph went with it, as it may name the file: 'codewalk index' makes it again."
    : '';
  return `${verb} ${counted(events, 'event')} of ${root}: ${counted(tasks ?? 0, 'task')}${rest}${remembered}.${graph}\n`;
}

function unclear(why: string): CodewalkError {
  return new CodewalkError('INVALID_INPUT', `forget: ${why}`, {
    suggestion: 'Give --task, --session, --file, --since, --memory or --project; or --all alone.',
  });
}

/** A project's code graph, or with it all that is remembered of the project. */
export const remove: Handler<'remove'> = async ({ session, flags, places: [path] }) => {
  const { removeProject } = await engine();
  const { home, withHistory = false, dryRun = false, force = false } = flags;
  const root = namedRoot(session, flags, path);
  const body = await removeProject(root, hostFor(flags), { home, withHistory, dryRun, force });
  const { derived, durable, backups } = body.bytes;
  const parts = [
    `code graph ${bytesText(derived)}`,
    ...(withHistory ? [`traces ${bytesText(durable)}`, `backups ${bytesText(backups)}`] : []),
  ];
  return { body, text: `${dryRun ? 'Would remove' : 'Removed'} of ${root}: ${parts.join(', ')}.\n` };
};

/** Drops what is beyond retention. */
export const gc: Handler<'gc'> = async ({ flags }) => {
  const { collectGarbage } = await engine();
  const { home, dryRun = false } = flags;
  const body = await collectGarbage(hostFor(flags), Date.now(), { home, dryRun });
  const rows = body.dropped.map(({ what, path, root, bytes, why, kept: reason }) => [
    what,
    bytesText(bytes),
    root ?? path,
    reason === null ? why : `kept: ${reason}`,
  ]);
  const verb = dryRun ? 'would be dropped' : 'dropped';
  return { body, text: `${textTable(rows)}${bytesText(body.bytes)} ${verb}\n` };
};

/** Brings the history of a project that has moved to its new place. */
export const adopt: Handler<'adopt'> = async ({ session, flags, places: [old, fresh] }) => {
  const { adopt } = await engine();
  const [from, to] = [namedRoot(session, flags, old), namedRoot(session, flags, fresh)];
  const body = await adopt(from, to, hostFor(flags), { home: flags.home, force: flags.force ?? false });
  const size = bytesText(body.bytes.durable + body.bytes.backups);
  const indexed = counted(body.files ?? 0, 'file');
  return { body, text: `The history of ${from} (${size}) is now that of ${to}; ${indexed} indexed.\n` };
};

/** Backs up what is remembered of a project. */
export const backup: Handler<'backup'> = async ({ session, flags, places: [path] }) => {
  const owner = hostFor(flags);
  // What cannot be recorded now waits on; what is recorded is backed up all the same.
  await owner.drain().catch(() => undefined);
  const body = await owner.backup(namedRoot(session, flags, path ?? flags.root));
  return { body, text: `${body.path}\n${contentText(body)}, ${bytesText(body.bytes)}\n` };
};

/** Lists backups, or puts one in place of the present state. */
export const restore: Handler<'restore'> = async ({ session, flags, places: [file] }) => {
  const { home, list = false } = flags;
  const { homesOf, listBackups, restoreHistory } = await engine();
  const root = namedRoot(session, flags, flags.root);
  if (list === (file !== undefined))
    throw new CodewalkError('INVALID_INPUT', 'restore: give either FILE or --list', {
      suggestion: "'codewalk restore --list' shows the backups; 'latest' is the newest one.",
    });
  if (file === undefined) {
    const backups = listBackups(homesOf(root, { home }).backups);
    const rows = backups.map(({ path, made_at, bytes }) => [made_at, bytesText(bytes), path]);
    return { body: { root, backups }, text: textTable(rows) || `There is no backup of ${root} yet.\n` };
  }
  const given = resolve(session.terminal.cwd, file);
  const options = { home, walkers: session.own.folders };
  const body = await restoreHistory(root, existsSync(given) ? given : file, hostFor(flags), options);
  const undo = body.before ? `The state before it is in ${body.before.path}.\n` : '';
  return { body, text: `Restored ${builtText(body)} from ${body.path}.\n${undo}` };
};

/** The durable layer again, from its own event records. */
export const rebuild: Handler<'rebuild'> = async ({ session, flags, places: [path] }) => {
  if (!flags.durable)
    throw new CodewalkError('INVALID_INPUT', 'rebuild: say --durable', {
      suggestion: "'codewalk index --mode full' rebuilds the code graph.",
    });
  const { rebuildHistory } = await engine();
  const root = namedRoot(session, flags, path ?? flags.root);
  const options = { home: flags.home, walkers: session.own.folders };
  const body = await rebuildHistory(root, hostFor(flags), options);
  const notes = [
    ...body.sources.map((one) => `${contentText(one)} from the ${one.from} ${one.path}\n`),
    ...(body.old_store ? [] : ['The old store could not be read to its end.\n']),
    ...(body.damaged > 0 ? [`The old store had ${counted(body.damaged, 'damaged record')}.\n`] : []),
  ];
  return { body, text: `Rebuilt from ${builtText(body)}.\n${notes.join('')}` };
};

type Counts<Name extends string> = Readonly<Record<Name, number>>;

function contentText({ events, nodes, edges }: Counts<'events' | 'nodes' | 'edges'>): string {
  return [counted(events, 'event'), counted(nodes, 'other node'), counted(edges, 'other edge')].join(', ');
}

function builtText({ events, others, refused }: Counts<'events' | 'others' | 'refused'>): string {
  const left = refused > 0 ? ` (${counted(refused, 'line')} of an unknown shape left out)` : '';
  return `${counted(events, 'event')} and ${counted(others, 'other record')}${left}`;
}
