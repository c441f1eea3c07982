import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { Argument, type Command, Option } from 'commander';
import type { Spawned } from '../../host/index.js';
import { firstLine } from '../../present/index.js';
import { CodewalkError, type ErrorType, type EventKind, type StepRole } from '../../schema/index.js';
import {
  answered,
  type CommandExtension,
  type Invocation,
  printAnswer,
  runWalker,
} from '../walker-command.js';
import { textOf } from '../walker-fields.js';

/** What people and scripts log in words, in place of an event and its payload. */
const WORDS = {
  start: 'what is to be done: begins a task',
  error: 'what went wrong',
  fix: 'what was done about it',
  done: 'how it went: ends the task as success',
  failed: 'how it went: ends the task as failed',
} as const;
type Word = keyof typeof WORDS;

/** Named here, since the parser needs them and the schema of traces is loaded late. */
const TYPES = ['test_failure', 'compile_error', 'tool_error', 'runtime_error'] as const satisfies ErrorType[];
/** The client of tasks that this command began: it goes on with the latest of them that is open. */
const CLIENT = 'codewalk-log';
/** Characters of a warning, and of a prompt in one. */
const SHOWN = 400;
const PROMPT = 60;

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
    const { input, given, words } = invocation;
    const kind = String(input.kind);
    if (isWord(kind) && input.payload === undefined) {
      const answer = await new WordLog(invocation).add(kind, words.join(' ').trim());
      return printAnswer(invocation, answer);
    }
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
  },
};

function isWord(kind: string): kind is Word {
  return Object.hasOwn(WORDS, kind);
}

function wrong(message: string, suggestion: string): CodewalkError {
  return new CodewalkError('INVALID_INPUT', message, { suggestion });
}

type Answer = Pick<Spawned, 'body' | 'markdown'>;

/** What is read of a task; `steps`: how many it has. */
interface LoggedTask {
  readonly task_id: string;
  readonly prompt: string;
  readonly steps: number;
}

/** One thing that is logged in words: its events, and their task. Nothing ran, and nothing says that a fix helped. */
class WordLog {
  readonly #warnings: string[] = [];
  #task: string | null = null;

  constructor(private readonly invocation: Invocation) {}

  /** Logs one thing. @returns the answer to the last of its events, with the warnings of all. */
  async add(word: Word, text: string): Promise<Answer> {
    const { given, session } = this.invocation;
    const isEnd = word === 'done' || word === 'failed';
    if (text === '' && !isEnd)
      throw wrong(`log ${word}: the text is missing`, `codewalk log ${word} "${WORDS[word].split(':')[0]}".`);
    const files = [given.file ?? []].flat().map((file) => resolve(session.terminal.cwd, String(file)));
    if (word === 'start') return this.#start(text);
    const task = await this.#openTask();
    if (isEnd) {
      if (task === null)
        throw new CodewalkError(
          'NODE_NOT_FOUND',
          `log ${word}: no task that was begun with 'codewalk log' is open`,
          {
            suggestion:
              'codewalk log start "…" begins one; --task ID ends another: codewalk tasks lists them.',
          },
        );
      return this.#log('task_end', { status: word === 'done' ? 'success' : 'failed', summary: text });
    }
    if (task === null) {
      await this.#start(text);
      this.#warnings.push("no task was open, so this began one: 'codewalk log done' ends it");
    }
    return word === 'error' ? this.#addError(text, files) : this.#addFix(text, files, task?.steps ?? 0);
  }

  /** Begins a task; the one before was left. */
  async #start(user_prompt: string): Promise<Answer> {
    const before = await this.#latest();
    if (before !== undefined) {
      this.#task = before.task_id;
      await this.#log('task_end', { status: 'aborted' });
      this.#task = null;
      this.#warnings.push(`'${firstLine(before.prompt, PROMPT)}' was open: it ended as aborted`);
    }
    return this.#log('task_start', { user_prompt });
  }

  async #addError(message: string, files: readonly string[]): Promise<Answer> {
    const { given } = this.invocation;
    const tests = [given.test ?? []].flat().map(String);
    if (files.length > 0) await this.#report('error', files);
    const error_type = given.type ?? (tests.length > 0 ? 'test_failure' : 'runtime_error');
    return this.#log('error', { error_type, message, tests });
  }

  /** A fix is a step of its own, with a change of each of its files that has its words. */
  async #addFix(llm_summary: string, files: readonly string[], order: number): Promise<Answer> {
    const { body } = await this.#log('step', { order, role: 'editing', llm_summary });
    const named = { step_id: String(body.step_id) };
    let answer: Answer | null = null;
    for (const file_path of files)
      answer = await this.#report('fix', [file_path], { file_path, reported_fix: llm_summary }, named);
    return answer ?? this.#report('fix', [], { reported_fix: llm_summary }, named);
  }

  /** A report as the use of a tool that takes no time. */
  async #report(
    word: 'error' | 'fix',
    files_touched: readonly string[],
    params_json: object = {},
    names: object = {},
  ): Promise<Answer> {
    const role: StepRole = word === 'fix' ? 'editing' : 'reading';
    const tool = { tool_name: `codewalk log ${word}`, role, files_touched };
    const named = { ...names, tool_id: randomUUID(), ts: Date.now() };
    await this.#log('tool_start', { ...tool, params_json }, named);
    return this.#log('tool_end', { ...tool, success: true }, named);
  }

  /** @param names What of the event's names are known, but for its task. */
  async #log(kind: EventKind, payload: object, names: object = {}): Promise<Answer> {
    const task = this.#task === null ? {} : { task_id: this.#task };
    const input = { ...names, ...task, kind, payload: { ...payload, client: CLIENT } };
    const { body, markdown } = await answered(this.invocation, { input });
    this.#task = String(body.task_id);
    this.#warnings.push(...[body.warnings].flat().map(String));
    const warnings = [...new Set(this.#warnings)];
    const lines = markdown.split('\n').filter((line) => line !== '' && !line.startsWith('warning:'));
    const shown = [...lines, ...warnings.map((one) => `warning: ${firstLine(one, SHOWN)}`)];
    return { body: { ...body, warnings }, markdown: shown.join('\n') };
  }

  /** The task of `--task`, else the latest; null where a first event is to begin one. */
  async #openTask(): Promise<LoggedTask | null> {
    const { given } = this.invocation;
    const task =
      given.task === undefined
        ? await this.#latest()
        : ((await this.#ask('show', { task: given.task, max_tokens: 20_000 })).task as LoggedTask);
    this.#task = task?.task_id ?? null;
    return task ?? null;
  }

  /** The task that was begun last, if it is open. */
  async #latest(): Promise<LoggedTask | undefined> {
    const { tasks } = await this.#ask('tasks', { client: CLIENT, status: 'running', limit: 1 });
    return (tasks as readonly LoggedTask[])[0];
  }

  async #ask(walker: string, input: Record<string, unknown>): Promise<Record<string, unknown>> {
    return (await answered(this.invocation, { walker, input, forms: ['json'] })).body;
  }
}
