import type { Definition } from '../facts.js';
import type { Space } from './meaning.js';
import { definitionAt, type ModuleTable, type Place, within } from './module-table.js';

/**
 * Which of several definitions of one name in one scope is meant at a place; null when none is visible there. The
 * innermost block wins, an implementation wins over its overload signatures, and of redefinitions the last one
 * above the place counts. `at` null asks from outside the file: nothing in a block is visible from there.
 */
export function chosenDefinition(
  table: ModuleTable,
  indexes: readonly number[],
  at: Place | null,
  space: Space,
): number | null {
  const visible: number[] = [];
  for (const index of indexes) if (isVisible(table, index, at, space)) visible.push(index);
  // Nearly always there is one.
  return visible.length > 1 ? nearest(table, visible, at) : (visible[0] ?? null);
}

function isVisible(table: ModuleTable, index: number, at: Place | null, space: Space): boolean {
  const definition = definitionAt(table, index);
  const seen = at === null ? !definition.block : within(at, definition.block);
  return seen && fits(table, definition, space);
}

function nearest(table: ModuleTable, visible: readonly number[], at: Place | null): number | null {
  const inner = innermost(table, visible);
  const written = withBody(table, inner);
  const above =
    at === null ? [] : written.filter((index) => definitionAt(table, index).span.start_line <= at.line);
  const last = above[above.length - 1] ?? (table.isPython ? written[written.length - 1] : written[0]);
  return last ?? null;
}

/**
 * Which of several members of one name a class has. Accessors share a name: the one that reads is meant. Of
 * Python's redefinitions the last one stays.
 */
export function chosenMember(table: ModuleTable, indexes: readonly number[]): number | null {
  const written = withBody(table, indexes);
  if (!table.isPython) return written[0] ?? null;
  const reading = written.filter(
    (index) =>
      !definitionAt(table, index).decorators.some((decorator) => /\.(?:setter|deleter)$/.test(decorator)),
  );
  const callable = reading.filter((index) => definitionAt(table, index).form !== 'variable');
  return callable[callable.length - 1] ?? reading[0] ?? written[0] ?? null;
}

function withBody(table: ModuleTable, indexes: readonly number[]): readonly number[] {
  const written = indexes.filter((index) => !definitionAt(table, index).declaration_only);
  return written.length > 0 ? written : indexes;
}

function innermost(table: ModuleTable, indexes: readonly number[]): readonly number[] {
  let best: readonly number[] = [];
  let line = -1;
  let column = -1;
  for (const index of indexes) {
    const block = definitionAt(table, index).block;
    const startLine = block ? block.start_line : 0;
    const startColumn = block ? block.start_column : 0;
    if (startLine === line && startColumn === column) best = [...best, index];
    else if (startLine > line || (startLine === line && startColumn > column)) {
      best = [index];
      line = startLine;
      column = startColumn;
    }
  }
  return best;
}

/** Python has one space for everything; TypeScript's types and interfaces are no values, its functions no types. */
function fits(table: ModuleTable, definition: Definition, space: Space): boolean {
  if (table.isPython) return true;
  if (space === 'value') return definition.form !== 'type' && definition.subkind !== 'interface';
  return definition.form === 'type' || definition.form === 'class';
}
