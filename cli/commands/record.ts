import { graphsFolderOf, recordEntry, standardInput, workingDirectory } from '../../host/index.js';
import { harmless } from '../../present/index.js';

/** What it prints for `--help`. */
const HELP = `Usage: codewalk record [--root DIR] [--client NAME] [--home DIR] < event

Put one event from standard input into the journal; nothing is opened or started.
Exit 0: it is there, or recording is paused. Exit 1: it is not; one line on stderr says why.

Options:
  --root DIR     the project's folder; default: the one that holds the working directory
  --client NAME  the input is this client's own payload (claude, qwen, codex...), as its hooks give it;
                 default: {event_id?, session_id?, task_id?, step_id?, tool_id?, ts?, kind, payload}
  --home DIR     where graphs are stored; default: GRAPHS_HOME, else ~/.graphs

codewalk-record does the same from POSIX sh, ten times as fast.
`;

const OPTIONS = ['--root', '--client', '--home'];

/**
 * `codewalk record`: a hook's whole work. It loads nothing but what it needs, since an agent waits for it.
 *
 * @returns the exit code.
 */
export function record(argv: readonly string[]): number {
  try {
    const given = optionsOf(argv);
    if (given === 'help') {
      process.stdout.write(HELP);
      return 0;
    }
    const [root, client, home] = OPTIONS.map((name) => given.get(name));
    recordEntry(
      { home: graphsFolderOf({ home }), root: root ?? null, client: client ?? null, cwd: workingDirectory() },
      standardInput(),
    );
    return 0;
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    process.stderr.write(harmless(`codewalk record: ${message}\n`));
    return 1;
  }
}

function optionsOf(argv: readonly string[]): ReadonlyMap<string, string> | 'help' {
  const given = new Map<string, string>();
  for (let at = 0; at < argv.length; at++) {
    const argument = argv[at] ?? '';
    if (argument === '--help' || argument === '-h') return 'help';
    const [name = '', ...rest] = argument.split('=');
    if (!OPTIONS.includes(name)) throw new Error(`unknown argument '${argument}'`);
    const value = rest.length > 0 ? rest.join('=') : argv[++at];
    if (value === undefined) throw new Error(`${name} needs a value`);
    if (value === '') throw new Error(`${name} is empty`);
    given.set(name, value);
  }
  return given;
}
