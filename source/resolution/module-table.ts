import type { Definition, ExportFact, FileFacts, ImportFact, Span, TypeFact } from '../facts.js';
import type { FlowFact } from '../flow-facts.js';

/** A name that an import binds. */
export interface ImportBinding {
  fact: ImportFact;
  /** What is imported: a name, `default`, or `*` for the module itself. */
  imported: string;
  local: string;
}

/** One file's names, looked up by scope: made from its facts alone, so that a changed file costs one table. */
export interface ModuleTable {
  facts: FileFacts;
  /** Definitions by enclosing definition (`TOP` for the file), then name, in source order. */
  members: ReadonlyMap<number, ReadonlyMap<string, readonly number[]>>;
  /** Import bindings by the enclosing definition, then local name, in source order. */
  bindings: ReadonlyMap<number, ReadonlyMap<string, readonly ImportBinding[]>>;
  /** What the file offers under a name of its own (not `export *`). */
  exports: ReadonlyMap<string, readonly ExportFact[]>;
  /** Modules whose names are all passed on: `export * from`. */
  stars: readonly string[];
  /** Types told of names, by target. */
  types: ReadonlyMap<string, readonly TypeFact[]>;
  /** Where values go, by target; what leads out of functions is under ''. */
  flows: ReadonlyMap<string, readonly FlowFact[]>;
  /** What functions give, by their definition. */
  returns: ReadonlyMap<number, readonly FlowFact[]>;
}

/** The enclosing definition of what stands at the top of a file. */
export const TOP = -1;

/** Imports of one name in one scope that are asked for what it means: nobody writes more of them. */
const MOST_BINDINGS = 32;

/** The names of one file. Linear in its facts. */
export function moduleTable(facts: FileFacts): ModuleTable {
  const members = new Map<number, Map<string, number[]>>();
  facts.definitions.forEach((definition, index) => {
    append(mapAt(members, definition.parent ?? TOP), definition.name, index);
  });

  const bindings = new Map<number, Map<string, ImportBinding[]>>();
  const stars: string[] = [];
  for (const fact of facts.imports)
    for (const { imported, local } of fact.names) {
      if (local !== null && fact.kind !== 'reexport') {
        const named = mapAt(bindings, fact.from ?? TOP);
        if ((named.get(local)?.length ?? 0) < MOST_BINDINGS) append(named, local, { fact, imported, local });
      }
    }

  const exports = new Map<string, ExportFact[]>();
  for (const fact of facts.exports)
    if (fact.name !== '*') append(exports, fact.name, fact);
    else if (fact.module !== null) stars.push(fact.module);

  const types = new Map<string, TypeFact[]>();
  for (const fact of facts.types) append(types, fact.target, fact);
  const flows = new Map<string, FlowFact[]>();
  const returns = new Map<number, FlowFact[]>();
  for (const fact of facts.flows) {
    append(flows, fact.target, fact);
    if (fact.kind === 'return' && fact.from !== null) append(returns, fact.from, fact);
  }
  return { facts, members, bindings, exports, stars, types, flows, returns };
}

/** The definition at an index that came from the same file's facts. */
export function definitionAt(table: ModuleTable, index: number): Definition {
  const definition = table.facts.definitions[index];
  if (definition === undefined)
    throw new RangeError(`no definition ${index} in a file with ${table.facts.definitions.length}`);
  return definition;
}

/** A TypeScript namespace: its members can be seen from inside it, as an object literal's cannot. */
export function isNamespace(definition: Definition): boolean {
  return (
    definition.form === 'variable' &&
    /^(?:export\s+)?(?:declare\s+)?(?:namespace|module)\s/.test(definition.signature)
  );
}

/** The definitions of a name right inside `parent` (`TOP` for the file), in source order. */
export function definitionsNamed(table: ModuleTable, parent: number, name: string): readonly number[] {
  return table.members.get(parent)?.get(name) ?? [];
}

/** A place in a file: line from 1, column from 0. */
export interface Place {
  line: number;
  column: number;
}

/** Whether a place lies in a span; true for no span at all, which stands for everything. */
export function within(place: Place, span: Span | null | undefined): boolean {
  if (!span) return true;
  if (place.line < span.start_line || place.line > span.end_line) return false;
  if (place.line === span.start_line && place.column < span.start_column) return false;
  return place.line !== span.end_line || place.column <= span.end_column;
}

function mapAt<V>(maps: Map<number, Map<string, V>>, key: number): Map<string, V> {
  const known = maps.get(key);
  if (known) return known;
  const fresh = new Map<string, V>();
  maps.set(key, fresh);
  return fresh;
}

/** Puts a value behind those of its key. */
export function append<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const known = lists.get(key);
  if (known) known.push(value);
  else lists.set(key, [value]);
}

/** Lists by something that their items have, each worked out once: what is looked for in a list again and again. */
export class Grouping<T, K, Context = void> {
  readonly #made = new WeakMap<readonly T[], ReadonlyMap<K, readonly T[]>>();
  readonly #keyOf: (one: T, context: Context) => K;

  constructor(keyOf: (one: T, context: Context) => K) {
    this.#keyOf = keyOf;
  }

  /** The items of a list that have this, in their order. */
  in(list: readonly T[] | undefined, key: K, context: Context): readonly T[] {
    if (!list) return [];
    let groups = this.#made.get(list);
    if (!groups) {
      const made = new Map<K, T[]>();
      for (const one of list) append(made, this.#keyOf(one, context), one);
      groups = made;
      this.#made.set(list, made);
    }
    return groups.get(key) ?? [];
  }
}

const parameterPlaces = new WeakMap<Definition, ReadonlyMap<string, number>>();

/** The place of a parameter of a name; -1 where there is none. */
export function parameterNamed(definition: Definition, name: string): number {
  const { parameters } = definition;
  if (parameters.length < 16) return parameters.findIndex((each) => each.name === name);
  let places = parameterPlaces.get(definition);
  if (!places) {
    places = new Map(parameters.map((each, at): [string, number] => [each.name, at]).reverse());
    parameterPlaces.set(definition, places);
  }
  return places.get(name) ?? -1;
}

/** The types that are told of a name in one scope. */
export const typesByScope = new Grouping((fact: TypeFact) => fact.from ?? TOP);

/** The flows that stand in one definition, or at the top. */
export const flowsByOwner = new Grouping((flow: FlowFact) => flow.from ?? TOP);

/** The definition whose variable a flow's target is, TOP for the module's. */
export function scopeOf(flow: FlowFact): number {
  const scope = flow.scope === undefined ? flow.from : flow.scope;
  return scope ?? TOP;
}
