import type { Definition, FileFacts, Reference, Span, TypeFact } from '../facts.js';
import type { FlowFact, ValueFact } from '../flow-facts.js';
import { BINDING_FLAGS, BINDING_KINDS, FLOW_KINDS, type FlowKind } from '../ir/index.js';
import { LateReferences } from './late-references.js';
import type { SourceText } from './source-text.js';
import { isNothing, ValueReader, type ValueSources } from './values.js';

/** What the facts are derived from. */
export interface FlowSources extends ValueSources {
  readonly text: SourceText;
}

/**
 * The facts of flows, types and callees, derived from the rows of a unit: for the resolver that reads them as texts, until units
 * are linked. Extraction promises that a path's first name, when a function binds it, is a parameter or has a flow.
 */
export function addFlowFacts(facts: FileFacts, sources: FlowSources): void {
  const values = new ValueReader(sources);
  const flows = new FlowReader(facts.definitions, values, sources);
  facts.flows = flows.facts();
  facts.types = new TypeReader(facts.definitions, values, sources).facts();
  for (const [row, reference] of facts.references.entries())
    if (reference.kind === 'call') addCallee(reference, sources.unit.names.expression[row] ?? -1, values);
}

/** What a call hands over, and its callee where that is more than a name that the scopes tell. */
function addCallee(reference: Reference, row: number, values: ValueReader): void {
  if (row < 0 || values.kind(row) !== 'call') return;
  const callee = values.base(row);
  const isName = values.kind(callee) === 'name';
  // What is handed to a function of the same file may be a key to a table of functions.
  const passed = values.passed(row, 0, isName && values.root(callee)?.known === 'symbol');
  const value = values.value(callee);
  if (value !== null && !isTold(value, callee, values)) reference.callee = value;
  if (passed) reference.values = passed;
}

function isTold(value: ValueFact, callee: number, values: ValueReader): boolean {
  if (typeof value !== 'string') return false;
  const root = values.root(callee);
  return (root?.known === 'receiver' && value.includes('.')) || !LateReferences.isLocal(root);
}

/** A flow of the unit. */
interface Row {
  readonly row: number;
  readonly kind: FlowKind;
  readonly value: number;
  /** The scope whose name the target begins with; -1 for what leads out of a function. */
  readonly scope: number;
  /** A path of names, and the rows of the keys under it; null for an item whichever. */
  readonly target: string;
  readonly keys: readonly (number | null)[] | undefined;
}

class FlowReader {
  constructor(
    private readonly definitions: readonly Definition[],
    private readonly values: ValueReader,
    private readonly from: FlowSources,
  ) {}

  /** All flows with their values. A name that nothing known flows to is not followed; that is found out in a first round. */
  facts(): FlowFact[] {
    const { values } = this;
    const rows = this.#rows();
    for (const { scope, target, keys } of rows)
      if (scope >= 0 && keys === undefined && !target.includes('.')) values.enliven(scope, target);
    const told = new Map<number, Set<string>>();
    const first = rows.map((one) => {
      const given = this.#value(one);
      if (given === null || isNothing(given)) return given;
      const names = told.get(one.scope);
      if (names) names.add(one.target);
      else told.set(one.scope, new Set([one.target]));
      return given;
    });
    for (const { scope, target } of rows)
      if (scope >= 0 && !told.get(scope)?.has(target)) values.forget(scope, target);
    return rows.flatMap((one, index) => {
      const { kind, scope, target, keys } = one;
      // With fewer names to be followed, what was not followed is not.
      const value = first[index] === null ? null : this.#value(one);
      // What cannot be followed hides what was there before.
      const hides =
        (kind === 'assign' || kind === 'narrow') &&
        keys === undefined &&
        (told.get(scope)?.has(target) || this.#holdsBefore(one));
      const isTold = value !== null && (!isNothing(value) || scope < 0);
      return isTold || hides ? [this.#fact(one, value)] : [];
    });
  }

  #rows(): Row[] {
    const { flows } = this.from.unit;
    const found: Row[] = [];
    for (let row = 0; row < flows.length; row += 1) {
      const kind = FLOW_KINDS[flows.kind[row] ?? 0] ?? 'assign';
      if (kind === 'declare' || kind === 'define') continue;
      const value = flows.value[row] ?? -1;
      const scope = flows.scope[row] ?? -1;
      const isOut = kind === 'return' || kind === 'yield';
      const target = isOut ? { path: '', keys: undefined } : this.#target(flows.target[row] ?? -1);
      if (target === null || (!isOut && scope < 0)) continue;
      found.push({ row, kind, value, scope: isOut ? -1 : scope, target: target.path, keys: target.keys });
    }
    return found;
  }

  #target(row: number): { path: string; keys: (number | null)[] | undefined } | null {
    const keys: (number | null)[] = [];
    let at = row;
    for (; ; at = this.values.base(at)) {
      const kind = this.values.kind(at);
      const [first = null, ...more] = kind === 'index' ? this.values.items(at) : [];
      if (kind === 'index') keys.unshift(more.length > 0 ? null : first);
      else if (kind === 'element' || kind === 'slice') keys.unshift(null);
      else break;
    }
    const path = this.values.path(at);
    return path === null ? null : { path, keys: keys.length === 0 ? undefined : keys };
  }

  #value({ kind, value }: Row): ValueFact | null {
    if (value < 0) return null;
    if (kind === 'default') return this.values.literal(value) ?? this.values.alternative(value);
    return this.values.given(value);
  }

  /** Whether a name holds something before anything is assigned: a parameter, or where a comprehension takes it over. */
  #holdsBefore({ kind, scope: row, target }: Row): boolean {
    const { scopes } = this.from;
    const scope = scopes.at(row);
    if (!scope || kind === 'narrow') return false;
    const isUnnamed = scope.kind === 'comprehension' || (scope.kind === 'function' && scope.symbol < 0);
    if (isUnnamed) return scope.parent !== null && scopes.find(target, scope.parent) !== null;
    const found = scopes.find(target, scope);
    return found?.scope === scope && (found.known === 'parameter' || found.known === 'receiver');
  }

  #fact({ row, kind, scope, target, keys }: Row, value: ValueFact | null): FlowFact {
    const { text, unit } = this.from;
    const { flows } = unit;
    const from = ownerOf(flows.symbol[row]);
    const end = flows.at[row] ?? 0;
    const line = text.line(Math.max(0, end - 1));
    const owner = scope < 0 ? from : this.#ownerOf(scope);
    return {
      kind: kind === 'assign' || kind === 'narrow' ? undefined : (kind as FlowFact['kind']),
      target,
      keys: keys?.map((key) => (key === null ? null : this.values.key(key))),
      value,
      from,
      scope: owner === from ? undefined : owner,
      block: this.#span(flows.within[row]),
      narrows: kind === 'narrow' ? true : undefined,
      branch: this.#lines(flows.branch[row]),
      loop: this.#lines(flows.loop[row]),
      line,
      column: text.column(end, line),
    };
  }

  /** The definition whose body or part of a body a scope is; null for the file. */
  #ownerOf(row: number): number | null {
    let scope = this.from.scopes.at(row);
    while (scope && scope.symbol < 0 && scope.parent) scope = scope.parent;
    return scope && scope.symbol >= 0 && this.definitions[scope.symbol] ? scope.symbol : null;
  }

  #span(extent: number | undefined): Span | undefined {
    if (extent === undefined || extent < 0) return undefined;
    const { extents } = this.from.unit;
    return this.from.text.span(extents.start[extent] ?? 0, extents.end[extent] ?? 0);
  }

  #lines(extent: number | undefined): [first: number, last: number] | undefined {
    const span = this.#span(extent);
    return span && [span.start_line, span.end_line];
  }
}

function ownerOf(symbol: number | undefined): number | null {
  return symbol === undefined || symbol < 0 ? null : symbol;
}

/** What annotations and calls tell of the types of names, in the order of the text. */
class TypeReader {
  readonly #found: { readonly at: number; readonly fact: TypeFact }[] = [];
  readonly #classes: ReadonlySet<string>;

  constructor(
    private readonly definitions: readonly Definition[],
    private readonly values: ValueReader,
    private readonly from: FlowSources,
  ) {
    this.#classes = new Set(definitions.filter(({ form }) => form === 'class').map(({ name }) => name));
  }

  facts(): TypeFact[] {
    this.#parameters();
    const { flows } = this.from.unit;
    let declared = -1;
    for (let row = 0; row < flows.length; row += 1) {
      const kind = FLOW_KINDS[flows.kind[row] ?? 0];
      const target = flows.target[row] ?? -1;
      if (kind === 'declare') {
        this.#annotated(row, target);
        declared = target;
      } else if (kind === 'default') this.#default(row, target);
      else if (kind === 'assign' && target !== declared) this.#assigned(row, target);
    }
    return this.#found.sort((a, b) => a.at - b.at).map(({ fact }) => fact);
  }

  #parameters(): void {
    const { bindings, types, scopes } = this.from.unit;
    const parameters = [BINDING_KINDS.indexOf('parameter'), BINDING_KINDS.indexOf('receiver')];
    for (let row = 0; row < bindings.length; row += 1) {
      const type = bindings.type[row] ?? -1;
      if (type < 0 || !parameters.includes(bindings.kind[row] ?? -1)) continue;
      const owner = scopes.symbol[bindings.scope[row] ?? -1] ?? -1;
      const name = this.from.unit.text(bindings.name[row] ?? 0);
      const written = this.#written(owner, name);
      if (written === null || ((bindings.flags[row] ?? 0) & BINDING_FLAGS.variadic) !== 0) continue;
      this.#add(types.at[type] ?? 0, name, written, 'parameter', owner);
    }
  }

  /** The type of a parameter as it is written; null for none. */
  #written(owner: number, name: string): string | null {
    const one = this.definitions[owner]?.parameters.find((each) => each.name === name);
    return one === undefined || one.rest ? null : one.type;
  }

  #annotated(row: number, target: number): void {
    const { unit } = this.from;
    const value = unit.flows.value[row] ?? -1;
    const name = this.#target(row, target);
    if (name !== null)
      this.#add(this.#at(target), name, this.values.name(value), 'annotation', unit.flows.symbol[row] ?? -1);
  }

  #default(row: number, target: number): void {
    const { flows } = this.from.unit;
    const owner = flows.symbol[row] ?? -1;
    const name = this.values.path(target);
    const made = this.#made(flows.value[row] ?? -1);
    if (name === null || made?.source !== 'constructor' || this.#written(owner, name) !== null) return;
    this.#add(this.#at(target), name, made.callee, 'default', owner, made.local);
  }

  #assigned(row: number, target: number): void {
    const { flows } = this.from.unit;
    const owner = flows.symbol[row] ?? -1;
    const name = this.#target(row, target);
    const given = flows.value[row] ?? -1;
    if (name === null || given < 0) return;
    const at = this.#at(target);
    const kind = this.values.kind(given);
    if (kind === 'instance') {
      const caught = this.values.path(this.values.base(given));
      if (caught !== null) this.#add(at, name, caught, 'annotation', owner, false, flows.branch[row]);
      return;
    }
    const made = this.#made(kind === 'entered' ? this.values.base(given) : given);
    if (made) this.#add(at, name, made.callee, made.source, owner, made.local);
    // `self.db = db` hands the parameter's annotation on.
    if (kind !== 'name' || !name.includes('.')) return;
    const root = this.values.root(given);
    const type = root && root.scope.symbol === owner ? this.#written(owner, this.values.name(given)) : null;
    if (type !== null) this.#add(at, name, type, 'parameter', owner);
  }

  /** How a target is called: what a class body assigns is an attribute of its instances. */
  #target(row: number, target: number): string | null {
    const path = this.values.path(target);
    const isMember = this.definitions[this.from.unit.flows.symbol[row] ?? -1]?.form === 'class';
    return path !== null && isMember ? `${this.from.rules.self}.${path}` : path;
  }

  /** The callee of a call, but of the language's own, and whether that makes an instance of it. */
  #made(row: number): { callee: string; source: 'constructor' | 'return'; local: boolean } | null {
    if (row < 0 || this.values.kind(row) !== 'call') return null;
    const base = this.values.base(row);
    const callee = this.values.path(base);
    const root = this.values.root(base);
    const { rules } = this.from;
    if (callee === null || (root === null && rules.isBuiltin(callee))) return null;
    const isReceiver = root?.known === 'receiver';
    const dot = callee.lastIndexOf('.');
    const isOwn = isReceiver && (dot < 0 || callee.slice(callee.indexOf('.') + 1) === rules.ownClass);
    const isClass = isOwn || rules.isClassName(callee.slice(dot + 1)) || this.#classes.has(callee);
    const local = !isReceiver && LateReferences.isLocal(root);
    return { callee, source: isClass ? 'constructor' : 'return', local };
  }

  #at(target: number): number {
    return this.from.unit.expressions.at[target] ?? 0;
  }

  #add(
    at: number,
    target: string,
    type: string,
    source: TypeFact['source'],
    owner: number,
    local = false,
    extent = -1,
  ): void {
    const { text, unit } = this.from;
    const { extents } = unit;
    this.#found.push({
      at,
      fact: {
        target,
        // A whole annotation in a string is what the string says.
        type: /^(['"])([^'"\\]*)\1$/.exec(type)?.[2] ?? type,
        source,
        local,
        from: ownerOf(owner),
        block: extent < 0 ? undefined : text.span(extents.start[extent] ?? 0, extents.end[extent] ?? 0),
        line: text.line(at),
      },
    });
  }
}
