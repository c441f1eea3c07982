import type { Command, HelpConfiguration } from 'commander';

/** A description's first sentence; the full stop of an abbreviation of single letters ends none. */
const SENTENCE = /^.*?(?:[\p{L}\p{N}]{2}|[)'"])[.?!](?=\s|$)/su;

/** Columns that a command takes in a list of commands, at most: what it does is to be read beside it. */
const WIDEST_TERM = 30;

/**
 * How help is written, for 80 columns or as many as the terminal has: every line is wrapped, and a list of commands says
 * of each what it takes by place and the first sentence of what it does. Its own help has the rest.
 */
export const HELP: HelpConfiguration = {
  showGlobalOptions: true,
  // Below it commander does not wrap; beside our longest term 80 columns leave fewer than its default.
  minWidthToWrap: 20,
  subcommandTerm: termOf,
  subcommandDescription: (command) => {
    const description = command.description();
    return SENTENCE.exec(description)?.[0] ?? description;
  },
};

/** A command with what it takes by place, as far as there is room. */
function termOf(command: Command): string {
  const places = command.registeredArguments.map(placeOf);
  const whole = [command.name(), ...places];
  for (let shown = places.length; shown > 0; shown--) {
    const term = [...whole.slice(0, shown + 1), ...(shown < places.length ? ['...'] : [])].join(' ');
    if (term.length <= WIDEST_TERM) return term;
  }
  return [command.name(), ...(places.length > 0 ? ['...'] : [])].join(' ');
}

function placeOf(argument: Command['registeredArguments'][number]): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}
