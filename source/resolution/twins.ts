import type { Definition } from '../facts.js';
import { definitionAt, definitionsNamed, type ModuleTable, TOP } from './module-table.js';

/** Functions of one name that branches define and a call may reach: of more no one is told. */
export const MOST_TWINS = 24;

/**
 * The functions of one name that branches of a scope define, `if … def f … else … def f`, when a definition is one of
 * them: which one there is depends on the branch that is run. Empty when there is only one, and for what is asked
 * inside of one of the branches (`line` null: from another file). In source order, the definition itself included; no
 * more than one beyond {@link MOST_TWINS}.
 */
export function twinsOf(table: ModuleTable, index: number, line: number | null): readonly number[] {
  const definition = definitionAt(table, index);
  if (!definition.branch) return [];
  const named = definitionsNamed(table, definition.parent ?? TOP, definition.name);
  const known = named.length > 1 ? twinsAmong(table, named, index) : [];
  const holds = (twin: number) => line !== null && isInside(line, definitionAt(table, twin));
  return known.length > 1 && !holds(index) && !known.some(holds) ? known : [];
}

const twinsOfLists = new WeakMap<readonly number[], Map<string, readonly number[]>>();

/** Found out once for all definitions of a list that stand in one branch and have the same decorators. */
function twinsAmong(table: ModuleTable, named: readonly number[], index: number): readonly number[] {
  const definition = definitionAt(table, index);
  const byBranch = twinsOfLists.get(named) ?? new Map<string, readonly number[]>();
  twinsOfLists.set(named, byBranch);
  const key = `${definition.branch} ${definition.decorators.join()}`;
  let others = byBranch.get(key);
  if (!others) {
    const apart: number[] = [];
    for (const other of named) {
      if (areApart(definitionAt(table, other), definition)) apart.push(other);
      if (apart.length > MOST_TWINS) break;
    }
    others = apart;
    byBranch.set(key, others);
  }
  return [...others, index].sort((a, b) => a - b);
}

/** Whether two functions stand in branches of which neither holds the other. Accessors of a property are no twins. */
function areApart(a: Definition, b: Definition): boolean {
  if (!a.branch || !b.branch || a.decorators.join() !== b.decorators.join()) return false;
  return a.branch[1] < b.branch[0] || b.branch[1] < a.branch[0];
}

function isInside(line: number, { branch }: Definition): boolean {
  return branch !== undefined && line >= branch[0] && line <= branch[1];
}
