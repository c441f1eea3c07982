import { indentOf, isCutAt, nextText, sectionEnd } from './output.js';
import { firstText, type Reader, type Sighting, sections, testSighting, withValues } from './reader.js';

/** What a Go test logged, after its place. */
const LOGGED = /^\s+[\w.-]+\.go:\d+: ?(.*)$/u;
const GO_FAILED = /^\s*--- FAIL: (\S+) \(\d/u;
/** Lines in which `-v` logs of one test are looked for. */
const GO_LOG = 200;

/** `go test`: `--- FAIL: TestA/sub (0.00s)`, indented below it why, and after a package's tests `FAIL\tpackage`. */
export const goTest: Reader = {
  tool: 'go test',
  read(lines) {
    const found: Sighting[] = [];
    const outer = new Set<string>();
    const begun = beginnings(lines);
    let owner = '';
    // From the end: the package stands after its tests, and what is in a test after that test.
    for (let from = lines.length - 1; from >= 0; from--) {
      const line = lines[from] ?? '';
      owner = isCutAt(lines, from)
        ? ''
        : (/^FAIL\t(\S+)\t/u.exec(line)?.[1] ?? (/^ok +\t/u.test(line) ? '' : owner));
      const test = GO_FAILED.exec(line)?.[1];
      if (test === undefined) continue;
      const name = owner === '' ? test : `${owner}.${test}`;
      const to = goEnd(lines, from);
      const reason = goReason(lines, { from, to, begun: begun.get(test) ?? [] });
      // A test fails with the tests in it.
      if (reason !== '' || !outer.has(name)) found.push(testSighting({ name, reason }, [from, to]));
      outer.add(name.slice(0, Math.max(0, name.lastIndexOf('/'))));
    }
    return found.reverse();
  },
};

function goEnd(lines: readonly string[], from: number): number {
  const to = sectionEnd(lines, from + 1, /^\s*--- (?:FAIL|PASS|SKIP): |^(?:FAIL|ok|PASS|===)\b/u);
  const indent = indentOf(lines[from] ?? '');
  // A panic's stack is not indented.
  if (lines.slice(from + 1, to).some((line) => line.startsWith('panic: '))) return to;
  const outside = lines
    .slice(from + 1, to)
    .findIndex((line) => line.trim() !== '' && indentOf(line) <= indent);
  return outside < 0 ? to : from + 1 + outside;
}

/** Where `-v` says that a test began, or went on, by its name. */
function beginnings(lines: readonly string[]): Map<string, number[]> {
  const begun = new Map<string, number[]>();
  for (const [at, line] of lines.entries()) {
    const test = /^=== (?:RUN|NAME|CONT) +(\S+)$/u.exec(line)?.[1];
    if (test !== undefined) begun.get(test)?.push(at) ?? begun.set(test, [at]);
  }
  return begun;
}

/** @param begun Lines where its test began; those after the heading are removed. */
function goReason(
  lines: readonly string[],
  { from, to, begun }: { readonly from: number; readonly to: number; readonly begun: number[] },
): string {
  const body = lines.slice(from + 1, to);
  for (const [at, line] of body.entries()) {
    if (line.startsWith('panic: ')) return line.replace(/ \[recovered\].*/su, '');
    const text = LOGGED.exec(line)?.[1];
    if (text !== undefined) return text.trim() || (testified(body.slice(at + 1)) ?? nextText(body, at + 1));
  }
  while ((begun.at(-1) ?? 0) > from) begun.pop();
  const start = begun.at(-1) ?? -1;
  if (start < 0 || start < from - GO_LOG) return '';
  const end = sectionEnd(lines, start + 1, /^=== |^\s*--- /u);
  return lines.slice(start, end).flatMap((line) => LOGGED.exec(line)?.[1]?.trim() || [])[0] ?? '';
}

/** What testify prints below its place: `Error: Not equal:`, `expected: 1`, `actual  : 2`. */
function testified(body: readonly string[]): string | null {
  const block = body.slice(0, 20).map((line) => line.trim());
  const at = block.findIndex((line) => /^Error:\s/u.test(line));
  return at < 0
    ? null
    : withValues((block[at] ?? '').replace(/^Error:\s+/u, ''), block.slice(at + 1, at + 4));
}

/** `cargo test`: `---- module::test stdout ----`, and below it where it panicked and why. */
const cargoTest = sections({
  tool: 'cargo test',
  heading: /^---- (?<name>.+?) (?:stdout|stderr) ----$/u,
  end: /^failures:$|^test result: /u,
  brief: /^test (?<name>.+?) \.\.\. FAILED$/u,
  reason(body) {
    const at = body.findIndex((line) => /\bpanicked at /u.test(line));
    if (at < 0) return body.find((line) => line.startsWith('Error: ')) ?? '';
    // Before Rust 1.73 the message stood in the line, in quotes.
    const old = /^(?:(?!panicked at ').)*panicked at '(.*)', \S+:\d+:\d+$/u.exec(body[at] ?? '')?.[1];
    return old ?? withValues(body[at + 1]?.trim() ?? '', body.slice(at + 2, at + 4));
  },
});

/** Maven's Surefire: `CartTest.adds -- Time elapsed: 0.01 s <<< FAILURE!`, and its summary `[ERROR]   CartTest.adds:12 why`. */
const surefire = sections({
  tool: 'junit',
  heading:
    /^(?:\[ERROR\] +)?(?<name>[\w.$]+(?:\([\w.$]+\)|\[[^\]]*\])?) +(?:-- +)?Time elapsed: .*<<< (?:FAILURE|ERROR)!/u,
  end: /^\[(?:INFO|ERROR|WARNING)\] *(?:$|\w|Failures)|^$/u,
  brief: /^\[ERROR\] {3}(?<name>\w+(?:\.\w+)+):\d+(?:->\S+)? (?:» )?(?<reason>.*)$/u,
  nameOf: (name) => name.replace(/^(\w+)\(([\w.$]+)\)$/u, '$2.$1'),
  reason: firstText,
});

/** Gradle: `CartTest > adds() FAILED`, and below it why. */
const gradle = sections({
  tool: 'junit',
  heading: /^(?=.* FAILED$)(?<name>[\w$.]+ > .+) FAILED$/u,
  end: /^\S/u,
  reason: firstText,
});

/** JUnit's console: `  JUnit Jupiter:CartTest:adds()`, below it `=> why`. */
const junitConsole = sections({
  tool: 'junit',
  heading: /^ {2}JUnit \w+:(?<name>\S.*)$/u,
  end: /^\S/u,
  reason: (body) =>
    body
      .find((line) => /^\s+=> /u.test(line))
      ?.trim()
      .slice('=> '.length) ?? '',
});

/** dotnet: `  Failed Shop.CartTests.Adds [12 ms]`, `Error Message:`; xunit in its own words. */
const dotnet = sections({
  tool: 'dotnet test',
  heading: /^\s{0,4}(?:Failed|failed) (?<name>(?=\S*\.)[\w`+.<>]+(?:\(.*\))?) (?:\[[^\][]*\]|\(\d[^()]*\))$/u,
  end: /^\s{0,4}(?:Passed|Skipped|passed|skipped) \S|^(?:Failed|Passed)!|^Test (?:Run|run)\b|^Total tests:/u,
  reason(body) {
    const at = body.findIndex((line) => /^\s*Error Message:$/u.test(line));
    const end = body.findIndex((line) => /^\s*(?:Stack Trace:$|at )/u.test(line));
    const message = body.slice(at + 1, end < 0 ? undefined : end);
    return withValues(firstText(message), message);
  },
});

/** PHPUnit: `1) CartTest::testAdds`, and below it why. */
const phpunit = sections({
  tool: 'phpunit',
  heading: /^\d+\) (?<name>[\w\\]+::\S.*)$/u,
  end: /^(?:FAILURES|ERRORS|WARNINGS)!|^--$|^There (?:was|were) \d/u,
  reason: firstText,
});

/** RSpec: `  1) Cart adds`, `Failure/Error:`, and below it why. */
const rspec = sections({
  tool: 'rspec',
  heading: /^ {2}\d+\) (?<name>\S.*)$/u,
  end: /^\S/u,
  reason(body) {
    const at = body.findIndex((line) => /^\s+Failure\/Error:/u.test(line));
    if (at < 0) return null;
    const blank = body.findIndex((line, index) => index > at && line.trim() === '');
    const message = body.slice(blank < 0 ? at + 1 : blank + 1).filter((line) => !/^\s*# /u.test(line));
    const first = firstText(message);
    if (/^[\w:]+:$/u.test(first))
      return `${first} ${firstText(message.slice(message.findIndex((line) => line.trim() === first) + 1))}`;
    return withValues(/^(?:expected|got)[^:]*: /u.test(first) ? '' : first, message);
  },
});

/** minitest: `CartTest#test_adds [test/cart_test.rb:5]:`, and below it why. */
const minitest = sections({
  tool: 'minitest',
  heading: /^(?<name>[\w:]+#\w+)(?: \[(?<file>[^\]:]+):\d+\])?:$/u,
  end: /^\s+\d+\) |^\d+ (?:runs|tests), /u,
  reason: (body) => withValues(/^Expected: /u.test(firstText(body)) ? '' : firstText(body), body),
});

/** GoogleTest and CTest name what failed in lines of their own. */
const listed: Reader = {
  tool: 'ctest',
  read: (lines) =>
    lines.flatMap((line, at) => {
      const name =
        /^\[ {2}FAILED {2}\] (\S+?)(?:,| \(|$)/u.exec(line)?.[1] ??
        /^\s*\d+\/\d+ Test\s+#\d+: (\S+) \.*\**(?:Failed|Exception|Timeout)/u.exec(line)?.[1];
      return name === undefined || /^\d+$/u.test(name)
        ? []
        : [testSighting({ name, reason: '' }, [at, at + 1])];
    }),
};

/** Runners of other languages than Python and JavaScript. */
export const OTHER_RUNNERS: readonly Reader[] = [
  cargoTest,
  goTest,
  surefire,
  gradle,
  junitConsole,
  dotnet,
  phpunit,
  rspec,
  minitest,
  listed,
];
