/** A part that is written twice pays for a name from about this many characters on. */
const WORTH_NAMING = 120;

/** JSON Schema as plain data. */
export type JsonSchema = { readonly [key: string]: unknown };

/** The root schema of a tool: MCP wants an object. */
export type ObjectSchema = JsonSchema & { readonly type: 'object' };

/**
 * A walker's input as small JSON Schema: every character of it is sent to a model. Left out is what restates a default
 * of JSON Schema or of JavaScript (`$schema`, safe integers), and that no other properties are there: the walker
 * checks its input by itself.
 */
export function inputSchema(schema: JsonSchema): ObjectSchema {
  return { ...compact(withoutDialect(schema), () => true), type: 'object' };
}

/**
 * A walker's answer as small JSON Schema, for programs: without descriptions, with parts that repeat written once, and
 * with `required` for the answer itself only. Of the rows of lists, and of `state`, the fields are named, with a type where that is
 * no text and never null, and what lies deeper by its type alone. Fields and values may be added (S3-45); what is there has the
 * shape that is said here.
 */
export function outputSchema(schema: JsonSchema): ObjectSchema {
  const { required, ...whole } = withoutDialect(schema);
  const small = compact(whole, (key) => key !== 'description' && key !== 'required');
  const thin = withSharedParts(withThinRows(small));
  return {
    ...(JSON.stringify(thin).length > MOST_CHARACTERS ? withoutRows(small) : thin),
    ...(required === undefined ? {} : { required }),
    type: 'object',
  };
}

/** Longer schemas say of lists only that they are lists. */
const MOST_CHARACTERS = 1750;

function withoutRows(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => key !== 'items')
      .map(([key, value]) => [key, isObject(value) ? withoutRows(value) : value]),
  );
}

/** Of these only the fields are named: see {@link outputSchema}. */
const THIN: ReadonlySet<string> = new Set(['items', 'state']);

function withThinRows(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (!isObject(value)) return [key, value];
      const { properties } = value;
      return [key, THIN.has(key) && isObject(properties) ? thinRow(value, properties) : withThinRows(value)];
    }),
  );
}

function thinRow(row: JsonSchema, properties: JsonSchema): JsonSchema {
  const thin = (part: unknown): unknown => {
    if (!isObject(part) || part.type === undefined) return {};
    const types: readonly unknown[] = Array.isArray(part.type) ? part.type : [part.type];
    return types.includes('string') || types.includes('null') ? {} : { type: part.type };
  };
  return {
    ...row,
    properties: Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, thin(part)])),
  };
}

function withoutDialect({ $schema: _, ...schema }: JsonSchema): JsonSchema {
  return schema;
}

/** Whether a keyword is kept. */
type Keeps = (key: string) => boolean;

function compact(schema: JsonSchema, keeps: Keeps): JsonSchema {
  const entries = Object.entries(schema)
    .filter(([key, value]) => keeps(key) && isInformative(key, value))
    .map(([key, value]) => [key, compactValue(key, value, keeps)]);
  return withShortNull(Object.fromEntries(entries));
}

function compactValue(key: string, value: unknown, keeps: Keeps): unknown {
  // The keys are names, not keywords.
  if ((key === 'properties' || key === '$defs') && isObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, part]) => [name, isObject(part) ? compact(part, keeps) : part]),
    );
  // Data, not schemas.
  if (key === 'default' || key === 'enum' || key === 'const') return value;
  if (Array.isArray(value)) return value.map((part) => (isObject(part) ? compact(part, keeps) : part));
  return isObject(value) ? compact(value, keeps) : value;
}

/** What only a command makes use of: `help` describes a field whose name says enough to an agent. */
const FOR_COMMANDS: ReadonlySet<string> = new Set(['positional', 'place', 'commas', 'words', 'help']);

function isInformative(key: string, value: unknown): boolean {
  if (key === 'additionalProperties') return isObject(value) && Object.keys(value).length > 0;
  if (key === 'minimum' || key === 'maximum')
    return typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER;
  if (key === 'default') return !(Array.isArray(value) && value.length === 0);
  // Nobody sends an empty or an endless name who does not try; an error says so.
  return key !== 'propertyNames' && key !== 'minLength' && key !== 'maxLength' && !FOR_COMMANDS.has(key);
}

/** `anyOf [{type: string}, {type: null}]` is `type: [string, null]`. */
function withShortNull(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2 || 'type' in rest) return schema;
  const [some, none]: readonly unknown[] = anyOf;
  if (!isObject(some) || !isObject(none) || none.type !== 'null') return schema;
  if (typeof some.type !== 'string' || 'enum' in some || 'const' in some) return schema;
  return { ...some, ...rest, type: [some.type, 'null'] };
}

function isObject(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The same schema with each large part that occurs more than once written once, under `$defs`. The outermost
 * repeated part is taken; names are numbers in the order of first occurrence.
 */
function withSharedParts(schema: JsonSchema): JsonSchema {
  const counts = new Map<string, number>();
  count(schema, counts);
  const repeated = new Map<string, string>();
  const defs: Record<string, unknown> = {};
  const shared = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(shared);
    if (typeof part !== 'object' || part === null) return part;
    const text = JSON.stringify(part);
    if (text.length < WORTH_NAMING || (counts.get(text) ?? 0) < 2) return mapped(part, shared);
    const known = repeated.get(text);
    const name = known ?? String(repeated.size + 1);
    if (known === undefined) {
      repeated.set(text, name);
      defs[name] = part;
    }
    return { $ref: `#/$defs/${name}` };
  };
  const whole = mapped(schema, shared);
  if (repeated.size === 0) return whole;
  return { ...whole, $defs: { ...(typeof whole.$defs === 'object' ? whole.$defs : {}), ...defs } };
}

function mapped(part: object, change: (value: unknown) => unknown): JsonSchema {
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, change(value)]));
}

function count(part: unknown, counts: Map<string, number>): void {
  if (typeof part !== 'object' || part === null) return;
  if (!Array.isArray(part)) {
    const text = JSON.stringify(part);
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  for (const inner of Object.values(part)) count(inner, counts);
}
