import { z } from 'zod';

/** JSON Schema as plain data. */
export type JsonSchema = { readonly [key: string]: unknown };

/**
 * A zod schema as small JSON Schema: clients send every character of it to a model, or hold it for nothing. Left out
 * is what restates a default of JSON Schema or of JavaScript (`$schema`, safe integers), and that no other
 * properties are there: calls are checked by the walker itself, answers may grow.
 */
export function compactSchema(
  schema: z.ZodType,
  io: 'input' | 'output',
  { descriptions }: { descriptions: boolean },
): JsonSchema {
  const { $schema: _, ...whole } = z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline' });
  return compactObject(whole, descriptions);
}

function compactObject(schema: JsonSchema, descriptions: boolean): JsonSchema {
  const entries = Object.entries(schema)
    .filter(([key, value]) => isTelling(key, value) && (descriptions || key !== 'description'))
    .map(([key, value]) => [key, compactPart(key, value, descriptions)] as const);
  return withShortNull(Object.fromEntries(entries));
}

function compactPart(key: string, value: unknown, descriptions: boolean): unknown {
  if (key === 'properties' || key === '$defs' || key === 'patternProperties')
    return Object.fromEntries(
      Object.entries(isObject(value) ? value : {}).map(([name, part]) => [
        name,
        isObject(part) ? compactObject(part, descriptions) : part,
      ]),
    );
  // Data, not schemas.
  if (key === 'default' || key === 'enum' || key === 'const' || key === 'required') return value;
  if (Array.isArray(value))
    return value.map((part) => (isObject(part) ? compactObject(part, descriptions) : part));
  return isObject(value) ? compactObject(value, descriptions) : value;
}

function isTelling(key: string, value: unknown): boolean {
  if (key === 'additionalProperties') return isObject(value) && Object.keys(value).length > 0;
  if (key === 'propertyNames') return false;
  if (key === 'minimum' || key === 'maximum')
    return typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER;
  return !(key === 'default' && Array.isArray(value) && value.length === 0);
}

/** `anyOf [{type: string}, {type: null}]` is `type: [string, null]`. */
function withShortNull(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2 || 'type' in rest) return schema;
  const [some, none] = anyOf as [JsonSchema, JsonSchema];
  if (none.type !== 'null' || typeof some.type !== 'string' || 'enum' in some || 'const' in some)
    return schema;
  return { ...some, ...rest, type: [some.type, 'null'] };
}

function isObject(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
