import { Command } from 'commander';
import { CodewalkError } from '../../schema/index.js';
import type { GlobalFlags, Session } from '../session.js';

/** `codewalk doctor`: tries what everything else stands on, and says of each what to do where it fails. */
export function doctorCommand({ terminal }: Session): Command {
  const command = new Command('doctor').description(
    'Try what everything stands on (home, socket, daemon, journal, watcher) and say what to do where it fails.',
  );
  return command.action(async () => {
    const { graphsFolderOf, examine } = await import('../home.js');
    const { home, json }: GlobalFlags = command.optsWithGlobals();
    const checks = await examine(graphsFolderOf({ home }));
    if (json) terminal.out(`${JSON.stringify({ checks })}\n`);
    else
      for (const { name, ok, found, suggestion } of checks)
        terminal.out(
          `${ok ? 'ok  ' : 'FAIL'}  ${name.padEnd(10)} ${found}${ok ? '' : `\n      ${suggestion}`}\n`,
        );
    const bad = checks.filter(({ ok }) => !ok);
    if (bad.length > 0 && !json)
      throw new CodewalkError('DAEMON_FAILED', `${bad.length} of ${checks.length} checks failed`, {
        suggestion: 'Each of them says above what to do.',
      });
    if (bad.length > 0) process.exitCode = 1;
  });
}
