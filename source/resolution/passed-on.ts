import type { ExportFact, FileFacts, ImportFact } from '../facts.js';
import { importedMeaning } from './exported-name.js';
import { foundTarget } from './found-target.js';
import { importTarget } from './import-target.js';
import type { Meaning } from './meaning.js';
import type { Program } from './program.js';
import type { PassedOn, Target } from './resolution.js';

/** A name that one import passes on: as the other module calls it (`*`: the module itself), here, and outside. */
interface PassedName {
  readonly imported: string;
  readonly local: string;
  readonly name: string;
}

/** Names under which one thing of a module is passed on, up to which each statement tells of all; else of its own. */
const MOST_SHARED = 16;

const SPACES = ['value', 'type'] as const;

/**
 * What a file offers to others of what it imports, by the import's index: re-exports, imports that an export list
 * names, and stars as `*`. What leads to nothing known is left out.
 */
export function passedOn(program: Program, path: string): ReadonlyMap<number, readonly PassedOn[]> {
  const facts = program.tables.get(path)?.facts;
  const found = new Map<number, PassedOn[]>();
  if (!facts || facts.exports.length === 0) return found;
  const own = new Set(facts.definitions.flatMap(({ parent, name }) => (parent === null ? [name] : [])));
  const given = givenOf(facts, own);
  for (const [index, fact] of facts.imports.entries()) {
    const taken = given.takenOf(fact);
    if (fact.from !== null) continue;
    const passed = taken.flatMap((one): PassedOn[] => {
      const name = nameOf(fact, one);
      return name ? meant(program, path, fact, name) : [];
    });
    if (passed.length > 0) found.set(index, passed);
  }
  return found;
}

/** What a file offers beside its own definitions, each once, and what of it one import can bring. */
interface Given {
  /** Asked once for each import, in their order. */
  takenOf(fact: ImportFact): readonly ExportFact[];
}

function givenOf({ exports }: FileFacts, own: ReadonlySet<string>): Given {
  const seen = new Set<string>();
  const byName = new Map<string, Set<number>>();
  const order: ExportFact[] = [];
  const add = (key: string, at: number) => byName.set(key, (byName.get(key) ?? new Set()).add(at));
  for (const one of exports) {
    const { name, local, module } = one;
    const key = `${module ?? ''}\0${local ?? '*'}`;
    if ((module === null && own.has(local ?? '')) || seen.has(`${key}\0${name}`)) continue;
    seen.add(`${key}\0${name}`);
    const at = order.push(one) - 1;
    // A value without a name here, as `exports.a = f()` has, comes of no import.
    if (module !== null || local !== null || name === '*') add(key, at);
    // An import without names takes whatever is passed on from its module.
    if (module !== null) add(`${module}\0`, at);
  }
  const passedBy = statementsOwn(exports);
  const isWide = (key: string) => !key.startsWith('\0') && (byName.get(key)?.size ?? 0) > MOST_SHARED;
  const takenOf = (fact: ImportFact): ExportFact[] => {
    const { module, names } = fact;
    const written = passedBy(fact);
    const keys = names.flatMap(({ imported, local }) => [
      `\0${local ?? '*'}`,
      `${module}\0${local ?? '*'}`,
      `${module}\0${imported}`,
    ]);
    if (names.length === 0) keys.push(`${module}\0`);
    const places = new Set(keys.flatMap((key) => (isWide(key) ? [] : [...(byName.get(key) ?? [])])));
    const shared = [...places].sort((a, b) => a - b).flatMap((at) => order[at] ?? []);
    return keys.some(isWide) ? [...new Set([...shared, ...written])] : shared;
  };
  return { takenOf };
}

/** What each statement of a script passes on from its module: a name of a list one export, a `require` those before it. */
function statementsOwn(exports: readonly ExportFact[]): (fact: ImportFact) => readonly ExportFact[] {
  const left = new Map<string, ExportFact[]>();
  for (const one of [...exports].reverse()) {
    if (one.module === null) continue;
    const key = `${one.module}\0${one.local ?? '*'}`;
    const known = left.get(key);
    if (known) known.push(one);
    else left.set(key, [one]);
  }
  return ({ kind, module, names, line }) => {
    if (kind !== 'reexport' && kind !== 'require') return [];
    return names.flatMap(({ imported }) => {
      const waiting = left.get(`${module}\0${imported}`) ?? [];
      if (kind === 'reexport') return waiting.pop() ?? [];
      const after = waiting.findLastIndex((one) => one.line > line);
      return waiting.splice(after + 1).reverse();
    });
  };
}

/** What an export takes of an import; null where it is of another one. */
function nameOf(fact: ImportFact, given: ExportFact): PassedName | null {
  const { name, local, module } = given;
  const isReexport = fact.kind === 'reexport';
  if (module === null) {
    if (isReexport) return null;
    if (local === null) return name === '*' && isStar(fact) ? { imported: '*', local: '*', name: '*' } : null;
    const bound = fact.names.find((one) => one.local === local);
    return bound ? { imported: bound.imported, local, name } : null;
  }
  if (module !== fact.module) return null;
  const imported = local ?? '*';
  const isNamed = fact.names.some((one) => one.imported === imported) || fact.names.length === 0;
  return isNamed && (isReexport || fact.kind === 'require') ? { imported, local: name, name } : null;
}

function isStar({ names }: ImportFact): boolean {
  return names.some(({ imported, local }) => imported === '*' && local === null);
}

function meant(program: Program, path: string, fact: ImportFact, { name, ...taken }: PassedName): PassedOn[] {
  if (name === '*') {
    const target = importTarget(program, path, fact.module);
    if ('file' in target) return [{ name, target: { module: target.file } }];
    return 'package' in target ? [{ name, target: { external: { package: target.package, name: '' } } }] : [];
  }
  const binding = { fact, ...taken };
  return each(name, (space) => importedMeaning(program, path, binding, space));
}

/** What a name means as a value and as a type, each once. */
function each(name: string, meaningOf: (space: (typeof SPACES)[number]) => Meaning | null): PassedOn[] {
  const found = new Map<string, Target>();
  for (const space of SPACES) {
    const { target } = foundTarget(meaningOf(space), name);
    if (!('unresolved' in target)) found.set(JSON.stringify(target), target);
  }
  return [...found.values()].map((target) => ({ name, target }));
}
