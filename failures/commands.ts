import { compareText } from '../runtime/index.js';
import { isTestFile } from './output.js';
import { commandsIn, isWithin, plainPath, programOf, type SimpleCommand } from './shell.js';

/** A run of tests, a build, a type check or a lint: what it runs with, and on what. */
export interface Verification {
  readonly kind: 'test' | 'build' | 'types' | 'lint';
  /** Its program as `Failure.tool` names it, and where: `vitest`, `cd web; pytest`, `script test`, `make lint`. */
  readonly runner: string;
  /** Whether the project says what runs: a script of `package.json`, a target of make, a task of Gradle. */
  readonly script: boolean;
  /** What else may leave something out, sorted. */
  readonly flags: readonly string[];
  /** Files, folders and ids; empty: all. */
  readonly paths: readonly string[];
  /** Patterns of names, sorted; empty: all. */
  readonly names: readonly string[];
  /** Whether the line's exit code may be another command's: then only what is left of its output says how it ended. */
  readonly piped: boolean;
}
type Kind = Verification['kind'];

const MOST_WORDS = 50;

/** Programs of a kind by their first words, and flags whose value is a pattern of names; `*`: words without a flag are one. */
const tools = (kind: Kind, calls: string, names = '', id?: string) =>
  calls.split(', ').map((call) => ({
    kind,
    call: call.split(' '),
    id: id ?? call,
    names: names.split(' ').filter(Boolean),
  }));

const TOOLS = [
  ...tools('test', 'vitest run, vitest', '-t --testNamePattern', 'vitest'),
  ...tools('test', 'jest', '-t --testNamePattern'),
  ...tools('test', 'mocha', '-g --grep -f --fgrep'),
  ...tools('test', 'node --test', '--test-name-pattern', 'node:test'),
  ...tools('test', 'bun test, deno test', '-t --test-name-pattern --filter'),
  ...tools('test', 'pytest, py.test', '-k', 'pytest'),
  ...tools('test', 'unittest', '-k'),
  ...tools('test', 'go test, gotestsum', '-run', 'go test'),
  ...tools('test', 'cargo test, cargo t, cargo nextest run', '*', 'cargo test'),
  ...tools('test', 'dotnet test, swift test, phpunit, pest', '--filter'),
  ...tools('test', 'rspec', '-e --example'),
  ...tools('test', 'ctest', '-R'),
  ...tools('test', 'ava, tap, playwright test, cypress run, karma start, tox, nox, nose2', '-m -g'),
  ...tools('test', 'rails test, mix test, flutter test, manage.py test'),
  ...tools('types', 'tsc, vue-tsc, tsgo, svelte-check, mypy, pyright, basedpyright, deno check, go vet'),
  ...tools('types', 'cargo check, cargo c', '', 'cargo check'),
  ...tools(
    'lint',
    'eslint, oxlint, flake8, pylint, rubocop, shellcheck, stylelint, phpstan, psalm, ruff check',
  ),
  ...tools('lint', 'biome check, biome lint, biome ci', '', 'biome'),
  ...tools('lint', 'golangci-lint run, cargo clippy, deno lint, prettier --check, black --check'),
  ...tools('lint', 'ruff format --check, cargo fmt --check, ruff'),
  ...tools('build', 'cargo build, cargo b', '', 'cargo build'),
  ...tools('build', 'go build, dotnet build, swift build, cmake --build, vite build, next build, webpack'),
  ...tools('build', 'rollup, esbuild, tsup, gcc, g++, clang, clang++, cc, c++, javac, rustc, kotlinc'),
];

/** Programs whose first word that is no flag names a task of the project; those of the first sort a script. */
const MANAGERS = /^(?:npm|pnpm|yarn|bun|deno)$/u;
const TASK_RUNNERS =
  /^(?:make|gmake|ninja|just|task|rake|gradlew?|mvnw?|mvnd|composer|sbt|invoke|turbo|nx|lerna|xcodebuild)$/u;
/** Flags of those that say where a task runs, and which package's. */
const PLACES =
  /^(?:--prefix|-C|--cwd|--dir|--directory|-w|--workspace|--filter|-F|-f|--file|-p|--project-dir|-pl|workspace)$/u;
/** Tasks that verify nothing. */
const OTHER_TASKS =
  /^(?:ninja|make)?\s*(?:clean|run|start|serve|dev|watch|install|help|deploy|release|publish|docs?|fmt|format|setup|init|add|remove|i|ci|exec|dlx|x|why|ls|list|audit|outdated|update|pack|version|login|link|create)\b/u;

const TASK_WORDS: readonly (readonly [Kind, RegExp])[] = [
  ['types', /^(?:types?|typing|typecheck(?:ing)?|tsc)$/u],
  ['test', /^(?:t|tst|tests?|specs?|unit|e2e|integration|verify|vitest|jest|mocha|pytest)$/u],
  ['lint', /^(?:lint|eslint|check|style)$/u],
  ['build', /^(?:build|compile|bundle|assemble|package|all)$/u],
];

/** What a script or task verifies, by its name; null: nothing. */
function kindOfTask(name: string): Kind | null {
  const parts = name.split(/[:_-]|(?<=[a-z])(?=[A-Z])/u).map((part) => part.toLowerCase());
  const kinds = parts.flatMap((part) => TASK_WORDS.find(([, words]) => words.test(part))?.[0] ?? []);
  return kinds.includes('types') ? 'types' : (kinds[0] ?? null);
}

/** Flags that leave nothing out. */
const HARMLESS =
  /^(?:--?(?:v+|q+|s|x|i|k|B|b|j\d*|verbose|silent|quiet|run|watch|coverage|cov|colors?|no-color|bail|ci|runInBand|race|nocapture|no-header|passWithNoTests|exitfirst|disable-warnings|noEmit|pretty|fix|write|cache|release|debug|locked|offline|frozen|all|workspace|all-targets|all-features|check|batch-mode|ntp|U)|--?(?:reporters?|cov[-\w]*|coverage[.\w]*|tb|count|timeout|testTimeout|maxWorkers|pool|color|durations|test-reporter|no-coverage|bail|max-warnings|format|output-format|log-level|jobs)=.*|--no-[-\w]+|-r\w+|-p no:\S+)$/u;
/** Flags whose value is a word by itself; of the first sort it leaves nothing out. */
const VALUED =
  /^--?(?:reporter|test-reporter|tb|count|timeout|testTimeout|maxWorkers|n|j|pool|durations|max-warnings|format|output-format|import|loader|require|r|o)$/u;
const CHOOSING =
  /^--?(?:p|package|project|config|c|workspace|w|test|bin|features|target|manifest-path|m|rootdir|exclude|ignore|deselect|e|test-dir)$/u;
/** What may read a run's output and passes on enough of it to show whether it failed. */
const READERS = /^(?:tail|head|tee|cat|grep|egrep|rg|sed|awk|less|sort|uniq)$/u;
const PRINTS = /^(?:echo|printf|true|:|exit|date|sleep)$/u;
/** What changes nothing; of git with its first word. */
const LOOKS =
  /^(?:ls|cat|head|tail|less|more|grep|egrep|fgrep|rg|ag|ack|find|fd|tree|wc|pwd|stat|file|which|type|du|df|ps|diff|cmp|nl|bat|jq|sort|uniq|cut|echo|printf|cd|true|test|\[|sleep|date|git (?:status|log|diff|show|blame|grep|ls-files|ls-tree|branch|describe|rev-parse|shortlog|reflog))$/u;
const ANSWERS = /^(?:grep|egrep|fgrep|rg|ag|ack|diff|cmp|test|\[|which|type|pgrep|git (?:diff|grep))$/u;

/** The one verification that a line of shell is; null: none, or several whose outcomes its exit code does not tell apart. */
export function verificationOf(line: string): Verification | null {
  const [one = null, ...others] = verificationsOf(line);
  return others.length > 0 ? null : one;
}

/** The verifications of a line of shell that all passed if it did: `npm run lint && npm test` has two. */
export function verificationsOf(line: string): Verification[] {
  const commands = commandsIn(line);
  const places: string[] = [];
  const found: Verification[] = [];
  for (const [at, { words }] of commands.entries()) {
    if (words[0] === 'cd') places.push(words.join(' '));
    const run = runOf(words, places);
    const outcome = run && outcomeOf(commands.slice(at));
    if (!run || !outcome) continue;
    if (commands.slice(0, at).some(({ then }) => then === '||' || then === '|')) return [];
    found.push({ ...run, piped: outcome === 'output' });
  }
  return found;
}

/** What says how a line's first command ended: the line's exit code, what it printed, or nothing (null). */
function outcomeOf(commands: readonly SimpleCommand[]): 'exit' | 'output' | null {
  let outcome: 'exit' | 'output' = 'exit';
  for (const [at, { then, writes }] of commands.entries()) {
    const after = commands.slice(at + 1);
    if (then === '' || (then === ';' && after.length === 0)) break;
    if (then === '&&') continue;
    // Of `npm test > log; tail log` the file is read.
    const isRead =
      then === '|'
        ? READERS.test(after[0]?.words[0] ?? '')
        : then !== '&' &&
          after.every(
            ({ words: [name = ''] }) => PRINTS.test(name) || (writes.length > 0 && READERS.test(name)),
          );
    if (!isRead) return null;
    outcome = 'output';
    if (then !== '|') break;
  }
  return outcome;
}

type Run = Omit<Verification, 'piped'>;

function runOf(words: readonly string[], places: readonly string[]): Run | null {
  const [first = '', ...rest] = words.filter((word) => !word.startsWith('+'));
  const program = programOf(first);
  return toolRun([program, ...rest], places) ?? taskRun(program, rest, places);
}

function toolRun(words: readonly string[], places: readonly string[]): Run | null {
  const [program = '', first = '', ...rest] = words;
  const isInterpreter = /^(?:python[\d.]*|py|node|tsx|ts-node|ruby|php)$/u.test(program);
  if (program === 'node' && rest.includes('--test'))
    return toolRun([program, '--test', first, ...rest.filter((word) => word !== '--test')], places);
  if (isInterpreter && /[\\/]\.bin[\\/]|\bmanage\.py$/u.test(first))
    return toolRun([programOf(first), ...rest], places);
  // A test's file may be run by itself.
  const own = isInterpreter && isTestFile(first) ? tools('test', program)[0] : undefined;
  const tool = TOOLS.find(({ call }) => call.every((word, at) => words[at] === word)) ?? own;
  if (!tool || words.some((word) => /^(?:--version|--help|-h|--init)$/u.test(word))) return null;
  const { kind, id, call, names } = tool;
  return chosen({ kind, runner: [...places, id].join('; '), script: false }, words.slice(call.length), names);
}

function taskRun(program: string, words: readonly string[], places: readonly string[]): Run | null {
  const isManager = MANAGERS.test(program);
  if (!isManager && !TASK_RUNNERS.test(program)) return null;
  const owner = isManager ? 'script' : program.replace(/^g(?=make)|(?<=gradle|mvn)w$/u, '');
  const where = [...places];
  const rest: string[] = [];
  let task: string | null = null;
  let runs = false;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (task === null && isManager && /^(?:run|run-script|task)$/u.test(word)) runs = true;
    else if (PLACES.test(word) && task === null)
      where.push(`${/^-(?:C|-prefix|-cwd|-dir|-directory)$/u.test(word) ? 'cd' : word} ${words[++at] ?? ''}`);
    // `mvn clean test` is a run of tests.
    else if (!/^-|=/u.test(word) && (task === null || (!isManager && kindOfTask(task) === null))) task = word;
    else rest.push(word);
  }
  // `pnpm vitest run` is no script.
  const direct = isManager && !runs && task !== null ? toolRun([task, ...rest], where) : null;
  if (direct) return direct;
  const isMake = owner === 'make' || owner === 'ninja';
  const name = /^(?:t|tst)$/u.test(task ?? '') ? 'test' : (task ?? (isMake ? 'all' : ''));
  const isOther = OTHER_TASKS.test(name);
  const isPackaging = owner.startsWith('mvn') && /^(?:install|package|integration-test)$/u.test(name);
  const kind = isPackaging ? 'test' : (kindOfTask(name) ?? (isMake && !isOther ? 'build' : null));
  if (kind === null || (isOther && isManager && !runs)) return null;
  const names = owner === 'gradle' ? ['--tests'] : owner.startsWith('mvn') ? ['-Dtest'] : [];
  return chosen({ kind, runner: [...where, `${owner} ${name}`].join('; '), script: true }, rest, names);
}

function chosen(
  run: Pick<Verification, 'kind' | 'runner' | 'script'>,
  words: readonly string[],
  nameFlags: readonly string[],
): Run | null {
  const [flags, paths, names]: [string[], string[], string[]] = [[], [], []];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    const [flag = '', ...value] = word.split('=');
    if (nameFlags.includes(flag)) names.push(value.length > 0 ? value.join('=') : (words[++at] ?? ''));
    else if (VALUED.test(word)) at++;
    else if (word === '--' || word === './...' || HARMLESS.test(word)) continue;
    else if (CHOOSING.test(word)) {
      const both = `${word} ${words[++at] ?? ''}`;
      if (!HARMLESS.test(both)) flags.push(both);
    } else if (word.startsWith('-')) flags.push(word);
    else (nameFlags.includes('*') ? names : paths).push(nameFlags.includes('*') ? word : plainPath(word));
  }
  if (flags.length + paths.length + names.length > MOST_WORDS) return null;
  return { ...run, flags: flags.sort(compareText), paths, names: names.sort(compareText) };
}

/**
 * Whether a run that passed ran all that another one ran: the same runner with no or fewer filters, or a
 * script named after its kind in the same folder.
 * @param tool The runner that the narrow one's output shows; null: unknown.
 */
export function covers(wide: Verification, narrow: Verification, tool: string | null = null): boolean {
  const { flags, paths, names } = wide;
  if (wide.runner !== narrow.runner) {
    if (flags.length + paths.length + names.length > 0) return false;
    if (wide.kind !== narrow.kind || placeOf(wide.runner) !== placeOf(narrow.runner)) return false;
    const program = programIn(wide.runner);
    return wide.script ? !narrow.script && NAMED_BY_KIND.test(program) : narrow.script && tool === program;
  }
  const isPart = (path: string) => paths.some((one) => isWithin(path, one));
  return (
    flags.every((flag) => narrow.flags.includes(flag)) &&
    (names.length === 0 || names.join('\0') === narrow.names.join('\0')) &&
    (paths.length === 0 || (narrow.paths.length > 0 && narrow.paths.every(isPart)))
  );
}

const NAMED_BY_KIND = /^script (?:test|build|compile|lint|types|type-?check|tsc)$/u;

/** Whether a run that passed names a test, by its file or its own name. @param failed The run in which it failed, if known. */
export function namesTest(
  { paths, names, flags, runner, script }: Verification,
  { name, file }: { readonly name: string; readonly file: string | null },
  failed: Verification | null,
): boolean {
  const other = failed ?? { runner, script };
  const isSamePlace = (script || other.script) && placeOf(runner) === placeOf(other.runner);
  if (runner !== other.runner && !isSamePlace) return false;
  if (flags.length > 0 || (paths.length === 0 && names.length === 0)) return false;
  const spellings = [name, ...(file === null ? [] : [file])].map(plainPath);
  const isNamed = (path: string) => spellings.some((test) => isWithin(test, path) || isElsewhere(test, path));
  return (
    (paths.length === 0 || paths.some(isNamed)) &&
    (names.length === 0 || names.some((pattern) => name.includes(pattern)))
  );
}

function placeOf(runner: string): string {
  return runner.slice(0, runner.lastIndexOf(';') + 1);
}

function programIn(runner: string): string {
  return runner.slice(placeOf(runner).length).trim();
}

function isElsewhere(test: string, path: string): boolean {
  const [file = ''] = test.split(/::|(?<!\s)\s+[>›]\s+/u);
  return /\.\w+$/u.test(file) && path.endsWith(`/${file}`);
}

/** What a line of shell is for: `verify` if any of it verifies, `inspect` if all of it only looks; null: something else. */
export function purposeOf(line: string): 'verify' | 'inspect' | null {
  const commands = commandsIn(line);
  if (commands.some(({ words }) => runOf(words, []) !== null)) return 'verify';
  return commands.length > 0 && commands.every(inspects) ? 'inspect' : null;
}

function nameOf({ words: [program = '', ...words] }: SimpleCommand): string {
  const name = programOf(program);
  return name === 'git' ? `git ${words.find((word) => !word.startsWith('-'))}` : name;
}

function inspects(command: SimpleCommand): boolean {
  const name = nameOf(command);
  return name === 'sed' ? command.words.includes('-n') : LOOKS.test(name);
}

/** Whether a line of shell surely changes nothing: each command only looks, and nothing is written to a file. */
export function readsOnly(line: string): boolean {
  return commandsIn(line).every((command) => {
    const { words, writes } = command;
    const changes = words.some((word) =>
      /`|\$\(|^-(?:delete|exec\w*|ok(?:dir)?|fprint\w*|fls|o|i|C)$|^--output\b/u.test(word),
    );
    const moves = words[0] === 'cd' || /^(?:git branch|date)$/u.test(nameOf(command));
    return inspects(command) && !changes && !moves && writes.every((file) => file === '/dev/null');
  });
}

/** Whether a command reports by exit code 1 what it found, and nothing failed: `grep`, `diff`, `test`. */
export function answersWithExitCode(line: string): boolean {
  const commands = commandsIn(line);
  const last = commands.pop();
  // Of `npm test && grep …` it may be the exit code of the first.
  if (commands.some(({ then }) => then === '&&') && !commands.every(inspects)) return false;
  return last !== undefined && ANSWERS.test(nameOf(last));
}

/** Whether a line verifies, and its exit code may be that of something else: `npm test | tail`, `tsc; true`. */
export function hidesExitCode(line: string): boolean {
  const commands = commandsIn(line);
  const at = commands.findIndex(({ words }) => runOf(words, []) !== null);
  return at >= 0 && commands.slice(at, -1).some(({ then }) => /^(?:\|\|?|;)$/u.test(then));
}
