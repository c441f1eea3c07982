import { resolve } from 'node:path';
import { Argument, type Command, Option } from 'commander';
import type { Spawned } from '../../host/index.js';
import { firstLine, stripHidden } from '../../present/index.js';
import { CodewalkError, type ErrorType, type EventKind } from '../../schema/index.js';
import type { Invocation } from '../invocation.js';
import { textOf } from '../options.js';
import { shellWord } from '../shell.js';
import { answered, type CommandExtension, printAnswer, runWalker } from '../walker-command.js';

/** What people and scripts log in words, in place of an event and its payload. */
const WORDS = {
  start: 'what is to be done: begins a task',
  error: 'what went wrong',
  fix: 'what was done about it',
  done: 'how it went: ends the task as success',
  failed: 'how it went: ends the task as failed',
} as const;
type Word = keyof typeof WORDS;

/** The kinds of errors: named here, since the parser needs them and the schema of traces is loaded late. */
const TYPES = ['test_failure', 'compile_error', 'tool_error', 'runtime_error'] as const satisfies ErrorType[];
/** The client of tasks that this command began: it goes on with the latest of them that is open. */
const CLIENT = 'codewalk-log';
/** Characters of a message that stand in the command of its tool use. */
const SHOWN = 80;

/** `codewalk log error "message" --file F`: words in place of an event's kind and payload; both forms are taken. */
export const logExtension: CommandExtension = {
  prepare: (command: Command) => {
    const [kind] = command.registeredArguments;
    kind?.choices([...new Set([...(kind.argChoices ?? []), ...Object.keys(WORDS)])]);
    if (kind)
      kind.description = 'in words: start, error, fix, done, failed; with --payload: the kind of an event';
    const payload = command.options.find(({ long }) => long === '--payload');
    payload?.makeOptionMandatory(false);
    const collect = (value: string, before: readonly string[] = []) => [...before, value];
    command
      .addArgument(
        new Argument(
          '[TEXT...]',
          'in words: the prompt, the message, what was done; -: from stdin',
        ).argParser((word: string, before: readonly string[] = []) => [...before, textOf(word)]),
      )
      .option('--file <path>', 'in words: a file that it is about (repeatable)', collect)
      .option('--test <name>', 'in words: a test that failed (repeatable)', collect)
      .addOption(new Option('--type <type>', 'in words: the kind of error').choices(TYPES))
      .option(
        '--task <id>',
        "in words: the task's id or its beginning; default: the one begun last, if it is open",
      )
      .addHelpText(
        'after',
        [
          '\nIn words:',
          '  codewalk log start "Fix the login"',
          '  codewalk log error "expected 200, got 401" --test login.test.ts --file src/login.ts',
          '  codewalk log fix "Compare times in UTC" --file src/login.ts',
          '  codewalk log done',
        ].join('\n'),
      );
  },
  run: async (invocation) => {
    const kind = String(invocation.input.kind);
    if (!isWord(kind) || invocation.input.payload !== undefined) return logEvent(invocation, kind);
    const log = new WordLog(invocation);
    printAnswer(invocation, await log.add(kind, invocation.words.join(' ').trim()));
  },
};

function isWord(kind: string): kind is Word {
  return Object.hasOwn(WORDS, kind);
}

/** One event, as its kind and payload say. */
function logEvent(invocation: Invocation, kind: string): Promise<void> {
  const { input, given, words } = invocation;
  if (input.payload === undefined)
    throw wrong(
      `log ${kind}: --payload is missing`,
      `In words: codewalk log ${Object.keys(WORDS).join('|')} "…".`,
    );
  const inWords = ['file', 'test', 'type', 'task'].find((flag) => given[flag] !== undefined);
  if (words.length > 0 || inWords !== undefined)
    throw wrong(
      `log ${kind}: ${inWords === undefined ? `'${words.join(' ')}'` : `--${inWords}`} does not go with --payload`,
      'Give an event with --payload, or what happened in words.',
    );
  return runWalker(invocation);
}

/** One thing that is logged in words: its events, and their task. */
class WordLog {
  readonly #warnings: string[] = [];
  #task: string | null = null;

  constructor(private readonly invocation: Invocation) {}

  /** Logs one thing. @returns the answer to the last of its events, with the warnings of all. */
  async add(word: Word, text: string): Promise<Pick<Spawned, 'body' | 'markdown'>> {
    const { given, session } = this.invocation;
    const isEnd = word === 'done' || word === 'failed';
    if (text === '' && !isEnd)
      throw wrong(`log ${word}: the text is missing`, `codewalk log ${word} "${WORDS[word].split(':')[0]}".`);
    const files = [given.file ?? []].flat().map((file) => resolve(session.terminal.cwd, String(file)));
    if (word === 'start') return this.#log('task_start', { user_prompt: text });
    const steps = await this.#openTask(isEnd ? word : null);
    if (word === 'error') return this.#addError(text, files);
    if (word === 'fix') return this.#addFix(text, files, Math.max(0, ...steps.map((step) => step.order)) + 1);
    if (word === 'done') for (const command of fixedErrors(steps)) await this.#logRun(command, true, []);
    return this.#log('task_end', { status: word === 'done' ? 'success' : 'failed', summary: text });
  }

  /** An error is that of a run, so that it has something that can succeed later. */
  async #addError(message: string, files: readonly string[]): Promise<Pick<Spawned, 'body' | 'markdown'>> {
    const { given } = this.invocation;
    const tests = [given.test ?? []].flat().map(String);
    const shown = firstLine(stripHidden(message), SHOWN);
    const tool_id = await this.#logRun(`codewalk log error ${shellWord(shown)}`, false, files);
    const error_type = given.type ?? (tests.length > 0 ? 'test_failure' : 'runtime_error');
    return this.#log('error', { error_type, message, tests }, tool_id);
  }

  /** A fix is a step of its own, with an edit of each of its files. */
  async #addFix(
    llm_summary: string,
    files: readonly string[],
    order: number,
  ): Promise<Pick<Spawned, 'body' | 'markdown'>> {
    let answer = await this.#log('step', { order, role: 'editing', llm_summary });
    const edit = { tool_name: 'edit', role: 'editing' };
    for (const file of files.length > 0 ? files : [null]) {
      const started =
        file === null ? edit : { ...edit, params_json: { file_path: file }, files_touched: [file] };
      const { body } = await this.#log('tool_start', started);
      answer = await this.#log('tool_end', { ...edit, success: true }, String(body.tool_id));
    }
    return answer;
  }

  async #logRun(command: string, success: boolean, files_touched: readonly string[]): Promise<string | null> {
    // That an error is gone changes nothing: it must not pass for a fix of another one.
    const tool = { tool_name: CLIENT, ...(success ? { role: 'reading' } : {}) };
    const { body } = await this.#log('tool_start', { ...tool, params_json: { command } });
    const tool_id = body.tool_id as string;
    await this.#log('tool_end', { ...tool, success, files_touched }, tool_id);
    return tool_id;
  }

  async #log(
    kind: EventKind,
    payload: object,
    tool_id: string | null = null,
  ): Promise<Pick<Spawned, 'body' | 'markdown'>> {
    const names = {
      ...(this.#task === null ? {} : { task_id: this.#task }),
      ...(tool_id === null ? {} : { tool_id }),
    };
    const isFirst = this.#task === null;
    const input = { ...names, kind, payload: { ...payload, client: CLIENT } };
    const { body, markdown } = await answered(this.invocation, { input });
    this.#task = String(body.task_id);
    const said = [body.warnings].flat().map(String);
    // That it opened the task for one of several events says nothing to the user.
    this.#warnings.push(...(isFirst ? said.filter((one) => !one.startsWith('task_id:')) : said));
    const warnings = [...new Set(this.#warnings)];
    const lines = markdown.split('\n').filter((line) => line !== '' && !line.startsWith('warning:'));
    const shown = [...lines, ...warnings.map((one) => `warning: ${firstLine(one, 400)}`)];
    return { body: { ...body, warnings }, markdown: shown.join('\n') };
  }

  /**
   * Finds the task that is meant, and reads its steps: none where a first event is to open one.
   *
   * @param end The word that ends it: then there must be one.
   */
  async #openTask(end: Word | null): Promise<readonly LoggedStep[]> {
    const { given } = this.invocation;
    const ask = async (walker: string, input: Record<string, unknown>) =>
      (await answered(this.invocation, { walker, input, forms: ['json'] })).body as Record<string, unknown>;
    const latest = async () => {
      const { tasks } = await ask('tasks', { client: CLIENT, status: 'running', limit: 1 });
      return (tasks as readonly { readonly task_id: string }[])[0]?.task_id;
    };
    const named = given.task === undefined ? await latest() : String(given.task);
    if (named === undefined && end !== null)
      throw new CodewalkError(
        'NODE_NOT_FOUND',
        `log ${end}: no task that was begun with 'codewalk log' is open`,
        {
          suggestion: 'codewalk log start "…" begins one; --task ID ends another: codewalk tasks lists them.',
        },
      );
    if (named === undefined) return [];
    const { task, steps } = await ask('show', { task: named, max_tokens: 20_000 });
    this.#task = (task as { readonly task_id: string }).task_id;
    return steps as readonly LoggedStep[];
  }
}

/** What is read of a step of `codewalk show`. */
interface LoggedStep {
  readonly order: number;
  readonly events: readonly {
    readonly kind: string;
    readonly tool_name?: string;
    readonly success?: boolean | null;
    readonly command?: string | null;
  }[];
}

/** The runs that stand for logged errors after which a fix was logged, and that did not come back since. */
function fixedErrors(steps: readonly LoggedStep[]): ReadonlySet<string> {
  const events = steps.flatMap((step) => step.events);
  const lastFix = events.findLastIndex(({ tool_name, success }) => tool_name === 'edit' && success === true);
  const lastFailed = new Map<string, number>();
  for (const [at, { tool_name, success, command }] of events.entries())
    if (tool_name === CLIENT && success === false && command) lastFailed.set(command, at);
  return new Set([...lastFailed].flatMap(([command, at]) => (at < lastFix ? [command] : [])));
}

function wrong(message: string, suggestion: string): CodewalkError {
  return new CodewalkError('INVALID_INPUT', message, { suggestion });
}
