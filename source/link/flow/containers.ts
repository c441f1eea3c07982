import type { UnitView } from '../unit-view.js';
import { ancestorsOf, memberOf } from './classes.js';
import type { FlowContext } from './context.js';
import { type Flow, flowsOf, isIn, MOST_FLOWS } from './flows.js';
import { frameOf } from './frames.js';
import { ownerOf } from './scopes.js';
import {
  type CallArguments,
  type CallFrame,
  type Entry,
  eachOf,
  NOTHING,
  oneOf,
  only,
  together,
  UNKNOWN,
  uncertain,
  type Value,
  type ValueSet,
} from './value.js';

/** An item of a value; `key` null for each of them, as a loop takes them. */
export function itemOf(ctx: FlowContext, value: Value, key: ValueSet | null): ValueSet {
  switch (value.kind) {
    case 'list':
      return listItem(value, key);
    case 'dictionary':
      return key === null
        ? together(value.entries.map(({ key: one }) => literal(one)))
        : entryOf(value.entries, key);
    case 'class':
      // `Box[int]` is `Box`.
      return only(value);
    case 'instance':
      return key === null ? iterated(ctx, value) : made(ctx, value, 'item');
    default:
      return UNKNOWN;
  }
}

/** Items from one index up to another, as far as these are known. */
export function slice(value: Value, bounds: readonly ValueSet[]): ValueSet {
  if (value.kind !== 'list') return UNKNOWN;
  const [from, to] = bounds.map(({ all: [first, ...others] }) =>
    first?.kind === 'literal' && others.length === 0 ? first.literal : null,
  );
  if (typeof from !== 'number' || typeof to !== 'number')
    return only({ kind: 'list', items: [], more: together([...value.items, value.more]) });
  return only({ ...value, items: value.items.slice(from, to) });
}

/** What a method of a container gives. */
export function containerResult(
  ctx: FlowContext,
  { name, self }: Value & { kind: 'container method' },
  passed: readonly ValueSet[],
): ValueSet {
  const [first = UNKNOWN, second] = passed;
  switch (ctx.home.rules.flow?.containers[name]) {
    case 'entered':
      return self.kind === 'list' ? together([...self.items, self.more]) : only(self);
    case 'self':
      return only(self);
    case 'item':
      return itemOf(ctx, self, null);
    case 'values':
      return only(
        listOf(self.kind === 'dictionary' ? together(self.entries.map(({ values }) => values)) : NOTHING),
      );
    case 'keys':
      return only(listOf(itemOf(ctx, self, null)));
    case 'entries': {
      const entries = self.kind === 'dictionary' ? self.entries : [];
      const pairs = entries.map(({ key, values }) =>
        only({ kind: 'list', items: [literal(key), values], more: NOTHING }),
      );
      return only(listOf(together(pairs)));
    }
    case 'last':
      return self.kind === 'list' ? listItem(self, UNKNOWN) : itemOf(ctx, self, first);
    default: {
      const found = itemOf(ctx, self, first);
      return second === undefined ? found : oneOf([found, second]);
    }
  }
}

/** A variable or attribute whose items are written one by one. */
interface Written {
  readonly view: UnitView;
  readonly scope: number;
  readonly name: string;
  readonly at: number | null;
}

/** Places where something is put into one target. */
const MOST_WRITES = 200;

/** A container with what is put into it after it was made: `d['a'] = f`, `xs.append(f)`. */
export function filled(
  ctx: FlowContext,
  values: ValueSet,
  { view, scope, name, at }: Written,
  frame: CallFrame | null,
): ValueSet {
  if (!values.all.some(isContainer)) return values;
  const owner = ownerOf(view, scope);
  const writes = flowsOf(view)
    .writes(scope, name)
    .filter((flow) => at === null || flow.owner !== owner || flow.at <= at || isIn(at, flow.loop));
  return withWrites(ctx, values, view, writes, frame);
}

/** The same for an attribute of instances of a class. */
export function filledField(
  ctx: FlowContext,
  values: ValueSet,
  view: UnitView,
  type: number,
  name: string,
): ValueSet {
  if (!values.all.some(isContainer)) return values;
  return withWrites(ctx, values, view, flowsOf(view).fieldWrites(type, name), null);
}

function isContainer({ kind }: Value): boolean {
  return kind === 'list' || kind === 'dictionary';
}

function withWrites(
  ctx: FlowContext,
  values: ValueSet,
  view: UnitView,
  writes: readonly Flow[],
  frame: CallFrame | null,
): ValueSet {
  // What is filled so often is a registry, about which no look says anything.
  if (writes.length > MOST_WRITES) return UNKNOWN;
  let all = values.all;
  for (const flow of writes) {
    const around = frameOf(frame, view, flow.owner);
    const keys = (flow.keys ?? []).map((key) => ctx.values(view, key, around));
    const isAppended = flow.keys?.length === 1 && (flow.keys[0] ?? -1) < 0;
    const item = ctx.flowing(view, flow, around);
    all = all.map((value) =>
      isContainer(value) ? put(value, isAppended ? [] : keys, item, flow.branch === null) : value,
    );
  }
  return { ...values, all };
}

/** A container with one more item; without keys at its end. */
function put(container: Value, keys: readonly ValueSet[], item: ValueSet, isSure: boolean): Value {
  const [first, ...rest] = keys;
  const [known, ...others] = first?.all ?? [];
  const key = known?.kind === 'literal' && others.length === 0 ? known.literal : null;
  if (container.kind === 'list') {
    const old = typeof key === 'number' ? container.items[key] : undefined;
    if (typeof key !== 'number' || !old) return { ...container, more: together([container.more, item]) };
    const fresh = rest.length > 0 ? deeper(old, rest, item, isSure) : isSure ? item : oneOf([old, item]);
    return { ...container, items: container.items.map((one, at) => (at === key ? fresh : one)) };
  }
  if (container.kind !== 'dictionary') return container;
  const old = rest.length > 0 && first ? entryOf(container.entries, first) : NOTHING;
  const values = rest.length > 0 ? deeper(old, rest, item, isSure) : item;
  return {
    ...container,
    entries: [...container.entries, { key, values, isSure: isSure && key !== null }],
  };
}

function deeper(values: ValueSet, keys: readonly ValueSet[], item: ValueSet, isSure: boolean): ValueSet {
  return { ...values, all: values.all.map((value) => put(value, keys, item, isSure)) };
}

function listItem({ items, more }: Value & { kind: 'list' }, key: ValueSet | null): ValueSet {
  if (key === null) return together([...items, more]);
  const found = key.all.map((one) => {
    const at = one.kind === 'literal' && typeof one.literal === 'number' ? items[one.literal] : undefined;
    return at ?? more;
  });
  return found.length > 0 && !key.incomplete
    ? together(found)
    : uncertain(together([...items, more, ...found]));
}

/** The entries of a key, from the last one back to one that surely hides the others. */
function entryOf(entries: readonly Entry[], key: ValueSet): ValueSet {
  const keys = key.all.flatMap((one) => (one.kind === 'literal' ? [one.literal] : []));
  if (keys.length === 0 || key.incomplete) return uncertain(together(entries.map(({ values }) => values)));
  return together(
    keys.map((wanted) => {
      const found: ValueSet[] = [];
      for (const entry of [...entries].reverse()) {
        if (entry.key !== wanted && entry.key !== null) continue;
        found.unshift(entry.values);
        if (entry.key === wanted && entry.isSure) break;
      }
      return oneOf(found);
    }),
  );
}

/** What a loop over an instance takes: what the iterator that it gives takes next. */
function iterated(ctx: FlowContext, value: Value & { kind: 'instance' }): ValueSet {
  return eachOf(made(ctx, value, 'iterated'), (one) =>
    one.kind === 'instance' ? made(ctx, one, 'next') : itemOf(ctx, one, null),
  );
}

/** What a method gives that the language calls by itself. */
function made(
  ctx: FlowContext,
  self: Value & { kind: 'instance' },
  method: 'iterated' | 'next' | 'item',
): ValueSet {
  const name = ctx.home.rules.flow?.methods[method] ?? '';
  const found = memberOf(ctx, self.symbol, name);
  if (!found) return UNKNOWN;
  const { symbol } = found;
  const none: CallArguments = { view: symbol.view, call: -1, frame: null };
  return ctx.resultOf({ kind: 'function', symbol, self, around: null, via: 'type' }, none);
}

function listOf(more: ValueSet): Value {
  return { kind: 'list', items: [], more };
}

function literal(value: string | number | null): ValueSet {
  return value === null ? UNKNOWN : only({ kind: 'literal', literal: value });
}

/** What is known of an attribute in the nearest class whose methods or body assign it or write its type. */
export interface Field {
  readonly view: UnitView;
  readonly type: number;
  /** The written type; -1 for none. */
  readonly declared: number;
  readonly flows: readonly Flow[];
  /** What the class body itself assigns. */
  readonly inBody: readonly Flow[];
}

/** The assignments to an attribute of a class or its instances. */
export function fieldOf(
  ctx: FlowContext,
  owner: Value & { kind: 'instance' | 'class' },
  name: string,
): Field | 'too many' | null {
  for (const one of [owner.symbol, ...ancestorsOf(ctx, owner.symbol)]) {
    if (!one) return null;
    const { view, row } = one;
    const index = flowsOf(view);
    const body = view.unit.symbols.body[row] ?? -1;
    const flows = index.fieldFlows(row, name);
    const inBody = index.assigned(body, name).filter(({ kind }) => kind === 'assign');
    const declared = index.declaredField(row, body, name);
    if (declared < 0 && (inBody.length > MOST_FLOWS || flows.length > MOST_FLOWS)) return 'too many';
    if (declared >= 0 || flows.length + inBody.length > 0)
      return { view, type: row, declared, flows, inBody };
  }
  return null;
}
