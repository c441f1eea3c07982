import { Command } from 'commander';
import type { HomeStatus } from '../../host/index.js';
import type { GlobalFlags } from '../global-flags.js';
import type { Session } from '../session.js';
import { bytesText, textTable } from '../text-table.js';

/** `codewalk projects`: every project that has a graph, what it takes on disk, and whether it is still there. */
export function projectsCommand({ terminal }: Session): Command {
  const command = new Command('projects').description(
    'List the projects that have a graph: their size, when they were used, and whether their root is still there.',
  );
  return command.action(async () => {
    const { graphsFolderOf, homeStatus } = await import('../home.js');
    const { home, json }: GlobalFlags = command.optsWithGlobals();
    const { projects } = await homeStatus(graphsFolderOf({ home }));
    if (json) terminal.json({ projects });
    else terminal.out(listText(projects));
  });
}

function listText(projects: HomeStatus['projects']): string {
  if (projects.length === 0) return "No project has a graph yet: 'codewalk index PATH' makes one.\n";
  const heads = ['ROOT', 'KIND', 'FILES', 'REVISION', 'CODE', 'TRACES', 'BACKUPS', 'USED', ''];
  const rows = projects.map((project) => {
    const { root, hash, kind, files, revision, bytes, used_at, gone, paused } = project;
    return [
      root ?? hash,
      kind,
      String(files ?? '-'),
      String(revision ?? '-'),
      ...[bytes.derived, bytes.durable, bytes.backups].map(bytesText),
      used_at?.slice(0, 16).replace('T', ' ') ?? '-',
      [...(gone ? ['gone'] : []), ...(paused ? ['paused'] : [])].join(', '),
    ];
  });
  return textTable([heads, ...rows]);
}
