import { LIMITS } from '../../../schema/index.js';
import type { Definition } from '../../facts.js';
import { chosenMember } from '../chosen-definition.js';
import { holding, mergedWith } from '../class-members.js';
import { definitionAt, definitionsNamed, Grouping, type ModuleTable } from '../module-table.js';

/** The declarations of a class that say what is behind it, the one that is asked for first. */
export function withBases(table: ModuleTable, index: number): readonly number[] {
  const merged = mergedWith(table, index);
  if (merged.length === 0) return [index];
  return [index, ...extending.in(merged, true, table).slice(0, LIMITS.ancestors.max)].filter(
    (one, at) => at === 0 || one !== index,
  );
}

const extending = new Grouping(
  (index: number, table: ModuleTable) => definitionAt(table, index).bases.length > 0,
);

/** A class's own member; `isStatic` null for where there is no such difference. */
export function ownOf(
  table: ModuleTable,
  owner: number,
  name: string,
  isStatic: boolean | null,
): number | null {
  const own = writtenIn(table, owner, owner, name, isStatic);
  if (own !== null) return own;
  for (const one of holding(table, mergedWith(table, owner), name)) {
    const index = writtenIn(table, owner, one, name, isStatic);
    if (index !== null) return index;
  }
  return null;
}

function writtenIn(
  table: ModuleTable,
  owner: number,
  part: number,
  name: string,
  isStatic: boolean | null,
): number | null {
  const all = definitionsNamed(table, part, name);
  if (all.length === 0) return null;
  const { form } = definitionAt(table, owner);
  const { form: written, subkind } = definitionAt(table, part);
  // What stands in the namespace of a class is its own, and no instance has it.
  if (written === 'variable' && part !== owner) return isStatic === false ? null : chosenMember(table, all);
  if (form === 'function') return chosenMember(table, methods.in(all, true, table));
  const isOwn = isStatic ?? (part !== owner && written === 'class' && subkind === null ? true : null);
  if (isOwn === null) return chosenMember(table, all);
  return chosenMember(table, (isOwn ? ofStatics : ofInstances).in(all, true, table));
}

const methods = new Grouping(
  (index: number, table: ModuleTable) => definitionAt(table, index).form === 'method',
);
const ofStatics = new Grouping((index: number, table: ModuleTable) => {
  const definition = definitionAt(table, index);
  return definition.is_static || isNested(definition);
});
const ofInstances = new Grouping((index: number, table: ModuleTable) => {
  const definition = definitionAt(table, index);
  return !definition.is_static || isNested(definition);
});

/** What stands in a class's namespace is no member of its instances, but its own. */
function isNested({ form }: Definition): boolean {
  return form === 'class' || form === 'type';
}

/** Properties by their whole names; others under ''. */
export const properties = new Grouping((index: number, table: ModuleTable) => {
  const { is_property, qualname } = definitionAt(table, index);
  return is_property ? qualname : '';
});
/** Variables, under true. */
export const variables = new Grouping(
  (index: number, table: ModuleTable) => definitionAt(table, index).form === 'variable',
);
