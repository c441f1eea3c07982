import type { Reference } from '../../facts.js';
import { ancestorsOf } from '../class-members.js';
import { definitionAt, type ModuleTable, TOP } from '../module-table.js';
import type { Program } from '../program.js';
import { isByCondition, reaching } from '../reaching.js';
import type { DefinitionTarget } from '../resolution.js';

/** Whether a condition has told, where a call stands, of which class the name is that its receiver begins with. */
export function isNarrowed(table: ModuleTable, reference: Reference): boolean {
  const { receiver, receiver_form: form, from, line, column } = reference;
  const name = form === 'path' ? /^[\p{L}\p{N}_]+/u.exec(receiver ?? '')?.[0] : undefined;
  return name !== undefined && isByCondition(reaching(table, name, from ?? TOP, { line, column }));
}

/** Whether a method is of a class that derives from another's: then the written type told more than the condition. */
export function isOfDerived(program: Program, method: DefinitionTarget, other: DefinitionTarget): boolean {
  const [own, base] = [ownerOf(program, method), ownerOf(program, other)];
  if (!own || !base) return false;
  const ancestors = ancestorsOf(program, { ...own, kind: 'definition', via: 'type' });
  return ancestors.some((one) => one?.file === base.file && one.definition === base.definition);
}

function ownerOf(program: Program, { file, definition }: DefinitionTarget): DefinitionTarget | null {
  const table = program.tables.get(file);
  const owner = table ? definitionAt(table, definition).parent : null;
  return owner === null ? null : { file, definition: owner };
}
