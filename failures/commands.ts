import { compareText } from '../runtime/index.js';
import { isTestFile } from './output.js';

/** One simple command of a line of shell. */
export interface SimpleCommand {
  /** Its words without quotes, and without what runs it unchanged: `CI=1 timeout 60 npx vitest run` is `vitest run`. */
  readonly words: readonly string[];
  /** What stands after it: `&&`, `||`, `;`, `|`, `&`; empty at the end. */
  readonly then: string;
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}

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
type Run = Omit<Verification, 'piped'>;

/** Characters of a line that are looked at (the rest is a program or data), shells within shells, words of a run. */
const MOST = { line: 20_000, shells: 3, words: 50 };
const TOKEN =
  /((?:\d+|&)?[<>]+&?\d*-?)|(&&|\|\||;|\||&|\n)|((?:[^\s'"\\;&|<>]|\\.|'[^']*'?|"(?:[^"\\]|\\.)*"?)+)/gsu;
/** Words before a command that run it unchanged; some take values, which begin with `-` or a digit. */
const WRAPPER =
  /^(?:sudo|env|time|nice|nohup|exec|command|xargs|npx|pnpx|bunx|uvx|timeout|stdbuf|then|do|else|if|while|!|\(+|\{)$/u;
const SHELL = /^(?:\S*\/)?(?:ba|z|da)?sh -\w*c$/u;
const LONG_WRAPPER =
  /^(?:(?:pnpm|yarn|npm) exec|pnpm dlx|(?:uv|poetry|pipenv|hatch|pdm|rye) run|bundle exec|(?:python[\d.]*|py) -m)$/u;
const CONTAINER = /^(?:docker|podman|nerdctl)(?:-compose)?$/u;
/** Options of containers whose value is a word of its own. */
const CONTAINER_VALUE =
  /^(?:-[efhlmnpuvw]|--(?:add-host|cpus|entrypoint|env|env-file|file|hostname|index|label|memory|mount|name|network|platform|profile|project-name|publish|user|volume|workdir))$/u;

/** The simple commands of a line of shell, as far as it takes no shell to tell: expansions stay as they are written. */
export function commandsIn(line: string, depth = 0): SimpleCommand[] {
  const commands: SimpleCommand[] = [];
  let [words, reads, writes]: [string[], string[], string[]] = [[], [], []];
  let target: string[] = words;
  const end = (then: string): void => {
    const run = unwrapped(words);
    // `bash -lc 'cd web && npm test'` is a line of its own.
    if (run.length === 1 && SHELL.test(words.slice(-3, -1).join(' ')) && depth < MOST.shells) {
      const inner = commandsIn(run[0] ?? '', depth + 1);
      commands.push(...inner.map((one, at) => (at === inner.length - 1 ? { ...one, then } : one)));
    } else if (run.length + reads.length + writes.length > 0)
      commands.push({ words: run, then, reads, writes });
    [words, reads, writes] = [[], [], []];
    target = words;
  };
  for (const [, redirection, separator, word] of withoutHeredocs(line.slice(0, MOST.line)).matchAll(TOKEN)) {
    if (separator !== undefined) end(separator === '\n' ? ';' : separator);
    // `2>&1` names no file; `>` does.
    else if (redirection !== undefined && /[<>]$/u.test(redirection))
      target = redirection.includes('>') ? writes : reads;
    else if (word !== undefined) {
      target.push(unquoted(word));
      target = words;
    }
  }
  end('');
  return commands;
}

/** A word without quotes; `(cd web && npm test)` runs in a shell of its own. */
function unquoted(word: string): string {
  const from = word.startsWith('(') && word.length > 1 ? 1 : 0;
  const bare = word.endsWith(')') && !word.includes('(', from) ? word.slice(from, -1) : word.slice(from);
  const quotes = /'([^']*)'?|"((?:[^"\\]|\\.)*)"?|\\(.)/gsu;
  return bare.replace(quotes, (_, one, two, three) => one ?? two ?? three);
}

/** What `<<TAG` feeds to a command is data. */
function withoutHeredocs(text: string): string {
  let rest = text;
  for (let times = 0; times < 10; times++) {
    const start = /(?<!<)<<-?\s*(["']?)([A-Za-z_]\w*)\1/u.exec(rest);
    if (!start) break;
    const [head, ...lines] = rest.slice(start.index + start[0].length).split('\n');
    const end = lines.findIndex((line) => line.trim() === start[2]);
    const after = end < 0 ? [] : lines.slice(end + 1);
    rest = [`${rest.slice(0, start.index)}${head}`, ...after].join('\n');
  }
  return rest;
}

function unwrapped(words: readonly string[]): readonly string[] {
  let from = 0;
  for (let before = false; from < words.length; from++) {
    const word = words[from] ?? '';
    const both = `${word} ${words[from + 1] ?? ''}`;
    const isLong = LONG_WRAPPER.test(both) || SHELL.test(both);
    const runs = isLong || WRAPPER.test(word);
    const isValue = before && /^(?:-|\d+(?:\.\d+)?[smhd]?$)/u.test(word);
    if (!runs && !isValue && !/^\w+=/u.test(word)) break;
    if (isLong) from++;
    before ||= runs;
  }
  const contained = inContainer(words.slice(from));
  return contained.length > 0 ? unwrapped(contained) : words.slice(from);
}

/** What runs in a container: of `docker compose run --rm -e CI=1 web pytest` `pytest`; empty where no command is given. */
function inContainer(words: readonly string[]): readonly string[] {
  if (!CONTAINER.test(words[0] ?? '')) return [];
  const afterOptions = (from: number): number => {
    let at = from;
    while (words[at]?.startsWith('-')) at += CONTAINER_VALUE.test(words[at] ?? '') ? 2 : 1;
    return at;
  };
  let verb = afterOptions(1);
  if (words[verb] === 'compose') verb = afterOptions(verb + 1);
  return /^(?:run|exec)$/u.test(words[verb] ?? '') ? words.slice(afterOptions(verb + 1) + 1) : [];
}

function programOf(word = ''): string {
  return (word.split(/[/\\]/u).at(-1) ?? '').replace(/\.(?:exe|cmd|bat|sh)$/u, '');
}

/** A path with slashes, without `./` before and a slash behind it. */
export function plainPath(path: string): string {
  const slashed = path.replaceAll('\\', '/').replace(/^(?:\.\/)+/u, '');
  return slashed.replace(/(?<!\/)\/+$/u, '');
}

/** Whether a path or an id is one, or beneath it: `a` is within it, and so are `a/b.ts`, `a > adds` and `a::adds[1]`. */
export function isWithin(path: string, outer: string): boolean {
  const isBelow = () => /^(?:\/|::|\[|\s*[>›#]|:\d)/u.test(path.slice(outer.length));
  return outer === '.' || path === outer || (path.startsWith(outer) && isBelow());
}

type Tool = Readonly<{ kind: Kind; call: readonly string[]; id: string; names: readonly string[] }>;

/**
 * Programs by their first words (`call=name` where `Failure.tool` has another name), and flags whose value is a
 * pattern of names; `*`: words without a flag are one.
 */
const CALLS: readonly (readonly [kind: Kind, calls: string, names?: string])[] = [
  ['test', 'vitest run=vitest, vitest, jest', '-t --testNamePattern'],
  ['test', 'mocha', '-g --grep -f --fgrep'],
  ['test', 'node --test=node:test', '--test-name-pattern'],
  ['test', 'bun test, deno test', '-t --test-name-pattern --filter'],
  ['test', 'pytest, py.test=pytest, unittest', '-k'],
  ['test', 'go test, gotestsum=go test', '-run'],
  ['test', 'cargo test, cargo t=cargo test, cargo nextest run=cargo test', '*'],
  ['test', 'dotnet test, swift test, phpunit, pest', '--filter'],
  ['test', 'rspec', '-e --example'],
  ['test', 'ctest', '-R'],
  ['test', 'ava, tap, playwright test, cypress run, karma start, tox, nox, nose2', '-m -g'],
  ['test', 'rails test, mix test, flutter test, manage.py test'],
  ['types', 'tsc, vue-tsc, tsgo, svelte-check, mypy, pyright, basedpyright, deno check, go vet'],
  ['types', 'cargo check, cargo c=cargo check'],
  ['lint', 'eslint, oxlint, flake8, pylint, rubocop, shellcheck, stylelint, phpstan, psalm, ruff check'],
  ['lint', 'biome check=biome, biome lint=biome, biome ci=biome, golangci-lint run, cargo clippy'],
  ['lint', 'deno lint, prettier --check, black --check, ruff format --check, cargo fmt --check, ruff'],
  ['build', 'cargo build, cargo b=cargo build, go build, dotnet build, swift build, cmake --build'],
  ['build', 'vite build, next build, webpack, rollup, esbuild, tsup, gcc, g++, clang, clang++, cc, c++'],
  ['build', 'javac, rustc, kotlinc'],
];
const TOOLS = CALLS.flatMap(([kind, calls, names = '']) =>
  calls.split(', ').map((one): Tool => {
    const [call = '', id = call] = one.split('=');
    return { kind, call: call.split(' '), id, names: names.split(' ').filter(Boolean) };
  }),
);

/** Programs whose first word that is no flag names a task of the project; those of the first sort a script. */
const MANAGERS = /^(?:npm|pnpm|yarn|bun|deno)$/u;
const TASK_RUNNERS =
  /^(?:make|gmake|ninja|just|task|rake|gradlew?|mvnw?|mvnd|composer|sbt|invoke|turbo|nx|lerna|xcodebuild)$/u;
/** Flags of those that say where a task runs, and which package's. */
const PLACES =
  /^(?:--prefix|-C|--cwd|--dir|--directory|-w|--workspace|--filter|-F|-f|--file|-p|--project-dir|-pl|workspace)$/u;
const OTHER_TASKS =
  /^(?:ninja|make)?\s*(?:clean|run|start|serve|dev|watch|install|help|deploy|release|publish|docs?|fmt|format|setup|init|add|remove|i|ci|exec|dlx|x|why|ls|list|audit|outdated|update|pack|version|login|link|create)\b/u;

const TASK_WORDS: readonly (readonly [Kind, RegExp])[] = [
  ['types', /^(?:types?|typing|typecheck(?:ing)?|tsc)$/u],
  ['test', /^(?:t|tst|tests?|specs?|unit|e2e|integration|verify|vitest|jest|mocha|pytest)$/u],
  ['lint', /^(?:lint|eslint|check|style)$/u],
  ['build', /^(?:build|compile|bundle|assemble|package|all)$/u],
];

function kindOfTask(name: string): Kind | null {
  const parts = name.split(/[:_-]|(?<=[a-z])(?=[A-Z])/u).map((part) => part.toLowerCase());
  const kinds = parts.flatMap((part) => TASK_WORDS.find(([, words]) => words.test(part))?.[0] ?? []);
  return kinds.includes('types') ? 'types' : (kinds[0] ?? null);
}

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

function runOf(words: readonly string[], places: readonly string[]): Run | null {
  const [first = '', ...rest] = words.filter((word) => !word.startsWith('+'));
  const program = programOf(first);
  return toolRun([program, ...rest], places) ?? taskRun(program, rest, places);
}

function toolRun(words: readonly string[], places: readonly string[]): Run | null {
  const [program = '', first = '', ...rest] = words;
  const isInterpreter = /^(?:python[\d.]*|py|node|tsx|ts-node|ruby|php)$/u.test(program);
  if (program === 'node' && rest.includes('--test'))
    return toolRun([program, '--test', ...[first, ...rest].filter((word) => word !== '--test')], places);
  if (isInterpreter && /[\\/]\.bin[\\/]|\bmanage\.py$/u.test(first))
    return toolRun([programOf(first), ...rest], places);
  // A test's file may be run by itself.
  const own: Tool | null =
    isInterpreter && isTestFile(first) ? { kind: 'test', call: [program], id: program, names: [] } : null;
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
  run: Omit<Run, 'flags' | 'paths' | 'names'>,
  words: readonly string[],
  nameFlags: readonly string[],
) {
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
    else if (nameFlags.includes('*')) names.push(word);
    else paths.push(plainPath(word));
  }
  if (flags.length + paths.length + names.length > MOST.words) return null;
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
    const program = wide.runner.slice(placeOf(wide.runner).length).trim();
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
  if ((runner !== other.runner && !isSamePlace) || flags.length > 0 || paths.length + names.length === 0)
    return false;
  const tests = [name, ...(file === null ? [] : [file])].map(plainPath);
  const isElsewhere = (test: string, path: string) => {
    const [own = ''] = test.split(/::|(?<!\s)\s+[>›]\s+/u);
    return /\.\w+$/u.test(own) && path.endsWith(`/${own}`);
  };
  const isNamed = (path: string) => tests.some((test) => isWithin(test, path) || isElsewhere(test, path));
  return (
    (paths.length === 0 || paths.some(isNamed)) &&
    (names.length === 0 || names.some((pattern) => name.includes(pattern)))
  );
}

function placeOf(runner: string): string {
  return runner.slice(0, runner.lastIndexOf(';') + 1);
}

/** What a line of shell is for: `verify` if any of it verifies, `inspect` if all of it only looks; null: something else. */
export function purposeOf(line: string): 'verify' | 'inspect' | null {
  const commands = commandsIn(line);
  if (commands.some(({ words }) => runOf(words, []) !== null)) return 'verify';
  return commands.length > 0 && commands.every(inspects) ? 'inspect' : null;
}

function nameOf({ words: [program, ...words] }: SimpleCommand): string {
  const name = programOf(program);
  return name === 'git' ? `git ${words.find((word) => !word.startsWith('-'))}` : name;
}

function inspects(command: SimpleCommand): boolean {
  const name = nameOf(command);
  return name === 'sed' ? command.words.includes('-n') : LOOKS.test(name);
}

/** Whether a line of shell surely changes nothing: each command only looks, and nothing is written to a file. */
export function readsOnly(line: string): boolean {
  const changes = /`|\$\(|^-(?:delete|exec\w*|ok(?:dir)?|fprint\w*|fls|o|i|C)$|^--output\b/u;
  return commandsIn(line).every((command) => {
    const { words, writes } = command;
    const moves = words[0] === 'cd' || /^(?:git branch|date)$/u.test(nameOf(command));
    const isQuiet = !words.some((word) => changes.test(word)) && writes.every((file) => file === '/dev/null');
    return inspects(command) && !moves && isQuiet;
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
