import { CodewalkError, toCodewalkError } from '../schema/index.js';
import { earlyFlags } from './early-flags.js';
import { EXIT, exitCodeOf, failureText } from './failure-text.js';
import { leave } from './leave.js';
import { ownWalkers } from './own-walkers.js';
import type { Session } from './session.js';
import { processTerminal } from './terminal.js';

/**
 * Runs a command line in this process, and tells what goes wrong.
 *
 * @param body answers with the exit code.
 * @returns the exit code: 0 done, 1 failed, 2 a wrong command line, 130 interrupted
 */
export async function inSession(
  argv: readonly string[],
  body: (session: Session) => Promise<number>,
): Promise<number> {
  const terminal = processTerminal();
  const early = earlyFlags(argv);
  const signal = interruption();
  try {
    const own = await ownWalkers(early, terminal.cwd);
    return await body({ terminal, own, signal });
  } catch (thrown) {
    const error = toCodewalkError(
      signal.aborted && !(thrown instanceof CodewalkError) ? interrupted() : thrown,
    );
    const told = error.toBody();
    if (early.json)
      terminal.out(`${JSON.stringify({ ...told, provided_input: told.provided_input ?? argv })}\n`);
    if (!early.json || terminal.debug) terminal.err(failureText(error, terminal.debug));
    return exitCodeOf(error, signal.aborted);
  }
}

function interrupted(): CodewalkError {
  return new CodewalkError('CANCELLED', 'Interrupted: nothing more is done.');
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
