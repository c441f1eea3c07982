import { type Format, firstFit, messageIn, type Section, type Sighting, sightingsOf } from './engine.js';
import { ERROR_NAME, indentOf, isCutAt } from './output.js';

/** Words with which Node's tests report that a file did not run, and that only tests within a test failed. */
const DID_NOT_RUN = 'test failed';
const OF_OTHERS = /^(?:\w+: )?'?\d+ subtests? failed/u;
const NOT_LOADED = /^SyntaxError\b|\[ERR_MODULE_NOT_FOUND\]|^Error: Cannot find module/u;

/** What a Go test logged, after its place; lines above a test in which `-v` logged it. */
const GO_LOGGED = /^\s+[\w.-]+\.go:\d+: ?(.*)$/u;
const GO_LOG = 200;
const TESTIFIED = /^\s*Error:\s+(.*)$/u;

type Lines = readonly string[];

const format = (tool: Format['tool'], head: RegExp, rest: Omit<Format, 'tool' | 'head'> = {}): Format => ({
  tool,
  head,
  ...rest,
});

/** pytest: `____ Class.test[a] ____`, a section for each failure, and for what could not be loaded. */
const SECTIONS: Format = {
  tool: 'pytest',
  head: /^_{2,} (?!(?:_ )+_$)(?:ERROR collecting (?<unloaded>.+?)|(?:ERROR at (?:setup|teardown) of )?(?<name>.+?)) _{2,}$|^ImportError while loading conftest '(?<conftest>[^']+)'/u,
  end: /^={3,} .* ={3,}$|^!{3,} .* !{3,}$/u,
  // Calls with their sources, and at its end why.
  longest: 2000,
  outermostFirst: true,
  named: ({ name, unloaded, conftest = '' }, body) => name ?? syntaxPlace(body) ?? unloaded ?? conftest,
  reason(body, { lines, from }) {
    const to = from + 1 + body.length;
    // A section that was cut off says no reason: the last line of a call is none.
    return pytestError(body) ?? (isCutAt(lines, to) || to === lines.length ? '' : null);
  },
};

/** `FAILED file::test - why`, in its summary. */
const SUMMARY: Format = {
  tool: 'pytest',
  head: /^(?:FAILED|(?<error>ERROR)) (?=.*\.\w+(?:::|$| - )|\S+::)(?<name>.*)/su,
  named: ({ name = '' }) => atDash(name).id,
  reason(_, { groups: { name = '', error } }) {
    const { id, reason } = atDash(name);
    return id.includes('::') || (error !== undefined && /^\S+\.py$/u.test(id)) ? reason : null;
  },
};

/** Runners of tests, the most specific format first: lines that one has read are not another's. */
export const RUNNERS: readonly Format[] = [
  // Tests of one cause stand above what they share; the file of a suite that was not loaded stands twice.
  format(
    'vitest',
    /^ ?FAIL {2}(?:\|[^|]*\| |[\w@/.-]+ {2})?(?:(?<unloaded>\S(?:(?! \[ ).)*) \[ .* \]|(?=\S)(?<name>(?<file>(?:(?! > ).)+) > .*))$|^\s*⎯+ Unhandled (?:Rejection|Exception|Error) (?<unnamed>⎯+)$/su,
    {
      end: /^\s*⎯{3,}/u,
      shares: true,
    },
  ),
  format('vitest', /^\s+[×✗] (?<name>.*?)(?<took> \d+m?s)?$/u, {
    brief: true,
    scope: /^ ❯ (?:\|[^|]*\| | ?[\w@/.-]+ {2})?(?<file>\S+) \(\d+ tests?\b/u,
    end: /^(?!\s+→ )/u,
    // Linters mark their findings with the same sign.
    reason: ([why], { scope, groups }) =>
      scope === null && groups.took === undefined && why === undefined ? null : (why ?? '').trim().slice(2),
  }),
  { ...SECTIONS, read: readPytest },
  format('pytest', /^(?=\S+::)(?<name>(?<file>(?:(?!::).)+).*) (?:FAILED|ERROR) {1,80}\[ {0,2}\d{1,3}%\]$/u, {
    brief: true,
  }),
  format(
    'unittest',
    /^(?:FAIL|ERROR): (?:(?<unloaded>\S+(?= \(unittest\.loader\.))|(?<name>\S+)) \((?<owner>[\w.]+)\)(?<sub>.*)$/u,
    {
      outermostFirst: true,
      end: /^={10,}$|^Ran \d+ tests? in /u,
      named: ({ name, unloaded, owner = '', sub = '' }) => {
        const method = name ?? unloaded ?? '';
        return `${owner.endsWith(`.${method}`) ? owner : `${owner}.${method}`}${sub.trimEnd()}`;
      },
      file: /^ {2}File "([^"]+)", line \d+, in (?:test|setUp|tearDown)/u,
      reason: (body) => body.findLast((line) => /^[A-Za-z_][\w.]*(?:: |$)/u.test(line)) ?? '',
    },
  ),
  format('cargo test', /^---- (?<name>.+?) (?:stdout|stderr) ----$/u, {
    end: /^failures:$|^test result: /u,
    // Before Rust 1.73 the message stood in the line, in quotes.
    why: /\bpanicked at (?:'(.*)', \S+:\d+:\d+$)?|^(Error: .*|note: test did not panic.*)/u,
  }),
  // Of nextest, which lists them again at the end.
  format('cargo test', /^\s+FAIL \[ *[\d.]+s\] (?:\( *\d+\/\d+\) )?\S+ (?<name>\S+)$/u, {
    needs: /^\s+Nextest run |^─+$/u,
    end: /^\s+(?:PASS|FAIL|SIG\w+|Summary|Cancel\w+) /u,
    why: /\bpanicked at |^\s*(Error: .*)/u,
  }),
  format('cargo test', /^test (?<name>.+?) \.\.\. FAILED$/u, { brief: true }),
  // The package stands below its tests; a test fails with the tests in it.
  format('go test', /^\s*--- FAIL: (?<name>\S+) \(\d/u, {
    fromEnd: true,
    scope: /^FAIL\t(?<suite>\S+)\t|^ok +\t/u,
    joint: '.',
    inner: '/',
    end: /^\s*--- (?:PASS|SKIP): |^(?:FAIL|ok|PASS|===)\b/u,
    own: goOwn,
    reason: goReason,
  }),
  format(
    'junit',
    /^(?:\[ERROR\] +)?(?<name>[\w.$]+(?:\([^()]{0,200}\))?(?:\[[^\]]*\])?) +(?:-- +)?Time elapsed: .*<<< (?:FAILURE|ERROR)!/u,
    {
      end: /^\[(?:INFO|ERROR|WARNING)\] *(?:$|\w|Failures)|^$/u,
      named: ({ name = '' }) => name.replace(/^(\w+)\(([\w.$]+)\)$/u, '$2.$1'),
    },
  ),
  format('junit', /^\[ERROR\] {3}(?<name>\w+(?:\.\w+)+):\d+(?:->\S+)? (?:» )?(?<reason>.*)$/u, {
    brief: true,
  }),
  format('junit', /^(?=.* FAILED$)(?<name>[\w$.]+ > .+) FAILED$/u, { end: /^\S/u }),
  format('junit', /^ {2}JUnit \w+:(?<name>\S.*)$/u, { end: /^\S/u, why: /^\s+=> (.*)$/u }),
  format(
    'dotnet test',
    /^\s{0,4}(?:Failed|failed) (?<name>(?=\S*\.)[\w`+.<>]+(?:\(.*\))?) (?:\[[^\][]*\]|\(\d[^()]*\))$/u,
    {
      end: /^\s{0,4}(?:Passed|Skipped|passed|skipped) \S|^(?:Failed|Passed)!|^Test (?:Run|run)\b|^Total tests:/u,
      reason: (body) => messageIn(body.filter((line) => !/^\s*Error Message:$/u.test(line))),
    },
  ),
  format('phpunit', /^\d+\) (?<name>[\w\\]+::\S.*)$/u, {
    end: /^(?:FAILURES|ERRORS|WARNINGS)!|^--$|^There (?:was|were) \d/u,
  }),
  format('jasmine', /^\d+\) (?<name>\S.*)$/u, {
    needs: /^\d+ specs?, \d+ failure/u,
    end: /^\d+ specs?, /u,
    why: /^ {2}Message:$/u,
  }),
  format('rspec', /^ {2}\d+\) (?<name>\S.*)$/u, {
    needs: /^\s+Failure\/Error:/u,
    end: /^\S/u,
    // Below the line of code that failed.
    reason: (body) => messageIn(body.slice(body.indexOf('') + 1)),
  }),
  format('minitest', /^(?<name>[\w:]+#\w+)(?: \[(?<file>[^\]:]+):\d+\])?:$/u, {
    end: /^\s+\d+\) |^\d+ (?:runs|tests), /u,
  }),
  format('ctest', /^\[ {2}FAILED {2}\] (?!\d+(?:,| \(|$))(?<name>\S+?)(?:,| \(|$)/u),
  format('ctest', /^\s*\d+\/\d+ Test\s+#\d+: (?<name>\S+) \.*\**(?:Failed|Exception|Timeout)/u),
  // TAP, of `node --test` and others.
  format(
    'node:test',
    /^(?!.*# (?:TODO|SKIP|todo|skip)\b|.* \{$)\s*not ok \d+(?: -)? ?(?<name>.*?)(?: # time=\S+)?$/su,
    {
      columns: 4,
      scope: /^\s*(?:# Subtest: |not ok \d+ - (?=.* \{$))(?<suite>.*?)(?: # time=\S+ \{)?$/u,
      end: /^\s*(?:\.\.\.$|(?:not )?ok \d)/u,
      file: /^\s+location: '(.*?):\d+:\d+'$/u,
      reason: tapReason,
      notLoaded: NOT_LOADED,
    },
  ),
  // The spec reporter: after it all are listed again, without their suites.
  format('node:test', /^\s*✖ (?<name>.*) \(\d[\d.]*m?s\)$/su, {
    columns: 2,
    scope: /^\s*[▶✖✔﹣] (?<suite>.*?)(?: \(\d[\d.]*m?s\))?(?: #.*)?$/su,
    end: /^\s*[▶✖✔﹣ℹ] /u,
    until: /^✖ failing tests:/u,
    reason: specReason,
    notLoaded: NOT_LOADED,
  }),
  format('node:test', /^✖ (?<name>.*) \(\d[\d.]*m?s\)$/su, {
    brief: true,
    scope: /^test at (?<file>\S+):\d+:\d+$/u,
    joint: null,
    end: /^\s*[▶✖✔﹣ℹ] |^test at /u,
    reason: (body, at) => (at.scope === null ? null : specReason(body, at)),
  }),
  // The title goes on in further lines up to a colon.
  format('mocha', /^ {2}\d+\) (?<name>.*)$/u, {
    needs: /^ {2}\d+ failing$/u,
    scope: /^ {2}\d+ (?<suite>failing)$/u,
    joint: null,
    longest: 200,
    named: ({ name = '' }, body) =>
      [name, ...titles(name, body).map((line) => line.trim())].join(' > ').replace(/:$/u, ''),
    // Above the summary it only numbers them.
    reason(body, { scope, groups: { name = '' } }) {
      if (scope === null) return null;
      const more = titles(name, body);
      return (more.at(-1) ?? name).endsWith(':') ? messageIn(body.slice(more.length)) : null;
    },
  }),
  // The error stands above the line that names the test.
  format('bun test', /^(?<name>error|\w*Error): (?<message>.*)$/su, {
    needs: /^(?:\(fail\)|✗) \S/u,
    scope: /^(?<file>\S+\.\w+):$/u,
    joint: null,
    longest: 200,
    own: (body) => body.findIndex((line) => BUN_FAILED.test(line)) + 1,
    named: (_, body) => BUN_FAILED.exec(body.at(-1) ?? '')?.[1] ?? '',
    reason: (body, { lines, from }) => (body.length === 0 ? null : messageIn([lines[from] ?? '', ...body])),
  }),
  format('bun test', /^\(fail\) (?<name>.+?)(?: \[\d[\d.]*m?s\])?$/u, { brief: true }),
  format('deno test', /^(?<name>\S.*?) => (?:\.\/)?(?<file>\S+?):\d+:\d+$/su, {
    needs: /^ ?ERRORS ?$/u,
    until: /^ ?FAILURES ?$/u,
    longest: 200,
    why: /^error: (.*)$/u,
  }),
  format(
    'playwright',
    /^ {2}\d+\) (?:\[[^\]]{1,80}\] › )?(?<file>[^\s:]+):\d+:\d+ › (?<name>.*[^─\s]) ?─*$/su,
    {
      end: /^ {2}\d+ (?:failed|flaky|passed|skipped|did not run)\b/u,
    },
  ),
  format('mix test', /^ {2}\d+\) (?<name>\S.*) \([\w.]+\)$/u, {
    needs: /^ {5}\S+\.exs:\d+$/u,
    end: /^Finished in /u,
    file: /^ {5}(\S+\.exs):\d+$/u,
    reason: (body) => messageIn(body.slice(1)),
  }),
  format(
    'swift test',
    /^(?<file>\S+\.swift):\d+: error: (?:-\[)?(?<name>\w[\w.]*[ .]\w+)\]? : (?<reason>.*?)(?: -\s*)?$/u,
  ),
  format(
    'swift test',
    /^(?:\S )?Test (?<name>"[^"]{1,300}"|\S+) recorded an issue at (?<file>[^\s:]+):\d+:\d+: (?<reason>.*)$/u,
  ),
  format(
    'jest',
    /^ {2}● (?:(?<unloaded>)Test suite failed to run|(?!Console|Test suite failed to run)(?<name>.+))$/u,
    {
      needs: /^\s?FAIL {1,2}\S+\.\w|^Tests?(?: Suites)?: .*\bfailed\b/u,
      scope: /^\s?FAIL {1,2}(?:\.\/)?(?<file>\S+\.\w+)/u,
      joint: ' › ',
      end: /^\s?FAIL |^Test Suites:/u,
      reason: (body) =>
        firstFit(UNPARSED.test(messageIn(body)) ? body : [], /^\s*(SyntaxError: .*)/u) ?? messageIn(body),
    },
  ),
];

/** The tests of pytest's summary with what their own sections say; errors of collecting are no test's. */
function readPytest(lines: Lines): readonly Sighting[] {
  const all = sightingsOf(SECTIONS, lines);
  const [sections, unloaded] = [all.filter(({ isTest }) => isTest), all.filter(({ isTest }) => !isTest)];
  const place = /^((?:[\w.-]+\/)*[\w.-]+\.py):\d+:(?: |$)/u;
  const filesIn = ({ from, to }: Sighting) =>
    lines.slice(from, to).flatMap((line) => place.exec(line)?.[1] ?? []);
  // By file and header, else by a header that only one has: class and name may be the same in several files.
  const sectionOf = (file: string, header: string) => {
    const same = sections.filter(({ name }) => name === header);
    return same.find((one) => filesIn(one).includes(file)) ?? (same.length === 1 ? same[0] : undefined);
  };
  const start = lines.findLastIndex((line) => /^={3,} short test summary info ={3,}$/u.test(line));
  const known = new Set<string>();
  const summary = sightingsOf(SUMMARY, lines).flatMap((brief): Sighting[] => {
    const [file = '', ...names] = (brief.name ?? '').split('::');
    const header = names.join('.');
    if (brief.from < start) return [];
    known.add(header);
    const own = sectionOf(file, header);
    const isCut = brief.reason === '' || brief.reason.endsWith('...');
    const reason = (isCut && own?.reason) || brief.reason;
    return [{ ...brief, ...own, name: brief.name, file, reason, isTest: header !== '' }];
  });
  const others = sections.filter(({ name }) => !known.has(name ?? ''));
  const found = [...summary, ...others.map((one) => withFile(one, filesIn(one)[0]))];
  const tests = found.filter(({ isTest }) => isTest);
  if (tests.length > 0) return tests;
  return unloaded.length > 0 ? unloaded : found;
}

function withFile(section: Sighting, file: string | undefined): Sighting {
  if (file === undefined) return section;
  const [, plain = '', parameters = ''] = /^([^[]*)(.*)$/su.exec(section.name ?? '') ?? [];
  return { ...section, file, name: `${file}::${plain.replaceAll('.', '::')}${parameters}` };
}

/** `id - why`: a parameter in the id may hold a dash, too. */
function atDash(text: string): { id: string; reason: string } {
  for (let at = text.indexOf(' - '); at >= 0; at = text.indexOf(' - ', at + 1)) {
    const id = text.slice(0, at);
    if (!id.includes('[') || id.endsWith(']')) return { id, reason: text.slice(at + 3).trim() };
  }
  return { id: text.trim(), reason: '' };
}

/** The message at the end of a section. What belongs to it, a difference of two values, is indented further. */
function pytestError(body: Lines): string | undefined {
  const errors = body.flatMap((line) => /^E( +\S.*)$/u.exec(line)?.[1] ?? []);
  const indent = Math.min(...errors.map(indentOf));
  const messages = errors.filter((line) => indentOf(line) === indent).map((line) => line.trim());
  const isNamed = (line: string) => ERROR_NAME.test(line);
  return messages.findLast(isNamed) ?? messages[0] ?? body.findLast(isNamed);
}

function syntaxPlace(body: Lines): string | null {
  if (!/^(?:Syntax|Indentation|Tab)Error\b/u.test(pytestError(body) ?? '')) return null;
  const [, file, line] = /^E +File "([^"]+)", line (\d+)/mu.exec(body.join('\n')) ?? [];
  return file === undefined ? null : `${file}:${line}`;
}

const BUN_FAILED = /^(?:\(fail\)|✗) (.+?)(?: \[\d[\d.]*m?s\])?$/u;

const UNPARSED = /^Jest encountered an unexpected token/u;

function titles(name: string, body: Lines): Lines {
  if (name.endsWith(':')) return [];
  const end = body.findIndex((line) => line.endsWith(':') || !/^ {7}/u.test(line));
  return body.slice(0, end + 1);
}

/** What a Go test printed is indented further than its heading; the stack of a panic is not. */
function goOwn(body: Lines, head: string): number {
  if (body.some((line) => line.startsWith('panic: '))) return body.length;
  const end = body.findIndex((line) => line.trim() !== '' && indentOf(line) <= indentOf(head));
  return end < 0 ? body.length : end;
}

function goReason(body: Lines, { lines, from, groups: { name = '' } }: Section): string {
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
function tapReason(yaml: Lines, section: Section): string | null {
  const error = yamlValue(yaml, /^\s*(?:message:|error:(?= \S))(?: (.*))?$/u);
  if (error.length === 0) return yaml[0]?.trim() === '---' ? '' : messageIn(yaml);
  if (error[0] === DID_NOT_RUN) return whyNotRun(section);
  const [name = 'Error'] = yamlValue(yaml, /^\s*name: (.*)$/u);
  const reason = `${name}: ${messageIn(error)}`;
  return OF_OTHERS.test(reason) ? null : reason;
}

function yamlValue(yaml: Lines, key: RegExp): string[] {
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

function specReason(body: Lines, section: Section): string | null {
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
  format('tsc', /^(?<place>\S.*?\(\d+,\d+\)): (?:fatal )?error (?<code>TS\d+): (?<reason>.*)/su),
  format('dotnet build', /^(?<place>\S.*?\(\d+,\d+\)): (?:fatal )?error (?<code>[A-Z]+\d+): (?<reason>.*)/su),
  format('tsc', /^\s*(?<place>\S+:\d+:\d+) - error (?<code>TS\d+): (?<reason>.*)$/u),
  format('pyright', /^\s*(?<place>\S+:\d+:\d+) - error: (?<reason>.*)$/u),
  format('mypy', /^(?<place>\S+?\.pyi?:\d+(?::\d+)?):? (?:fatal )?error: (?<reason>.*)$/u),
  format('javac', /^(?<place>\S+?\.java:\d+(?::\d+)?):? (?:fatal )?error: (?<reason>.*)$/u),
  format('swiftc', /^(?<place>\S+?\.swift:\d+(?::\d+)?):? (?:fatal )?error: (?<reason>.*)$/u),
  format('ghc', /^(?<place>\S+?\.hs:\d+(?::\d+)?):? (?:fatal )?error: (?<reason>.*)$/u),
  format('gcc', /^(?<place>\S+?\.(?:c|cc|cpp|cxx|h|hpp|m):\d+(?::\d+)?):? (?:fatal )?error: (?<reason>.*)$/u),
  format(null, /^(?<place>\S+?:\d+(?::\d+)?):? (?:fatal )?error: (?<reason>.*)$/u),
  format('javac', /^\[ERROR\] (?<place>\S+\.\w+:\[\d+,\d+\]) (?<reason>.*)$/u),
  format('kotlinc', /^e: (?:file:\/\/)?(?<place>\S+\.kts?:\d+:\d+):? (?<reason>.*)$/u),
  format('go build', /^(?:vet: )?(?<place>\S+\.go:\d+:\d+): (?<reason>.*)$/u),
  format('ruff', /^(?<place>\S+\.pyi?:\d+:\d+): (?<code>[A-Z]{1,4}\d{2,4}):? (?:\[\*\] )?(?<reason>.*)$/u),
  format('php', /^(?:PHP )?(?:Parse|Fatal) error: {1,4}(?<reason>\S.*) in (?<place>\S+ on line \d+)$/u),
  format('rustc', /^error(?:\[(?<code>E\d+)\])?: (?<reason>.*)$/u, {
    near: [/^\s*--> (\S+\.rs:\d+:\d+)$/u, 3],
  }),
  format('ruff', /^(?:(?<code>[A-Z]{1,4}\d{3,4}) |invalid-syntax: )(?:\[\*\] )?(?<reason>.*)$/u, {
    near: [/^\s*--> (\S+:\d+:\d+)$/u, 3],
  }),
  format('esbuild', /^\s*[✘X] \[ERROR\] (?<reason>.*)$/u, { near: [/^\s+(\S+:\d+:\d+):$/u, 3] }),
  format('oxlint', /^\s*[×x] (?<reason>\S.*)$/u, { near: [/^\s*[╭,][─-]+\[(\S+:\d+:\d+)\]$/u, 3] }),
  format('biome', /^\s*[✖×] (?<reason>\S.*)$/u, {
    near: [/^(\S+\.\w+:\d+:\d+) (?:lint|parse|assist|syntax|suppressions)\b/u, -2],
  }),
  format('python', /^\s*(?<reason>(?:Syntax|Indentation|Tab)Error: .*)$/u, {
    near: [/^\s*File "([^"]+", line \d+)/u, -8],
  }),
  format('node', /^\s*(?<reason>SyntaxError: .*)$/u, {
    near: [/^(?:file:\/\/)?((?:\/\S+|[\w./-]+)\.\w+:\d+)$/u, -8],
  }),
  // Below the file's own line.
  format('eslint', /^\s+(?<place>\d+:\d+)\s+error\s+(?<reason>.*?)(?:(?<!\s)\s{2,}[\w@/-]+)?$/u, {
    scope: /^(?=.*[\\/])(?<file>\S+\.\w+)$/u,
    joint: ':',
    reason: (_, { scope, groups }) => (scope === null ? null : (groups.reason ?? '')),
  }),
];

/** What a program died of: an error that nobody caught, and the calls below it. */
export const UNCAUGHT: readonly Format[] = [
  format(null, /^\s*(?<unnamed>Traceback) \(most recent call last\):$/u, {
    outermostFirst: true,
    longest: 2000,
    own: (body) => body.findIndex((line) => /^[A-Za-z_][\w.]*(?:: .*)?$/u.test(line)) + 1,
    reason: (body) => body.at(-1) ?? null,
  }),
  format(
    null,
    /^(?:Uncaught |Exception in thread "[^"]*" |(?=PHP Fatal error: |Exception in thread |(?:[A-Za-z_][\w.$]*)?(?:Error|Exception|Exit|Interrupt|Failed|Failure|Warning|Panic)\b))(?<reason>.*)/su,
    {
      longest: 50,
      own: callsEnd,
      reason: (body, { groups }) => (body.length === 0 ? null : (groups.reason ?? '')),
    },
  ),
  format(null, /^\S+\.rb:\d+:in [^:]*: (?<reason>.*) \((?<code>\w+(?:::\w+)*)\)$/u, {
    end: /^\S/u,
    longest: 50,
  }),
  format(null, /^(?<reason>panic: .*)|^thread '(?:(?!' ).)*' .*panicked at /su, {
    longest: 50,
    reason: (body, { groups }) => groups.reason ?? `panicked: ${body[0]?.trim() ?? ''}`,
  }),
];

function callsEnd(body: Lines): number {
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
