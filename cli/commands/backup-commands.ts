import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command } from 'commander';
import { CodewalkError } from '../../schema/index.js';
import type { GlobalFlags, Session } from '../session.js';
import { namedRoot, storeOwner } from '../store-owner.js';
import { bytesText, counted, textTable } from '../text-table.js';

const PATH_TEXT = "the project's folder; default: the one that holds the working directory";

/** `codewalk backup`: a backup of a project's traces and memories. */
function backupCommand(session: Session): Command {
  const command = new Command('backup')
    .description(
      'Back up what is remembered of a project. The daemon does so once a day while something changes, and stores seven backups.',
    )
    .argument('[PATH]', PATH_TEXT);
  return command.action(async (path?: string) => {
    const flags: GlobalFlags = command.optsWithGlobals();
    const root = await namedRoot(session, flags, path ?? flags.root);
    const owner = storeOwner(flags);
    // What cannot be recorded now waits on; what is recorded is backed up all the same.
    await owner.drain().catch(() => undefined);
    const made = await owner.backup(root);
    if (flags.json) session.terminal.json(made);
    else session.terminal.out(`${made.path}\n${contentText(made)}, ${bytesText(made.bytes)}\n`);
  });
}

interface RestoreFlags extends GlobalFlags {
  readonly list?: boolean;
}

/** `codewalk restore`: the traces and memories that a backup holds, in place of the present ones. */
function restoreCommand(session: Session): Command {
  const command = new Command('restore')
    .description(
      'Replace what is remembered of a project by what a backup holds. The present state is backed up first.',
    )
    .argument('[FILE]', "the path or name of a backup, or 'latest'")
    .option('--list', 'only show the backups of the project');
  return command.action(async (file?: string) => {
    const flags: RestoreFlags = command.optsWithGlobals();
    const { json, home, list = false } = flags;
    const { homesOf, listBackups, restoreHistory } = await import('../../host/index.js');
    const root = await namedRoot(session, flags, flags.root);
    if (list === (file !== undefined))
      throw new CodewalkError('INVALID_INPUT', 'restore: give either FILE or --list', {
        suggestion: "'codewalk restore --list' shows the backups; 'latest' is the newest one.",
      });
    if (file === undefined) {
      const backups = listBackups(homesOf(root, { home }).backups);
      const rows = backups.map(({ path, made_at, bytes }) => [made_at, bytesText(bytes), path]);
      if (json) session.terminal.json({ root, backups });
      else session.terminal.out(textTable(rows) || `There is no backup of ${root} yet.\n`);
      return;
    }
    const given = resolve(session.terminal.cwd, file);
    const options = { home, walkers: session.own.folders };
    const restored = await restoreHistory(root, existsSync(given) ? given : file, storeOwner(flags), options);
    const { path, events, others, refused, before } = restored;
    const undo = before ? `The state before it is in ${before.path}.\n` : '';
    if (json) session.terminal.json(restored);
    else session.terminal.out(`Restored ${builtText({ events, others, refused })} from ${path}.\n${undo}`);
  });
}

interface RebuildFlags extends GlobalFlags {
  readonly durable?: boolean;
}

/** `codewalk rebuild --durable`: the durable layer again, from its own event records. */
function rebuildCommand(session: Session): Command {
  const command = new Command('rebuild')
    .description(
      'Rebuild what is remembered of a project from its own event records, and where these are damaged from its newest backup.',
    )
    .argument('[PATH]', PATH_TEXT)
    .option('--durable', 'the traces and memories: the code graph is rebuilt by index --mode full');
  return command.action(async (path?: string) => {
    const flags: RebuildFlags = command.optsWithGlobals();
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
    if (flags.json) session.terminal.json(rebuilt);
    else session.terminal.out(`Rebuilt from ${builtText(rebuilt)}.\n${notes.join('')}`);
  });
}

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
export function backupCommands(session: Session): Command[] {
  return [backupCommand(session), restoreCommand(session), rebuildCommand(session)];
}
