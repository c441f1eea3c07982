import { type Format, firstFit, messageIn, type Section } from './engine.js';
import { indentOf, isCutAt } from './output.js';
import { pytest } from './pytest.js';

/** Words with which Node's tests report that a file did not run, and that only tests within a test failed. */
const DID_NOT_RUN = 'test failed';
const OF_OTHERS = /^(?:\w+: )?'?\d+ subtests? failed/u;
const NOT_LOADED = /^SyntaxError\b|\[ERR_MODULE_NOT_FOUND\]|^Error: Cannot find module/u;

/** What a Go test logged, after its place; lines above a test in which `-v` logged it. */
const GO_LOGGED = /^\s+[\w.-]+\.go:\d+: ?(.*)$/u;
const GO_LOG = 200;
const TESTIFIED = /^\s*Error:\s+(.*)$/u;

/** Runners of tests, the most specific format first: lines that one has read are not another's. */
export const RUNNERS: readonly Format[] = [
  // Tests of one cause stand above what they share; the file of a suite that was not loaded stands twice.
  {
    tool: 'vitest',
    head: /^ ?FAIL {2}(?:\|[^|]*\| |[\w@/.-]+ {2})?(?:(?<unloaded>\S(?:(?! \[ ).)*) \[ .* \]|(?=\S)(?<name>(?<file>(?:(?! > ).)+) > .*))$|^\s*⎯+ Unhandled (?:Rejection|Exception|Error) (?<unnamed>⎯+)$/su,
    end: /^\s*⎯{3,}/u,
    shares: true,
  },
  {
    tool: 'vitest',
    brief: true,
    scope: /^ ❯ (?:\|[^|]*\| | ?[\w@/.-]+ {2})?(?<file>\S+) \(\d+ tests?\b/u,
    head: /^\s+[×✗] (?<name>.*?)(?<took> \d+m?s)?$/u,
    end: /^(?!\s+→ )/u,
    // Linters mark their findings with the same sign.
    reason: ([why], { scope, groups }) =>
      scope === null && groups.took === undefined && why === undefined ? null : (why ?? '').trim().slice(2),
  },
  pytest,
  {
    tool: 'pytest',
    brief: true,
    head: /^(?=\S+::)(?<name>(?<file>(?:(?!::).)+).*) (?:FAILED|ERROR) {1,80}\[ {0,2}\d{1,3}%\]$/u,
  },
  {
    tool: 'unittest',
    outermostFirst: true,
    head: /^(?:FAIL|ERROR): (?:(?<unloaded>\S+(?= \(unittest\.loader\.))|(?<name>\S+)) \((?<owner>[\w.]+)\)(?<sub>.*)$/u,
    end: /^={10,}$|^Ran \d+ tests? in /u,
    named: ({ name, unloaded, owner = '', sub = '' }) => {
      const method = name ?? unloaded ?? '';
      return `${owner.endsWith(`.${method}`) ? owner : `${owner}.${method}`}${sub.trimEnd()}`;
    },
    file: /^ {2}File "([^"]+)", line \d+, in (?:test|setUp|tearDown)/u,
    reason: (body) => body.findLast((line) => /^[A-Za-z_][\w.]*(?:: |$)/u.test(line)) ?? '',
  },
  {
    tool: 'cargo test',
    head: /^---- (?<name>.+?) (?:stdout|stderr) ----$/u,
    end: /^failures:$|^test result: /u,
    // Before Rust 1.73 the message stood in the line, in quotes.
    why: /\bpanicked at (?:'(.*)', \S+:\d+:\d+$)?|^(Error: .*|note: test did not panic.*)/u,
  },
  // Of nextest, which lists them again at the end.
  {
    tool: 'cargo test',
    needs: /^\s+Nextest run |^─+$/u,
    head: /^\s+FAIL \[ *[\d.]+s\] (?:\( *\d+\/\d+\) )?\S+ (?<name>\S+)$/u,
    end: /^\s+(?:PASS|FAIL|SIG\w+|Summary|Cancel\w+) /u,
    why: /\bpanicked at |^\s*(Error: .*)/u,
  },
  { tool: 'cargo test', brief: true, head: /^test (?<name>.+?) \.\.\. FAILED$/u },
  // The package stands below its tests; a test fails with the tests in it.
  {
    tool: 'go test',
    fromEnd: true,
    scope: /^FAIL\t(?<suite>\S+)\t|^ok +\t/u,
    joint: '.',
    inner: '/',
    head: /^\s*--- FAIL: (?<name>\S+) \(\d/u,
    end: /^\s*--- (?:PASS|SKIP): |^(?:FAIL|ok|PASS|===)\b/u,
    own: goOwn,
    reason: goReason,
  },
  {
    tool: 'junit',
    head: /^(?:\[ERROR\] +)?(?<name>[\w.$]+(?:\([^()]{0,200}\))?(?:\[[^\]]*\])?) +(?:-- +)?Time elapsed: .*<<< (?:FAILURE|ERROR)!/u,
    end: /^\[(?:INFO|ERROR|WARNING)\] *(?:$|\w|Failures)|^$/u,
    named: ({ name = '' }) => name.replace(/^(\w+)\(([\w.$]+)\)$/u, '$2.$1'),
  },
  {
    tool: 'junit',
    brief: true,
    head: /^\[ERROR\] {3}(?<name>\w+(?:\.\w+)+):\d+(?:->\S+)? (?:» )?(?<reason>.*)$/u,
  },
  { tool: 'junit', head: /^(?=.* FAILED$)(?<name>[\w$.]+ > .+) FAILED$/u, end: /^\S/u },
  { tool: 'junit', head: /^ {2}JUnit \w+:(?<name>\S.*)$/u, end: /^\S/u, why: /^\s+=> (.*)$/u },
  {
    tool: 'dotnet test',
    head: /^\s{0,4}(?:Failed|failed) (?<name>(?=\S*\.)[\w`+.<>]+(?:\(.*\))?) (?:\[[^\][]*\]|\(\d[^()]*\))$/u,
    end: /^\s{0,4}(?:Passed|Skipped|passed|skipped) \S|^(?:Failed|Passed)!|^Test (?:Run|run)\b|^Total tests:/u,
    reason: (body) => messageIn(body.filter((line) => !/^\s*Error Message:$/u.test(line))),
  },
  {
    tool: 'phpunit',
    head: /^\d+\) (?<name>[\w\\]+::\S.*)$/u,
    end: /^(?:FAILURES|ERRORS|WARNINGS)!|^--$|^There (?:was|were) \d/u,
  },
  {
    tool: 'jasmine',
    needs: /^\d+ specs?, \d+ failure/u,
    head: /^\d+\) (?<name>\S.*)$/u,
    end: /^\d+ specs?, /u,
    why: /^ {2}Message:$/u,
  },
  {
    tool: 'rspec',
    needs: /^\s+Failure\/Error:/u,
    head: /^ {2}\d+\) (?<name>\S.*)$/u,
    end: /^\S/u,
    // Below the line of code that failed.
    reason: (body) => messageIn(body.slice(body.indexOf('') + 1)),
  },
  {
    tool: 'minitest',
    head: /^(?<name>[\w:]+#\w+)(?: \[(?<file>[^\]:]+):\d+\])?:$/u,
    end: /^\s+\d+\) |^\d+ (?:runs|tests), /u,
  },
  { tool: 'ctest', head: /^\[ {2}FAILED {2}\] (?!\d+(?:,| \(|$))(?<name>\S+?)(?:,| \(|$)/u },
  { tool: 'ctest', head: /^\s*\d+\/\d+ Test\s+#\d+: (?<name>\S+) \.*\**(?:Failed|Exception|Timeout)/u },
  // TAP, of `node --test` and others.
  {
    tool: 'node:test',
    columns: 4,
    scope: /^\s*(?:# Subtest: |not ok \d+ - (?=.* \{$))(?<suite>.*?)(?: # time=\S+ \{)?$/u,
    head: /^(?!.*# (?:TODO|SKIP|todo|skip)\b|.* \{$)\s*not ok \d+(?: -)? ?(?<name>.*?)(?: # time=\S+)?$/su,
    end: /^\s*(?:\.\.\.$|(?:not )?ok \d)/u,
    file: /^\s+location: '(.*?):\d+:\d+'$/u,
    reason: tapReason,
    notLoaded: NOT_LOADED,
  },
  // The spec reporter: after it all are listed again, without their suites.
  {
    tool: 'node:test',
    columns: 2,
    scope: /^\s*[▶✖✔﹣] (?<suite>.*?)(?: \(\d[\d.]*m?s\))?(?: #.*)?$/su,
    head: /^\s*✖ (?<name>.*) \(\d[\d.]*m?s\)$/su,
    end: /^\s*[▶✖✔﹣ℹ] /u,
    until: /^✖ failing tests:/u,
    reason: specReason,
    notLoaded: NOT_LOADED,
  },
  {
    tool: 'node:test',
    brief: true,
    scope: /^test at (?<file>\S+):\d+:\d+$/u,
    joint: null,
    head: /^✖ (?<name>.*) \(\d[\d.]*m?s\)$/su,
    end: /^\s*[▶✖✔﹣ℹ] |^test at /u,
    reason: (body, at) => (at.scope === null ? null : specReason(body, at)),
  },
  // The title goes on in further lines up to a colon.
  {
    tool: 'mocha',
    needs: /^ {2}\d+ failing$/u,
    scope: /^ {2}\d+ (?<suite>failing)$/u,
    joint: null,
    head: /^ {2}\d+\) (?<name>.*)$/u,
    longest: 200,
    named: ({ name = '' }, body) =>
      [name, ...titles(name, body).map((line) => line.trim())].join(' > ').replace(/:$/u, ''),
    // Above the summary it only numbers them.
    reason(body, { scope, groups: { name = '' } }) {
      if (scope === null) return null;
      const more = titles(name, body);
      return (more.at(-1) ?? name).endsWith(':') ? messageIn(body.slice(more.length)) : null;
    },
  },
  // The error stands above the line that names the test.
  {
    tool: 'bun test',
    needs: /^(?:\(fail\)|✗) \S/u,
    scope: /^(?<file>\S+\.\w+):$/u,
    joint: null,
    head: /^(?<name>error|\w*Error): (?<message>.*)$/su,
    longest: 200,
    own: (body) => body.findIndex((line) => BUN_FAILED.test(line)) + 1,
    named: (_, body) => BUN_FAILED.exec(body.at(-1) ?? '')?.[1] ?? '',
    reason: (body, { lines, from }) => (body.length === 0 ? null : messageIn([lines[from] ?? '', ...body])),
  },
  { tool: 'bun test', brief: true, head: /^\(fail\) (?<name>.+?)(?: \[\d[\d.]*m?s\])?$/u },
  {
    tool: 'deno test',
    needs: /^ ?ERRORS ?$/u,
    until: /^ ?FAILURES ?$/u,
    head: /^(?<name>\S.*?) => (?:\.\/)?(?<file>\S+?):\d+:\d+$/su,
    longest: 200,
    why: /^error: (.*)$/u,
  },
  {
    tool: 'playwright',
    head: /^ {2}\d+\) (?:\[[^\]]{1,80}\] › )?(?<file>[^\s:]+):\d+:\d+ › (?<name>.*[^─\s]) ?─*$/su,
    end: /^ {2}\d+ (?:failed|flaky|passed|skipped|did not run)\b/u,
  },
  {
    tool: 'mix test',
    needs: /^ {5}\S+\.exs:\d+$/u,
    head: /^ {2}\d+\) (?<name>\S.*) \([\w.]+\)$/u,
    end: /^Finished in /u,
    file: /^ {5}(\S+\.exs):\d+$/u,
    reason: (body) => messageIn(body.slice(1)),
  },
  {
    tool: 'swift test',
    head: /^(?<file>\S+\.swift):\d+: error: (?:-\[)?(?<name>\w[\w.]*[ .]\w+)\]? : (?<reason>.*?)(?: -\s*)?$/u,
  },
  {
    tool: 'swift test',
    head: /^(?:\S )?Test (?<name>"[^"]{1,300}"|\S+) recorded an issue at (?<file>[^\s:]+):\d+:\d+: (?<reason>.*)$/u,
  },
  {
    tool: 'jest',
    needs: /^\s?FAIL {1,2}\S+\.\w|^Tests?(?: Suites)?: .*\bfailed\b/u,
    scope: /^\s?FAIL {1,2}(?:\.\/)?(?<file>\S+\.\w+)/u,
    joint: ' › ',
    head: /^ {2}● (?:(?<unloaded>)Test suite failed to run|(?!Console|Test suite failed to run)(?<name>.+))$/u,
    end: /^\s?FAIL |^Test Suites:/u,
    reason: (body) =>
      firstFit(UNPARSED.test(messageIn(body)) ? body : [], /^\s*(SyntaxError: .*)/u) ?? messageIn(body),
  },
];

const BUN_FAILED = /^(?:\(fail\)|✗) (.+?)(?: \[\d[\d.]*m?s\])?$/u;

/** Jest, of a file that is none of JavaScript. */
const UNPARSED = /^Jest encountered an unexpected token/u;

function titles(name: string, body: readonly string[]): readonly string[] {
  if (name.endsWith(':')) return [];
  const end = body.findIndex((line) => line.endsWith(':') || !/^ {7}/u.test(line));
  return body.slice(0, end + 1);
}

/** What a Go test printed is indented further than its heading; the stack of a panic is not. */
function goOwn(body: readonly string[], head: string): number {
  if (body.some((line) => line.startsWith('panic: '))) return body.length;
  const end = body.findIndex((line) => line.trim() !== '' && indentOf(line) <= indentOf(head));
  return end < 0 ? body.length : end;
}

function goReason(body: readonly string[], { lines, from, groups: { name = '' } }: Section): string {
  for (const [at, line] of body.entries()) {
    if (line.startsWith('panic: ')) return line.replace(/ \[recovered\].*/su, '');
    const text = GO_LOGGED.exec(line)?.[1];
    // What testify prints stands below: `Error: Not equal:`, `expected: 1`, `actual  : 2`.
    const below = body.slice(at + 1);
    if (text !== undefined) return text.trim() || messageIn(below, TESTIFIED) || messageIn(below);
  }
  // With `-v` it stands above the heading, where the test began or went on.
  const above = lines.slice(Math.max(0, from - GO_LOG), from);
  const start = above.findLastIndex(
    (line) => line.endsWith(` ${name}`) && /^=== (?:RUN|NAME|CONT) /u.test(line),
  );
  if (start < 0) return '';
  const log = above.slice(start + 1);
  const end = log.findIndex((line, at) => /^=== |^\s*--- /u.test(line) || isCutAt(log, at));
  const logged = log.slice(0, end < 0 ? undefined : end).map((line) => GO_LOGGED.exec(line)?.[1]?.trim());
  return logged.find(Boolean) ?? '';
}

/** `error: 'text'`, or a block below `error: |-`, with the error's own class. */
function tapReason(yaml: readonly string[], section: Section): string | null {
  const error = yamlValue(yaml, /^\s*(?:message:|error:(?= \S))(?: (.*))?$/u);
  if (error.length === 0) return yaml[0]?.trim() === '---' ? '' : messageIn(yaml);
  if (error[0] === DID_NOT_RUN) return whyNotRun(section);
  const [name = 'Error'] = yamlValue(yaml, /^\s*name: (.*)$/u);
  const reason = `${name}: ${messageIn(error)}`;
  return OF_OTHERS.test(reason) ? null : reason;
}

function yamlValue(yaml: readonly string[], key: RegExp): string[] {
  const at = yaml.findIndex((line) => key.test(line));
  if (at < 0) return [];
  const value = key.exec(yaml[at] ?? '')?.[1]?.trim() ?? '';
  if (value !== '' && !/^[|>]-?$/u.test(value)) return [unquoted(value)];
  const below = yaml.slice(at + 1);
  const end = below.findIndex((line) => line !== '' && indentOf(line) <= indentOf(yaml[at] ?? ''));
  return below.slice(0, end < 0 ? undefined : end).flatMap((line) => line.trim() || []);
}

function unquoted(value: string): string {
  if (/^".*"$/u.test(value)) return value.slice(1, -1).replaceAll('\\"', '"');
  return /^'.*'$/u.test(value) ? value.slice(1, -1).replaceAll("''", "'") : value;
}

function specReason(body: readonly string[], section: Section): string | null {
  const line = body[0]?.trim() === '' ? body[1] : body[0];
  const isBelow = indentOf(line ?? '') > indentOf(section.lines[section.from] ?? '');
  const reason = isBelow ? messageIn(body) : '';
  if (unquoted(reason) === DID_NOT_RUN) return whyNotRun(section);
  if (OF_OTHERS.test(reason)) return null;
  // Codes that TAP does not print.
  return reason.replace(/^(\w*Error) \[(?:ERR_ASSERTION|ERR_TEST_FAILURE|Error)\]: /u, '$1: ');
}

/** Why a file did not run stands above its line, and below those of other files. */
function whyNotRun({ lines, from }: Section): string {
  const above = lines.slice(Math.max(0, from - 60), from).map((line) => line.replace(/^\s*# ?/u, ''));
  const start = above.findLastIndex(
    (line, at) => isCutAt(above, at) || /^\s*(?:[✖✔] |(?:not )?ok \d)/u.test(line),
  );
  const error = /^(?:Uncaught )?(?:[A-Z]\w*)?Error\b.*: /u;
  return above.slice(start + 1).findLast((line) => error.test(line)) ?? DID_NOT_RUN;
}

/** Compilers, type checkers and linters, one error a line; the first whose format fits. */
export const COMPILERS: readonly Format[] = [
  { tool: 'tsc', head: /^(?<place>\S.*?\(\d+,\d+\)): (?:fatal )?error (?<code>TS\d+): (?<reason>.*)/su },
  {
    tool: 'dotnet build',
    head: /^(?<place>\S.*?\(\d+,\d+\)): (?:fatal )?error (?<code>[A-Z]+\d+): (?<reason>.*)/su,
  },
  { tool: 'tsc', head: /^\s*(?<place>\S+:\d+:\d+) - error (?<code>TS\d+): (?<reason>.*)$/u },
  { tool: 'pyright', head: /^\s*(?<place>\S+:\d+:\d+) - error: (?<reason>.*)$/u },
  { tool: 'mypy', head: /^(?<place>\S+?\.pyi?:\d+(?::\d+)?):? (?:fatal )?error: (?<reason>.*)$/u },
  { tool: 'javac', head: /^(?<place>\S+?\.java:\d+(?::\d+)?):? (?:fatal )?error: (?<reason>.*)$/u },
  { tool: 'swiftc', head: /^(?<place>\S+?\.swift:\d+(?::\d+)?):? (?:fatal )?error: (?<reason>.*)$/u },
  { tool: 'ghc', head: /^(?<place>\S+?\.hs:\d+(?::\d+)?):? (?:fatal )?error: (?<reason>.*)$/u },
  {
    tool: 'gcc',
    head: /^(?<place>\S+?\.(?:c|cc|cpp|cxx|h|hpp|m):\d+(?::\d+)?):? (?:fatal )?error: (?<reason>.*)$/u,
  },
  { tool: null, head: /^(?<place>\S+?:\d+(?::\d+)?):? (?:fatal )?error: (?<reason>.*)$/u },
  { tool: 'javac', head: /^\[ERROR\] (?<place>\S+\.\w+:\[\d+,\d+\]) (?<reason>.*)$/u },
  { tool: 'kotlinc', head: /^e: (?:file:\/\/)?(?<place>\S+\.kts?:\d+:\d+):? (?<reason>.*)$/u },
  { tool: 'go build', head: /^(?:vet: )?(?<place>\S+\.go:\d+:\d+): (?<reason>.*)$/u },
  {
    tool: 'ruff',
    head: /^(?<place>\S+\.pyi?:\d+:\d+): (?<code>[A-Z]{1,4}\d{2,4}):? (?:\[\*\] )?(?<reason>.*)$/u,
  },
  {
    tool: 'php',
    head: /^(?:PHP )?(?:Parse|Fatal) error: {1,4}(?<reason>\S.*) in (?<place>\S+ on line \d+)$/u,
  },
  {
    tool: 'rustc',
    head: /^error(?:\[(?<code>E\d+)\])?: (?<reason>.*)$/u,
    near: [/^\s*--> (\S+\.rs:\d+:\d+)$/u, 3],
  },
  {
    tool: 'ruff',
    head: /^(?:(?<code>[A-Z]{1,4}\d{3,4}) |invalid-syntax: )(?:\[\*\] )?(?<reason>.*)$/u,
    near: [/^\s*--> (\S+:\d+:\d+)$/u, 3],
  },
  { tool: 'esbuild', head: /^\s*[✘X] \[ERROR\] (?<reason>.*)$/u, near: [/^\s+(\S+:\d+:\d+):$/u, 3] },
  { tool: 'oxlint', head: /^\s*[×x] (?<reason>\S.*)$/u, near: [/^\s*[╭,][─-]+\[(\S+:\d+:\d+)\]$/u, 3] },
  {
    tool: 'biome',
    head: /^\s*[✖×] (?<reason>\S.*)$/u,
    near: [/^(\S+\.\w+:\d+:\d+) (?:lint|parse|assist|syntax|suppressions)\b/u, -2],
  },
  {
    tool: 'python',
    head: /^\s*(?<reason>(?:Syntax|Indentation|Tab)Error: .*)$/u,
    near: [/^\s*File "([^"]+", line \d+)/u, -8],
  },
  {
    tool: 'node',
    head: /^\s*(?<reason>SyntaxError: .*)$/u,
    near: [/^(?:file:\/\/)?((?:\/\S+|[\w./-]+)\.\w+:\d+)$/u, -8],
  },
  // Below the file's own line.
  {
    tool: 'eslint',
    scope: /^(?=.*[\\/])(?<file>\S+\.\w+)$/u,
    joint: ':',
    head: /^\s+(?<place>\d+:\d+)\s+error\s+(?<reason>.*?)(?:(?<!\s)\s{2,}[\w@/-]+)?$/u,
    reason: (_, { scope, groups }) => (scope === null ? null : (groups.reason ?? '')),
  },
];

/** What a program died of: an error that nobody caught, and the calls below it. */
export const UNCAUGHT: readonly Format[] = [
  {
    tool: null,
    outermostFirst: true,
    head: /^\s*(?<unnamed>Traceback) \(most recent call last\):$/u,
    longest: 2000,
    own: (body) => body.findIndex((line) => /^[A-Za-z_][\w.]*(?:: .*)?$/u.test(line)) + 1,
    reason: (body) => body.at(-1) ?? null,
  },
  {
    tool: null,
    head: /^(?:Uncaught |Exception in thread "[^"]*" |(?=PHP Fatal error: |Exception in thread |(?:[A-Za-z_][\w.$]*)?(?:Error|Exception|Exit|Interrupt|Failed|Failure|Warning|Panic)\b))(?<reason>.*)/su,
    longest: 50,
    own: callsEnd,
    reason: (body, { groups }) => (body.length === 0 ? null : (groups.reason ?? '')),
  },
  {
    tool: null,
    head: /^\S+\.rb:\d+:in [^:]*: (?<reason>.*) \((?<code>\w+(?:::\w+)*)\)$/u,
    end: /^\S/u,
    longest: 50,
  },
  {
    tool: null,
    head: /^(?<reason>panic: .*)|^thread '(?:(?!' ).)*' .*panicked at /su,
    longest: 50,
    reason: (body, { groups }) => groups.reason ?? `panicked: ${body[0]?.trim() ?? ''}`,
  },
];

function callsEnd(body: readonly string[]): number {
  const calls = body.slice(0, 7).findIndex((line) => /^\s+(?:at \S|from \S|#0 )/u.test(line));
  if (calls < 0) return 0;
  const end = body.findIndex((line, at) => at > calls && /^\S/u.test(line));
  return end < 0 ? body.length : end;
}

/** How runners count what failed. Groups: `failed`, `errors`, `passed`, `total`. */
export const TEST_COUNTS: readonly RegExp[] = [
  // vitest, jest: their files come in a line of their own.
  /^\s*Tests:?\s+(?<failed>\d+) failed(?:[|,\s]+(?:\d+ (?:skipped|todo)[|,\s]+)*(?<passed>\d+) passed)?/u,
  // vitest, above and below its failures.
  /^⎯+(?: Failed Tests |\[\d+\/)(?<failed>\d+)[ \]]⎯/u,
  // pytest, cargo.
  /^=*\s*(?<failed>\d+) failed(?:, (?<passed>\d+) passed)?(?:, \d+ [a-z]+)*?(?:, (?<errors>\d+) errors?)?(?:, | in )/u,
  /^=*\s*(?:(?<passed>\d+) passed, )?(?:\d+ [a-z]+, )*?(?<errors>\d+) errors? in \d/u,
  /^test result: FAILED\. (?<passed>\d+) passed; (?<failed>\d+) failed/u,
  // unittest, mocha and playwright, node:test.
  /^FAILED \((?:failures=(?<failed>\d+))?(?:, )?(?:errors=(?<errors>\d+))?/u,
  /^ {2}(?<failed>\d+) fail(?:ing|ed)$/u,
  // bun, deno, swift.
  /^ (?<failed>\d+) fail$/u,
  /^FAILED \| (?<passed>\d+) passed.{0,40}? \| (?<failed>\d+) failed/u,
  /^\s*Executed (?<total>\d+) tests?, with (?<failed>\d+) failure/u,
  /^[#ℹ] fail (?<failed>\d+)$/u,
  // Maven, Gradle, RSpec, dotnet, PHPUnit, minitest and mix, CTest.
  /\bTests run: (?<total>\d+), Failures: (?<failed>\d+), Errors: (?<errors>\d+)/u,
  /^(?<total>\d+) (?:tests? completed|examples?|specs?), (?<failed>\d+) fail/u,
  /^(?:Failed|Passed)! +- Failed: +(?<failed>\d+), Passed: +(?<passed>\d+)/u,
  /^Tests: (?<total>\d+), Assertions: \d+(?:, Errors: (?<errors>\d+))?(?:, Failures: (?<failed>\d+))?/u,
  /^(?<total>\d+) (?:runs?|tests?), .{0,60}?\b(?<failed>\d+) failures?(?:, (?<errors>\d+) errors)?/u,
  /% tests passed, (?<failed>\d+) tests failed out of (?<total>\d+)/u,
];

/** How compilers and linters count errors. */
export const ERROR_COUNTS: readonly RegExp[] = [
  /^\s*(?<failed>\d+) Error\(s\)$/u,
  /^(?:✖ \d+ problems? \()?(?:Found )?(?<failed>\d+) errors?\b/u,
  /due to (?<failed>\d+) previous errors?/u,
];
