import { distance } from 'fastest-levenshtein';

/** The part of a name that may be mistyped: beyond it another name is meant. */
const MISTYPED = 0.4;

/** The name that was likely meant, case aside; undefined where none is near. The first of several that are as near. */
export function nearName(wanted: string, names: Iterable<string>): string | undefined {
  const folded = wanted.toLowerCase();
  let nearest: string | undefined;
  let least = Math.max(1, Math.floor(wanted.length * MISTYPED)) + 1;
  for (const name of names) {
    if (Math.abs(name.length - wanted.length) >= least) continue;
    const far = distance(folded, name.toLowerCase());
    // All letters of a short name may differ by that much.
    if (far >= least || far >= name.length) continue;
    least = far;
    nearest = name;
  }
  return nearest;
}
