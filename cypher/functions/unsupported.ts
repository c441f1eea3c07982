/** Families of functions that other engines have, lowercased: what they are about, for refusals. */
const FAMILIES: ReadonlyMap<string, string> = new Map([
  ...['date', 'time', 'localtime', 'datetime', 'localdatetime', 'duration'].map(
    (name) => [name, 'what else there is about time'] as const,
  ),
  ...['point', 'distance'].map((name) => [name, 'points in space'] as const),
  ...['apoc', 'gds', 'db', 'graph', 'dbms'].map((name) => [name, "an extension of one vendor's"] as const),
  ['randomuuid', 'values that differ from run to run'],
  ['linenumber', 'LOAD CSV'],
  ['file', 'LOAD CSV'],
]);

/** Why a function that exists elsewhere does not exist here; null for names that nobody knows. @param name In any case. */
export function unsupportedFunction(name: string): string | null {
  const [family = ''] = name.toLowerCase().split('.');
  return FAMILIES.get(family) ?? null;
}
