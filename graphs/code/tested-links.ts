import { compareText } from '../../runtime/index.js';
import { append, type Evidence, LIMITS, SymbolTestsSymbol } from '../../schema/index.js';
import {
  CONFIDENCE,
  type Definition,
  type FileFacts,
  isTestPath,
  type Resolution,
  type ResolvedImport,
  type ResolvedReference,
  type Target,
} from '../../source/index.js';
import { type Link, link } from './graph-part.js';
import { definitionTarget, isCall, type ReferenceSite } from './links.js';
import type { FileSymbols } from './symbols.js';

/** `pytest.fixture` and its kin, with or without arguments; the name that it is given, if any. */
const FIXTURE = /(?:^|[._])fixture(?:\s*\(|$)/;

const GIVEN_NAME = /\bname\s*=\s*['"]([^'"]+)['"]/;

const USED = /^(?:(?!(?:^|\.)usefixtures\s*\().)*(?:^|\.)usefixtures\s*\((.*)\)/s;

/** Methods that unittest and pytest run before each test of a class. */
const SET_UP = new Set(['setUp', 'asyncSetUp', 'setup_method']);

/** Helpers that may stand between a test and what it exercises. */
const MOST_HELPERS = 2;

/** Uses of one symbol, and symbols in one step, that are followed: a test of more exercises nothing in particular. */
const MOST_FOLLOWED = 256;

/** Places that one edge names: more say no more of a test. */
const MOST_PLACES = 32;

/** What the ids of classes begin with. */
const CLASS = 'cls:';

/** One use that a symbol of the file makes of a definition of the project. */
interface Use {
  /** The id of the definition. */
  readonly to: string;
  readonly isCall: boolean;
  readonly resolved: ResolvedReference;
}

/** What is known of the file's symbols: the uses that each makes itself, and what each encloses. */
interface Body {
  readonly uses: ReadonlyMap<string, readonly Use[]>;
  readonly children: ReadonlyMap<string, readonly string[]>;
  /** Symbols of this file that are followed and not tested: those of a test's file, and what tests enclose. */
  readonly helpers: ReadonlySet<string>;
  /** Fixtures that a symbol asks for by its parameters. */
  readonly fixtures: ReadonlyMap<string, readonly string[]>;
}

/**
 * Each test of a file to what it exercises: the symbols that its body calls or constructs, through helpers
 * and fixtures of the same file, the nearest way to each; where it calls nothing of the project, those that it names.
 * What only helpers of other files reach is left out: that would be nearly everything.
 */
export function testedLinks(site: ReferenceSite, resolution: Resolution): Link[] {
  if (site.symbols.tests.size === 0) return [];
  const body = bodyOf(site, resolution);
  return [...site.symbols.tests].flatMap((test) => [...testedBy(test, body).values()]);
}

function bodyOf(site: ReferenceSite, resolution: Resolution): Body {
  const { symbols, facts, path } = site;
  const uses = new Map<string, Use[]>();
  const brought = new Map<string, ResolvedImport>();
  for (const one of resolution.imports)
    for (const { local } of facts.imports[one.import]?.names ?? [])
      if (local !== null && !brought.has(local)) brought.set(local, one);
  for (const resolved of resolution.references) {
    const reference = facts.references[resolved.reference];
    const from = site.owners[resolved.reference];
    if (!reference || !from) continue;
    const known = uses.get(from);
    if (known && known.length >= MOST_FOLLOWED) continue;
    const to = usedBy(site, resolved, brought);
    // Of a member that is not known the receiver is: by the import that brings it.
    const sure: ResolvedReference =
      'definition' in resolved.target
        ? resolved
        : { ...resolved, resolution: 'import', confidence: CONFIDENCE.import };
    const isUsed = isCall(reference) || resolved.called === true;
    for (const each of to) append(uses, from, { to: each, isCall: isUsed, resolved: sure });
  }
  const children = new Map<string, string[]>();
  for (const [id, parent] of symbols.parents) if (parent !== null) append(children, parent, id);
  const helpers = new Set(isTestPath(path) ? symbols.parents.keys() : within(symbols.tests, children));
  return { uses, children, helpers, fixtures: fixturesOf(facts, symbols) };
}

/**
 * The definitions that a reference leads to, those of other tests' files left out. What constructs a class exercises the
 * class; of a helper it runs the constructor.
 */
function usedBy(
  site: ReferenceSite,
  resolved: ResolvedReference,
  brought: ReadonlyMap<string, ResolvedImport>,
): string[] {
  const { target, constructor_method } = resolved;
  const targets: Target[] = 'definition' in target ? [target] : receiverOf(site, resolved, brought);
  if (constructor_method?.file === site.path && isTestPath(site.path)) targets.push(constructor_method);
  return targets.flatMap((one) => {
    if (!('definition' in one) || (one.file !== site.path && isTestPath(one.file))) return [];
    const id = definitionTarget(site, one);
    return id === null ? [] : [id];
  });
}

/** What an imported receiver is, of which the member is not known: `app` of `app.request('/')`. */
function receiverOf(
  { facts }: ReferenceSite,
  { reference }: ResolvedReference,
  brought: ReadonlyMap<string, ResolvedImport>,
): Target[] {
  const { receiver, local } = facts.references[reference] ?? {};
  const root = local === false ? /^[\w$]+/.exec(receiver ?? '')?.[0] : undefined;
  if (root === undefined) return [];
  const found = brought.get(root);
  // Of several names it is not known which definition belongs to which.
  return found && facts.imports[found.import]?.names.length === 1 ? found.definitions.slice() : [];
}

function testedBy(test: string, body: Body): Map<string, Link> {
  const links = new Map<string, Link>();
  const followed = new Set<string>();
  let near: readonly string[] = [test];
  for (let distance = 1; distance <= MOST_HELPERS + 1 && near.length > 0; distance++) {
    const owners = within(near, body.children)
      .filter((id) => !followed.has(id))
      .slice(0, MOST_FOLLOWED);
    for (const owner of owners) followed.add(owner);
    const uses = owners.flatMap((owner) => body.uses.get(owner) ?? []).sort(byPlace);
    const called = uses.filter((use) => use.isCall && !body.helpers.has(use.to));
    addLinks(links, test, called, { via: distance === 1 ? 'call' : 'helper', distance });
    // A helper may be handed over instead of being called: `it('works', check)`.
    const helpers = uses.filter(({ to }) => body.helpers.has(to)).map(({ to }) => to);
    const fixtures = owners.flatMap((owner) => body.fixtures.get(owner) ?? []);
    near = [...new Set([...helpers, ...fixtures])].slice(0, MOST_FOLLOWED);
    if (links.size >= LIMITS.testedSymbols.max) return links;
  }
  if (links.size > 0) return links;
  const own = within([test], body.children).flatMap((owner) => body.uses.get(owner) ?? []);
  const named = own.filter(({ to }) => !body.helpers.has(to)).sort(byPlace);
  addLinks(links, test, named, { via: 'reference', distance: 1 });
  return links;
}

function addLinks(
  links: Map<string, Link>,
  test: string,
  uses: readonly Use[],
  way: { via: 'call' | 'helper' | 'reference'; distance: number },
): void {
  const targets = new Map<string, ResolvedReference[]>();
  for (const { to, resolved } of uses) if (to !== test && !links.has(to)) append(targets, to, resolved);
  for (const [to, places] of targets) {
    if (links.size >= LIMITS.testedSymbols.max) return;
    const evidence: Evidence[] = places
      .slice(0, MOST_PLACES)
      .map(({ evidence: { line, expression } }) => ({ line, expression }));
    const { line, column } = places[0]?.evidence ?? { line: 0, column: 0 };
    const { resolution, confidence } = places.reduce((best, one) =>
      one.confidence > best.confidence ? one : best,
    );
    const props = { line, column: column ?? 0, resolution, confidence, evidence, ...way };
    links.set(to, link(test, SymbolTestsSymbol, to, props));
  }
}

/** Symbols and all that they enclose. */
function within(ids: Iterable<string>, children: ReadonlyMap<string, readonly string[]>): string[] {
  const found = new Set(ids);
  // Not every method of a class that a helper constructs is run.
  for (const id of found)
    if (!id.startsWith(CLASS)) for (const child of children.get(id) ?? []) found.add(child);
  return [...found];
}

function byPlace(a: Use, b: Use): number {
  const [x, y] = [a.resolved.evidence, b.resolved.evidence];
  return x.line - y.line || (x.column ?? 0) - (y.column ?? 0) || compareText(a.to, b.to);
}

/**
 * The fixtures of the same file that functions ask for by the names of their parameters, or by `usefixtures`, as
 * pytest hands them over, and of tests what their class sets up; by the ids of both. A fixture of the own class hides
 * one of the module.
 */
function fixturesOf(
  { language, definitions }: FileFacts,
  { ids, tests }: FileSymbols,
): Map<string, string[]> {
  const found = new Map<string, string[]>();
  if (language !== 'python') return found;
  const fixtures = new Map<string, string>();
  for (const [index, definition] of definitions.entries()) {
    const decorator = definition.decorators.find((each) => FIXTURE.test(each));
    const owner = ownerOf(definition, definitions);
    const setUp = owner !== '' && SET_UP.has(definition.name) ? definition.name : undefined;
    const name = decorator ? (GIVEN_NAME.exec(decorator)?.[1] ?? definition.name) : setUp;
    if (name !== undefined && owner !== undefined) fixtures.set(`${owner}\0${name}`, ids[index] ?? '');
  }
  if (fixtures.size === 0) return found;
  for (const [index, definition] of definitions.entries()) {
    if (definition.form !== 'function' && definition.form !== 'method') continue;
    const owner = ownerOf(definition, definitions);
    const own = ids[index] ?? '';
    const names = tests.has(own) ? [...namesOf(definition), ...SET_UP] : namesOf(definition);
    const asked = names.flatMap((name) => {
      const fixture = fixtures.get(`${owner}\0${name}`) ?? fixtures.get(`\0${name}`);
      return fixture === undefined || fixture === own ? [] : [fixture];
    });
    if (asked.length > 0) found.set(own, asked);
  }
  return found;
}

/** The qualified name of the class around a method, empty for what stands at the top; undefined for anything else. */
function ownerOf({ parent }: Definition, definitions: readonly Definition[]): string | undefined {
  if (parent === null) return '';
  const around = definitions[parent];
  return around?.form === 'class' ? around.qualname : undefined;
}

function namesOf({ parameters, decorators }: Definition): string[] {
  const used = decorators.flatMap((each) =>
    [...(USED.exec(each)?.[1] ?? '').matchAll(/['"]([^'"]+)['"]/g)].map(([, name = '']) => name),
  );
  return [...parameters.map(({ name }) => name), ...used];
}
