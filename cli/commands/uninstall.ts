import type { HomeSizes } from '../../host/index.js';
import { CodewalkError } from '../../schema/index.js';
import { commandSpec } from '../command.js';
import { EXIT } from '../failure-text.js';
import { changesText } from '../install-text.js';
import { rootOf } from '../session.js';
import { bytesText, counted, textTable } from '../text-table.js';
import { CLIENTS } from './install.js';

function sizesText({ projects, derived, durable, backups, rest }: HomeSizes): string {
  const rows = [
    [`code graphs of ${counted(projects, 'project')}`, derived],
    ['traces and memories', durable],
    ['backups', backups],
    ['journal, settings and the rest', rest],
  ] as const;
  return textTable(rows.map(([what, bytes]) => [`  ${what}`, bytesText(bytes)]));
}

/** `codewalk uninstall CLIENT` or `--all`: everything as it was before. */
export const uninstallCommand = commandSpec({
  name: 'uninstall',
  description: "Take our entries out of an agent's files; with flags, all that there is of Codewalk.",
  places: [['[CLIENT]', 'the agent', CLIENTS]],
  flags: [
    ['--all', 'of all agents; the daemon is ended, too'],
    ['--purge', 'with --all: remove all graphs, traces and memories, too'],
    ['--dry-run', 'only say what would be done'],
  ],
  async run({ session, flags, places: [name] }) {
    const { json, quiet, all = false, purge = false, dryRun = false } = flags;
    if (all === (name !== undefined))
      throw new CodewalkError('INVALID_INPUT', 'uninstall: name one agent, or say --all', {
        input: name ?? null,
      });
    if (purge && !all)
      throw new CodewalkError('INVALID_INPUT', '--purge removes what all agents share: it takes --all', {
        suggestion: 'codewalk uninstall --all --purge',
      });
    const host = await import('../installing.js');
    const { terminal } = session;
    const home = host.graphsFolderOf({ home: flags.home });
    const { changes: rows, refused } = host.uninstall(
      host.AGENTS.filter((client) => all || client.name === name),
      {
        home,
        root: rootOf(session, flags),
        programs: host.ownPrograms(flags.home),
        machine: host.thisMachine(terminal.cwd),
        dryRun,
      },
    );
    const daemon = all && !dryRun ? await host.stopDaemon(home) : null;
    const sizes = all ? host.homeSizes(home) : null;
    const bytes = sizes?.total ?? null;
    const purges = purge && refused.length === 0;
    const purged = purges && !dryRun;
    const removes = () => (purged ? host.purgeHome(home) : []);
    if (refused.length > 0) process.exitCode = EXIT.failure;
    if (json) {
      const files = { files: rows, refused: refused.map((one) => one.toBody()) };
      const left = removes();
      const body = {
        client: name ?? null,
        dry_run: dryRun,
        ...files,
        daemon,
        home,
        bytes,
        sizes,
        purged,
        left,
      };
      return { body, text: '' };
    }
    for (const { message, suggestion } of refused)
      terminal.err(`left as it is: ${message}\n  ${suggestion}\n`);
    const size = `${home} (${bytesText(bytes ?? 0)})`;
    const hasGraphs = sizes !== null && bytes !== 0;
    const done = dryRun ? 'Would take back' : 'Took back';
    const before = [
      rows.length === 0
        ? 'Nothing of ours is in the files of agents.\n'
        : `${done}:\n${changesText(rows, host.userHome())}`,
      ...(daemon === null ? [] : [`The daemon (process ${daemon}) has ended.\n`]),
      ...(hasGraphs && purges
        ? [`${dryRun ? 'Would remove' : 'Removing'} all of ${home}:\n${sizesText(sizes)}`]
        : []),
      ...(hasGraphs && !purges
        ? [
            `Graphs, traces and memories stay in ${size}:\n'codewalk uninstall --all --purge' removes them, too.\n`,
          ]
        : []),
    ];
    // Printed before anything is removed: who sees it too late can still end this.
    if (!quiet) terminal.out(before.join(''));
    const left = removes();
    if (quiet || !hasGraphs || !purges) return null;
    if (!dryRun) terminal.out(`Removed ${size}: graphs, traces and memories.\n`);
    if (left.length > 0) terminal.out(`Not ours, and left there: ${left.join(', ')}.\n`);
    return null;
  },
});
