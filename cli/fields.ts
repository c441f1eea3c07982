import type { JsonSchema as Schema, WalkerSignature } from '../host/index.js';

/** One input field of a walker as the command line sees it. */
export interface InputField {
  /** As the walker spells it. */
  readonly name: string;
  /** With dashes, without the leading ones. */
  readonly flag: string;
  /** `either`: a text or a number, typed as it is. `json`: whatever has no plain spelling is given as JSON text. */
  readonly kind: 'string' | 'number' | 'either' | 'boolean' | 'json';
  /** A list of that kind. */
  readonly many: boolean;
  readonly required: boolean;
  /** Given by its place though it may be left out: the walker says so (`.meta({ positional: true })`). */
  readonly positional: boolean;
  /** A name that may be a path, with a line behind it or not: the walker says so (`.meta({ place: true })`). */
  readonly place: boolean;
  /** A list that is also typed as one text, with commas: the walker says so (`.meta({ commas: true })`). */
  readonly commas: boolean;
  /** A text whose words are typed with or without quotes: the walker says so (`.meta({ words: true })`). */
  readonly words: boolean;
  /** Null: free. */
  readonly choices: readonly string[] | null;
  /** Undefined: none. */
  readonly fallback: unknown;
  readonly description: string;
}

/** The input fields of a walker, in the order in which it declares them. */
export function fieldsOf({ input }: WalkerSignature): InputField[] {
  const required = new Set(input.required ?? []);
  return Object.entries(input.properties ?? {}).map(([name, property]) =>
    fieldOf(name, typeof property === 'boolean' ? {} : property, required.has(name)),
  );
}

/** `maxDepth` and `max_depth` are both `max-depth`. */
export function dashed(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase();
}

/** Fields that name files: what is relative is relative to where the user stands. */
export function isPathField({ name, kind }: InputField): boolean {
  return kind === 'string' && /^(?:files?|(?:file_?)?paths?)$/i.test(name);
}

function fieldOf(name: string, schema: Schema, required: boolean): InputField {
  const plain = withoutNull(schema);
  const many = plain.type === 'array';
  const items = Array.isArray(plain.items) || typeof plain.items === 'boolean' ? {} : plain.items;
  const one = many ? withoutNull(items ?? {}) : plain;
  return {
    name,
    flag: dashed(name),
    kind: kindOf(one),
    many,
    required,
    positional: schema.positional === true,
    place: schema.place === true || plain.place === true,
    commas: many && (schema.commas === true || plain.commas === true),
    words: schema.words === true,
    choices: one.enum?.every((value) => typeof value === 'string') ? (one.enum as string[]) : null,
    fallback: schema.default ?? plain.default,
    description: [helpOf(schema) ?? schema.description ?? plain.description, rangeOf(one)]
      .filter(Boolean)
      .join(' '),
  };
}

/** How a field is described to people (`.meta({ help: … })`), where an agent is told less: each tool has few characters. */
function helpOf({ help }: Schema): string | undefined {
  return typeof help === 'string' ? help : undefined;
}

function kindOf(schema: Schema): InputField['kind'] {
  if (isTextOrNumber(schema)) return 'either';
  const types: readonly unknown[] = [schema.type].flat().filter((type) => type !== 'null');
  // What may be a text or something else is typed as a text.
  if (types.includes('string')) return 'string';
  if (types.length !== 1) return 'json';
  if (types[0] === 'boolean') return 'boolean';
  return types[0] === 'number' || types[0] === 'integer' ? 'number' : 'json';
}

function isTextOrNumber({ anyOf }: Schema): boolean {
  const types = new Set(anyOf?.map(({ type }) => (type === 'integer' ? 'number' : type)));
  types.delete('null');
  return types.size === 2 && types.has('string') && types.has('number');
}

function withoutNull(schema: Schema): Schema {
  const some = schema.anyOf?.filter((option) => option.type !== 'null');
  return some?.length === 1 && some[0] ? { ...some[0], ...withoutUnion(schema) } : schema;
}

function withoutUnion({ anyOf: _, ...rest }: Schema): Schema {
  return rest;
}

function rangeOf({ minimum, maximum }: Schema): string {
  const [least, most] = [minimum, maximum].map((bound) => (isChosen(bound) ? bound : undefined));
  if (least !== undefined && most !== undefined) return `(${least} to ${most})`;
  if (least !== undefined) return `(at least ${least})`;
  return most === undefined ? '' : `(at most ${most})`;
}

/** zod says of every integer that it is a safe one. */
function isChosen(bound: number | undefined): boolean {
  return bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
}
