import { isRecord } from './read-payload.js';

/** The text of a tool's result: itself, or of its parts `{text}`, one a line; null where it has none. */
export function textsOf(result: unknown): string | null {
  if (typeof result === 'string') return result;
  if (isRecord(result)) return typeof result.text === 'string' ? result.text : null;
  if (!Array.isArray(result)) return null;
  const texts = result.flatMap((part: unknown) => textsOf(part) ?? []);
  return texts.length === 0 ? null : texts.join('\n');
}

/** {@link textsOf} a result, or where it has no text its JSON; empty where nothing was told. */
export function jsonOrText(result: unknown): string {
  if (result === undefined || result === null) return '';
  return textsOf(result) ?? JSON.stringify(result);
}
