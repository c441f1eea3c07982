import { z } from 'zod';
import { compareText } from '../../runtime/index.js';

/** One simple command of a line of shell, and what stands behind it. */
interface SimpleCommand {
  readonly words: readonly string[];
  /** `&&`, `||`, `;`, `|`, `&`; empty at the end. */
  readonly then: string;
}

/** What redirects, a separator, or a word; quotes keep a word together. */
const TOKEN =
  /(\d*[<>]+&?\d*)|(&&|\|\||;|\||&(?!>)|\n)|((?:[^\s'"\\;&|<>]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+)/gsu;
/** Characters of a line that are looked at: a longer one holds a program. */
const LOOKED_AT = 4000;

/** The simple commands of a line of shell, as far as it needs no shell to tell: what is computed stays as it is written. */
export function simpleCommands(line: string): SimpleCommand[] {
  const commands: SimpleCommand[] = [];
  let words: string[] = [];
  let redirected = false;
  const end = (then: string): void => {
    if (words.length > 0) commands.push({ words, then });
    words = [];
    redirected = false;
  };
  for (const [, redirection, separator, word] of line.slice(0, LOOKED_AT).matchAll(TOKEN)) {
    if (separator !== undefined) end(separator === '\n' ? ';' : separator);
    // `2>&1` names no file; `>` does.
    else if (redirection !== undefined) redirected = /[<>]$/u.test(redirection);
    else if (redirected) redirected = false;
    else if (word !== undefined) words.push(plain(word));
  }
  end('');
  return commands;
}

function plain(word: string): string {
  return word.replace(/'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/gsu, (_, one, two, three) => one ?? two ?? three);
}

const words = z.array(z.string());

/** What a command runs tests with, and which of them. */
export const TestRun = z.object({
  /** The runner, and where: `vitest`, `cd web; pytest`. */
  runner: z.string(),
  /** Whether a script of the project says which runner it is. */
  script: z.boolean(),
  /** What else may leave tests out, sorted. */
  flags: words,
  /** Files, folders and ids; empty: all. */
  paths: words,
  /** Patterns of names; empty: all. */
  names: words,
  /** Whether another command reads what it prints: then the line's outcome is not its own, only what is left of that. */
  piped: z.boolean().default(false),
});
export type TestRun = z.infer<typeof TestRun>;

/** Words of a run that are kept, of each sort; one that names more is not looked into. */
const MOST_WORDS = 50;

/** What stands before a runner and changes nothing of what it runs. */
const WRAPPERS: readonly RegExp[] = [
  /^\w+=\S*$/u,
  /^(?:npx|bunx|time|command|env|exec)$/u,
  /^(?:--yes|-y|--)$/u,
];
const LONG_WRAPPERS: readonly (readonly string[])[] = [
  ...['pnpm', 'yarn', 'npm'].map((manager) => [manager, 'exec']),
  ...['uv', 'poetry', 'pipenv', 'hatch', 'pdm'].map((manager) => [manager, 'run']),
  ...['python', 'python3', 'py'].map((python) => [python, '-m']),
  ['pnpm', 'dlx'],
];

/** How a runner is told which tests to run. */
interface Runner {
  /** What it is called with; the first words. */
  readonly call: readonly string[];
  readonly names?: readonly string[];
  /** A word that is no flag is part of a name. */
  readonly byName?: true;
}

const RUNNERS: readonly Runner[] = [
  { call: ['vitest', 'run'], names: ['-t', '--testNamePattern'] },
  { call: ['vitest'], names: ['-t', '--testNamePattern'] },
  { call: ['jest'], names: ['-t', '--testNamePattern'] },
  { call: ['mocha'], names: ['-g', '--grep', '-f', '--fgrep'] },
  { call: ['node', '--test'], names: ['--test-name-pattern'] },
  { call: ['bun', 'test'], names: ['-t', '--test-name-pattern'] },
  { call: ['deno', 'test'], names: ['--filter'] },
  { call: ['pytest'], names: ['-k'] },
  { call: ['py.test'], names: ['-k'] },
  { call: ['unittest'], names: ['-k'] },
  { call: ['go', 'test'], names: ['-run'] },
  { call: ['cargo', 'test'], byName: true },
  { call: ['cargo', 'nextest', 'run'], byName: true },
];

/** Scripts of projects that run tests, by their names. */
const SCRIPT =
  /^(?:npm|pnpm|yarn|bun) (?:run(?:-script)? )?((?=(?:\S*[:_-])?(?:t|tests?|specs?|unit|e2e)(?:[:_-]|$))\S+)$/u;

/** Flags that choose no tests. */
const HARMLESS =
  /^(?:--?(?:v+|q+|s|x|i|verbose|silent|quiet|run|watch|coverage|cov|color|colors|no-color|bail|ci|runInBand|race|nocapture|no-header|passWithNoTests|exitfirst|disable-warnings)|--?(?:reporter|reporters|cov[-\w]*|coverage[.\w]*|tb|count|timeout|testTimeout|maxWorkers|pool|color|durations|test-reporter|no-coverage|bail)=.*|--no-[-\w]+|-r\w+)$/u;
/** Flags whose value is a word by itself, and chooses no tests. */
const VALUED = /^--?(?:reporter|test-reporter|tb|count|timeout|testTimeout|maxWorkers|n|pool|durations)$/u;
/** What may read what a runner prints and passes on enough of it to tell whether it failed. */
const READERS = /^(?:tail|head|tee|cat)$/u;

/** The run of tests that a command is; null where it is none, or more than a run whose outcome it has. */
export function testRunOf(command: string): TestRun | null {
  const commands = simpleCommands(command);
  const found = commands.flatMap((one, at) => {
    const called = calledRunner(unwrapped(one.words));
    return called === null ? [] : [{ ...called, at }];
  });
  const [run] = found;
  if (run === undefined || found.length > 1 || !hasItsOutcome(commands.slice(run.at))) return null;
  if (commands.slice(0, run.at).some(({ then }) => then === '||' || then === '|')) return null;
  const where = commands.slice(0, run.at).filter(({ words: [first] }) => first === 'cd');
  const runner = [...where.map(({ words }) => words.join(' ')), run.name].join('; ');
  const chosen = chosenBy(run.rest, run.runner);
  if (chosen.flags.length + chosen.paths.length + chosen.names.length > MOST_WORDS) return null;
  return { runner, script: run.runner === null, ...chosen, piped: commands[run.at]?.then === '|' };
}

/** Whether a run that passed ran all that another one ran. */
export function isWider(wide: TestRun, run: TestRun): boolean {
  return (
    wide.runner === run.runner &&
    wide.flags.every((flag) => run.flags.includes(flag)) &&
    (wide.names.length === 0 || wide.names.join('\0') === run.names.join('\0')) &&
    (wide.paths.length === 0 ||
      (run.paths.length > 0 && run.paths.every((path) => wide.paths.some((one) => isWithin(path, one)))))
  );
}

/**
 * Whether a run that passed names a test, by its file or by its own name.
 *
 * @param failed The run in which the test failed; null: nobody knows.
 */
export function namesTest(passed: TestRun, test: string, failed: TestRun | null): boolean {
  const { paths, names, flags } = passed;
  const [one, other] = [passed.runner, failed?.runner ?? passed.runner];
  const isScript = passed.script || (failed?.script ?? false);
  if (one !== other && !(isScript && placeOf(one) === placeOf(other))) return false;
  if (flags.length > 0 || (paths.length === 0 && names.length === 0)) return false;
  const named = plainPath(test);
  return (
    (paths.length === 0 || paths.some((path) => isWithin(named, path) || isElsewhere(named, path))) &&
    (names.length === 0 || names.some((name) => test.includes(name)))
  );
}

function placeOf(runner: string): string {
  return runner.slice(0, runner.lastIndexOf(';') + 1);
}

function unwrapped(given: readonly string[]): readonly string[] {
  let words = given;
  for (;;) {
    const long = LONG_WRAPPERS.find((wrapper) => wrapper.every((word, at) => words[at] === word));
    if (long) words = words.slice(long.length);
    else if (words[0] === 'timeout' && words.length > 2) words = words.slice(2);
    else if (WRAPPERS.some((wrapper) => wrapper.test(words[0] ?? ''))) words = words.slice(1);
    else return words;
  }
}

interface Called {
  readonly name: string;
  /** Null: a script of the project. */
  readonly runner: Runner | null;
  readonly rest: readonly string[];
}

function calledRunner(words: readonly string[]): Called | null {
  const [first = '', ...others] = words;
  const plain = [first.replace(/^.*\//u, ''), ...others];
  const runner = RUNNERS.find(({ call }) => call.every((word, at) => plain[at] === word));
  if (runner) return { name: runner.call[0] ?? '', runner, rest: plain.slice(runner.call.length) };
  for (const length of [2, 3]) {
    const script = SCRIPT.exec(plain.slice(0, length).join(' '));
    if (script && plain.length >= length)
      return {
        name: `script ${script[1] === 't' ? 'test' : script[1]}`,
        runner: null,
        rest: plain.slice(length),
      };
  }
  return null;
}

/** Whether a line's outcome is that of its first command: what follows runs only where it passed, or reads it. */
function hasItsOutcome(commands: readonly SimpleCommand[]): boolean {
  return commands.every(({ then }, at) => {
    if (then === '|') return READERS.test(commands[at + 1]?.words[0] ?? '');
    return then === '' || then === '&&' || (then === ';' && at === commands.length - 1);
  });
}

function chosenBy(
  rest: readonly string[],
  runner: Runner | null,
): Pick<TestRun, 'flags' | 'paths' | 'names'> {
  const [flags, paths, names]: [string[], string[], string[]] = [[], [], []];
  for (let at = 0; at < rest.length; at++) {
    const word = rest[at] ?? '';
    const [flag = '', ...value] = word.split('=');
    if (runner?.names?.includes(flag)) names.push(value.length > 0 ? value.join('=') : (rest[++at] ?? ''));
    else if (VALUED.test(word)) at++;
    else if (word === '--' || HARMLESS.test(word) || word === './...') continue;
    else if (word.startsWith('-')) flags.push(word);
    else if (runner?.byName) names.push(word);
    else paths.push(plainPath(word));
  }
  return { flags: flags.sort(compareText), paths, names: names.sort(compareText) };
}

function plainPath(path: string): string {
  return path
    .replaceAll('\\', '/')
    .replace(/^(?:\.\/)+/u, '')
    .replace(/(?<!\/)\/+$/u, '');
}

/** Whether a path or an id is one, or beneath it: `a` is within it, and so are `a/b.ts`, `a > adds` and `a::adds[1]`. */
function isWithin(path: string, outer: string): boolean {
  return (
    outer === '.' ||
    path === outer ||
    (path.startsWith(outer) && /^(?:\/|::|\[|\s*[>›#]|:\d)/u.test(path.slice(outer.length)))
  );
}

/** Whether an absolute path ends with the file of a test. */
function isElsewhere(test: string, path: string): boolean {
  const [file = ''] = test.split(/::|(?<!\s)\s+[>›]\s+/u);
  return /\.\w+$/u.test(file) && path.endsWith(`/${file}`);
}
