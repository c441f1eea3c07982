import { closest } from 'fastest-levenshtein';
// As a namespace: the bundle of the clients then holds what is used of it, without the messages of all languages.
import * as z from 'zod';
import { ROOT_FIELD, type WalkerSignature } from '../host/index.js';
import { CodewalkError, isListed, type Profile, toolEntry } from '../schema/index.js';

/** How a server answers. */
export type ToolFormat = 'json' | 'markdown';

/** JSON Schema as plain data. */
type JsonSchema = { readonly [key: string]: unknown };
/** The root schema of a tool: MCP wants an object. */
type ObjectSchema = JsonSchema & { readonly type: 'object' };

/** One entry of `tools/list`. */
export interface ListedTool {
  readonly [key: string]: unknown;
  readonly name: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  /** Not listed in Markdown mode. */
  readonly outputSchema?: ObjectSchema;
  readonly annotations: { readonly readOnlyHint: boolean; readonly destructiveHint?: false };
}

/** What every tool accepts on top of its walker's input. */
export const CallFields = z.object({
  [ROOT_FIELD]: z.string().optional().describe('Absolute; default: this project'),
  response_format: z.enum(['json', 'markdown']).optional(),
});

/** A walker as a tool. */
export function toolOf({ name, description, access, input, output }: WalkerSignature): ListedTool {
  const { [ROOT_FIELD]: root, ...others } = z.toJSONSchema(CallFields, { io: 'input' }).properties ?? {};
  const properties = { [ROOT_FIELD]: root, ...input.properties, ...others };
  return {
    name,
    description,
    inputSchema: inputSchema({ ...input, properties }),
    outputSchema: outputSchema(output),
    // Nothing that a walker writes takes anything of the user's away.
    annotations: access === 'read' ? { readOnlyHint: true } : { readOnlyHint: false, destructiveHint: false },
  };
}

/** The tools that a server lists: those of its profiles, and the user's own. */
export class ToolSet {
  readonly listed: readonly ListedTool[];

  constructor(
    private readonly all: readonly ListedTool[],
    profiles: readonly Profile[],
  ) {
    this.listed = all.filter(({ name }) => profiles.some((profile) => isListed(name, profile)));
  }

  /**
   * The listed tool of this name, or of an upstream name for it.
   *
   * @throws CodewalkError `WALKER_NOT_FOUND`: with the profile that has it, or the nearest name.
   */
  get(name: string): ListedTool {
    const entry = toolEntry(name);
    const own = entry?.walker ?? name;
    const tool = this.listed.find((listed) => listed.name === own);
    if (tool) return tool;
    const names = this.listed.map((listed) => listed.name);
    const profile = this.all.some((one) => one.name === own) ? toolEntry(own)?.set : null;
    const near = names.length > 0 ? `Did you mean '${closest(own, names)}'?` : '';
    throw new CodewalkError('WALKER_NOT_FOUND', `there is no tool '${name}' here`, {
      input: name,
      suggestion: profile
        ? `It is in another profile: codewalk mcp --profile ${profile === 'extended' ? 'all' : profile}.`
        : near,
    });
  }
}

/** A part of a schema that is there twice pays for a name from about this many characters on. */
const WORTH_NAMING = 120;
/** Longer schemas of answers say of lists only that they are lists. */
const MOST_CHARACTERS = 1750;
/** Of these only the fields are named: see {@link outputSchema}. */
const THIN: ReadonlySet<string> = new Set(['items', 'state']);
/** What restates a default, or only a command makes use of. Nobody sends an empty or an endless name without trying. */
const LEFT_OUT: ReadonlySet<string> = new Set(
  'propertyNames minLength maxLength positional place commas words help $schema'.split(' '),
);

/**
 * A walker's input as small JSON Schema: every character of it is sent to a model. Left out is what restates a default
 * of JSON Schema or of JavaScript, and that no other properties are there: the walker checks its input by itself.
 */
export function inputSchema(schema: JsonSchema): ObjectSchema {
  return { ...compact(schema, () => true), type: 'object' };
}

/**
 * A walker's answer as small JSON Schema, for programs: without descriptions, with parts that repeat written once, and
 * with `required` for the answer itself only. Of the rows of lists, and of `state`, the fields are named, with a type
 * where that is no text and never null, and what lies deeper by its type alone. Fields and values may be added.
 */
export function outputSchema({ required, ...schema }: JsonSchema): ObjectSchema {
  const small = compact(schema, (key) => key !== 'description' && key !== 'required');
  const thin = withSharedParts(withThinRows(small));
  return {
    ...(JSON.stringify(thin).length > MOST_CHARACTERS ? withoutRows(small) : thin),
    ...(required === undefined ? {} : { required }),
    type: 'object',
  };
}

function isObject(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function mapped(part: object, change: (value: unknown, key: string) => unknown): JsonSchema {
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, change(value, key)]));
}

function withoutRows({ items: _, ...schema }: JsonSchema): JsonSchema {
  return mapped(schema, (value) => (isObject(value) ? withoutRows(value) : value));
}

function withThinRows(schema: JsonSchema): JsonSchema {
  return mapped(schema, (value, key) => {
    if (!isObject(value)) return value;
    return THIN.has(key) && isObject(value.properties)
      ? { ...value, properties: mapped(value.properties, thinPart) }
      : withThinRows(value);
  });
}

function thinPart(part: unknown): JsonSchema {
  if (!isObject(part) || part.type === undefined) return {};
  const types: readonly unknown[] = [part.type].flat();
  return types.includes('string') || types.includes('null') ? {} : { type: part.type };
}

function compact(schema: JsonSchema, keeps: (key: string) => boolean): JsonSchema {
  const inner = (part: unknown) => (isObject(part) ? compact(part, keeps) : part);
  const entries = Object.entries(schema)
    .filter(([key, value]) => keeps(key) && isInformative(key, value))
    .map(([key, value]) => {
      // The keys are names, not keywords.
      if ((key === 'properties' || key === '$defs') && isObject(value)) return [key, mapped(value, inner)];
      // Data, not schemas.
      if (key === 'default' || key === 'enum' || key === 'const') return [key, value];
      return [key, Array.isArray(value) ? value.map(inner) : inner(value)];
    });
  return withShortNull(Object.fromEntries(entries));
}

function isInformative(key: string, value: unknown): boolean {
  if (key === 'additionalProperties') return isObject(value) && Object.keys(value).length > 0;
  if (key === 'minimum' || key === 'maximum')
    return typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER;
  if (key === 'default') return !(Array.isArray(value) && value.length === 0);
  return !LEFT_OUT.has(key);
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

/** The same schema with each large part that occurs more than once written once, under `$defs`, numbered as they come. */
function withSharedParts(schema: JsonSchema): JsonSchema {
  const counts = new Map<string, number>();
  const count = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    const text = JSON.stringify(part);
    counts.set(text, (counts.get(text) ?? 0) + 1);
    Object.values(part).forEach(count);
  };
  count(schema);
  const names = new Map<string, string>();
  const defs: Record<string, unknown> = {};
  const shared = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(shared);
    if (!isObject(part)) return part;
    const text = JSON.stringify(part);
    if (text.length < WORTH_NAMING || (counts.get(text) ?? 0) < 2) return mapped(part, shared);
    const name = names.get(text) ?? String(names.size + 1);
    names.set(text, name);
    defs[name] = part;
    return { $ref: `#/$defs/${name}` };
  };
  const whole = mapped(schema, shared);
  return names.size === 0 ? whole : { ...whole, $defs: { ...Object(whole.$defs), ...defs } };
}
