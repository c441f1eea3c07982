import type { Definition } from '../facts.js';
import { definitionAt, definitionsNamed, type ModuleTable, TOP } from './module-table.js';

/**
 * The functions of one name that branches of a scope define, `if … def f … else … def f`, when a definition is one of
 * them: which one there is depends on the branch that is run. Empty when there is only one, and for what is asked
 * inside of one of the branches (`line` null: from another file). In source order, the definition itself included.
 */
export function twinsOf(table: ModuleTable, index: number, line: number | null): readonly number[] {
  const definition = definitionAt(table, index);
  if (!definition.branch) return [];
  const twins = definitionsNamed(table, definition.parent ?? TOP, definition.name).filter(
    (other) => other === index || areApart(definitionAt(table, other), definition),
  );
  const holds = (twin: number) => line !== null && isInside(line, definitionAt(table, twin));
  return twins.length > 1 && !twins.some(holds) ? twins : [];
}

/** Whether two functions stand in branches of which neither holds the other. Accessors of a property are no twins. */
function areApart(a: Definition, b: Definition): boolean {
  if (!a.branch || !b.branch || a.decorators.join() !== b.decorators.join()) return false;
  return a.branch[1] < b.branch[0] || b.branch[1] < a.branch[0];
}

function isInside(line: number, { branch }: Definition): boolean {
  return branch !== undefined && line >= branch[0] && line <= branch[1];
}
