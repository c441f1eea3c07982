import { CommanderError } from 'commander';
import { loadUserWalkers, WalkerRegistry } from '../host/index.js';
import { earlyFlags } from './early-flags.js';
import { EXIT, exitCodeOf, failureFrom, failureText } from './failure-text.js';
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
  const { json, walkers, deadline } = earlyFlags(argv);
  const interrupted = interruption();
  try {
    const loaded = await heartbeat.watch(
      `loading ${walkers.join(', ')}`,
      () =>
        loadUserWalkers(walkers, {
          cwd: terminal.cwd,
          ...(deadline === null ? {} : { deadlineMs: deadline * 1000 }),
        }),
      { failure: 'WALKER_INVALID' },
    );
    const registry = new WalkerRegistry(loaded.walkers, { bare: false });
    const session = { terminal, heartbeat, registry, loaded, signal: interrupted };
    await programOf(session).parseAsync(argv, { from: 'user' });
    return EXIT.ok;
  } catch (thrown) {
    if (thrown instanceof CommanderError && thrown.exitCode === 0) return EXIT.ok;
    // No command was given: the help has been printed.
    if (thrown instanceof CommanderError && thrown.code === 'commander.help') return EXIT.usage;
    const error = failureFrom(thrown, argv);
    const body = error.toBody();
    if (json) terminal.out(`${JSON.stringify({ ...body, provided_input: body.provided_input ?? argv })}\n`);
    if (!json || terminal.debug) terminal.err(failureText(error, terminal.debug));
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
