import {
  Argument,
  Command,
  CommanderError,
  type HelpConfiguration,
  InvalidArgumentError,
  Option,
} from 'commander';
import { builtInSignatures, packageVersion, type WalkerSignature } from '../host/index.js';
import { didYouMean, isNear, nearestFirst } from '../present/index.js';
import { CodewalkError } from '../schema/index.js';
import { completionCommand } from './commands/completion.js';
import { exportExtension, importExtension, packExtension } from './commands/files.js';
import { impactExtension } from './commands/impact.js';
import { indexExtension } from './commands/index-project.js';
import { logExtension } from './commands/log.js';
import { COMMANDS, type CommandName, type CommandSpec, type Handler } from './commands.js';
import { type Flag, GLOBAL_FLAGS, readValue } from './flags.js';
import { inSession } from './run.js';
import { EXIT, type Session } from './session.js';
import { type CommandExtension, walkerCommand } from './walker-command.js';
import { commandWords } from './walker-fields.js';

/** Walkers whose commands do more than print the answer. */
const EXTENSIONS: Readonly<Record<string, CommandExtension>> = {
  graph_index_project: indexExtension,
  graph_export: exportExtension,
  pack_snippets: packExtension,
  etg_log_event: logExtension,
  query_impact: impactExtension,
  memory_export: exportExtension,
  memory_import: importExtension,
};

const agents = () => import('./commands/agents.js');
const home = () => import('./commands/home.js');
const stores = () => import('./commands/stores.js');

/** Where the handler of each command is; loaded when it runs. */
const HANDLERS: {
  readonly [Name in CommandName]: () => Promise<{ readonly [Key in Name]: Handler<Key> }>;
} = {
  install: agents,
  uninstall: agents,
  status: home,
  doctor: agents,
  stop: home,
  projects: home,
  adopt: stores,
  remove: stores,
  forget: stores,
  gc: stores,
  backup: stores,
  restore: stores,
  rebuild: stores,
  pause: home,
  resume: home,
  config: home,
  walkers: () => import('./commands/walkers.js'),
  explore: () => import('./commands/explore.js'),
  mcp: () => import('./serve-mcp.js'),
  hook: agents,
  record: agents,
};

/** What commands are about that only hold others. */
const GROUPS: Readonly<Record<string, string>> = {
  memory: 'What is worth knowing next time: store it, find it, relate it, correct it.',
};

/** A description's first sentence; the full stop of an abbreviation of single letters ends none. */
const SENTENCE = /^.*?(?:[\p{L}\p{N}]{2}|[)'"])[.?!](?=\s|$)/su;
/** Columns that a command takes in a list of commands, at most: its description follows. */
const WIDEST_TERM = 30;

/** How help is written, in 80 columns or as many as the terminal has: a list of commands has their first sentences. */
export const HELP: HelpConfiguration = {
  showGlobalOptions: true,
  // Below it commander does not wrap; next to our longest term 80 columns leave fewer than its default.
  minWidthToWrap: 20,
  subcommandTerm: (command) => {
    const places = command.registeredArguments.map((argument) => {
      const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
      return argument.required ? `<${name}>` : `[${name}]`;
    });
    const words = [command.name(), ...places];
    for (let shown = words.length; shown > 1; shown--) {
      const term = [...words.slice(0, shown), ...(shown < words.length ? ['...'] : [])].join(' ');
      if (term.length <= WIDEST_TERM) return term;
    }
    return [command.name(), ...(places.length > 0 ? ['...'] : [])].join(' ');
  },
  subcommandDescription: (command) => {
    const description = command.description();
    return SENTENCE.exec(description)?.[0] ?? description;
  },
};

/**
 * Runs one command line in this process.
 *
 * @returns the exit code: 0 done, 1 failed, 2 a wrong command line, 3 a limit exceeded, 130 interrupted
 */
export function run(argv: readonly string[]): Promise<number> {
  return inSession(argv, async (session) => {
    try {
      await programOf(session).parseAsync(argv, { from: 'user' });
      return EXIT.ok;
    } catch (thrown) {
      if (!(thrown instanceof CommanderError)) throw thrown;
      if (thrown.exitCode === 0) return EXIT.ok;
      // No command was given: the help has been printed.
      if (thrown.code === 'commander.help') return EXIT.usage;
      const [reason = '', suggestion] = thrown.message.replace(/^error: /, '').split(/\n\((?=Did you mean)/);
      throw new CodewalkError('INVALID_INPUT', reason, {
        input: argv,
        suggestion: suggestion?.replace(/\)$/, '') ?? "'--help' behind a command shows what it takes.",
      });
    }
  });
}

/** @throws CodewalkError `WALKER_INVALID` when a user's walker takes the name of a command. */
function programOf(session: Session): Command {
  const program = new Command('codewalk')
    .description('The code graph of your project, walked by walkers.')
    .version(packageVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand(false)
    .configureHelp(HELP)
    .configureOutput({
      // Our own text, and that of walkers that the user runs.
      writeOut: session.terminal.write,
      writeErr: session.terminal.err,
      // What goes wrong is reported once, by `inSession`.
      outputError: () => undefined,
      getOutHasColors: () => false,
    })
    .exitOverride();
  addFlags(program, GLOBAL_FLAGS);
  for (const { words, command } of commandsOf(session, builtInSignatures())) add(program, words, command);
  add(program, ['completion'], completionCommand(program, session.terminal));
  return program.addCommand(helpCommand(program).copyInheritedSettings(program));
}

/** Prints the help of the command with these words; the parser's own takes the first word alone, and any. */
function helpCommand(program: Command): Command {
  const help = new Command('help').description('print the help of a command').argument('[COMMAND...]');
  return help.action((words: readonly string[]) => {
    let command = program;
    for (const word of words) {
      const next = command.commands.find((one) => one.name() === word);
      if (next === undefined) {
        const near = command.commands.map((one) => one.name()).filter((name) => isNear(word, name));
        throw new CodewalkError('INVALID_INPUT', `unknown command '${words.join(' ')}'`, {
          input: words,
          suggestion: `${didYouMean(nearestFirst(word, near).slice(0, 3))}'codewalk --help' lists the commands.`,
        });
      }
      command = next;
    }
    command.outputHelp();
  });
}

/** Every command but `completion`, with its words: one for each walker that has one, and those of {@link COMMANDS}. */
export function commandsOf(
  session: Session,
  builtIn: readonly WalkerSignature[],
): readonly { readonly words: readonly string[]; readonly command: Command }[] {
  const ofWalkers = [...builtIn, ...session.own.signatures].flatMap((walker) => {
    const words = commandWords(walker.name);
    return words === null
      ? []
      : [{ words, command: walkerCommand(words, walker, session, EXTENSIONS[walker.name]) }];
  });
  const names = Object.keys(COMMANDS) as CommandName[];
  return [...ofWalkers, ...names.map((name) => ({ words: [name], command: commandOf(name, session) }))];
}

function commandOf<Name extends CommandName>(name: Name, session: Session): Command {
  const { description, places = [], flags = [], examples = [] }: CommandSpec = COMMANDS[name];
  const command = new Command(name).description(description);
  for (const [text, what, choices] of places) {
    const argument = new Argument(text, what);
    command.addArgument(choices ? argument.choices(choices) : argument);
  }
  addFlags(command, flags);
  if (examples.length > 0)
    command.addHelpText('after', ['\nExamples:', ...examples.map((line) => `  ${line}`), ''].join('\n'));
  return command.action(async () => {
    const { [name]: handle } = await HANDLERS[name]();
    // The parser has read each flag by its rules.
    const answer = await handle({ session, flags: command.optsWithGlobals(), places: command.args });
    if (answer === null) return;
    if (command.optsWithGlobals().json) session.terminal.json(answer.body);
    else session.terminal.out(answer.text);
  });
}

function addFlags(command: Command, flags: readonly Flag[]): void {
  for (const [text, description, rules = {}] of flags) {
    const option = new Option(text, description);
    const { fallback, choices } = rules;
    if (fallback !== undefined)
      option.default(fallback, Array.isArray(fallback) ? fallback.join() : undefined);
    if (choices) option.choices(choices);
    else if (rules.value)
      option.argParser<unknown>((given, before) => {
        const read = readValue(rules, given);
        if ('wrong' in read) throw new InvalidArgumentError(read.wrong);
        if (rules.value !== 'list') return read.ok;
        return [...(Array.isArray(before) ? before : []), read.ok];
      });
    command.addOption(option);
  }
}

function add(program: Command, words: readonly string[], command: Command): void {
  let parent = program;
  for (const word of words.slice(0, -1))
    parent =
      parent.commands.find((known) => known.name() === word) ??
      parent.command(word).description(GROUPS[word] ?? '');
  const name = command.name();
  if (name === 'help' || parent.commands.some((other) => other.name() === name))
    throw new CodewalkError('WALKER_INVALID', `two walkers make the command '${words.join(' ')}'`, {
      input: name,
      suggestion: 'Rename yours; codewalk --help lists the names that are taken.',
    });
  parent.addCommand(command.copyInheritedSettings(parent));
}
