/** What is known of a value before the query runs. */
export type StaticType =
  | 'any'
  | 'null'
  | 'boolean'
  | 'integer'
  | 'float'
  | 'number'
  | 'string'
  | 'map'
  | 'node'
  | 'relationship'
  | 'path'
  | ListType;

/** A list, and what is known of its items. */
export interface ListType {
  readonly listOf: StaticType;
}

/** What a place may ask for. */
export type Wanted =
  | 'boolean'
  | 'integer'
  | 'number'
  | 'string'
  | 'map'
  | 'node'
  | 'relationship'
  | 'path'
  | 'list';

/** Whether a value of a type may turn out to be one of these; null is welcome everywhere. */
export function mayBe(type: StaticType, wanted: readonly Wanted[]): boolean {
  if (type === 'any' || type === 'null') return true;
  if (typeof type === 'object') return wanted.includes('list');
  if (type === 'float') return wanted.includes('number');
  if (type === 'integer' || type === 'number') return wanted.includes('number') || wanted.includes('integer');
  return wanted.includes(type);
}

/** What is known of a value that has one of two types. */
export function either(a: StaticType, b: StaticType): StaticType {
  if (a === b || b === 'null') return a;
  if (a === 'null') return b;
  if (typeof a === 'object' && typeof b === 'object') return { listOf: either(a.listOf, b.listOf) };
  const numbers: readonly StaticType[] = ['integer', 'float', 'number'];
  return numbers.includes(a) && numbers.includes(b) ? 'number' : 'any';
}

/** What is known of a value that has one of several types; `any` of none. */
export function oneOf(types: readonly StaticType[]): StaticType {
  return types.length === 0 ? 'any' : types.reduce(either);
}

/** What is known of the items of a list, or of what may be one. */
export function itemOf(type: StaticType): StaticType {
  return typeof type === 'object' ? type.listOf : 'any';
}

/** A type as messages name it: `a list`, `an integer`. */
export function typeName(type: StaticType): string {
  if (typeof type === 'object') return 'a list';
  if (type === 'null') return 'null';
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

/** Wanted types as messages name them: `a node or a relationship`. */
export function wantedNames(wanted: readonly Wanted[]): string {
  const names = wanted.map((type) => (type === 'list' ? 'a list' : typeName(type)));
  return names.length < 3 ? names.join(' or ') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}
