/**
 * The parameters of a tool as an object: hooks and shells give them as JSON text too. A text that is no JSON object
 * is kept whole, as `{ text }`; an empty one says nothing.
 */
export function toldParams(
  told: Record<string, unknown> | string | undefined,
): Record<string, unknown> | null {
  if (typeof told !== 'string') return told ?? null;
  if (told.trim() === '') return null;
  return objectOf(told) ?? { text: told };
}

function objectOf(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
