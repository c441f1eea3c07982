import { distance } from 'fastest-levenshtein';
import type { CypherGraph } from './graph.js';
import type { Survey } from './plan/index.js';

/** Letters that may be wrong in a name that is taken for another. */
const MOST_WRONG = 3;
const MOST_HINTS = 10;

/** Says which labels, types and properties of a query the graph does not have, and which ones may have been meant. */
export function hintsFor(
  { labels, types, properties }: Survey,
  { names }: Pick<CypherGraph, 'names'>,
): string[] {
  return [
    ...unknown('label', labels, names.labels),
    ...unknown('relationship type', types, names.types),
    ...unknown('property', properties, names.properties),
  ].slice(0, MOST_HINTS);
}

function unknown(what: string, used: ReadonlySet<string>, known: readonly string[]): string[] {
  return [...used]
    .filter((name) => !known.includes(name))
    .map((name) => {
      const meant = nearest(name, known);
      return `there is no ${what} ${name}${meant === null ? '' : `: did you mean ${meant}?`}`;
    });
}

/** The known name that is most like one: of several the first. */
function nearest(name: string, known: readonly string[]): string | null {
  const wanted = name.toLowerCase();
  let best: string | null = null;
  let least = Math.min(MOST_WRONG, Math.floor(name.length / 2)) + 1;
  for (const candidate of known) {
    if (Math.abs(candidate.length - name.length) >= least) continue;
    const wrong = distance(wanted, candidate.toLowerCase());
    if (wrong < least) [best, least] = [candidate, wrong];
  }
  return best;
}
