import { existsSync, writeSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import {
  askHook,
  graphsFolderOf,
  type HookAsk,
  hookDeadline,
  recordEntry,
  standardInput,
  unlabelled,
} from '../host/index.js';
import { harmless } from '../present/index.js';
import { LIMITS } from '../schema/index.js';
import { AGENTS } from './agents/index.js';

/** Whose payloads are understood. */
const CLIENTS: readonly string[] = AGENTS.map(({ name }) => name);

/** What it prints for `--help`. */
const HELP = `Usage: codewalk hook --client NAME [--cwd DIR] [--home DIR] [--deadline MS] < payload

What an agent's hook runs: record the payload on standard input, and print what the agent is to know, if anything,
in the form that this client takes. It always exits 0; standard output is empty or one JSON object.

Options:
  --client NAME   whose payload it is: ${CLIENTS.join(', ')}
  --cwd DIR       a folder of the project; default: the working directory
  --root DIR      the project's root itself
  --home DIR      where graphs are stored; default: GRAPHS_HOME, else ~/.graphs
  --deadline MS   from the start of the process to the answer; a later one is given at the session's next moment
                  (default: the setting hooks.deadline, else ${LIMITS.hookAnswer.default})

'codewalk install NAME' has an agent run it.
`;

const OPTIONS: ReadonlySet<string> = new Set(['client', 'cwd', 'root', 'home', 'deadline']);

/**
 * One run of an agent's hook: the payload on standard input is recorded, then the daemon is asked what the agent is to
 * be told. It never fails: what goes wrong is said on stderr, which no agent reads.
 *
 * @param argv Unknown options are passed over: another version may have installed them. `--recorded`: standard input is
 * a file of the journal, label and all, that is recorded already.
 */
export async function runHook(argv: readonly string[]): Promise<void> {
  try {
    if (argv.includes('--help') || argv.includes('-h')) {
      process.stdout.write(HELP);
      return;
    }
    const given = optionsOf(argv);
    for (const doubt of doubtsOf(argv, given)) tell(doubt);
    const input = Buffer.concat(Array.from(standardInput(), (piece) => Buffer.from(piece)));
    const home = graphsFolderOf({ home: given.get('home') });
    const ask = argv.includes('--recorded') ? recordedAsk(input) : record(input, given, home);
    if (ask === null || ask.payload.length > LIMITS.hookPayload.max) return;
    const said = Number(given.get('deadline') ?? Number.NaN);
    const deadline = Number.isNaN(said) ? hookDeadline(home) : said;
    const answer = await askHook(home, ask, deadline - performance.now());
    if (answer !== '') writeSync(1, answer);
  } catch (thrown) {
    tell(thrown instanceof Error ? thrown.message : String(thrown));
  }
}

function tell(what: string): void {
  process.stderr.write(harmless(`codewalk hook: ${what}\n`));
}

/** What of the options will not do what was meant, for a person who tries the hook. */
function doubtsOf(argv: readonly string[], given: ReadonlyMap<string, string>): string[] {
  const names = argv.filter((one) => one.startsWith('--')).map((one) => one.split('=')[0] ?? '');
  const unknown = names.filter((name) => !OPTIONS.has(name.slice(2)) && name !== '--recorded');
  const { client = '', cwd, deadline } = Object.fromEntries(given);
  return [
    ...unknown.map((name) => `${name} is no option: it is passed over`),
    ...(client === '' || CLIENTS.includes(client)
      ? []
      : [
          `--client '${client}' is none of ${CLIENTS.join(', ')}: its payloads wait until there is an adapter`,
        ]),
    ...(cwd === undefined || existsSync(cwd) ? [] : [`--cwd '${cwd}' does not exist`]),
    ...(deadline === undefined || !Number.isNaN(Number(deadline))
      ? []
      : [`--deadline '${deadline}' is no number of milliseconds: the default holds`]),
  ];
}

function optionsOf(argv: readonly string[]): ReadonlyMap<string, string> {
  const given = new Map<string, string>();
  for (const [at, argument] of argv.entries()) {
    const [name = '', ...rest] = argument.replace(/^--/u, '').split('=');
    const value = rest.length > 0 ? rest.join('=') : argv[at + 1];
    if (argument.startsWith('--') && OPTIONS.has(name) && value) given.set(name, value);
  }
  return given;
}

/** What is to be asked; null where nothing was recorded. */
function record(input: Buffer, given: ReadonlyMap<string, string>, home: string): HookAsk | null {
  const client = given.get('client');
  if (client === undefined) throw new Error('--client is missing: whose payload is it?');
  const cwd = resolve(given.get('cwd') ?? '');
  const named = given.get('root');
  const root = named === undefined ? null : isAbsolute(named) ? named : `${cwd}/${named}`;
  if (recordEntry({ home, root, client, cwd }, [input]) === 'paused') return null;
  const [place, path] = root === null ? (['cwd', cwd] as const) : (['root', root] as const);
  return { client, payload: input.toString('utf8'), place, path };
}

function recordedAsk(input: Buffer): HookAsk | null {
  const entry = unlabelled(input);
  if (typeof entry === 'string' || entry.client === null) return null;
  const { client, payload, place, path } = entry;
  return { client, payload: payload.toString('utf8'), place, path };
}
