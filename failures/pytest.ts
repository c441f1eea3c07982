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
    const sections = sightingsOf(SECTIONS, lines);
    // By header, null where several share it: class and name may be the same in several files; and by file and header.
    const sectionOf = new Map<string, Sighting | null>();
    for (const one of sections) {
      const header = one.name ?? '';
      if (!one.isTest) continue;
      sectionOf.set(header, sectionOf.has(header) ? null : one);
      for (const key of filesIn(lines, one).map((file) => `${file} ${header}`))
        if (!sectionOf.has(key)) sectionOf.set(key, one);
    }
    const start = lines.findLastIndex((line) => /^={3,} short test summary info ={3,}$/u.test(line));
    const known = new Set<string>();
    const summary = sightingsOf(SUMMARY, lines).flatMap((brief): Sighting[] => {
      const [file = '', ...names] = (brief.name ?? '').split('::');
      const header = names.join('.');
      if (brief.from < start) return [];
      known.add(header);
      const own = sectionOf.get(`${file} ${header}`) ?? sectionOf.get(header);
      const isCut = brief.reason === '' || brief.reason.endsWith('...');
      const reason = (isCut && own?.reason) || brief.reason;
      return [{ ...brief, ...own, name: brief.name, file, reason, isTest: header !== '' }];
    });
    const others = sections.filter(({ name, isTest }) => isTest && !known.has(name ?? ''));
    const found = [...summary, ...others.map((one) => withFile(one, filesIn(lines, one)[0]))];
    const tests = found.filter(({ isTest }) => isTest);
    const unloaded = sections.filter(({ isTest }) => !isTest);
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

/** `Class.test[a]` with the file that its section names: `file::Class::test[a]`. */
function withFile(section: Sighting, file: string | undefined): Sighting {
  if (file === undefined) return section;
  const [, plain = '', parameters = ''] = /^([^[]*)(.*)$/su.exec(section.name ?? '') ?? [];
  return { ...section, file, name: `${file}::${plain.replaceAll('.', '::')}${parameters}` };
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
