import { Argument, Command } from 'commander';
import { answer, checkInput, failureOf, ROOT_FIELD } from '../host/index.js';
import type { RunFigures, WalkerType } from '../runtime/index.js';
import { exampleLines } from './examples.js';
import { fieldsOf } from './fields.js';
import { type Invocation, invocationOf } from './invocation.js';
import { parametersOf } from './options.js';
import { progressBar } from './progress-bar.js';
import { runOptions, type Session, withGraph } from './session.js';

/** What a command has beside what its walker gives it. */
export interface CommandExtension {
  /** Adds flags and help. */
  readonly prepare: (command: Command) => void;
  /** Runs in place of {@link runWalker}. */
  readonly run: (invocation: Invocation) => Promise<void>;
}

/** The command of a walker: arguments, flags and help are made from its input schema. */
export function walkerCommand(
  words: readonly string[],
  walker: WalkerType,
  session: Session,
  extension?: CommandExtension,
): Command {
  const command = new Command(words.at(-1)).description(walker.description);
  const fields = fieldsOf(walker).filter(({ name }) => name !== ROOT_FIELD);
  const parameters = parametersOf(walker.name, fields);
  for (const parameter of parameters) {
    if ('argument' in parameter) command.addArgument(parameter.argument);
    else command.addOption(parameter.option);
  }
  if (!fields.some(({ required, positional }) => required || positional))
    command.addArgument(
      new Argument('[PATH]', "the project's folder; default: the project that holds the working directory"),
    );
  extension?.prepare(command);
  const examples = exampleLines(words, walker, parameters);
  if (examples !== '') command.addHelpText('after', `\nExamples:\n${examples}`);
  return command.action(async () => {
    await (extension?.run ?? runWalker)(invocationOf(session, walker, parameters, command));
  });
}

/** Spawns the walker and prints its answer. */
export async function runWalker(invocation: Invocation): Promise<void> {
  const { session, flags } = invocation;
  const { body, markdown } = await answered(invocation);
  session.terminal.out(flags.json ? `${JSON.stringify(body)}\n` : `${markdown.trimEnd()}\n`);
}

/** The walker's answer, with progress and trace on stderr. */
export async function answered(invocation: Invocation) {
  const { session, walker, input, root, flags } = invocation;
  const { terminal, heartbeat } = session;
  const bar = progressBar(flags.quiet || flags.progress === false ? null : terminal.progress);
  try {
    checkInput(walker, input);
    const given = await withGraph(session, root, flags, walker, (graph) =>
      heartbeat.watch(`the walker '${walker.name}'`, () =>
        answer(graph, walker.name, input, { ...runOptions(session, flags), onProgress: bar.onProgress }),
      ),
    );
    bar.stop();
    if (flags.trace) terminal.err(traceLine(given.figures));
    return given;
  } catch (thrown) {
    bar.stop();
    throw failureOf(thrown, walker, input);
  }
}

/** What a run cost, in one line. */
export function traceLine({ visits, roundTrips, milliseconds, replays }: RunFigures): string {
  const again = replays > 0 ? `, ${replays} replays` : '';
  return `trace: ${visits} visits, ${roundTrips} round trips, ${milliseconds.toFixed(1)} ms${again}\n`;
}
