import { ERROR_NAME, indentOf, isCutAt, sectionEnd } from './output.js';
import { type Reader, type Sighting, testFileOf, testSighting } from './reader.js';

/** `____ name ____`: a section for each failure. */
const HEADER = /^_{2,} (.+?) _{2,}$/u;
const SECTION_END =
  /^_{2,} .+ _{2,}$|^={3,} .* ={3,}$|^!{3,} .* !{3,}$|^ImportError while loading conftest /u;
/** Lines of a section: calls with their sources, and at its end why. */
const LONGEST_SECTION = 2000;
const LOADING = /^ImportError while loading conftest '([^']+)'|^ERROR collecting (.+)/u;
/** How pytest ends what its terminal's width cut off. */
const TRUNCATED = '...';

/** What a failure's own section says. */
interface Section {
  /** `Class.test[a]`, or what could not be loaded. */
  readonly header: string;
  /** Of a test or module that could not be loaded: its file. */
  readonly unloaded: string | null;
  readonly reason: string;
  /** Of a syntax error: `file:line`. */
  readonly place: string | null;
  readonly files: readonly string[];
  readonly from: number;
  readonly to: number;
}

/** pytest: the summary's `FAILED file::test - why`, with the tests' own sections; errors of collecting are no test's. */
export const pytest: Reader = {
  tool: 'pytest',
  outermostFirst: true,
  read(lines) {
    const all = sectionsOf(lines);
    const tests = all.filter(({ unloaded }) => unloaded === null);
    const summary = summaryOf(lines, tests);
    const known = new Set(summary.map(({ name }) => headerOf(name ?? '')));
    const others = tests.filter(({ header }) => !known.has(header)).map(sightingOf);
    const found = [...summary, ...others];
    if (found.some(({ isTest }) => isTest)) return found.filter(({ isTest }) => isTest);
    const unloaded = all.flatMap(({ unloaded, place, reason, from, to }): Sighting[] =>
      unloaded === null ? [] : [{ name: place ?? unloaded, file: unloaded, reason, from, to, isTest: false }],
    );
    if (unloaded.length + found.length > 0) return unloaded.length > 0 ? unloaded : found;
    return lines.flatMap((line, at) => {
      const name = /^(?=\S+::)(.*) (?:FAILED|ERROR) {1,80}\[ {0,2}\d{1,3}%\]$/u.exec(line)?.[1];
      return name === undefined ? [] : [testSighting({ name, file: fileOf(name), reason: '' }, [at, at + 1])];
    });
  },
};

function summaryOf(lines: readonly string[], tests: readonly Section[]): Sighting[] {
  const sectionOf = new Map(tests.map((section) => [section.header, section]));
  // Tests that share class and name in several files share a header: such a section belongs to the file it names.
  const sectionFor = (id: string): Section | undefined => {
    const own = tests.filter(
      ({ header, files }) => header === headerOf(id) && files.includes(fileOf(id) ?? ''),
    );
    const several = tests.filter(({ header }) => header === headerOf(id)).length > 1;
    return own[0] ?? (several ? undefined : sectionOf.get(headerOf(id)));
  };
  const start = lines.findLastIndex((line) => /^={3,} short test summary info ={3,}$/u.test(line));
  return lines.flatMap((line, at): Sighting[] => {
    const text =
      /^(?:FAILED|ERROR) (?=.*\.\w+(?:::|$| - ))(.*)/su.exec(line)?.[1] ??
      /^(?:FAILED|ERROR) (\S+::.*)/su.exec(line)?.[1];
    if (text === undefined || at < start) return [];
    const { id, reason } = atDash(text);
    const file = fileOf(id);
    if (!id.includes('::'))
      return /^\S+\.py$/u.test(id) && line.startsWith('ERROR ')
        ? [{ name: id, file: id, reason, from: at, to: at + 1, isTest: false }]
        : [];
    const own = sectionFor(id);
    const isCut = reason === '' || reason.endsWith(TRUNCATED);
    const why = isCut ? own?.reason || reason : reason;
    return [testSighting({ name: id, file, reason: why }, own ? [own.from, own.to] : [at, at + 1])];
  });
}

/** `id - why`: a parameter in the id may hold a dash, too. */
function atDash(text: string): { id: string; reason: string } {
  for (let at = text.indexOf(' - '); at >= 0; at = text.indexOf(' - ', at + 1)) {
    const id = text.slice(0, at);
    if (!id.includes('[') || id.endsWith(']')) return { id, reason: text.slice(at + 3).trim() };
  }
  return { id: text.trim(), reason: '' };
}

/** A test's name above its section: `file::Class::test[a]` is `Class.test[a]`. */
function headerOf(id: string): string {
  const [, ...names] = id.split('::');
  return names.join('.');
}

function fileOf(id: string): string | null {
  return id.split('::', 1)[0] || null;
}

function sightingOf({ header, files, reason, from, to }: Section): Sighting {
  const bracket = header.indexOf('[');
  const plain = bracket < 0 ? header : header.slice(0, bracket);
  const id = `${plain.replaceAll('.', '::')}${header.slice(plain.length)}`;
  const [file = null] = files;
  return testSighting({ name: file === null ? header : `${file}::${id}`, file, reason }, [from, to]);
}

function sectionsOf(lines: readonly string[]): Section[] {
  return lines.flatMap((line, from) => {
    const header = HEADER.exec(line)?.[1] ?? (LOADING.test(line) ? line : undefined);
    if (header === undefined || /^(?:_ )+_$/u.test(line)) return [];
    const to = sectionEnd(lines, from + 1, SECTION_END, LONGEST_SECTION);
    const body = lines.slice(from + 1, to);
    const errors = body.flatMap((one) => /^E( +\S.*)$/u.exec(one)?.[1] ?? []);
    // What belongs to a message, a difference of two values, is indented further.
    const indent = Math.min(...errors.map(indentOf));
    const messages = errors.filter((one) => indentOf(one) === indent).map((one) => one.trim());
    const reason =
      messages.findLast((one) => ERROR_NAME.test(one)) ??
      messages[0] ??
      body.findLast((one) => ERROR_NAME.test(one));
    // A section that was cut off says no reason: the last line of a call is none.
    if (reason === undefined && !isCutAt(lines, to) && to < lines.length) return [];
    const [, conftest, module] = LOADING.exec(header) ?? [];
    const [, file, at] = body.join('\n').match(/^E +File "([^"]+)", line (\d+)/mu) ?? [];
    const isSyntax = /^(?:Syntax|Indentation|Tab)Error\b/u.test(reason ?? '');
    return [
      {
        header: header.replace(/^ERROR at (?:setup|teardown) of /u, ''),
        unloaded: conftest ?? module ?? null,
        reason: reason ?? '',
        place: isSyntax && file !== undefined ? `${file}:${at}` : null,
        files: body.flatMap((one) => /^((?:[\w.-]+\/)*[\w.-]+\.py):\d+:(?: |$)/u.exec(one)?.[1] ?? []),
        from,
        to,
      },
    ];
  });
}

/** unittest: `FAIL: test_a (module.Class.test_a)`, a traceback, and at its end why. */
export const unittest: Reader = {
  tool: 'unittest',
  outermostFirst: true,
  read: (lines) =>
    lines.flatMap((line, from) => {
      const [, method, owner, sub = ''] = /^(?:FAIL|ERROR): (\S+) \(([\w.]+)\)(.*)$/u.exec(line) ?? [];
      if (method === undefined || owner === undefined) return [];
      const to = sectionEnd(lines, from + 2, /^(?:={10,}|-{10,})$|^(?:FAIL|ERROR): /u);
      const body = lines.slice(from + 1, to);
      const reason = body.findLast((one) => /^[A-Za-z_][\w.]*(?:: |$)/u.test(one)) ?? '';
      const files = body.flatMap((one) => /^ {2}File "([^"]+)", line \d+, in (.*)$/u.exec(one)?.[1] ?? []);
      const own = body.flatMap((one) => {
        const [, file, name] = /^ {2}File "([^"]+)", line \d+, in (.*)$/u.exec(one) ?? [];
        return file !== undefined && name === method ? [file] : [];
      });
      const name = owner.endsWith(`.${method}`) ? owner : `${owner}.${method}`;
      const isTest = !owner.startsWith('unittest.loader.');
      const file = own[0] ?? testFileOf(files);
      return [{ ...testSighting({ name: `${name}${sub.trimEnd()}`, file, reason }, [from, to]), isTest }];
    }),
};
