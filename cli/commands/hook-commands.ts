import { AGENTS } from '../../hooks/index.js';
import { commandSpec } from '../command.js';
import { record } from './record.js';

/** `codewalk hook` where another flag stands before it, and its line in the help: `main.ts` takes it before. */
export const hookCommand = commandSpec({
  name: 'hook',
  description:
    "What an agent's hook runs: record the payload on standard input, print what the agent is to be told. Always exits 0.",
  flags: [
    ['--client <name>', `whose payload it is: ${AGENTS.map(({ name }) => name).join(', ')}`],
    ['--cwd <dir>', 'a folder of the project; default: the working directory'],
    ['--root <dir>', "the project's root itself"],
    ['--home <dir>', 'where graphs are stored; default: GRAPHS_HOME, else ~/.graphs'],
    ['--deadline <ms>', 'from the start of the process to the answer; default: the setting hooks.deadline'],
  ],
  async run({ flags: { root, client, home, cwd, deadline } }) {
    const { runHook } = await import('../installing.js');
    // The same flag in front of the command is in seconds, and was read as a number.
    const given: unknown = deadline;
    const ms = typeof given === 'number' ? String(given * 1000) : deadline;
    await runHook(argvOf({ root, client, home, cwd, deadline: ms }));
    return null;
  },
});

/** The same of `codewalk record`. */
export const recordCommand = commandSpec({
  name: 'record',
  description:
    'Put one event from standard input into the journal: for hooks. codewalk-record is its twin in sh.',
  flags: [['--client <name>', "the input is this client's own payload, as its hooks give it"]],
  async run({ flags: { root, client, home } }) {
    process.exitCode = record(argvOf({ root, client, home }));
    return null;
  },
});

function argvOf(flags: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(flags).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value]));
}
