import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { CodewalkError } from '../../schema/index.js';
import { commandSpec, PATH_PLACE } from '../command.js';
import { namedRoot, storeOwner } from '../store-owner.js';
import { bytesText, counted, textTable } from '../text-table.js';

const backup = commandSpec({
  name: 'backup',
  description:
    'Back up what is remembered of a project. The daemon does so once a day while something changes, and stores seven backups.',
  places: [PATH_PLACE],
  async run({ session, flags, places: [path] }) {
    const root = await namedRoot(session, flags, path ?? flags.root);
    const owner = storeOwner(flags);
    // What cannot be recorded now waits on; what is recorded is backed up all the same.
    await owner.drain().catch(() => undefined);
    const made = await owner.backup(root);
    return { body: made, text: `${made.path}\n${contentText(made)}, ${bytesText(made.bytes)}\n` };
  },
});

/** The traces and memories that a backup holds, in place of the present ones. */
const restore = commandSpec({
  name: 'restore',
  description:
    'Replace what is remembered of a project by what a backup holds. The present state is backed up first.',
  places: [['[FILE]', "the path or name of a backup, or 'latest'"]],
  flags: [['--list', 'only show the backups of the project']],
  async run({ session, flags, places: [file] }) {
    const { home, list = false } = flags;
    const { homesOf, listBackups, restoreHistory } = await import('../../host/index.js');
    const root = await namedRoot(session, flags, flags.root);
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
    const restored = await restoreHistory(root, existsSync(given) ? given : file, storeOwner(flags), options);
    const { path, events, others, refused, before } = restored;
    const undo = before ? `The state before it is in ${before.path}.\n` : '';
    const text = `Restored ${builtText({ events, others, refused })} from ${path}.\n${undo}`;
    return { body: restored, text };
  },
});

/** The durable layer again, from its own event records. */
const rebuild = commandSpec({
  name: 'rebuild',
  description:
    'Rebuild what is remembered of a project from its own event records, and where these are damaged from its newest backup.',
  places: [PATH_PLACE],
  flags: [['--durable', 'the traces and memories: the code graph is rebuilt by index --mode full']],
  async run({ session, flags, places: [path] }) {
    if (!flags.durable)
      throw new CodewalkError('INVALID_INPUT', 'rebuild: say --durable', {
        suggestion: "'codewalk index --mode full' rebuilds the code graph.",
      });
    const { rebuildHistory } = await import('../../host/index.js');
    const root = await namedRoot(session, flags, path ?? flags.root);
    const options = { home: flags.home, walkers: session.own.folders };
    const rebuilt = await rebuildHistory(root, storeOwner(flags), options);
    const { sources, old_store, damaged } = rebuilt;
    const notes = [
      ...sources.map((one) => `${contentText(one)} from the ${one.from} ${one.path}\n`),
      ...(old_store ? [] : ['The old store could not be read to its end.\n']),
      ...(damaged > 0 ? [`The old store had ${counted(damaged, 'damaged record')}.\n`] : []),
    ];
    return { body: rebuilt, text: `Rebuilt from ${builtText(rebuilt)}.\n${notes.join('')}` };
  },
});

function contentText(of: {
  readonly events: number;
  readonly nodes: number;
  readonly edges: number;
}): string {
  return [counted(of.events, 'event'), counted(of.nodes, 'other node'), counted(of.edges, 'other edge')].join(
    ', ',
  );
}

function builtText(of: {
  readonly events: number;
  readonly others: number;
  readonly refused: number;
}): string {
  const left = of.refused > 0 ? ` (${counted(of.refused, 'line')} of an unknown shape left out)` : '';
  return `${counted(of.events, 'event')} and ${counted(of.others, 'other record')}${left}`;
}

/** The commands that store and recover what is remembered of a project. */
export const backupCommands = [backup, restore, rebuild];
