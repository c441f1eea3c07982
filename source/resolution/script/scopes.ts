import type { Definition } from '../../facts.js';
import { append, definitionAt, definitionsNamed, Grouping, type ModuleTable, TOP } from '../module-table.js';
import type { Program } from '../program.js';
import type { DefinitionTarget } from '../resolution.js';
import { enclosing, type Site } from '../scope.js';
import { writtenSignature, writtenType, writtenTypeParameters, writtenTypes } from './read-text.js';
import type { Type, TypeArgument, TypeScope } from './type.js';
import type { TypeParameter, WrittenFunction, WrittenType } from './written-type.js';

/** A definition with the table that it is in. */
export interface Found {
  table: ModuleTable;
  definition: Definition;
}

/** The definition of a target; null for a file without facts. */
export function foundAt(program: Program, at: DefinitionTarget): Found | null {
  const table = program.tables.get(at.file);
  return table ? { table, definition: definitionAt(table, at.definition) } : null;
}

/** The place right inside a definition, where its own type parameters are known. */
export function siteInside(at: DefinitionTarget, { span }: Definition): Site {
  return {
    file: at.file,
    from: at.definition,
    place: { line: span.start_line, column: span.start_column },
    local: false,
  };
}

/** The place around a definition. */
export function siteAround(at: DefinitionTarget, { span, parent }: Definition): Site {
  const place = { line: span.start_line, column: span.start_column };
  return { file: at.file, from: parent, place, local: false };
}

/** A written type, read once. */
export function readType(program: Program, text: string): WrittenType | null {
  const { written } = program.caches;
  const known = written.get(text);
  if (known !== undefined) return known;
  const type = writtenType(text);
  written.set(text, type);
  return type;
}

const NONE: readonly TypeParameter[] = [];

/** The type parameters of a definition. */
export function parametersOf(
  program: Program,
  { type_parameters: text }: Definition,
): readonly TypeParameter[] {
  if (text === undefined) return NONE;
  const { typeParameters } = program.caches;
  const known = typeParameters.get(text);
  if (known) return known;
  const parameters = writtenTypeParameters(text);
  typeParameters.set(text, parameters);
  return parameters;
}

/** A type parameter of what is around a place. */
export function parameterAt(program: Program, site: Site, name: string): TypeParameter | null {
  const table = program.tables.get(site.file);
  if (!table) return null;
  for (const scope of enclosing(table, site.from)) {
    const found = parametersOf(program, definitionAt(table, scope)).find((one) => one.name === name);
    if (found) return found;
  }
  return null;
}

/**
 * The scope inside a definition whose type parameters stand for `args`, or else for their defaults or bounds. A type
 * parameter that `isOpen` may be anything within its bound: its default says nothing.
 */
export function scopeInside(
  program: Program,
  at: DefinitionTarget,
  definition: Definition,
  args: readonly TypeArgument[],
  outer: ReadonlyMap<string, TypeArgument>,
  self: Type | null,
  isOpen: (name: string) => boolean = () => false,
): TypeScope {
  const site = siteInside(at, definition);
  const parameters = parametersOf(program, definition);
  if (parameters.length === 0) return { site, names: outer, self };
  const names = new Map(outer);
  const scope: TypeScope = { site, names, self };
  parameters.forEach(({ name, bound, fallback }, index) => {
    const told = isOpen(name) ? bound : (fallback ?? bound);
    names.set(name, args[index] ?? { written: told, scope });
  });
  return scope;
}

/** Whether an argument for one of these parameters can decide what a type parameter is. */
export function isDecidedBy(
  parameters: readonly { type: string | null }[],
  except?: number,
): (name: string) => boolean {
  return (name) => (mentions(parameters).get(name) ?? []).some((index) => index !== except);
}

const mentioned = new WeakMap<object, ReadonlyMap<string, readonly number[]>>();

/** The parameters whose types say a name, by the name. */
function mentions(parameters: readonly { type: string | null }[]): ReadonlyMap<string, readonly number[]> {
  const known = mentioned.get(parameters);
  if (known) return known;
  const made = new Map<string, number[]>();
  parameters.forEach(({ type }, index) => {
    for (const name of new Set(type?.match(/[\p{ID_Start}$_][\p{ID_Continue}$]*/gu)))
      append(made, name, index);
  });
  mentioned.set(parameters, made);
  return made;
}

/** Type arguments as written at a place. */
export function argumentsIn(
  program: Program,
  text: string | undefined,
  scope: TypeScope,
): readonly TypeArgument[] {
  if (text === undefined) return [];
  const { typeArguments } = program.caches;
  let read = typeArguments.get(text);
  if (!read) {
    read = writtenTypes(text);
    typeArguments.set(text, read);
  }
  return read.map((written) => ({ written, scope }));
}

/** A signature, read once. */
export function readSignature(program: Program, text: string): WrittenFunction | null {
  const { signatures } = program.caches;
  const known = signatures.get(text);
  if (known !== undefined) return known;
  const signature = writtenSignature(text);
  signatures.set(text, signature);
  return signature;
}

/** The scope of a place in which no type parameter stands for anything known. */
export function plainScope(site: Site, self: Type | null = null): TypeScope {
  return { site, names: NO_NAMES, self };
}

const NO_NAMES: ReadonlyMap<string, TypeArgument> = new Map();

/** The signatures by which a function can be called: of an overloaded one those without a body. */
export function signaturesOf(table: ModuleTable, index: number): readonly number[] {
  const { parent, name } = definitionAt(table, index);
  const named = definitionsNamed(table, parent ?? TOP, name);
  if (named.length < 2) return [index];
  const same = alike.in(named, formAndBlock(index, table), table);
  const signatures = withoutBody.in(same, true, table);
  return signatures.length > 0 && signatures.length + 1 >= same.length ? signatures : [index];
}

function formAndBlock(index: number, table: ModuleTable): string {
  const { form, block } = definitionAt(table, index);
  return `${form} ${block?.start_line ?? 0}`;
}

const alike = new Grouping(formAndBlock);
const withoutBody = new Grouping(
  (index: number, table: ModuleTable) => definitionAt(table, index).declaration_only,
);
