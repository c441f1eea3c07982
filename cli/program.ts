import { Command } from 'commander';
import { builtInSignatures, packageVersion } from '../host/index.js';
import { CodewalkError } from '../schema/index.js';
import { addFlags } from './command.js';
import { commandWords } from './command-words.js';
import { completionCommand } from './commands/completion.js';
import { exportExtension } from './commands/export.js';
import { homeCommands } from './commands/home-commands.js';
import { hookCommand, recordCommand } from './commands/hook-commands.js';
import { impactExtension } from './commands/impact.js';
import { importExtension } from './commands/import.js';
import { indexExtension } from './commands/index-project.js';
import { logExtension } from './commands/log.js';
import { mcpCommand } from './commands/mcp.js';
import { packExtension } from './commands/pack.js';
import { walkersCommand } from './commands/walkers.js';
import { GLOBAL_FLAGS } from './flags.js';
import { HELP } from './help.js';
import type { Session } from './session.js';
import { type CommandExtension, walkerCommand } from './walker-command.js';

/** Commands that do more than print their walker's answer. */
export const EXTENSIONS: Readonly<Record<string, CommandExtension>> = {
  graph_index_project: indexExtension,
  graph_export: exportExtension,
  pack_snippets: packExtension,
  etg_log_event: logExtension,
  query_impact: impactExtension,
  memory_export: exportExtension,
  memory_import: importExtension,
};

/** What commands are about that only hold others. */
const GROUPS: Readonly<Record<string, string>> = {
  memory: 'What is worth knowing next time: store it, find it, relate it, correct it.',
};

/**
 * The whole command line: one command per walker that has one, and some that are no walkers.
 *
 * @throws CodewalkError `WALKER_INVALID` when a user's walker takes the name of a command.
 */
export function programOf(session: Session): Command {
  const program = new Command('codewalk')
    .description('The code graph of your project, walked by walkers.')
    .version(packageVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [COMMAND]', 'print the help of a command')
    .configureHelp(HELP)
    .configureOutput({
      // Our own text, and that of walkers that the user runs.
      writeOut: session.terminal.write,
      writeErr: session.terminal.err,
      // What goes wrong is told once, by whoever catches the error.
      outputError: () => undefined,
      getOutHasColors: () => false,
    })
    .exitOverride();
  addFlags(program, GLOBAL_FLAGS);
  const walkers = [...builtInSignatures(), ...session.own.signatures];
  for (const walker of walkers) {
    const words = commandWords(walker.name);
    if (words === null) continue;
    add(program, words, walkerCommand(words, walker, session, EXTENSIONS[walker.name]));
  }
  for (const command of homeCommands(session)) add(program, [command.name()], command);
  for (const make of [walkersCommand, mcpCommand, hookCommand, recordCommand]) {
    const command = make(session);
    add(program, [command.name()], command);
  }
  add(program, ['completion'], completionCommand(program, session.terminal));
  return program;
}

function add(program: Command, words: readonly string[], command: Command): void {
  const parent = words.slice(0, -1).reduce((at, word) => groupOf(at, word), program);
  const name = command.name();
  if (name === 'help' || parent.commands.some((other) => other.name() === name))
    throw new CodewalkError('WALKER_INVALID', `two walkers make the command '${words.join(' ')}'`, {
      input: name,
      suggestion: 'Rename yours; codewalk --help lists the names that are taken.',
    });
  parent.addCommand(command.copyInheritedSettings(parent));
}

/** `memory` of `memory store`: a command that only holds others. */
function groupOf(parent: Command, word: string): Command {
  const known = parent.commands.find((command) => command.name() === word);
  return known ?? parent.command(word).description(GROUPS[word] ?? '');
}
