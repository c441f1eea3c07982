import type { JsonSchema } from './compact-schema.js';

/** A part that is written twice pays for a name from about this many characters on. */
const WORTH_NAMING = 120;

/**
 * The same schema with each large part that occurs more than once written once, under `$defs`. The outermost
 * repeated part is taken; names are numbers in the order of first occurrence.
 */
export function withSharedParts(schema: JsonSchema): JsonSchema {
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
