import type { Command, HelpConfiguration } from 'commander';

/** A description's first sentence; the full stop of an abbreviation of single letters ends none. */
const SENTENCE = /^.*?(?:[\p{L}\p{N}]{2}|[)'"])[.?!](?=\s|$)/su;

/**
 * How help is written, for 80 columns or as many as the terminal has: every line is wrapped, and a list of commands says
 * of each what it takes by place and the first sentence of what it does. Its own help has the rest.
 */
export const HELP: HelpConfiguration = {
  showGlobalOptions: true,
  // Below it commander does not wrap; beside our longest term 80 columns leave fewer than its default.
  minWidthToWrap: 20,
  subcommandTerm: (command) => [command.name(), ...command.registeredArguments.map(placeOf)].join(' '),
  subcommandDescription: (command) => {
    const description = command.description();
    return SENTENCE.exec(description)?.[0] ?? description;
  },
};

function placeOf(argument: Command['registeredArguments'][number]): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}
