import type { TypeFact } from '../../facts.js';
import type { FlowFact } from '../../flow-facts.js';
import { definitionAt, TOP, within } from '../module-table.js';
import { enclosing, inScope, isScope, lookup, type Site } from '../scope.js';
import type { Asking } from './asking.js';
import { selfAt, typeOfMeaning } from './definitions.js';
import { typeOfText } from './read-type.js';
import { plainScope } from './scopes.js';
import { oneOf, type Type } from './type.js';
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
    const parameter = definition.parameters.find((one) => one.name === name);
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
  for (const scope of table ? enclosing(table, site.from) : []) {
    const parameter = table && definitionAt(table, scope).parameters.find((one) => one.name === name);
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
  let start = -1;
  let annotation: TypeFact | null = null;
  for (const one of types)
    if ((one.from ?? TOP) === scope && counts(site, scope, one)) {
      const begins = startOf(one);
      if (annotation === null || begins > start) {
        annotation = one;
        start = begins;
      }
    }
  let values: FlowFact[] = [];
  for (const one of flows)
    if (
      !one.kind &&
      ((one.scope === undefined ? one.from : one.scope) ?? TOP) === scope &&
      counts(site, scope, one)
    ) {
      const begins = startOf(one);
      if (begins > start) {
        values = [];
        annotation = null;
        start = begins;
      }
      if (begins === start) values.push(one);
    }
  if (annotation) return annotated(ask, site, annotation.from, annotation.type);
  if (values.length === 0) return undefined;
  return oneOf(values.map((flow) => typeOfFlow(ask, site.file, flow)));
}

/** At the top of a file names without a block are definitions. */
function counts({ place }: Site, scope: number, { block }: Blocked): boolean {
  return within(place, block) && (scope !== TOP || !!block);
}

interface Blocked {
  readonly block?: FlowFact['block'] | null;
}

/** Where the block of a fact begins, as one number; those that see all of their scope come first. */
function startOf({ block }: Blocked): number {
  return block ? block.start_line * 1e5 + block.start_column : -1;
}
