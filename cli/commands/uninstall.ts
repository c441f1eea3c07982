import { Argument, Command } from 'commander';
import type { HomeSizes } from '../../host/index.js';
import { CodewalkError } from '../../schema/index.js';
import { EXIT } from '../failure-text.js';
import type { GlobalFlags } from '../global-flags.js';
import { changesText } from '../install-text.js';
import { rootOf, type Session } from '../session.js';
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

interface UninstallFlags extends GlobalFlags {
  readonly all?: boolean;
  readonly purge?: boolean;
  readonly dryRun?: boolean;
}

/** `codewalk uninstall CLIENT` or `--all`: everything as it was before. */
export function uninstallCommand(session: Session): Command {
  const command = new Command('uninstall')
    .description("Take our entries out of an agent's files; with flags, all that there is of Codewalk.")
    .addArgument(new Argument('[CLIENT]', 'the agent').choices(CLIENTS))
    .option('--all', 'of all agents; the daemon is ended, too')
    .option('--purge', 'with --all: remove all graphs, traces and memories, too')
    .option('--dry-run', 'only say what would be done');
  return command.action(async (name: string | undefined) => {
    const flags: UninstallFlags = command.optsWithGlobals();
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
    const removes = () => (purges && !dryRun ? host.purgeHome(home) : []);
    if (refused.length > 0) process.exitCode = EXIT.failure;
    if (json) {
      const left = removes();
      const answer = {
        client: name ?? null,
        dry_run: dryRun,
        files: rows,
        refused: refused.map((one) => one.toBody()),
      };
      terminal.json({ ...answer, daemon, home, bytes, sizes, purged: purges && !dryRun, left });
      return;
    }
    for (const { message, suggestion } of refused) terminal.err(`kept: ${message}\n  ${suggestion}\n`);
    if (quiet) {
      removes();
      return;
    }
    const done = dryRun ? 'Would take back' : 'Took back';
    terminal.out(
      rows.length === 0
        ? 'Nothing of ours is in the files of agents.\n'
        : `${done}:\n${changesText(rows, host.userHome())}`,
    );
    if (daemon !== null) terminal.out(`The daemon (process ${daemon}) has ended.\n`);
    if (sizes === null || bytes === null || bytes === 0) {
      removes();
      return;
    }
    const size = `${home} (${bytesText(bytes)})`;
    if (purges) {
      // Told before: whoever sees it too late can still end this.
      terminal.out(`${dryRun ? 'Would remove' : 'Removing'} all of ${home}:\n${sizesText(sizes)}`);
      const left = removes();
      if (!dryRun) terminal.out(`Removed ${size}: graphs, traces and memories.\n`);
      if (left.length > 0) terminal.out(`Not ours, and left there: ${left.join(', ')}.\n`);
    } else
      terminal.out(
        `Graphs, traces and memories stay in ${size}:\n'codewalk uninstall --all --purge' removes them, too.\n`,
      );
  });
}
