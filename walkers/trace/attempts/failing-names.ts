/** Names of what failed that are taken from one text: a run in which more fails is broken as a whole. */
const MOST_NAMES = 500;
/** A longer name is a line of prose. */
const LONGEST = 300;
/** Lines longer than this name nothing. */
const LONGEST_LINE = 1000;
/** How long it took, behind a name: `(3 ms)`, `0.12s`. */
const DURATION = /\s*\(?\b\d+(?:\.\d+)?\s?m?s\)?$/u;

/** The module or class in front of a test's own name: headings and summaries of one run differ in it. */
const OWNER = /^(?:[^\s[]*::|(?:\w+\.)+(?=\w+(?:\[|$)))/u;

/** How runners and compilers name what failed, one line each; the first group is the name. */
const FORMS: readonly RegExp[] = [
  // pytest: the heading of a failure, and its line in the summary.
  /^_{3,} (?:ERROR (?:at \w+ of |collecting ))?(\S.*?) _{3,}$/u,
  /^(?:FAILED|ERROR) \S+?::(\S.*?)(?: - .*)?$/u,
  // unittest: `FAIL: test_x (module.Class)`.
  /^(?:FAIL|ERROR): (\w+) \(/u,
  // vitest: `FAIL  file > suite > test`, with `>` or `›`; a project's name may stand first.
  /^\s*(?:FAIL|❯)\s+(?:\|[^|]*\|\s+)?\S+\.\w+\s+[>›]\s+(.+)$/u,
  // jest: `● suite › test`; jest, mocha and node:test mark single tests.
  /^\s*●\s+(?!Console\b)(.+ › .+)$/u,
  /^\s*[×✕✗✘✖]\s+(?:\S+\.\w+\s+[>›]\s+)?(.+)$/u,
  // TAP, go, cargo, gtest, JUnit.
  /^\s*not ok \d+ -? ?(.+?)(?: # .*)?$/u,
  /^\s*--- FAIL: (\S+)/u,
  /^test (\S+) \.\.\. FAILED$/u,
  /^\[ {2}FAILED {2}\] (\S+?)(?:,| \(|$)/u,
  /^\[ERROR\]\s+(\w+(?:\.\w+)+):\d+/u,
  // Compilers: the rule that was broken in a file.
  /^(\S+?\.\w+)[(:]\d+[,:]\d+\)?:? (?:- )?error (TS\d+)/u,
];

/**
 * What failed, by the names that the runner or compiler gave it: each test in full, and what it is a case of
 * (`test_x[1]` is also `test_x`, `suite > case` also `suite`), so that other cases of the same test count as near.
 * Empty for a text that names nothing.
 */
export function failingNames(text: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const line of text.split('\n')) {
    if (line.length > LONGEST_LINE) continue;
    for (const form of FORMS) {
      const match = form.exec(line.trimEnd());
      if (match) for (const name of casesOf(match.slice(1).join(' '))) names.add(name);
    }
    if (names.size >= MOST_NAMES) break;
  }
  return names;
}

function casesOf(named: string): string[] {
  const full = named.replace(DURATION, '').trim();
  if (full === '' || full.length > LONGEST) return [];
  const parts = full.split(/\s+[>›]\s+/u);
  const name = parts.length > 1 ? parts.join(' > ') : full.replace(OWNER, '');
  const whole = parts.length > 1 ? parts.slice(0, -1).join(' > ') : name.replace(/\[.*$/su, '');
  return [name, whole].filter((one) => one !== '');
}
