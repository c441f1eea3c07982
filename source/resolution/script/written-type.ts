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
