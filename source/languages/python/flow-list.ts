import type { FlowFact, ValueFact } from '../../flow-facts.js';
import type { Scope, Scopes } from './scopes.js';
import { endOf, type Syntax, startOf } from './syntax.js';
import type { SourceText } from './text.js';
import { isNothing, type ValueReader } from './values.js';

/** The branches around a statement, by the nodes that hold it: where they end is only asked when it matters. */
export interface Branches {
  readonly branch: Syntax | null;
  readonly loop: Syntax | null;
}

/** At the top of a body. */
export const nowhere: Branches = { branch: null, loop: null };

/** An expression on its way to where it goes. Its value is read when all flows are known. */
export interface Source {
  readonly read: () => ValueFact | null;
  readonly scope: Scope;
  readonly branches: Branches;
  /** What has been worked out when the value arrives. */
  readonly at: Syntax;
  /** Where the target has the value, when not from there on. */
  readonly block?: Syntax | null;
  /** Whether a condition tells it, and nothing is assigned. */
  readonly narrows?: true;
}

/** A flow whose value is not read yet. */
export interface Pending extends Source {
  readonly kind?: FlowFact['kind'];
  readonly target: string;
  readonly keys?: readonly (Syntax | null)[];
  /** The scope whose name the target begins with; null for what leads out of a function. */
  readonly bound: Scope | null;
}

/** The flows of a file: found one by one, and read when all are known. */
export class FlowList {
  readonly #pending: Pending[] = [];

  constructor(
    private readonly text: SourceText,
    private readonly scopes: Scopes,
    private readonly values: ValueReader,
  ) {}

  add(flow: Pending): void {
    this.#pending.push(flow);
  }

  /** All flows with their values. A name that nothing known flows to is not followed; that is found out in a first round. */
  facts(): FlowFact[] {
    const told = new Map<Scope | null, Set<string>>();
    for (const { bound, target, read } of this.#pending) {
      const names = told.get(bound) ?? new Set();
      told.set(bound, names);
      const given = read();
      if (given !== null && !isNothing(given)) names.add(target);
    }
    for (const { bound, target } of this.#pending)
      if (bound && !told.get(bound)?.has(target)) this.values.forget(bound, target);
    return this.#pending.flatMap((one) => {
      const value = one.read();
      // What cannot be followed hides what was there before.
      const hides =
        one.kind === undefined &&
        one.keys === undefined &&
        (told.get(one.bound)?.has(one.target) || holdsBefore(one));
      const isTold = value !== null && (!isNothing(value) || one.bound === null);
      return isTold || hides ? [this.#fact(one, value)] : [];
    });
  }

  #fact(
    { kind, target, keys, scope, bound, branches, at, block: within, narrows }: Pending,
    value: ValueFact | null,
  ): FlowFact {
    const end = endOf(at);
    const line = this.text.line(Math.max(0, end - 1));
    const { branch, loop } = branches;
    const block = within ?? (bound?.kind === 'comprehension' ? this.scopes.nodes.get(bound) : undefined);
    const keyOf = (key: Syntax | null) => key && (this.values.literal(key) ?? this.values.value(key, scope));
    return {
      kind,
      target,
      keys: keys?.map(keyOf),
      value,
      from: scope.owner,
      scope: bound && bound.owner !== scope.owner ? bound.owner : undefined,
      block: block ? this.text.span(startOf(block), endOf(block)) : undefined,
      narrows,
      branch: branch ? this.#lines(branch) : undefined,
      loop: loop ? this.#lines(loop) : undefined,
      line,
      column: this.text.column(end, line),
    };
  }

  #lines(node: Syntax): [number, number] {
    return [this.text.line(startOf(node)), this.text.line(Math.max(0, endOf(node) - 1))];
  }
}

/** Whether a name holds something before anything is assigned: a parameter, or where a comprehension takes it over. */
function holdsBefore({ bound, target, narrows }: Pending): boolean {
  if (!bound || narrows) return false;
  const found = bound.lookup(target);
  if (bound.kind === 'comprehension' || bound.kind === 'lambda') return bound.parent?.lookup(target) != null;
  return found?.scope === bound && found.binding === 'parameter';
}
