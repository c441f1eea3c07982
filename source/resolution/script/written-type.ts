/** A TypeScript type as written, as far as it tells what members a value has; what tells nothing is left out. */
export type WrittenType =
  | { kind: 'name'; path: readonly string[]; args: readonly (WrittenType | null)[] }
  | { kind: 'typeof'; path: readonly string[] }
  | { kind: 'list'; of: WrittenType | null }
  | { kind: 'tuple'; of: readonly (WrittenType | null)[] }
  /** One of these; null for one that tells nothing. */
  | { kind: 'union'; of: readonly (WrittenType | null)[] }
  | { kind: 'intersection'; of: readonly (WrittenType | null)[] }
  | WrittenFunction
  | WrittenObject
  | { kind: 'indexed'; of: WrittenType; key: WrittenType | null }
  | { kind: 'text'; value: string }
  /** Text, numbers and the like: no member of it is anybody's own. */
  | { kind: 'primitive' };

/** The type of a function: `(c: Context) => Response`, `new () => Foo`. */
export interface WrittenFunction {
  kind: 'function';
  isConstructor: boolean;
  typeParameters: readonly TypeParameter[];
  parameters: readonly WrittenParameter[];
  result: WrittenType | null;
}

/** The type of an object: `{ send(x: Mail): void }`. */
export interface WrittenObject {
  kind: 'object';
  members: ReadonlyMap<string, WrittenType | null>;
  /** What any key gives: `{ [name: string]: Foo }`. */
  others: WrittenType | null;
  calls: readonly WrittenFunction[];
}

/** One parameter of a function type. */
export interface WrittenParameter {
  type: WrittenType | null;
  rest: boolean;
}

/** One type parameter: `T extends Base = Base`. */
export interface TypeParameter {
  name: string;
  bound: WrittenType | null;
  fallback: WrittenType | null;
}

/** Of a union with more parts, or a list of more type parameters, nothing is told. */
export const MOST_PARTS = 64;

/** A union of many parts, as unions of texts are: those have no members, whichever it is. */
export function shortened(parts: readonly (WrittenType | null)[]): WrittenType | null {
  const others = parts.filter((part) => part?.kind !== 'text' && part?.kind !== 'primitive');
  if (others.length > MOST_PARTS) return null;
  return others.length === 0
    ? { kind: 'primitive' }
    : { kind: 'union', of: [...others, { kind: 'primitive' }] };
}

/** The name that is a part of both branches: `this & Refined<T>` and `this`. */
export function inCommon(yes: WrittenType | null, no: WrittenType | null): WrittenType | null {
  const parts = (type: WrittenType | null) => (type?.kind === 'intersection' ? type.of : [type]);
  const known = parts(no).map(nameIn);
  const at = parts(yes).findIndex((one) => nameIn(one) !== null && known.includes(nameIn(one)));
  return parts(yes)[at] ?? null;
}

function nameIn(type: WrittenType | null): string | null {
  return type?.kind === 'name' ? type.path.join('.') : null;
}
