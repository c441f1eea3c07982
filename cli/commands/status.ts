import { Command } from 'commander';
import type { HomeStatus } from '../../host/index.js';
import type { GlobalFlags, Session } from '../session.js';
import { bytesText, counted, textTable } from '../text-table.js';

/** `codewalk status`: the daemon, the projects with their sizes, and what waits in the journal. Starts nothing. */
export function statusCommand({ terminal }: Session): Command {
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
    bytesText(project.bytes.archive),
    [...(project.gone ? ['gone'] : []), ...(project.paused ? ['paused'] : [])].join(', '),
  ]);
  const notes = projects.flatMap(({ root, hash, not_watched }) =>
    not_watched === null
      ? []
      : [`${root ?? hash} is not watched: ${not_watched}; every question looks at its files.\n`],
  );
  const heads = ['PROJECT', 'GRAPH', 'FILES', 'REVISION', 'PENDING', 'CODE', 'TRACES', 'ARCHIVE', ''];
  return [
    `home     ${home} (${bytesText(bytes)})\n`,
    `daemon   ${runs}\n`,
    `journal  ${waiting}${paused ? ', recording is paused' : ''}\n`,
    rows.length === 0 ? 'no project has a graph yet\n' : `\n${textTable([heads, ...rows])}`,
    ...(notes.length === 0 ? [] : ['\n', ...notes]),
  ].join('');
}
