import type { Definition } from '../facts.js';
import { EXPRESSION_KINDS, type ExpressionKind, TYPE_KINDS, type UnitBuilder } from '../ir/index.js';
import { endOf, startOf } from './late-references.js';
import { joined, type Origin, type SeenArgument, type SeenCall } from './routes.js';
import type { LoweredCall, LoweringRules } from './rules.js';
import type { Scopes } from './scopes.js';
import { NONE, type NodeId, type SyntaxTree } from './syntax-tree.js';
import type { TestCall } from './tests.js';

/** What the watcher asks of the file that is lowered. */
export interface WatchedFile {
  readonly tree: SyntaxTree;
  readonly unit: UnitBuilder;
  readonly scopes: Scopes;
  readonly definitions: readonly Definition[];
  /** The name of an expression that is a name or member. */
  nameOf(row: number): string;
  /** The module of an import, by its number. */
  moduleOf(index: number): string | undefined;
}

/** How many steps the origin of a value is followed. */
const FAR = 8;

/** Takes note of calls that may register routes or run parts of tests, with what is known of their receivers there. */
export class WatchedCalls {
  readonly routes: SeenCall[] = [];
  readonly tests: TestCall[] = [];
  readonly #routeNames: ReadonlySet<string>;
  readonly #testNames: ReadonlySet<string>;
  /** What routers that calls give put in front of their routes, by the row of the call. */
  readonly #prefixes = new Map<number, string>();
  /** The first definition of each qualified name, as far as there were definitions when one was asked for. */
  readonly #byName = new Map<string, number>();
  #named = 0;
  /** How many imports were looked at, and whether one of them is of a framework. */
  #imports = 0;
  #isUsed = false;

  constructor(
    private readonly file: WatchedFile,
    private readonly rules: LoweringRules,
  ) {
    const { route, test } = namesOf(rules);
    this.#routeNames = route;
    this.#testNames = test;
  }

  isWatched(name: string): boolean {
    return this.#routeNames.has(name) || this.#testNames.has(name);
  }

  see(call: LoweredCall): void {
    const name = this.file.tree.textOf(call.name);
    if (this.#testNames.has(name)) this.#test(name, call);
    if (this.#routeNames.has(name)) this.#route(name, call);
  }

  #test(name: string, { node, given, from, title: called }: LoweredCall): void {
    const { tree } = this.file;
    const rule = this.rules.tests?.calls?.find((one) => one.name === name);
    const title = given[rule?.title ?? 0] ?? NONE;
    if (!rule || title === NONE) return;
    const body = rule.body < 0 ? node : (given[rule.body] ?? NONE);
    if (body === NONE) return;
    const part = { start: startOf(tree, body), end: endOf(tree, body) };
    if (!rule.taking.test(tree.text.slice(part.start, Math.min(part.end, part.start + 200)))) return;
    this.tests.push({
      start: startOf(tree, node),
      end: endOf(tree, node),
      head: tree.end(title),
      title: called ?? plain(tree.textOf(title)),
      body: part,
      from,
      isSuite: rule.isSuite === true,
    });
  }

  #route(name: string, call: LoweredCall): void {
    const { tree } = this.file;
    if (!this.#usesFramework()) return;
    const { node, receiver, row, given, from } = call;
    const seen = call.arguments.map((one, index) => this.#argument(one, given[index] ?? NONE));
    const prefix = this.#prefixOf(receiver);
    const group = this.rules.routes
      ?.flatMap(({ calls }) => calls ?? [])
      .find((one) => one.does === 'group' && one.handler === -1 && one.names.includes(name));
    const own = typeof group?.path === 'number' ? seen[group.path] : undefined;
    const path = group?.segments ? wholePath(seen) : own;
    if (path?.is === 'text') this.#prefixes.set(row, joined(prefix ?? '', path.value));
    this.routes.push({
      name,
      start: startOf(tree, node),
      end: endOf(tree, node),
      arguments: seen,
      receiver: this.#origin(receiver, 0),
      prefix,
      from,
    });
  }

  /** Imports stand in front of all calls. */
  #usesFramework(): boolean {
    for (; !this.#isUsed; this.#imports += 1) {
      const name = this.file.moduleOf(this.#imports);
      if (name === undefined) break;
      this.#isUsed = this.rules.routes?.some(({ module }) => module.test(name)) ?? false;
    }
    return this.#isUsed;
  }

  #argument(row: number, node: NodeId): SeenArgument {
    const { tree, unit } = this.file;
    const [start, end] = [tree.start(node), tree.end(node)];
    const kind = this.#kind(row);
    if (kind === 'named') {
      const value = tree.children(node).at(-1) ?? NONE;
      const name = unit.textOf(unit.get('expressions', 'name', row));
      return { ...this.#argument(unit.get('expressions', 'base', row), value), name };
    }
    const text = tree.textOf(node).slice(0, 300);
    if (kind === 'literal' && /^["'`]/.test(text)) return { start, end, is: 'text', value: plain(text) };
    if (kind === 'name' || kind === 'member') return { start, end, is: 'name', value: this.file.nameOf(row) };
    if (kind === 'function') return { start, end, is: 'function', value: '' };
    if (kind === 'call') {
      const value = this.file.nameOf(unit.get('expressions', 'base', row));
      return { start, end, is: 'call', value };
    }
    return { start, end, is: kind === 'literal' ? 'text' : 'other', value: text };
  }

  #kind(row: number): ExpressionKind {
    return EXPRESSION_KINDS[this.file.unit.get('expressions', 'kind', row)] ?? 'unknown';
  }

  #prefixOf(row: number, depth = 0): string | null {
    if (row < 0 || depth > FAR) return null;
    const known = this.#prefixes.get(row);
    if (known !== undefined) return known;
    const kind = this.#kind(row);
    const { unit, scopes } = this.file;
    if (kind === 'call' || kind === 'member')
      return this.#prefixOf(unit.get('expressions', 'base', row), depth + 1);
    if (kind !== 'name') return null;
    const found = scopes.find(this.file.nameOf(row));
    return found && found.known !== 'symbol'
      ? this.#prefixOf(unit.get('bindings', 'value', found.row), depth + 1)
      : null;
  }

  /** Where the value of an expression comes from, as far as the file says. */
  #origin(row: number, depth: number): Origin | null {
    if (row < 0 || depth > FAR) return null;
    const { unit, scopes } = this.file;
    const kind = this.#kind(row);
    const base = unit.get('expressions', 'base', row);
    const type = unit.get('expressions', 'type', row);
    if (kind === 'name') {
      const found = scopes.find(this.file.nameOf(row));
      if (!found) return null;
      if (found.known === 'symbol') return this.#originOfSymbol(found.row, depth);
      if (found.known === 'import') return this.#imported(found.row);
      const written = unit.get('bindings', 'type', found.row);
      if (written >= 0) return this.#originOfType(written);
      return this.#origin(unit.get('bindings', 'value', found.row), depth + 1);
    }
    if (kind === 'member') {
      const of = this.#origin(base, depth + 1);
      const name = this.file.nameOf(row);
      if (of === null || of.module !== null) return of && { module: of.module, name };
      const field = this.#definitionOf(`${of.name}.${name}`);
      return field === undefined ? null : this.#originOfSymbol(field, depth);
    }
    if (kind === 'composite' || kind === 'convert' || kind === 'new' || kind === 'type')
      return this.#originOfType(type);
    return kind === 'call' || kind === 'unary' ? this.#origin(base, depth + 1) : null;
  }

  #definitionOf(qualname: string): number | undefined {
    const { definitions } = this.file;
    for (; this.#named < definitions.length; this.#named += 1) {
      const one = definitions[this.#named]?.qualname ?? '';
      if (!this.#byName.has(one)) this.#byName.set(one, this.#named);
    }
    return this.#byName.get(qualname);
  }

  #originOfSymbol(row: number, depth: number): Origin | null {
    const { unit } = this.file;
    const type = unit.get('symbols', 'type', row);
    return type >= 0 ? this.#originOfType(type) : this.#origin(unit.get('symbols', 'value', row), depth + 1);
  }

  #originOfType(row: number): Origin | null {
    const { unit, scopes } = this.file;
    const kind = TYPE_KINDS[unit.get('types', 'kind', row)];
    const base = unit.get('types', 'base', row);
    if (kind === 'pointer') return this.#originOfType(base);
    if (kind !== 'name') return null;
    const name = unit.textOf(unit.get('types', 'name', row));
    if (base < 0) return { module: null, name };
    const written = unit.textOf(unit.get('types', 'name', base));
    if (TYPE_KINDS[unit.get('types', 'kind', base)] === 'package') return { module: written, name };
    const found = scopes.find(written);
    const of = found?.known === 'import' ? this.#imported(found.row) : null;
    return of && { module: of.module, name };
  }

  #imported(binding: number): Origin | null {
    const module = this.file.moduleOf(this.file.unit.get('bindings', 'import', binding));
    return module === undefined ? null : { module, name: '' };
  }
}

/** A path that is given in parts. */
function wholePath(parts: readonly SeenArgument[]): Pick<SeenArgument, 'is' | 'value'> {
  return {
    is: 'text',
    value: parts.map(({ is, value }) => (is === 'text' ? value : `{${value}}`)).join('/'),
  };
}

/** A text without its quotes. */
function plain(written: string): string {
  return /^(["'`])[\s\S]*\1$/.test(written) ? written.slice(1, -1) : written;
}

interface WatchedNames {
  readonly route: ReadonlySet<string>;
  readonly test: ReadonlySet<string>;
}

const known = new WeakMap<LoweringRules, WatchedNames>();

function namesOf(rules: LoweringRules): WatchedNames {
  const found = known.get(rules);
  if (found) return found;
  const made = {
    route: new Set(rules.routes?.flatMap(({ calls }) => calls ?? []).flatMap(({ names }) => names)),
    test: new Set(rules.tests?.calls?.map(({ name }) => name)),
  };
  known.set(rules, made);
  return made;
}
