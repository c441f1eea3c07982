import type { FlowFact } from '../../flow-facts.js';
import { memberOf } from '../class-members.js';
import { Grouping, type ModuleTable, type Place, TOP } from '../module-table.js';
import { scopeOf } from '../reaching.js';
import { resultOf } from './calls.js';
import type { Evaluation } from './evaluation.js';
import { nearest } from './names.js';
import {
  type Activation,
  type Entry,
  eachOf,
  type Given,
  NOTHING,
  oneOf,
  only,
  together,
  UNKNOWN,
  type Value,
  type Values,
} from './value.js';

/** An item of a value; `key` null for each of them, as a loop takes them. */
export function itemOf(run: Evaluation, value: Value, key: Values | null): Values {
  switch (value.kind) {
    case 'list':
      return listItem(value, key);
    case 'dict':
      return key === null
        ? together(value.entries.map(({ key: one }) => literal(one)))
        : dictItem(value.entries, key);
    case 'class':
      // `Box[int]` is `Box`.
      return only(value);
    case 'instance':
      return key === null ? iterated(run, value) : madeBy(run, value, '__getitem__');
    default:
      return UNKNOWN;
  }
}

/** Items from one index up to another. */
export function slice(value: Value, from: number, to: number | null): Values {
  if (value.kind !== 'list') return UNKNOWN;
  return only({ ...value, items: value.items.slice(from, to ?? undefined) });
}

/** Methods of lists, dictionaries and generators whose result is known. */
export function isContainerMethod(name: string): boolean {
  return /^(?:get|pop|popleft|popitem|items|values|keys|copy|setdefault|__enter__|__iter__|__next__)$/.test(
    name,
  );
}

/** What a method of a list or dictionary gives. */
export function builtinResult(
  run: Evaluation,
  name: string,
  self: Value,
  { arguments: { passed }, scene }: Given,
): Values {
  const [first = null, second = null] = passed;
  switch (name) {
    case '__enter__':
      return self.kind === 'list' ? together([...self.items, self.more]) : only(self);
    case 'copy':
    case '__iter__':
      return only(self);
    case '__next__':
    case 'popleft':
      return itemOf(run, self, null);
    case 'values':
      return only(
        listOf(self.kind === 'dict' ? together(self.entries.map(({ values }) => values)) : NOTHING),
      );
    case 'keys':
      return only(listOf(itemOf(run, self, null)));
    case 'items': {
      const entries = self.kind === 'dict' ? self.entries : [];
      const pairs = entries.map(({ key, values }) =>
        only({ kind: 'list', items: [literal(key), values], more: NOTHING }),
      );
      return only(listOf(together(pairs)));
    }
    case 'pop':
      return self.kind === 'list' ? listItem(self, UNKNOWN) : itemOf(run, self, run.values(first, scene));
    default: {
      const found = itemOf(run, self, run.values(first, scene));
      return second === null ? found : oneOf([found, run.values(second, scene)]);
    }
  }
}

/** A variable or attribute whose items are filled one by one. */
export interface Filled {
  readonly table: ModuleTable;
  readonly file: string;
  /** As in {@link FlowFact.target}. */
  readonly target: string;
  readonly scope: number;
  readonly at: Place | null;
}

/** Places where something is put into one target, all classes of a file with a field of that name together. */
const MOST_FILLINGS = 200;

/** What is put into a target, and what is put into a scope's. */
const fillings = new Grouping(({ keys }: FlowFact) => keys !== undefined);
const fillingsByScope = new Grouping((flow: FlowFact) => (flow.keys === undefined ? null : scopeOf(flow)));

/** A container with what is put into it after it was made: `d['a'] = f`, `xs.append(f)`. */
export function filled(
  run: Evaluation,
  values: Values,
  filling: Filled,
  activation: Activation | null,
): Values {
  const { table, file, target, scope, at } = filling;
  if (!values.all.some(({ kind }) => kind === 'list' || kind === 'dict')) return values;
  const isField = target.includes('.');
  const known = isField
    ? fillings.in(table.flows.get(target), true)
    : fillingsByScope.in(table.flows.get(target), scope);
  // What is filled so often is a registry, about which no look says anything.
  if (known.length > MOST_FILLINGS) return UNKNOWN;
  const flows = known.filter(
    ({ from, line, column, loop }) =>
      at === null ||
      (from ?? TOP) !== scope ||
      line < at.line ||
      (line === at.line && column < at.column) ||
      (loop && at.line <= loop[1]),
  );
  let all = values.all;
  for (const flow of flows) {
    const around = nearest(activation, file, table, flow.from);
    const site = { file, from: flow.from, place: { line: flow.line, column: flow.column }, local: false };
    const keys = (flow.keys ?? []).map((key) => run.values(key, { site, activation: around }));
    const isAppended = flow.keys?.length === 1 && flow.keys[0] === null;
    const item = () => run.flowing(flow, file, around);
    all = all.map((value) =>
      value.kind !== 'list' && value.kind !== 'dict'
        ? value
        : put(run, value, isAppended ? [] : keys, item(), flow.branch === undefined),
    );
  }
  return { ...values, all };
}

/** A container with one more item; without keys at its end. */
function put(
  run: Evaluation,
  container: Value,
  keys: readonly Values[],
  item: Values,
  isSure: boolean,
): Value {
  const [first, ...rest] = keys;
  const [known, ...others] = first?.all ?? [];
  const key = known?.kind === 'literal' && others.length === 0 ? known.literal : null;
  if (container.kind === 'list') {
    if (typeof key !== 'number' || !container.items[key])
      return { ...container, more: together([container.more, item]) };
    const old = container.items[key];
    const fresh = rest.length > 0 ? deeper(run, old, rest, item, isSure) : isSure ? item : oneOf([old, item]);
    return { ...container, items: container.items.map((one, at) => (at === key ? fresh : one)) };
  }
  if (container.kind !== 'dict') return container;
  const old = rest.length > 0 && first ? dictItem(container.entries, first) : NOTHING;
  const values = rest.length > 0 ? deeper(run, old, rest, item, isSure) : item;
  return { kind: 'dict', entries: [...container.entries, { key, values, isSure: isSure && key !== null }] };
}

function deeper(
  run: Evaluation,
  values: Values,
  keys: readonly Values[],
  item: Values,
  isSure: boolean,
): Values {
  return { ...values, all: values.all.map((value) => put(run, value, keys, item, isSure)) };
}

function listItem({ items, more }: Value & { kind: 'list' }, key: Values | null): Values {
  if (key === null) return together([...items, more]);
  const found = key.all.map((one) => {
    const at = one.kind === 'literal' && typeof one.literal === 'number' ? items[one.literal] : undefined;
    return at ?? more;
  });
  return found.length > 0 && !key.isOpen ? together(found) : open(together([...items, more, ...found]));
}

/** The entries of a key, from the last one back to one that surely hides the others. */
function dictItem(entries: readonly Entry[], key: Values): Values {
  const keys = key.all.flatMap((one) => (one.kind === 'literal' ? [one.literal] : []));
  if (keys.length === 0 || key.isOpen) return open(together(entries.map(({ values }) => values)));
  return together(
    keys.map((wanted) => {
      const found: Values[] = [];
      for (const entry of [...entries].reverse()) {
        if (entry.key !== wanted && entry.key !== null) continue;
        found.unshift(entry.values);
        if (entry.key === wanted && entry.isSure) break;
      }
      return oneOf(found);
    }),
  );
}

/** What a loop over an instance takes: what `__next__` of its iterator gives. */
function iterated(run: Evaluation, value: Value & { kind: 'instance' }): Values {
  const iterator = madeBy(run, value, '__iter__');
  return eachOf(iterator, (one) =>
    one.kind === 'instance' ? madeBy(run, one, '__next__') : itemOf(run, one, null),
  );
}

function madeBy(run: Evaluation, value: Value & { kind: 'instance' }, name: string): Values {
  const method = memberOf(run.program, { ...value, via: 'type' }, name);
  if (!method) return UNKNOWN;
  const { file, definition } = method;
  const place = { line: 0, column: 0 };
  const scene = { site: { file, from: null, place, local: false }, activation: null };
  const callee = { kind: 'function' as const, file, definition, self: value, around: null };
  return resultOf(run, callee, { arguments: { passed: [] }, scene });
}

function listOf(more: Values): Value {
  return { kind: 'list', items: [], more };
}

function literal(value: string | number | null): Values {
  return value === null ? UNKNOWN : only({ kind: 'literal', literal: value });
}

function open(values: Values): Values {
  return { ...values, isOpen: values.isOpen || values.all.length > 1 };
}
