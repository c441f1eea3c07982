import { CommanderError } from 'commander';
import { earlyFlags } from './early-flags.js';
import { EXIT, exitCodeOf, failureFrom, failureText } from './failure-text.js';
import { ownWalkers } from './own-walkers.js';
import { programOf } from './program.js';
import { processTerminal } from './terminal.js';
import { leave, startHeartbeat } from './watchdog/heartbeat.js';

/**
 * Runs one command line in this process.
 *
 * @returns the exit code: 0 done, 1 failed, 2 a wrong command line, 130 interrupted
 */
export async function run(argv: readonly string[]): Promise<number> {
  const terminal = processTerminal();
  const heartbeat = startHeartbeat();
  const early = earlyFlags(argv);
  const interrupted = interruption();
  try {
    const own = await ownWalkers(early, terminal.cwd, heartbeat);
    const session = { terminal, heartbeat, own, signal: interrupted };
    await programOf(session).parseAsync(argv, { from: 'user' });
    return EXIT.ok;
  } catch (thrown) {
    if (thrown instanceof CommanderError && thrown.exitCode === 0) return EXIT.ok;
    // No command was given: the help has been printed.
    if (thrown instanceof CommanderError && thrown.code === 'commander.help') return EXIT.usage;
    const error = failureFrom(thrown, argv);
    const body = error.toBody();
    if (early.json)
      terminal.out(`${JSON.stringify({ ...body, provided_input: body.provided_input ?? argv })}\n`);
    if (!early.json || terminal.debug) terminal.err(failureText(error, terminal.debug));
    return exitCodeOf(error, interrupted.aborted);
  }
}

/** Aborts at the first signal; a second one ends the process there and then. */
function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (controller.signal.aborted) leave(EXIT.interrupted);
      controller.abort();
    });
  return controller.signal;
}
