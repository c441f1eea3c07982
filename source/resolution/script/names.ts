import type { TypeFact } from '../../facts.js';
import type { FlowFact } from '../../flow-facts.js';
import { lastOf, startsBefore } from '../chosen-definition.js';
import {
  append,
  definitionAt,
  Grouping,
  type Place,
  parameterNamed,
  scopeOf,
  TOP,
  typesByScope,
  within,
} from '../module-table.js';
import { enclosing, inScope, isScope, lookup, type Site } from '../scope.js';
import type { Asking } from './asking.js';
import { selfAt, typeOfMeaning } from './definitions.js';
import { typeOfText } from './read-type.js';
import { plainScope } from './scopes.js';
import { oneOfEach, type Type } from './type.js';
import { typeOfFlow } from './values.js';

/** What a bare name is as a value at a place: a local by what is told of it, else what the file's scopes bind. */
export function typeOfName(ask: Asking, site: Site, name: string): Type | null {
  const table = ask.program.tables.get(site.file);
  if (!table) return null;
  const types = table.types.get(name) ?? [];
  const flows = table.flows.get(name) ?? [];
  if (types.length === 0 && flows.length === 0 && !site.local) return ofLookup(ask, site, name);
  for (let scope = site.from; scope !== null; scope = definitionAt(table, scope).parent) {
    const told = localAt(ask, site, scope, types, flows);
    if (told !== undefined) return told;
    const definition = definitionAt(table, scope);
    const parameter = definition.parameters[parameterNamed(definition, name)];
    if (parameter) return parameter.type === null ? null : annotated(ask, site, scope, parameter.type);
    if (site.local) continue;
    const found = inScope(ask.program, table, site, scope, name, 'value', !isScope(definition));
    if (found) return typeOfMeaning(ask, found);
  }
  const told = localAt(ask, site, TOP, types, flows);
  if (told !== undefined) return told;
  if (site.local) return null;
  const top = inScope(ask.program, table, site, TOP, name, 'value');
  return top && typeOfMeaning(ask, top);
}

function ofLookup(ask: Asking, site: Site, name: string): Type | null {
  const meaning = lookup(ask.program, site, name, 'value');
  if (meaning === null) return null;
  if (meaning.kind !== 'local') return typeOfMeaning(ask, meaning);
  const table = ask.program.tables.get(site.file);
  if (!table) return null;
  for (const scope of enclosing(table, site.from)) {
    const definition = definitionAt(table, scope);
    const parameter = definition.parameters[parameterNamed(definition, name)];
    if (parameter) return parameter.type === null ? null : annotated(ask, site, scope, parameter.type);
  }
  return null;
}

function annotated(ask: Asking, site: Site, scope: number | null, type: string): Type | null {
  const own: Site = { file: site.file, from: scope, place: site.place, local: false };
  return typeOfText(ask, type, plainScope(own, selfAt(ask, site.file, scope)));
}

/** What is told of a name in one scope, in the innermost block; undefined when nothing is. */
function localAt(
  ask: Asking,
  site: Site,
  scope: number,
  types: readonly TypeFact[],
  flows: readonly FlowFact[],
): Type | null | undefined {
  const told = seenAt(site.place, scope, typesByScope.in(types, scope));
  const given = seenAt(site.place, scope, valuesByScope.in(flows, scope));
  const [annotation] = told;
  const [value] = given;
  if (annotation && (!value || startOf(value) <= startOf(annotation)))
    return annotated(ask, site, annotation.from, annotation.type);
  return value ? oneOfEach(given, (flow) => typeOfFlow(ask, site.file, flow)) : undefined;
}

/** Flows by the definition whose variable they go to; what functions give is left aside. */
const valuesByScope = new Grouping((flow: FlowFact) => (flow.kind ? null : scopeOf(flow)));

interface Blocked {
  readonly block?: FlowFact['block'] | null;
}

/** The facts of one block. */
interface Block<Fact> {
  readonly span: FlowFact['block'] | null;
  readonly facts: Fact[];
  /** The next block around it that has facts. */
  readonly outer: Block<Fact> | null;
}

const blocksOfLists = new WeakMap<readonly Blocked[], readonly Block<Blocked>[]>();

/**
 * The facts of the innermost block around a place that has any: the same list each time. At the top of a file names
 * without a block are definitions.
 */
function seenAt<Fact extends Blocked>(place: Place, scope: number, facts: readonly Fact[]): readonly Fact[] {
  const [only] = facts;
  if (only === undefined) return facts;
  if (facts.length === 1) return within(place, only.block) && (scope !== TOP || only.block) ? facts : NONE;
  const blocks = blocksOf(facts);
  const at = lastOf(blocks, ({ span }) => !span || startsBefore(span, place));
  for (let block = at === null ? null : blocks[at]; block; block = block.outer)
    if (within(place, block.span) && (scope !== TOP || block.span)) return block.facts;
  return NONE;
}

const NONE: readonly never[] = [];

/** The blocks of some facts, in their order. */
function blocksOf<Fact extends Blocked>(facts: readonly Fact[]): readonly Block<Fact>[] {
  const known = blocksOfLists.get(facts);
  // What is kept of a list is made of its own facts.
  if (known) return known as readonly Block<Fact>[];
  const byStart = new Map<number, Fact[]>();
  for (const fact of facts) append(byStart, startOf(fact), fact);
  const blocks: Block<Fact>[] = [];
  for (const [, own] of [...byStart].sort(([a], [b]) => a - b)) {
    const span = own[0]?.block ?? null;
    let outer = blocks.at(-1) ?? null;
    while (outer && span && !within({ line: span.start_line, column: span.start_column }, outer.span))
      outer = outer.outer;
    blocks.push({ span, facts: own, outer });
  }
  blocksOfLists.set(facts, blocks);
  return blocks;
}

/** Where the block of a fact begins, as one number; those that see all of their scope come first. */
function startOf({ block }: Blocked): number {
  return block ? block.start_line * 1e5 + block.start_column : -1;
}
