import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { type Flag, type FlagsOf, type GlobalFlags, type Place, readValue } from './flags.js';
import type { Session } from './session.js';

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

/** A command that is no walker: its arguments, flags, help and completion come from these fields. */
export interface CommandSpec<Flags extends readonly Flag[] = readonly Flag[]> {
  readonly name: string;
  readonly description: string;
  readonly places?: readonly Place[];
  readonly flags?: Flags;
  /** Lines below the help's title `Examples:`. */
  readonly examples?: readonly string[];
  /** Answers with null where it has printed by itself. */
  run(call: CommandCall<FlagsOf<Flags>>): Promise<CommandAnswer | null>;
}

/** A project's folder by place. */
export const PATH_PLACE: Place = [
  '[PATH]',
  "the project's folder; default: the one that holds the working directory",
];

/** Makes a {@link CommandSpec}: its flags give the types of their values. */
export function commandSpec<const Flags extends readonly Flag[] = []>(
  spec: CommandSpec<Flags>,
): (session: Session) => Command {
  return (session) => {
    const command = new Command(spec.name).description(spec.description);
    for (const [text, description, choices] of spec.places ?? []) {
      const argument = new Argument(text, description);
      command.addArgument(choices ? argument.choices(choices) : argument);
    }
    addFlags(command, spec.flags ?? []);
    addExamples(command, spec.examples ?? []);
    return command.action(async () => {
      // The parser has read each by its rules: see `addFlags`.
      const flags: FlagsOf<Flags> & GlobalFlags = command.optsWithGlobals();
      const answer = await spec.run({ session, flags, places: command.args });
      if (answer === null) return;
      if (flags.json) session.terminal.json(answer.body);
      else session.terminal.out(answer.text);
    });
  };
}

/** Adds flags to a command. */
export function addFlags(command: Command, flags: readonly Flag[]): void {
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

/** Adds lines under a title to the end of a command's help. */
export function addExamples(command: Command, lines: readonly string[], title = 'Examples'): void {
  if (lines.length > 0)
    command.addHelpText('after', [`\n${title}:`, ...lines.map((line) => `  ${line}`), ''].join('\n'));
}
