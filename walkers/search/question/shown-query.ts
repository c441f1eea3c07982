/** Characters of the query that an answer repeats. */
const SHOWN = 200;

/** A query as answers repeat it: a long one by its beginning. */
export function shownQuery(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
