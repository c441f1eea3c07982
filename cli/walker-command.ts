import { Argument, Command, type Option } from 'commander';
import {
  ROOT_FIELD,
  type Spawned,
  type SpawnOptions,
  type SpawnRequest,
  type WalkerSignature,
} from '../host/index.js';
import { harmless } from '../present/index.js';
import { CodewalkError, toolEntry } from '../schema/index.js';
import { fieldsOf } from './fields.js';
import { hostFor } from './host-for.js';
import { type Invocation, invocationOf } from './invocation.js';
import { type FieldParameter, parametersOf } from './options.js';
import { checkedRoot, type Session } from './session.js';
import { shellWord } from './shell.js';
import { terminalText } from './terminal-text.js';

/** A progress bar that draws what a run reports. */
interface ProgressBar {
  readonly onProgress: NonNullable<SpawnOptions['onProgress']>;
  /** Takes the bar away: answers follow. */
  stop(): void;
}

/** Which part of an index run a phase is, about: one bar grows through all of them. */
const PARTS: Readonly<Record<string, readonly [from: number, to: number]>> = {
  discover: [0, 0.05],
  extract: [0.05, 0.6],
  resolve: [0.6, 0.8],
  'write nodes': [0.8, 0.9],
  'write edges': [0.9, 1],
};

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
    else if (parameter.opposite) addEitherWay(command, parameter.option, parameter.opposite);
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

/** Adds two flags that contradict each other, one of which must be given. */
function addEitherWay(command: Command, option: Option, opposite: Option): void {
  const given = new Set<Option>();
  for (const one of [option, opposite])
    command.addOption(one).on(`option:${one.name()}`, () => given.add(one));
  command.hook('preAction', () => {
    if (given.size !== 1)
      throw new CodewalkError('INVALID_INPUT', `give either ${option.long} or ${opposite.long}`, {
        suggestion: given.size > 1 ? 'They contradict each other.' : 'Nothing is assumed without them.',
      });
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
  else if (flags.json) terminal.json(body);
  else terminal.write(`${shownText(invocation, markdown)}\n`);
}

/** An answer for people; its note on what was cut names flags and commands. */
export function shownText({ session, parameters }: Invocation, markdown: string): string {
  const text = markdown
    .trimEnd()
    .replace(/\n_[^\n]+_$/u, (note) => inFlags(note, parameters))
    .replace(/\bmemory_link (?=\S+ \S+ [A-Z])/gu, 'codewalk memory link ');
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
    .replace(/\b\w+ \((codewalk [a-z ]+)\)/gu, "'$1'")
    .replace(/(?<=Its )fields( are: )(.*?)(?=\.$)/u, (whole, are: string, names: string) => {
      const flags = names.split(', ').flatMap((name) => spelled.get(name) ?? []);
      // Fields within the JSON of a flag have no flags of their own.
      return flags.length === 0 ? whole : `arguments and flags${are}${flags.join(', ')}`;
    })
    .replace(
      /`(\w+)`|\b\w+(?=(?:\[\d+\])?(?::| is missing)|(?: and \w+)? up to \d)|\b\w+_\w+\b/gu,
      (whole, quoted?: string) => {
        const name = quoted ?? whole;
        const words = toolEntry(name)?.command;
        return spelled.get(name) ?? (words ? `'codewalk ${words}'` : whole);
      },
    );
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

/** A walker's examples as command lines, each under its title; empty when it has none. */
function exampleLines(
  words: readonly string[],
  walker: WalkerSignature,
  parameters: readonly FieldParameter[],
): string {
  return walker.examples
    .map(({ title, input }) => {
      const typed = parameters.flatMap((parameter) => typedOf(parameter, input[parameter.field.name]));
      return `  # ${title}\n  ${['codewalk', ...words, ...typed].join(' ')}\n`;
    })
    .join('');
}

function typedOf(parameter: FieldParameter, value: unknown): string[] {
  if (value === undefined || value === null) return [];
  const values = (Array.isArray(value) ? value : [value]).map(quoted);
  if ('argument' in parameter) return values;
  const { option, opposite } = parameter;
  if (option.isBoolean()) {
    const said = value === !option.negate ? option : opposite;
    return said ? [said.long ?? ''] : [];
  }
  return values.flatMap((one) => [option.long ?? '', one]);
}

function quoted(value: unknown): string {
  return shellWord(typeof value === 'string' ? value : JSON.stringify(value));
}

/** A bar on `stream`; null: nobody looks, nothing is drawn. */
async function progressBar(stream: NodeJS.WriteStream | null): Promise<ProgressBar> {
  if (stream === null) return { onProgress: () => undefined, stop: () => undefined };
  const { default: progress } = await import('cli-progress');
  const bar = new progress.SingleBar(
    {
      stream,
      format: '[{bar}] {percentage}% {phase} {count} {item}',
      hideCursor: true,
      clearOnComplete: true,
      barsize: 24,
      linewrap: false,
      gracefulExit: false,
    },
    progress.Presets.shades_grey,
  );
  let started = false;
  let share = 0;
  return {
    onProgress({ phase, done, total, item = '' }) {
      const part = PARTS[phase];
      const own = total ? Math.min(1, done / total) : 0;
      // A large project is indexed in pieces: their phases come again, and the bar never goes back.
      share = part ? Math.max(share, part[0] + (part[1] - part[0]) * own) : own;
      const count = total === null ? String(done) : `${done}/${total}`;
      const shown = { phase, count, item: harmless(item) };
      if (!started) bar.start(100, 0, shown);
      started = true;
      bar.update(Math.floor(share * 100), shown);
    },
    stop: () => bar.stop(),
  };
}
