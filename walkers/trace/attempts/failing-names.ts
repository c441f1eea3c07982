/** Names of what failed that are taken from one text: a run in which more fails is broken as a whole. */
const MOST_NAMES = 500;
/** A longer name is a line of prose. */
const LONGEST = 300;
/** Lines longer than this name nothing. */
const LONGEST_LINE = 1000;
/** How long it took, behind a name: `(3 ms)`, `0.12s`. */
const DURATION = /(?<!\s)\s*\(?\b\d+(?:\.\d+)?\s?m?s\)?$/u;

/** The module or class in front of a test's own name: headings and summaries of one run differ in it. */
const OWNER = /^(?:[^\s[]*::|(?:\w+\.)+(?=\w+(?:\[|$)))/u;

/** How runners and compilers name what failed, one line each: `name`, and `file` where the line tells it. */
const FORMS: readonly RegExp[] = [
  // pytest: the heading of a failure, and its line in the summary. A file that could not be loaded is no test: why it
  // could not says more.
  /^_{3,} (?!ERROR collecting )(?:ERROR at \w+ of )?(?<name>\S.*?) _{3,}$/u,
  /^(?:FAILED|ERROR) (?<file>\S+?)::(?<name>\S.*?)(?: - .*)?$/su,
  // unittest: `FAIL: test_x (module.Class)`.
  /^(?:FAIL|ERROR): (?<name>\w+) \(/u,
  // vitest: `FAIL  file > suite > test`, with `>` or `›`; a project's name may stand first.
  /^\s*(?:FAIL|❯)\s+(?:\|[^|]*\|\s+)?(?<file>\S+\.\w+)\s+[>›]\s+(?<name>.+)/su,
  // jest: `● suite › test`; jest, mocha and node:test mark single tests.
  /^\s*●\s+(?=\S)(?!Console\b)(?<name>.+ › .+)/su,
  /^\s*[×✕✗✘✖]\s+(?=\S)(?:(?<file>\S+\.\w+)\s+[>›]\s+(?=\S))?(?<name>.+)/su,
  // TAP, go, cargo, gtest, JUnit.
  /^\s*not ok \d+ -? ?(?<name>.+?)(?: # .*)?$/su,
  /^\s*--- FAIL: (?<name>\S+)/u,
  /^test (?<name>\S+) \.\.\. FAILED$/u,
  /^\[ {2}FAILED {2}\] (?<name>\S+?)(?:,| \(|$)/u,
  /^\[ERROR\]\s+(?<name>\w+(?:\.\w+)+):\d+/u,
  // Compilers: the rule that was broken in a file, and how; lines move.
  /^(?<file>\S+?\.\w+)[(:]\d+[,:]\d+\)?:? (?:- )?error (?<rule>TS\d+)(?:: (?<name>.+))?/u,
];

/** One thing that failed. */
export interface FailingTest {
  /** In full, with the case: `test_x[1]`, `suite > case`. */
  readonly name: string;
  /** What it is a case of: `test_x`, `suite`; its own name where it is no case. */
  readonly whole: string;
  /** Its file, as the text names it; null where no line does. */
  readonly file: string | null;
}

/** What failed, by the names that the runner or compiler gave it, each once, in the order of the text. */
export function failingTests(text: string): FailingTest[] {
  const tests = new Map<string, FailingTest>();
  for (const line of text.split('\n')) {
    if (line.length > LONGEST_LINE) continue;
    for (const form of FORMS) {
      const { name: named = '', rule, file = null } = form.exec(line.trimEnd())?.groups ?? {};
      const test = testNamed(rule === undefined ? named : `${file} ${rule} > ${named}`, file);
      if (test) tests.set(test.name, { ...test, file: test.file ?? tests.get(test.name)?.file ?? null });
    }
    if (tests.size >= MOST_NAMES) break;
  }
  return [...tests.values()];
}

/**
 * The names of {@link failingTests}: each test in full, and what it is a case of, so that other cases of the same test
 * count as near. Empty for a text that names nothing.
 */
export function failingNames(text: string): ReadonlySet<string> {
  return new Set(failingTests(text).flatMap(({ name, whole }) => [name, whole]));
}

/** A test by a name that a runner or a person gives it; null where it is none. */
export function testNamed(named: string, file: string | null): FailingTest | null {
  const full = named.replace(DURATION, '').replace(/ > $/u, '').trim();
  if (full === '' || full.length > LONGEST) return null;
  const parts = full.split(/(?<!\s)\s+[>›]\s+/u);
  const name = parts.length > 1 ? parts.join(' > ') : full.replace(OWNER, '');
  const whole = parts.length > 1 ? parts.slice(0, -1).join(' > ') : name.replace(/\[.*$/su, '');
  return name === '' ? null : { name, whole: whole === '' ? name : whole, file };
}
