import { type Format, type Sighting, sightingsOf } from './engine.js';
import { ERROR_NAME, indentOf, isCutAt } from './output.js';

/** `____ Class.test[a] ____`: a section for each failure, and for what could not be loaded. */
const SECTIONS: Format = {
  tool: 'pytest',
  head: /^_{2,} (?!(?:_ )+_$)(?:ERROR collecting (?<unloaded>.+?)|(?:ERROR at (?:setup|teardown) of )?(?<name>.+?)) _{2,}$|^ImportError while loading conftest '(?<conftest>[^']+)'/u,
  end: /^={3,} .* ={3,}$|^!{3,} .* !{3,}$/u,
  // Calls with their sources, and at its end why.
  longest: 2000,
  named: ({ name, unloaded, conftest = '' }, body) => name ?? syntaxPlace(body) ?? unloaded ?? conftest,
  reason(body, { lines, from }) {
    const to = from + 1 + body.length;
    // A section that was cut off says no reason: the last line of a call is none.
    return errorIn(body) ?? (isCutAt(lines, to) || to === lines.length ? '' : null);
  },
};

/** `FAILED file::test - why`, in the summary. */
const SUMMARY: Format = {
  tool: 'pytest',
  head: /^(?:FAILED|(?<error>ERROR)) (?=.*\.\w+(?:::|$| - )|\S+::)(?<name>.*)/su,
  named: ({ name = '' }) => atDash(name).id,
  reason(_, { groups: { name = '', error } }) {
    const { id, reason } = atDash(name);
    return id.includes('::') || (error !== undefined && /^\S+\.py$/u.test(id)) ? reason : null;
  },
};

/** pytest: the tests of its summary with what their own sections say; errors of collecting are no test's. */
export const pytest: Format = {
  ...SECTIONS,
  outermostFirst: true,
  read(lines) {
    const all = sightingsOf(SECTIONS, lines);
    const sections = new Map<string | null, Sighting[]>();
    for (const one of all) if (one.isTest) sections.set(one.name, [...(sections.get(one.name) ?? []), one]);
    const start = lines.findLastIndex((line) => /^={3,} short test summary info ={3,}$/u.test(line));
    const summary = sightingsOf(SUMMARY, lines).flatMap((brief): Sighting[] => {
      const [file = '', ...names] = (brief.name ?? '').split('::');
      if (brief.from < start) return [];
      const same = sections.get(names.join('.')) ?? [];
      // Tests that share class and name in several files share a header: such a section belongs to the file it names.
      const own =
        same.find((one) => filesIn(lines, one).includes(file)) ?? (same.length > 1 ? null : same[0]);
      const isCut = brief.reason === '' || brief.reason.endsWith('...');
      const reason = (isCut && own?.reason) || brief.reason;
      return [{ ...brief, ...own, name: brief.name, file, reason, isTest: names.length > 0 }];
    });
    const known = new Set(summary.map(({ name }) => name?.split('::').slice(1).join('.')));
    const others = all.filter(({ name, isTest }) => isTest && !known.has(name ?? ''));
    const found = [...summary, ...others.map((one) => withFile(one, filesIn(lines, one)[0]))];
    const tests = found.filter(({ isTest }) => isTest);
    const unloaded = all.filter(({ isTest }) => !isTest);
    return tests.length > 0 ? tests : unloaded.length > 0 ? unloaded : found;
  },
};

/** `id - why`: a parameter in the id may hold a dash, too. */
function atDash(text: string): { id: string; reason: string } {
  for (let at = text.indexOf(' - '); at >= 0; at = text.indexOf(' - ', at + 1)) {
    const id = text.slice(0, at);
    if (!id.includes('[') || id.endsWith(']')) return { id, reason: text.slice(at + 3).trim() };
  }
  return { id: text.trim(), reason: '' };
}

function withFile(section: Sighting, file: string | undefined): Sighting {
  const [, plain = '', parameters = ''] = /^([^[]*)(.*)$/su.exec(section.name ?? '') ?? [];
  return file === undefined
    ? section
    : { ...section, file, name: `${file}::${plain.replaceAll('.', '::')}${parameters}` };
}

/** Files whose lines the calls of a section name. */
function filesIn(lines: readonly string[], { from, to }: Sighting): string[] {
  const place = /^((?:[\w.-]+\/)*[\w.-]+\.py):\d+:(?: |$)/u;
  return lines.slice(from, to).flatMap((line) => place.exec(line)?.[1] ?? []);
}

/** The message at the end of a section. What belongs to it, a difference of two values, is indented further. */
function errorIn(body: readonly string[]): string | undefined {
  const errors = body.flatMap((line) => /^E( +\S.*)$/u.exec(line)?.[1] ?? []);
  const indent = Math.min(...errors.map(indentOf));
  const messages = errors.filter((line) => indentOf(line) === indent).map((line) => line.trim());
  const isNamed = (line: string) => ERROR_NAME.test(line);
  return messages.findLast(isNamed) ?? messages[0] ?? body.findLast(isNamed);
}

/** Where a module that could not be loaded has a syntax error. */
function syntaxPlace(body: readonly string[]): string | null {
  if (!/^(?:Syntax|Indentation|Tab)Error\b/u.test(errorIn(body) ?? '')) return null;
  const [, file, line] = /^E +File "([^"]+)", line (\d+)/mu.exec(body.join('\n')) ?? [];
  return file === undefined ? null : `${file}:${line}`;
}
