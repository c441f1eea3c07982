import { Argument, Command } from 'commander';
import { ROOT_FIELD, type Spawned, type SpawnRequest, type WalkerSignature } from '../host/index.js';
import { CodewalkError, toolEntry } from '../schema/index.js';
import { exampleLines } from './examples.js';
import { fieldsOf } from './fields.js';
import { hostFor } from './host-for.js';
import { type Invocation, invocationOf } from './invocation.js';
import { type FieldParameter, parametersOf } from './options.js';
import { progressBar } from './progress-bar.js';
import { checkedRoot, type Session } from './session.js';
import { terminalText } from './terminal-text.js';

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
  walker: WalkerSignature,
  session: Session,
  extension?: CommandExtension,
): Command {
  const command = new Command(words.at(-1)).description(walker.description);
  const fields = fieldsOf(walker).filter(({ name }) => name !== ROOT_FIELD);
  const parameters = parametersOf(walker.name, fields);
  for (const parameter of parameters) {
    if ('argument' in parameter) command.addArgument(parameter.argument);
    else {
      command.addOption(parameter.option);
      if (parameter.opposite) command.addOption(parameter.opposite);
    }
  }
  if (!fields.some(({ required, positional }) => required || positional))
    command.addArgument(
      new Argument('[PATH]', "the project's folder; default: the project that holds the working directory"),
    );
  extension?.prepare(command);
  const examples = exampleLines(words, walker, parameters);
  if (examples !== '') command.addHelpText('after', `\nExamples:\n${examples}`);
  return command.action(async () => {
    try {
      await (extension?.run ?? runWalker)(invocationOf(session, walker, parameters, command));
    } catch (thrown) {
      if (!(thrown instanceof CodewalkError) || session.own.signatures.includes(walker)) throw thrown;
      const { code, message, suggestion, providedInput: input, retryAfterMs } = thrown;
      const said = inFlags(message.replace(`${walker.name}: `, ''), parameters);
      throw new CodewalkError(code, said, {
        input,
        suggestion: inFlags(suggestion, parameters),
        cause: thrown,
        ...(retryAfterMs === null ? {} : { retryAfterMs }),
      });
    }
  });
}

/** Spawns the walker and prints its answer. */
export async function runWalker(invocation: Invocation): Promise<void> {
  printAnswer(invocation, await answered(invocation));
}

/** Prints an answer as it was asked for. */
export function printAnswer(
  invocation: Invocation,
  { body, markdown }: Pick<Spawned, 'body' | 'markdown'>,
): void {
  const { session, flags } = invocation;
  const { terminal } = session;
  const { diagram } = (body.results ?? {}) as { diagram?: unknown };
  if (!flags.json && typeof diagram === 'string') showDiagram(terminal, diagram, body.state.cut);
  else terminal.out(`${flags.json ? JSON.stringify(body) : shownText(invocation, markdown)}\n`);
}

/** An answer for people; its note on what was cut names flags and commands. */
export function shownText({ session, parameters }: Invocation, markdown: string): string {
  const text = markdown.trimEnd().replace(/\n_[^\n]+_$/u, (note) => inFlags(note, parameters));
  return terminalText(text, session.terminal.look);
}

/** A message that names input fields and tools, in flags and commands: `max_tokens` is `--max-tokens`. */
function inFlags(text: string, parameters: readonly FieldParameter[]): string {
  const spelled = new Map(
    parameters.map((parameter) => [
      parameter.field.name,
      'argument' in parameter ? parameter.argument.name() : (parameter.option.long ?? parameter.field.name),
    ]),
  );
  return text
    .replace(/ \(or the tool \w+\)/gu, '')
    .replace(/(?<=Its )fields( are: )(.*?)(?=\.$)/u, (_, are: string, names: string) => {
      const flags = names.split(', ').flatMap((name) => spelled.get(name) ?? []);
      return `arguments and flags${are}${flags.join(', ')}`;
    })
    .replace(/`(\w+)`|\b\w+(?=:|(?: and \w+)? up to \d)|\b\w+_\w+\b/gu, (whole, quoted?: string) => {
      const name = quoted ?? whole;
      const words = toolEntry(name)?.command;
      return spelled.get(name) ?? (words ? `'codewalk ${words}'` : whole);
    });
}

/** A diagram is for another program: it stands on stdout alone. */
function showDiagram(terminal: Session['terminal'], diagram: string, notes: readonly string[]): void {
  terminal.out(diagram);
  for (const note of notes) terminal.err(`note: ${note}\n`);
}

/**
 * The walker's answer, with progress and trace on stderr.
 *
 * @param particulars What the command asks for beside what its flags say.
 */
export async function answered(
  invocation: Invocation,
  particulars: Partial<SpawnRequest> = {},
): Promise<Spawned> {
  const { session, flags } = invocation;
  const { terminal, signal } = session;
  const request = requestOf(invocation, particulars);
  await using host = hostFor(flags);
  const bar = await progressBar(flags.quiet || flags.progress === false ? null : terminal.progress);
  let given: Spawned;
  try {
    given = await host.spawn(request, {
      signal,
      onProgress: bar.onProgress,
      onPrint: terminal.err,
    });
  } finally {
    bar.stop();
  }
  if (flags.trace) terminal.err(traceLine(given.figures));
  return given;
}

function requestOf(
  { session, walker, input, root, flags }: Invocation,
  { limits, ...particulars }: Partial<SpawnRequest>,
): SpawnRequest {
  const deadline = flags.deadline === undefined ? {} : { deadlineMs: flags.deadline * 1000 };
  return {
    walker: walker.name,
    root: checkedRoot(session, root, flags),
    forms: [flags.json ? 'json' : 'markdown'],
    input,
    force: flags.force ?? false,
    limits: { ...limits, ...deadline },
    caller: { directory: session.terminal.cwd, session: null },
    userWalkers: session.own.folders,
    ...particulars,
  };
}

/** What a run cost, in one line. */
function traceLine({ visits, roundTrips, milliseconds, replays }: Spawned['figures']): string {
  const again = replays > 0 ? `, ${replays} replays` : '';
  return `trace: ${visits} visits, ${roundTrips} round trips, ${milliseconds.toFixed(1)} ms${again}\n`;
}
