/** Keys whose numbers are clocks, or count commits. */
const VOLATILE = new Set(['duration_ms', 'age_ms', 'revision']);

/** A function that masks what differs from run to run in an answer: the root, clocks, and ids made of random parts. */
export function stable(root: string): (value: unknown) => unknown {
  const ids = new Map<string, string>();
  const text = (value: string) =>
    value
      .replaceAll(root, '$ROOT')
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, '$TIME')
      .replace(/\(success, \d{4}-\d\d-\d\d/g, '(success, $DATE')
      .replace(ID, (id, kind: string) => {
        const known = ids.get(id) ?? `${kind}:$${ids.size + 1}`;
        ids.set(id, known);
        return known;
      });
  const mask = (value: unknown): unknown => {
    if (typeof value === 'string') return text(value);
    if (Array.isArray(value)) return value.map(mask);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [
        key,
        VOLATILE.has(key) && typeof one === 'number' ? '$NUMBER' : mask(one),
      ]),
    );
  };
  return mask;
}

/** The ids of what happened: their kind, then time and chance. */
const ID = /\b(task|step|tool|err|error|chk|checkpoint):[\w~.:-]+/g;
