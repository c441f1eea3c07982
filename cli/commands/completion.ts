import { Argument, Command } from 'commander';
import type { Terminal } from '../terminal.js';

/** A command as a shell completes it. */
interface Completed {
  /** The words after `codewalk`; empty for the program itself. */
  readonly words: readonly string[];
  readonly description: string;
  readonly subcommands: readonly string[];
  readonly flags: readonly { readonly long: string; readonly description: string }[];
  /** Values of its first argument, where these are known. */
  readonly values: readonly string[];
}

const SCRIPTS: Readonly<Record<string, (commands: readonly Completed[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/**
 * `codewalk completion SHELL`: prints a script that completes commands and flags. It is made from the commands that there
 * are, a user's walkers too, and starts nothing while one types.
 */
export function completionCommand(program: Command, terminal: Terminal): Command {
  return new Command('completion')
    .description('Print a script that completes commands and flags in your shell.')
    .addArgument(new Argument('<SHELL>', 'your shell').choices(Object.keys(SCRIPTS)))
    .addHelpText(
      'after',
      [
        '\nExamples:',
        '  # bash, in ~/.bashrc',
        '  source <(codewalk completion bash)',
        '  # zsh, in ~/.zshrc',
        '  source <(codewalk completion zsh)',
        '  # fish',
        '  codewalk completion fish > ~/.config/fish/completions/codewalk.fish\n',
      ].join('\n'),
    )
    .action((shell: string) => terminal.out(SCRIPTS[shell]?.(commandsOf(program)) ?? ''));
}

function commandsOf(command: Command, words: readonly string[] = []): Completed[] {
  const one: Completed = {
    words,
    description: command.description().split('\n')[0] ?? '',
    subcommands: command.commands.map((sub) => sub.name()),
    flags: command.options.flatMap(({ long, description }) => (long ? [{ long, description }] : [])),
    // A shell would expand other characters of a user's walker.
    values: (command.registeredArguments[0]?.argChoices ?? []).filter((value) =>
      /^[\w@%+=:,./-]+$/u.test(value),
    ),
  };
  return [one, ...command.commands.flatMap((sub) => commandsOf(sub, [...words, sub.name()]))];
}

/**
 * A shell function that finds the command typed so far, and lists its candidates; flags of the program go with all.
 *
 * @param typed The words before the cursor.
 */
function shellFunction(commands: readonly Completed[], typed: string, complete: readonly string[]): string[] {
  const [program] = commands;
  const everywhere = program?.flags.map(({ long }) => long) ?? [];
  const known = commands.filter(({ words }) => words.length > 0).map(({ words }) => `'${words.join(' ')}'`);
  const cases = commands.map((command) => {
    const own = command === program ? [] : command.flags.map(({ long }) => long);
    const candidates = [...command.subcommands, ...command.values, ...own, ...everywhere];
    return `    '${command.words.join(' ')}') candidates='${candidates.join(' ')}' ;;`;
  });
  return [
    '_codewalk() {',
    "  local at='' word candidates=''",
    `  for word in ${typed}; do`,
    `    case "\${at:+$at }$word" in`,
    `    ${known.join('|')}) at="\${at:+$at }$word" ;;`,
    '    esac',
    '  done',
    '  case "$at" in',
    ...cases,
    '  esac',
    ...complete,
    '}',
  ];
}

function bashScript(commands: readonly Completed[]): string {
  const complete = `  COMPREPLY=($(compgen -W "$candidates" -- "\${COMP_WORDS[COMP_CWORD]}"))`;
  const lines = shellFunction(commands, `"\${COMP_WORDS[@]:1:COMP_CWORD-1}"`, [complete]);
  return [...lines, 'complete -o default -F _codewalk codewalk', ''].join('\n');
}

function zshScript(commands: readonly Completed[]): string {
  const complete = [`  compadd -- \${=candidates}`, '  _files'];
  const lines = shellFunction(commands, `"\${words[@]:1:CURRENT-2}"`, complete);
  return ['#compdef codewalk', ...lines, 'compdef _codewalk codewalk', ''].join('\n');
}

function fishScript(commands: readonly Completed[]): string {
  const quoted = (text: string) => `'${text.replace(/[\\']/gu, '\\$&')}'`;
  const lines = commands.flatMap(({ words, description, flags, values }) => {
    const name = words.at(-1);
    const inside = name === undefined ? '' : ` -n ${quoted(`__fish_seen_subcommand_from ${name}`)}`;
    const parents = words.slice(0, -1).join(' ');
    const under = parents === '' ? '__fish_use_subcommand' : `__fish_seen_subcommand_from ${parents}`;
    const own = `complete -c codewalk -f -n ${quoted(under)} -a ${name} -d ${quoted(description)}`;
    return [
      ...(name === undefined ? [] : [own]),
      ...flags.map(
        ({ long, description: what }) =>
          `complete -c codewalk${inside} -l ${long.slice(2)} -d ${quoted(what)}`,
      ),
      ...(values.length === 0 ? [] : [`complete -c codewalk${inside} -f -a ${quoted(values.join(' '))}`]),
    ];
  });
  return lines.map((line) => `${line}\n`).join('');
}
