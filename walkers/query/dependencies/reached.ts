import type { Dependencies, DependenciesOf } from './dependencies-of.js';

/** What is reached along dependencies: ids, nearest first, without those that it began at. */
export interface Reached {
  readonly imports: readonly string[];
  readonly calls: readonly string[];
  /** What each node that was followed depends on. */
  readonly followed: ReadonlyMap<string, Dependencies>;
}

/** What these depend on; breadth first also what that depends on, where it is asked for (S0-09). */
export async function reachedFrom(
  dependencies: DependenciesOf,
  targets: readonly string[],
  transitive: boolean,
): Promise<Reached> {
  const seen = new Set(targets);
  const imports: string[] = [];
  const calls: string[] = [];
  const followed = new Map<string, Dependencies>();
  let frontier = targets;
  while (frontier.length > 0) {
    const next: string[] = [];
    for (const [id, found] of await dependencies.all(frontier)) {
      followed.set(id, found);
      for (const [list, ids] of [
        [imports, found.imports],
        [calls, found.calls],
      ] as const)
        for (const one of ids) {
          if (seen.has(one)) continue;
          seen.add(one);
          list.push(one);
          next.push(one);
        }
    }
    frontier = transitive ? next : [];
  }
  return { imports, calls, followed };
}
