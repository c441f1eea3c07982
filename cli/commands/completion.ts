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

/** Lines of a `case` that names the candidates of each command; flags of the program go with all. */
function caseLines(commands: readonly Completed[]): string[] {
  const everywhere = commands[0]?.flags.map(({ long }) => long) ?? [];
  return commands.map(({ words, subcommands, flags, values }) => {
    const own = words.length === 0 ? [] : flags.map(({ long }) => long);
    return `    '${words.join(' ')}') candidates='${[...subcommands, ...values, ...own, ...everywhere].join(' ')}' ;;`;
  });
}

/** A shell function's lines that find the command typed so far, in `at`. @param typed The words before the cursor. */
function commandLines(commands: readonly Completed[], typed: string): string[] {
  const known = commands.filter(({ words }) => words.length > 0).map(({ words }) => `'${words.join(' ')}'`);
  return [
    "  local at='' word candidates=''",
    `  for word in ${typed}; do`,
    `    case "\${at:+$at }$word" in`,
    `    ${known.join('|')}) at="\${at:+$at }$word" ;;`,
    '    esac',
    '  done',
    '  case "$at" in',
    ...caseLines(commands),
    '  esac',
  ];
}

function bashScript(commands: readonly Completed[]): string {
  return [
    '_codewalk() {',
    ...commandLines(commands, `"\${COMP_WORDS[@]:1:COMP_CWORD-1}"`),
    `  COMPREPLY=($(compgen -W "$candidates" -- "\${COMP_WORDS[COMP_CWORD]}"))`,
    '}',
    'complete -o default -F _codewalk codewalk',
    '',
  ].join('\n');
}

function zshScript(commands: readonly Completed[]): string {
  return [
    '#compdef codewalk',
    '_codewalk() {',
    ...commandLines(commands, `"\${words[@]:1:CURRENT-2}"`),
    `  compadd -- \${=candidates}`,
    '  _files',
    '}',
    'compdef _codewalk codewalk',
    '',
  ].join('\n');
}

function fishScript(commands: readonly Completed[]): string {
  const quoted = (text: string) => `'${text.replace(/[\\']/gu, '\\$&')}'`;
  return commands
    .flatMap(({ words, description, flags, values }) => {
      const parents = words.slice(0, -1);
      const under =
        parents.length === 0 ? '__fish_use_subcommand' : `__fish_seen_subcommand_from ${parents.join(' ')}`;
      const inside = `__fish_seen_subcommand_from ${words.at(-1)}`;
      const where = words.length === 0 ? '' : ` -n ${quoted(inside)}`;
      return [
        ...(words.length === 0
          ? []
          : [`complete -c codewalk -f -n ${quoted(under)} -a ${words.at(-1)} -d ${quoted(description)}`]),
        ...flags.map(
          ({ long, description: said }) =>
            `complete -c codewalk${where} -l ${long.slice(2)} -d ${quoted(said)}`,
        ),
        ...(values.length === 0 ? [] : [`complete -c codewalk${where} -f -a ${quoted(values.join(' '))}`]),
      ];
    })
    .map((line) => `${line}\n`)
    .join('');
}
