import { basename } from 'node:path/posix';
import { commandsIn, withoutQuoted } from './words.js';

/** What a command line is for: trying the work (tests, types, builds), or looking; null: something else. */
export type Purpose = 'trying' | 'looking';

/** Programs that try the work, by what they are called. */
const TRIES =
  /^(?:pytest|py\.test|tox|nox|unittest|vitest|jest|mocha|ava|tap|karma|playwright|cypress|tsc|vue-tsc|eslint|biome|oxlint|ruff|flake8|pylint|mypy|pyright|rspec|phpunit|ctest|gotestsum|golangci-lint|shellcheck|make|gradlew?|mvnw?|ninja)$/u;
/** Programs that try the work by their first word: `cargo test`, `npm run build`. */
const TRIES_WITH: Readonly<Record<string, RegExp>> = {
  cargo: /^(?:test|t|nextest|build|b|check|c|clippy)$/u,
  go: /^(?:test|build|vet)$/u,
  dotnet: /^(?:test|build)$/u,
  swift: /^(?:test|build)$/u,
  deno: /^(?:test|check|lint)$/u,
  node: /^--test/u,
  rails: /^test/u,
  bundle: /^exec/u,
};
/** Scripts of a package that try the work. */
const SCRIPT = /^(?:t|tst|test|check|lint|build|type-?check|types|verify|ci)(?:$|[:_-])/u;
const LOOKS =
  /^(?:ls|cat|head|tail|less|more|grep|egrep|rg|ag|ack|find|fd|tree|wc|pwd|stat|file|which|type|du|diff|cmp|nl|bat|jq|sort|uniq|cut|echo|printf|cd|true|test|\[)$/u;
const GIT_LOOKS =
  /^(?:status|log|diff|show|blame|grep|ls-files|ls-tree|branch|describe|rev-parse|shortlog|reflog)$/u;

/** What a command line is for: trying, if any of it tries; looking, if all of it looks. */
export function purposeOf(line: string): Purpose | null {
  const commands = commandsIn(line);
  if (commands.some(tries)) return 'trying';
  return commands.length > 0 && commands.every(looks) ? 'looking' : null;
}

/** Whether a command tells by exit code 1 what it found, and nothing failed: `grep`, `diff`, `test`. */
export function answersWithExitCode(line: string): boolean {
  const commands = commandsIn(line);
  const [program, ...words] = commands.at(-1) ?? [];
  // Of `npm test && grep …` it may be the exit code of the first.
  if (line.includes('&&') && !commands.slice(0, -1).every(looks)) return false;
  const name = basename(program ?? '');
  if (name === 'git') return ['diff', 'grep'].includes(words.find((word) => !word.startsWith('-')) ?? '');
  return /^(?:grep|egrep|fgrep|rg|ag|ack|diff|cmp|test|\[|which|type|pgrep)$/u.test(name);
}

/** Whether a command line tries the work, and its exit code is that of something else: `npm test | tail`, `tsc; true`. */
export function hidesExitCode(line: string): boolean {
  return /[|;]/u.test(withoutQuoted(line)) && purposeOf(line) === 'trying';
}

function tries([program = '', ...words]: readonly string[]): boolean {
  const name = basename(program).replace(/\.(?:exe|cmd|bat|sh)$/u, '');
  if (TRIES.test(name)) return true;
  const first = words.find((word) => !word.startsWith('+')) ?? '';
  if (/^python[\d.]*$|^py$/u.test(name)) return words[0] === '-m' && TRIES.test(words[1] ?? '');
  if (/^(?:npm|pnpm|yarn|bun)$/u.test(name)) {
    const script = words.find(
      (word) => !word.startsWith('-') && !/^(?:run|run-script|exec|dlx|x)$/u.test(word),
    );
    return SCRIPT.test(script ?? '') || TRIES.test(script ?? '');
  }
  const inner = /^(?:uv|poetry|pipenv|hatch|pdm|rye)$/u.test(name) && first === 'run' ? words.slice(1) : null;
  if (inner) return tries(inner);
  const known = Object.hasOwn(TRIES_WITH, name) ? TRIES_WITH[name] : undefined;
  return known?.test(first) ?? false;
}

function looks([program = '', ...words]: readonly string[]): boolean {
  const name = basename(program);
  if (name === 'git') return GIT_LOOKS.test(words.find((word) => !word.startsWith('-')) ?? '');
  if (name === 'sed') return words.includes('-n');
  return LOOKS.test(name);
}
