/** A payload as it was read: an object, nothing of it checked. */
export type Payload = Readonly<Record<string, unknown>>;

/** Deeper values are left out: no client nests as deep, and what comes after walks them recursively. */
const DEEPEST = 24;

/**
 * Reads a payload's bytes: UTF-8, or UTF-16 behind its mark, as some shells write it. What is no text in either is
 * replaced character by character.
 *
 * @returns null for what is no JSON object.
 */
export function readPayload(bytes: Uint8Array): Payload | null {
  try {
    const value: unknown = bounded(JSON.parse(textOf(bytes)), DEEPEST);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

/** Whether a value is an object with fields. */
export function isRecord(value: unknown): value is Payload {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What stands at a path of field names; undefined where nothing does. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  let found = value;
  for (const field of path) found = isRecord(found) && Object.hasOwn(found, field) ? found[field] : undefined;
  return found;
}

/** The text at a path; null where there is none. */
export function textAt(value: unknown, ...path: readonly string[]): string | null {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : null;
}

function textOf(bytes: Uint8Array): string {
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : 'utf-8';
  return new TextDecoder(encoding).decode(bytes);
}

function bounded(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return '[…]';
  if (Array.isArray(value)) return value.map((one: unknown) => bounded(one, depth - 1));
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, bounded(one, depth - 1)]));
}
