import { existsSync, realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import { Argument, Command, type Option } from 'commander';
import { ROOT_FIELD, type Spawned, type SpawnRequest, type WalkerSignature } from '../host/index.js';
import { CodewalkError, toolEntry } from '../schema/index.js';
import { contains, platformOf } from '../source/index.js';
import type { GlobalFlags } from './flags.js';
import { checkedRoot, hostFor, rootOf, type Session } from './session.js';
import { progressBar } from './terminal.js';
import { shellWord, terminalText } from './text.js';
import { type FieldParameter, fieldsOf, parametersOf } from './walker-fields.js';

/** A walker's command as the user typed it. */
export interface Invocation {
  readonly session: Session;
  readonly walker: WalkerSignature;
  readonly parameters: readonly FieldParameter[];
  /** The walker's input; fields that were not given are left out. */
  readonly input: Record<string, unknown>;
  /** As given, or the default; not checked yet. */
  readonly root: string;
  readonly flags: GlobalFlags;
  /** Every flag of the command, those that are not the walker's too. */
  readonly given: Readonly<Record<string, unknown>>;
  /** What stands after the walker's own arguments, where the command takes a list of words. */
  readonly words: readonly string[];
}

/** What a command has on top of what its walker gives it. */
export interface CommandExtension {
  /** Adds flags and help. */
  readonly prepare?: (command: Command) => void;
  /** Runs in place of {@link runWalker}. */
  readonly run: (invocation: Invocation) => Promise<void>;
}

/** The command of a walker: arguments, flags and help are made from its input schema. */
export function walkerCommand(
  words: readonly string[],
  walker: WalkerSignature,
  session: Session,
  extension: CommandExtension = { run: runWalker },
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
  extension.prepare?.(command);
  const examples = walker.examples.map(({ title, input }) => {
    const typed = parameters.flatMap((parameter) => typedOf(parameter, input[parameter.field.name]));
    return `  # ${title}\n  ${['codewalk', ...words, ...typed].join(' ')}\n`;
  });
  if (examples.length > 0) command.addHelpText('after', `\nExamples:\n${examples.join('')}`);
  return command.action(async () => {
    try {
      await extension.run(invocationOf(session, walker, parameters, command));
    } catch (thrown) {
      if (!(thrown instanceof CodewalkError) || session.own.signatures.includes(walker)) throw thrown;
      const { code, message, suggestion, providedInput: input, retryAfterMs } = thrown;
      throw new CodewalkError(code, inFlags(message.replace(`${walker.name}: `, ''), parameters), {
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

/** A value of an example as it is typed. */
function typedOf(parameter: FieldParameter, value: unknown): string[] {
  if (value === undefined || value === null) return [];
  const values = [value].flat().map((one) => shellWord(typeof one === 'string' ? one : JSON.stringify(one)));
  if ('argument' in parameter) return values;
  const { option, opposite } = parameter;
  if (!option.isBoolean()) return values.flatMap((one) => [option.long ?? '', one]);
  const typed = value === !option.negate ? option : opposite;
  return typed ? [typed.long ?? ''] : [];
}

/** Reads what commander parsed. */
function invocationOf(
  session: Session,
  walker: WalkerSignature,
  parameters: readonly FieldParameter[],
  command: Command,
): Invocation {
  const given = command.optsWithGlobals();
  const flags: GlobalFlags = given;
  const values: unknown[] = [...command.processedArgs];
  const input: Record<string, unknown> = {};
  for (const parameter of parameters) {
    const value = 'argument' in parameter ? values.shift() : givenValue(command, parameter.option);
    if (value !== undefined) input[parameter.field.name] = value;
  }
  const rest = values.shift();
  const words = Array.isArray(rest) ? rest.map(String) : [];
  const root = rootOf(session, flags, typeof rest === 'string' ? rest : undefined);
  for (const { field } of parameters) {
    const value = input[field.name];
    if (field.path && value !== undefined) input[field.name] = fromHere(value, root, session.terminal.cwd);
    if (field.place && typeof value === 'string')
      input[field.name] = placeFromHere(value, root, session.terminal.cwd);
  }
  return { session, walker, parameters, input, root, flags, given, words };
}

/** Defaults are the walker's own business. */
function givenValue(command: Command, option: Option): unknown {
  const name = option.attributeName();
  return command.getOptionValueSource(name) === 'default' ? undefined : command.opts()[name];
}

/**
 * Relative to where the user stands, or to the root where nothing is there but something in the root is; who stands
 * outside of the root means paths inside it.
 */
function fromHere(value: unknown, root: string, cwd: string): unknown {
  if (Array.isArray(value)) return value.map((one) => fromHere(one, root, cwd));
  if (typeof value !== 'string' || isAbsolute(value)) return value;
  const rootHere = resolve(cwd, root);
  if (!contains(realOf(rootHere), realOf(cwd), platformOf())) return value;
  const here = resolve(cwd, value);
  return !isDotted(value) && !existsSync(here) && existsSync(resolve(rootHere, value)) ? value : here;
}

/**
 * A name that is a path relative to where the user stands, as one relative to the root, with what stands behind it
 * (`:12`); any other name as it is. Only what is there, or says where it begins, is taken for a path.
 */
function placeFromHere(value: string, root: string, cwd: string): string {
  const [, path = value, line = ''] = /^(.*?)((?::\d+){0,2})$/u.exec(value) ?? [];
  const rootHere = realOf(resolve(cwd, root));
  if (isAbsolute(path) || !/[./\\]/u.test(path) || !contains(rootHere, realOf(cwd), platformOf()))
    return value;
  const here = resolve(realOf(cwd), path);
  if (!existsSync(here) && !isDotted(path)) return value;
  const inside = relative(rootHere, here).replaceAll('\\', '/');
  return inside === '' || isDotted(inside) ? `${here}${line}` : `${inside}${line}`;
}

/** `./a` and `../a` say where they begin. */
function isDotted(path: string): boolean {
  return /^\.\.?(?:[\\/]|$)/.test(path);
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // A root that does not exist is refused when it is opened.
    return path;
  }
}

/** Spawns the walker and prints its answer. */
export async function runWalker(invocation: Invocation): Promise<void> {
  printAnswer(invocation, await answered(invocation));
}

/** The walker's answer, with progress and trace on stderr. @param particulars What the command asks for on top of its flags. */
export async function answered(
  { session, walker, input, root, flags }: Invocation,
  { limits, ...particulars }: Partial<SpawnRequest> = {},
): Promise<Spawned> {
  const { terminal, signal } = session;
  const { force = false, deadline, quiet, progress } = flags;
  const request: SpawnRequest = {
    walker: walker.name,
    root: checkedRoot(session, root, flags),
    forms: [flags.json ? 'json' : 'markdown'],
    input,
    force,
    limits: { ...limits, ...(deadline === undefined ? {} : { deadlineMs: deadline * 1000 }) },
    caller: { directory: terminal.cwd, session: null },
    userWalkers: session.own.folders,
    ...particulars,
  };
  await using host = hostFor(flags);
  const bar = await progressBar(quiet || progress === false ? null : terminal.progress);
  let answer: Spawned;
  try {
    answer = await host.spawn(request, { signal, onProgress: bar.onProgress, onPrint: terminal.err });
  } finally {
    bar.stop();
  }
  const { visits, roundTrips, milliseconds, replays } = answer.figures;
  const again = replays > 0 ? `, ${replays} replays` : '';
  if (flags.trace)
    terminal.err(
      `trace: ${visits} visits, ${roundTrips} round trips, ${milliseconds.toFixed(1)} ms${again}\n`,
    );
  return answer;
}

/** Prints an answer as it was asked for. A diagram is for another program: it stands on stdout alone. */
export function printAnswer(
  invocation: Invocation,
  { body, markdown }: Pick<Spawned, 'body' | 'markdown'>,
): void {
  const { terminal } = invocation.session;
  const { diagram } = (body.results ?? {}) as { diagram?: unknown };
  if (invocation.flags.json) terminal.json(body);
  else if (typeof diagram !== 'string') terminal.write(`${shownText(invocation, markdown)}\n`);
  else {
    terminal.out(diagram);
    for (const note of body.state.cut) terminal.err(`note: ${note}\n`);
  }
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
