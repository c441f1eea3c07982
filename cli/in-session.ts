import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { configFile } from '../host/index.js';
import { CodewalkError, toCodewalkError } from '../schema/index.js';
import { EXIT, exitCodeOf, failureText } from './failure-text.js';
import { hostFor } from './host-for.js';
import { leave } from './leave.js';
import type { OwnWalkers, Session } from './session.js';
import { processTerminal } from './terminal.js';

/** What must be known before there is a program that could parse its flags. */
interface EarlyFlags {
  /** Folders of people's own walkers: they decide which commands there are. */
  readonly walkers: readonly string[];
  /** The first word that is no flag: nearly always the command. */
  readonly command: string | undefined;
  /** Whether even an error in the command line is told as JSON. */
  readonly json: boolean;
  /** Whether graphs are opened in this process. */
  readonly embedded: boolean;
  /** Where graphs are kept; undefined: the default. */
  readonly home: string | undefined;
  /** Seconds; null when none (or nonsense, which the parser refuses later). */
  readonly deadline: number | null;
}

const WITHOUT: ReadonlySet<string> = new Set(
  'config status stop doctor projects adopt remove forget gc rebuild pause resume'.split(' '),
);

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
    return exitCodeOf(error, signal.aborted);
  }
}

function interrupted(): CodewalkError {
  return new CodewalkError('CANCELLED', 'Interrupted: nothing more is done.');
}

/** Milliseconds that stores of this process get to close after a signal: what `LocalHost.close` may take, and some. */
const CLOSING_MS = 5000;

/**
 * Aborts at the first signal, after which `over` rejects: at once in a client, whatever its daemon does; what has stores
 * open, or ends by itself (an MCP server), gets a while. A second signal ends the process there and then.
 */
function interruption({ command, embedded }: EarlyFlags, argv: readonly string[]) {
  const controller = new AbortController();
  const closingMs = embedded || command === 'mcp' ? CLOSING_MS : 0;
  const over = new Promise<never>((_, fail) => {
    const end = () => {
      const timer = setTimeout(() => fail(interrupted()), closingMs);
      if (closingMs > 0) timer.unref();
    };
    controller.signal.addEventListener('abort', end);
  });
  // Nobody may be waiting for it any more.
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
 * What the folders of people's own walkers hold. Without any, nothing is asked.
 *
 * @param cwd What a relative folder is relative to.
 * @throws CodewalkError `WALKER_INVALID` naming the file or folder, `CONFIG_INVALID`.
 */
async function ownWalkers(early: EarlyFlags, cwd: string): Promise<OwnWalkers> {
  const { home, embedded, deadline } = early;
  const folders = await walkerFolders(early);
  if (folders.length === 0) return { folders, signatures: [] };
  const absolute = folders.map((folder) => resolve(cwd, folder));
  await using host = hostFor({ home, embedded });
  const signatures = await host.describe(absolute, deadline === null ? null : deadline * 1000);
  return { folders: absolute, signatures };
}

/**
 * The folders of people's own walkers: those of `--walkers`, and those that the user's configuration names. Where that
 * names none, nothing is loaded to find it out. Commands that run none go without: what is broken can be mended.
 *
 * @throws CodewalkError `CONFIG_INVALID`
 */
async function walkerFolders({ walkers, home, command }: EarlyFlags): Promise<readonly string[]> {
  if (WITHOUT.has(command ?? '') || !mentionsWalkers(home)) return walkers;
  const { settingsFor } = await import('./home.js');
  return [...new Set([...walkers, ...settingsFor(null, { home }).walkers])];
}

function mentionsWalkers(home: string | undefined): boolean {
  try {
    return readFileSync(configFile({ home }), 'utf8').includes('"walkers"');
  } catch {
    return false;
  }
}

/** Reads the early flags from anywhere in front of `--`. */
function earlyFlags(argv: readonly string[]): EarlyFlags {
  const end = argv.indexOf('--');
  const flags = end < 0 ? argv : argv.slice(0, end);
  const deadline = Number(valuesOf('--deadline', flags).at(-1) ?? Number.NaN);
  return {
    walkers: valuesOf('--walkers', flags),
    command: flags.find((flag) => !flag.startsWith('-')),
    json: flags.includes('--json'),
    embedded: flags.includes('--embedded'),
    home: valuesOf('--home', flags).at(-1),
    deadline: deadline > 0 ? deadline : null,
  };
}

function valuesOf(flag: string, argv: readonly string[]): string[] {
  return argv.flatMap((argument, at) => {
    if (argument.startsWith(`${flag}=`)) return [argument.slice(flag.length + 1)];
    const next = argument === flag ? argv[at + 1] : undefined;
    return next === undefined ? [] : [next];
  });
}
