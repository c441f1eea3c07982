import { AGENTS, CLIENTS } from '../hooks/index.js';
import { DEFAULT_PROFILE, PROFILES } from '../schema/index.js';
import { type Flag, type FlagsOf, type GlobalFlags, MCP_FLAGS } from './flags.js';
import type { Session } from './session.js';

/** What a command takes by its place: `<NAME>`, or `[NAME]` where it may be left out. */
export type Place = readonly [text: string, description: string, choices?: readonly string[]];

/** A command that is no walker: its arguments, flags, help and completion come from these fields. */
export interface CommandSpec {
  readonly description: string;
  readonly places?: readonly Place[];
  readonly flags?: readonly Flag[];
  readonly examples?: readonly string[];
}

/** A command line as its command gets it. */
export interface CommandCall<Flags> {
  readonly session: Session;
  readonly flags: Flags & GlobalFlags;
  /** What was given by place, in order. */
  readonly places: readonly string[];
}

/** What a command answers: printed as text, or with `--json` as JSON. */
export interface CommandAnswer {
  readonly body: object;
  /** Whole lines. */
  readonly text: string;
}

const PATH_PLACE: Place = [
  '[PATH]',
  "the project's folder; default: the one that holds the working directory",
];
const PAUSED_PLACE: Place = [
  '[PATH]',
  "the project's folder; default: the project that holds the working directory",
];
const PAUSE_FLAGS = [['--all', 'all projects; what was paused by itself stays so']] as const;
const INSTALLED = CLIENTS.map(({ name }) => name);
const NAMES = AGENTS.map(({ name }) => name);
const [PROFILE, FORMAT, CLIENT, APPS] = MCP_FLAGS;

/** The commands that are no walkers, in the order of the help; `program.ts` says what runs each. */
export const COMMANDS = {
  install: {
    description:
      'Give an agent its memory: hooks that record and remind, and the tools. codewalk uninstall takes it back.',
    places: [['[CLIENT]', 'the agent, or another client of MCP', INSTALLED]],
    flags: [
      [
        '--scope <scope>',
        'for all your projects, or for the one here',
        { choices: ['user', 'project'], fallback: 'user' },
      ],
      [
        '--profile <names>',
        `which tools its server lists: ${Object.keys(PROFILES).join(', ')}; several with commas; default: as installed, else ${DEFAULT_PROFILE}`,
        { value: 'profiles' },
      ],
      ['--detect', 'say which of them are on this machine, and what would be done'],
      ['--dry-run', 'only say what would be written'],
    ],
    examples: [
      'codewalk install --detect',
      'codewalk install qwen --dry-run',
      'codewalk install claude --profile query,memory',
      'codewalk install codex --scope project',
      'codewalk mcp --print-config aider   (for any other client)',
    ],
  },
  uninstall: {
    description: "Take our entries out of an agent's files; with flags, all that there is of Codewalk.",
    places: [['[CLIENT]', 'the agent or client', INSTALLED]],
    flags: [
      ['--all', 'of all agents; the daemon is ended, too'],
      ['--purge', 'with --all: remove all graphs, traces and memories, too'],
      ['--dry-run', 'only say what would be done'],
    ],
  },
  status: {
    description:
      'Show the daemon, the projects with their sizes and revisions, and what waits in the journal.',
  },
  doctor: {
    description:
      'Try what everything stands on (home, settings, daemon, journal, agents) and say what to do where it fails.',
  },
  stop: {
    description: 'End the daemon that owns the open graphs; the next command or agent starts it again.',
  },
  projects: {
    description:
      'List the projects that have a graph: their size, when they were used, and whether their root is still there.',
  },
  adopt: {
    description:
      'Bring the history of a project that has moved to its new place: traces, memories, settings.',
    places: [
      ['<OLD>', 'where it was'],
      ['<NEW>', 'where it is now'],
    ],
  },
  remove: {
    description:
      "Remove a project's code graph, which 'codewalk index' makes again; with a flag, its history too.",
    places: [['<PATH>', "the project's folder, which may have vanished"]],
    flags: [
      ['--with-history', 'its traces, memories and backups too: they cannot be made again'],
      ['--dry-run', 'only say what would be removed'],
    ],
  },
  forget: {
    description:
      'Forget what was recorded and remembered: in traces, memories, backups and journal, and in the bytes on disk. Several flags: what all of them mean.',
    flags: [
      ['--task <id>', 'a task, by its id or the beginning of it'],
      ['--session <id>', "all tasks of an agent's session, by its name or the beginning of it"],
      ['--file <path>', 'every event and memory that names the file or folder'],
      ['--since <time>', "what was recorded since: a time, or '30m', '2h', '7d' ago"],
      ['--memory <id>', 'one memory, with all that it said before'],
      ['--project [path]', 'in this project; with no other flag all that is remembered of it, memories too'],
      ['--all', 'all that is remembered of every project'],
      ['--dry-run', 'only say what would be forgotten'],
    ],
  },
  gc: {
    description:
      'Drop what is beyond retention: graphs of vanished roots, the least recently used graphs, old backups, leftovers.',
    flags: [['--dry-run', 'only say what would be dropped']],
  },
  backup: {
    description:
      'Back up what is remembered of a project. The daemon does so once a day while something changes, and stores seven backups.',
    places: [PATH_PLACE],
  },
  restore: {
    description:
      'Replace what is remembered of a project by what a backup holds. The present state is backed up first.',
    places: [['[FILE]', "the path or name of a backup, or 'latest'"]],
    flags: [['--list', 'only show the backups of the project']],
  },
  rebuild: {
    description:
      'Rebuild what is remembered of a project from its own event records, and where these are damaged from its newest backup.',
    places: [PATH_PLACE],
    flags: [['--durable', 'the traces and memories: the code graph is rebuilt by index --mode full']],
  },
  pause: {
    description: 'Record nothing more of what agents do in a project, or with --all in any.',
    places: [PAUSED_PLACE],
    flags: PAUSE_FLAGS,
  },
  resume: {
    description: 'Record again what agents do in a project, or with --all where it was paused.',
    places: [PAUSED_PLACE],
    flags: PAUSE_FLAGS,
  },
  config: {
    description:
      'Show and change settings, for all projects or with --project for one. docs/reference/config.md has them all.',
    places: [
      ['<ACTION>', 'what to do', ['get', 'set', 'unset', 'list']],
      ['[KEY]', 'the setting'],
      ['[VALUE...]', 'what it is set to; a list takes several'],
    ],
    flags: [
      [
        '--project [path]',
        "the project's own settings; default PATH: the one that holds the working directory",
      ],
    ],
    examples: [
      "codewalk config set exclude 'vendor/**' '*.min.js' --project .",
      'codewalk config get max_file_bytes',
      'codewalk config list --json',
    ],
  },
  walkers: {
    description: 'List the walkers that there are, or show what one of them takes.',
    places: [['[NAME]', 'show this one']],
  },
  explore: {
    description:
      'Look at the graph in a browser: code, what agents did, errors, memories. Serves this machine alone, until Ctrl+C.',
    places: [PATH_PLACE],
    flags: [
      ['--port <n>', 'the port to listen on; default: any that is free'],
      ['--no-open', 'open no browser: only print the address'],
      ['--export <file>', 'serve nothing: write one view as an HTML file that works without a server'],
      ['--view <path>', "the view to export, as its address has it behind '#'; default: the start"],
    ],
    examples: [
      'codewalk explore',
      'codewalk explore ~/my-project --port 7070 --no-open',
      "codewalk explore --export login.html --view '/symbol/UserService.login'",
    ],
  },
  mcp: {
    description: 'Serve the walkers as MCP tools over stdio: the command that you give your agent.',
    flags: [
      PROFILE,
      FORMAT,
      [
        '--print-config <client>',
        'print what tells an agent of this server: claude, codex, cursor, gemini, qwen...',
      ],
      CLIENT,
      APPS,
    ],
  },
  hook: {
    description:
      "What an agent's hook runs: record the payload on standard input, print what the agent is to be told. Always exits 0.",
    flags: [
      ['--client <name>', `whose payload it is: ${NAMES.join(', ')}`],
      ['--cwd <dir>', 'a folder of the project; default: the working directory'],
      ['--root <dir>', "the project's root itself"],
      ['--home <dir>', 'where graphs are stored; default: GRAPHS_HOME, else ~/.graphs'],
      ['--deadline <ms>', 'from the start of the process to the answer; default: the setting hooks.deadline'],
    ],
  },
  record: {
    description:
      'Put one event from standard input into the journal: for hooks. codewalk-record is its twin in sh.',
    flags: [['--client <name>', "the input is this client's own payload, as its hooks give it"]],
  },
} as const satisfies Readonly<Record<string, CommandSpec>>;

/** The name of a command that is no walker. */
export type CommandName = keyof typeof COMMANDS;

/** Runs a command; answers with null where it has printed by itself. */
export type Handler<Name extends CommandName> = (
  call: CommandCall<
    (typeof COMMANDS)[Name] extends { readonly flags: infer Flags extends readonly Flag[] }
      ? FlagsOf<Flags>
      : object
  >,
) => Promise<CommandAnswer | null>;
