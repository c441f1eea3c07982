import { compareText } from '../../../runtime/index.js';
import { type Evidence, SymbolTestsSymbol } from '../../../schema/index.js';
import {
  CONFIDENCE,
  isTestPath,
  type Resolution,
  type ResolvedImport,
  type ResolvedReference,
  type Target,
} from '../../../source/index.js';
import { type Link, link } from './code-graph.js';
import { fixturesOf } from './fixtures.js';
import { definitionTarget, isCall, MAX_EVIDENCE, type ReferenceSite } from './references.js';

/** Helpers that may stand between a test and what it exercises. */
const MOST_HELPERS = 2;

/** Symbols and uses that one test is followed through: all tests of a file may go through the same ones. */
const MOST_FOLLOWED = 1000;

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
 * Each test of a file to what it exercises (S3-23): the symbols that its body calls or constructs, through helpers
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
  for (const resolved of resolution.references) {
    const reference = facts.references[resolved.reference];
    const from = site.owners[resolved.reference];
    if (!reference || !from) continue;
    const to = usedBy(site, resolved, resolution);
    // Of a member that is not known the receiver is: by the import that brings it.
    const sure: ResolvedReference =
      'definition' in resolved.target
        ? resolved
        : { ...resolved, resolution: 'import', confidence: CONFIDENCE.import };
    for (const each of to) push(uses, from, { to: each, isCall: isCall(reference), resolved: sure });
  }
  const children = new Map<string, string[]>();
  for (const [id, parent] of symbols.parents) if (parent !== null) push(children, parent, id);
  const helpers = new Set(
    isTestPath(path) ? symbols.parents.keys() : within(symbols.tests, children, Number.POSITIVE_INFINITY),
  );
  return { uses, children, helpers, fixtures: fixturesOf(facts, symbols) };
}

/**
 * The definitions that a reference leads to, those of other tests' files left out. What constructs a class exercises the
 * class; of a helper it runs the constructor.
 */
function usedBy(site: ReferenceSite, resolved: ResolvedReference, { imports }: Resolution): string[] {
  const { target, constructor_method } = resolved;
  const targets: Target[] = 'definition' in target ? [target] : receiverOf(site, resolved, imports);
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
  imports: Resolution['imports'],
): Target[] {
  const { receiver, local } = facts.references[reference] ?? {};
  const root = local === false ? /^[\w$]+/.exec(receiver ?? '')?.[0] : undefined;
  if (root === undefined) return [];
  let byName = importsByName.get(imports);
  if (!byName) {
    const made = new Map<string, ResolvedImport>();
    for (const one of imports)
      for (const name of facts.imports[one.import]?.names ?? [])
        if (name.local !== null && !made.has(name.local)) made.set(name.local, one);
    byName = made;
    importsByName.set(imports, made);
  }
  const found = byName.get(root);
  // Of several names it is not told which definition is whose.
  return found && facts.imports[found.import]?.names.length === 1 ? found.definitions.slice() : [];
}

/** The first import that binds each name. */
const importsByName = new WeakMap<Resolution['imports'], ReadonlyMap<string, ResolvedImport>>();

function testedBy(test: string, body: Body): Map<string, Link> {
  const links = new Map<string, Link>();
  const followed = new Set<string>();
  let near: readonly string[] = [test];
  for (let distance = 1; distance <= MOST_HELPERS + 1 && near.length > 0; distance++) {
    const owners = within(near, body.children).filter((id) => !followed.has(id));
    for (const owner of owners) followed.add(owner);
    const uses = usesOf(owners, body).sort(byPlace);
    const called = uses.filter((use) => use.isCall && !body.helpers.has(use.to));
    addLinks(links, test, called, { via: distance === 1 ? 'call' : 'helper', distance });
    // A helper may be handed over instead of being called: `it('works', check)`.
    const helpers = uses.filter(({ to }) => body.helpers.has(to)).map(({ to }) => to);
    near = [...helpers, ...owners.flatMap((owner) => body.fixtures.get(owner) ?? [])];
  }
  if (links.size > 0) return links;
  const own = usesOf(within([test], body.children), body);
  const named = own.filter(({ to }) => !body.helpers.has(to)).sort(byPlace);
  addLinks(links, test, named, { via: 'reference', distance: 1 });
  return links;
}

/** What some symbols use, as far as a test is followed. */
function usesOf(owners: readonly string[], body: Body): Use[] {
  const uses: Use[] = [];
  for (const owner of owners)
    for (const use of body.uses.get(owner) ?? []) if (uses.push(use) >= MOST_FOLLOWED) return uses;
  return uses;
}

function addLinks(
  links: Map<string, Link>,
  test: string,
  uses: readonly Use[],
  way: { via: 'call' | 'helper' | 'reference'; distance: number },
): void {
  const targets = new Map<string, ResolvedReference[]>();
  for (const { to, resolved } of uses) if (to !== test && !links.has(to)) push(targets, to, resolved);
  for (const [to, places] of targets) {
    const evidence: Evidence[] = places
      .slice(0, MAX_EVIDENCE)
      .map(({ evidence: { line, expression } }) => ({ line, expression }));
    const { line, column } = places[0]?.evidence ?? { line: 0, column: 0 };
    const { resolution, confidence } = places.reduce((best, one) =>
      one.confidence > best.confidence ? one : best,
    );
    const props = { line, column: column ?? 0, resolution, confidence, evidence, ...way };
    links.set(to, link(test, SymbolTestsSymbol, to, props));
  }
}

/** Symbols and all that they enclose, as far as a test is followed. */
function within(
  ids: Iterable<string>,
  children: ReadonlyMap<string, readonly string[]>,
  most = MOST_FOLLOWED,
): string[] {
  const found = new Set(ids);
  // Not every method of a class that a helper constructs is run.
  for (const id of found) {
    if (found.size > most) break;
    if (!id.startsWith(CLASS)) for (const child of children.get(id) ?? []) found.add(child);
  }
  return [...found];
}

function byPlace(a: Use, b: Use): number {
  const [x, y] = [a.resolved.evidence, b.resolved.evidence];
  return x.line - y.line || (x.column ?? 0) - (y.column ?? 0) || compareText(a.to, b.to);
}

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const known = map.get(key);
  if (known) known.push(value);
  else map.set(key, [value]);
}
