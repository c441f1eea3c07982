import type { Definition, TestFact } from '../facts.js';
import type { TestRules } from './rules.js';
import type { SourceText } from './source-text.js';

/** The most characters of a title. */
const TITLE = 200;

/** A call that may run a part of a test: offsets are of the text. */
export interface TestCall {
  readonly start: number;
  readonly end: number;
  /** Where its title ends. */
  readonly head: number;
  readonly title: string;
  readonly body: { readonly start: number; readonly end: number };
  readonly isSuite: boolean;
  /** The innermost definition around it. */
  readonly from: number | null;
}

/** What a test runner would run: functions, in the order of the text, and the parts that they run by calls. */
export function testsOf(
  path: string,
  text: SourceText,
  definitions: readonly Definition[],
  calls: readonly TestCall[],
  rules: TestRules,
): TestFact[] {
  if (rules.path && !rules.path.test(path)) return [];
  const isTest = definitions.map((one) => isTestFunction(one, path, definitions, rules));
  const tests = definitions.flatMap((one, definition): TestFact[] => {
    if (!isTest[definition]) return [];
    const { qualname, ordinal, signature, is_async, span } = one;
    const title = titleOf(one, rules);
    const suites = suitesOf(one, definitions, rules);
    return [{ title, definition, suites, qualname, ordinal, signature, is_async, span, body: span }];
  });
  const open: { end: number; suites: string[] }[] = [];
  const ordinals = new Map<string, number>();
  for (const { start, end, head, title: written, body, from, isSuite } of [...calls].sort(
    (a, b) => a.start - b.start,
  )) {
    while (open.length > 0 && (open[open.length - 1]?.end ?? 0) <= start) open.pop();
    const owner = from === null ? undefined : definitions[from];
    const around = owner && rules.entry?.test(owner.qualname) ? undefined : owner;
    const title = written.replace(/\s+/g, ' ').trim().slice(0, TITLE) || 'untitled';
    const outer = around ? [...suitesOf(around, definitions, rules), titleOf(around, rules)] : [];
    const suites = open[open.length - 1]?.suites ?? outer;
    open.push({ end, suites: [...suites, title] });
    if (isSuite) continue;
    const qualname = [...suites, title].join('.');
    const ordinal = (ordinals.get(qualname) ?? 0) + 1;
    ordinals.set(qualname, ordinal);
    tests.push({
      title,
      definition: null,
      suites: [...suites],
      qualname,
      ordinal,
      signature: `${text.signature(start, head)})`,
      is_async: false,
      span: text.span(start, end),
      body: text.span(body.start, body.end),
    });
  }
  return tests;
}

function isTestFunction(
  one: Definition,
  path: string,
  definitions: readonly Definition[],
  rules: TestRules,
): boolean {
  if (one.form !== 'function' && one.form !== 'method') return false;
  if (one.decorators.some((decorator) => rules.never?.test(decorator))) return false;
  if (one.decorators.some((decorator) => rules.decorator?.test(decorator))) return true;
  if (!rules.name?.test(one.name)) return false;
  const around = one.parent === null ? undefined : definitions[one.parent];
  if (!rules.base) return one.parent === null && one.form === 'function';
  const { collected } = rules;
  const suites = collected ? classesAround(one, definitions) : [];
  if (suites === null) return false;
  if (around && derives(around, rules.base, definitions)) return true;
  return (
    collected?.path.test(path) === true &&
    suites.every((suite) => collected.suite.test(suite.name) && !has(suite, collected.without, definitions))
  );
}

/** The classes around a definition; null in a function. */
function classesAround(one: Definition, definitions: readonly Definition[]): Definition[] | null {
  const found: Definition[] = [];
  for (let at = one.parent; at !== null; ) {
    const outer = definitions[at];
    if (outer?.form !== 'class') return null;
    found.push(outer);
    at = outer.parent;
  }
  return found;
}

/** Classes that derive from each other, as far as that is followed. */
const DEEPEST = 8;

/** Whether a class derives from such a one, by its own bases or by those of classes of the file. */
function derives(one: Definition, base: RegExp, definitions: readonly Definition[], depth = 0): boolean {
  return one.bases.some(({ name }) => {
    if (base.test(name)) return true;
    const own = definitions.find((each) => each.form === 'class' && each.qualname === name);
    return own !== undefined && own !== one && depth < DEEPEST && derives(own, base, definitions, depth + 1);
  });
}

function has(one: Definition, member: string, definitions: readonly Definition[]): boolean {
  return definitions.some(
    ({ name, parent }) => name === member && parent !== null && definitions[parent] === one,
  );
}

/** The title that a decorator gives, else the name. */
function titleOf({ name, decorators }: Definition, { title }: TestRules): string {
  for (const one of title ? decorators : []) {
    const given = title?.exec(one)?.[1];
    if (given !== undefined)
      return given.replace(/\\(.)/g, '$1').replace(/\s+/g, ' ').trim().slice(0, TITLE) || name;
  }
  return name;
}

/** The types around a definition, outermost first. */
function suitesOf(one: Definition, definitions: readonly Definition[], rules: TestRules): string[] {
  const suites: string[] = [];
  for (let at = one.parent; at !== null; ) {
    const outer = definitions[at];
    if (!outer) break;
    if (outer.form === 'class') suites.unshift(titleOf(outer, rules));
    at = outer.parent;
  }
  return suites;
}
