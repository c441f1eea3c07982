import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { configFile } from '../host/index.js';
import { CodewalkError, toCodewalkError } from '../schema/index.js';
import { type EarlyFlags, earlyFlags } from './flags.js';
import { EXIT, hostFor, type OwnWalkers, type Session } from './session.js';
import { leave, processTerminal } from './terminal.js';

/** Commands that run no walkers: a broken one can be fixed with them. */
const WITHOUT_WALKERS: ReadonlySet<string> = new Set(
  'config status stop doctor projects adopt remove forget gc rebuild pause resume'.split(' '),
);

/** Milliseconds that stores of this process get to close after a signal. */
const CLOSING_MS = 5000;

/**
 * Runs a command line in this process, and reports what goes wrong.
 *
 * @param body answers with the exit code.
 * @returns the exit code: see {@link EXIT}
 */
export async function inSession(
  argv: readonly string[],
  body: (session: Session) => Promise<number>,
): Promise<number> {
  const terminal = processTerminal();
  const early = earlyFlags(argv);
  const { signal, over } = interruption(early, argv);
  const work = async () => body({ terminal, own: await ownWalkers(early, terminal.cwd), signal });
  try {
    return await Promise.race([work(), over]);
  } catch (thrown) {
    const error = toCodewalkError(
      signal.aborted && !(thrown instanceof CodewalkError) ? interrupted() : thrown,
    );
    const body = error.toBody();
    if (early.json) terminal.json({ ...body, provided_input: body.provided_input ?? argv });
    if (!early.json || terminal.debug) terminal.err(failureText(error, terminal.debug));
    if (signal.aborted) return EXIT.interrupted;
    return error.code === 'INVALID_INPUT' ? EXIT.usage : EXIT.failure;
  }
}

function failureText(error: CodewalkError, debug: boolean): string {
  const suggestion = error.suggestion === '' ? '' : `suggestion: ${error.suggestion}\n`;
  return `error ${error.code}: ${error.message}\n${suggestion}${debug ? `${stackOf(error)}\n` : ''}`;
}

function stackOf(error: Error): string {
  const cause = error.cause instanceof Error ? `\ncaused by ${stackOf(error.cause)}` : '';
  return `${error.stack ?? ''}${cause}`;
}

function interrupted(): CodewalkError {
  return new CodewalkError('CANCELLED', 'Interrupted: nothing more is done.');
}

/**
 * Aborts at the first signal, after which `over` rejects: at once in a client, whatever its daemon does; what has stores
 * open, or ends by itself (an MCP server), gets a while. A second signal ends the process there and then.
 */
function interruption({ command, embedded }: EarlyFlags, argv: readonly string[]) {
  const controller = new AbortController();
  const closingMs = embedded || command === 'mcp' || command === 'explore' ? CLOSING_MS : 0;
  const over = new Promise<never>((_, fail) => {
    const end = () => {
      const timer = setTimeout(() => fail(interrupted()), closingMs);
      if (closingMs > 0) timer.unref();
    };
    controller.signal.addEventListener('abort', end);
  });
  // The work may have ended before.
  over.catch(() => undefined);
  // A graph in memory is walked by this thread, which hears no signal while it does not yield: the system's way is taken.
  if (!argv.includes(':memory:'))
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.on(signal, () => {
        if (controller.signal.aborted) leave(EXIT.interrupted);
        controller.abort();
      });
  return { signal: controller.signal, over };
}

/**
 * The user's own walkers: in the folders of `--walkers`, and in those of the configuration. Where there is none, nothing
 * is loaded to find it out.
 *
 * @throws CodewalkError `WALKER_INVALID` naming the file or folder, `CONFIG_INVALID`.
 */
async function ownWalkers(early: EarlyFlags, cwd: string): Promise<OwnWalkers> {
  const { walkers, home, embedded, deadline, command = '' } = early;
  const named = new Set(walkers);
  if (!WITHOUT_WALKERS.has(command) && mentionsWalkers(home)) {
    const { walkersOfSettings } = await import('./commands/home.js');
    for (const folder of walkersOfSettings(home)) named.add(folder);
  }
  const folders = [...named].map((folder) => resolve(cwd, folder));
  if (folders.length === 0) return { folders, signatures: [] };
  await using host = hostFor({ home, embedded });
  const signatures = await host.describe(folders, deadline === null ? null : deadline * 1000);
  return { folders, signatures };
}

function mentionsWalkers(home: string | undefined): boolean {
  try {
    return readFileSync(configFile({ home }), 'utf8').includes('"walkers"');
  } catch {
    return false;
  }
}
