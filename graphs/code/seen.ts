import type { StepsContext } from '../../runtime/index.js';
import { ANYTHING, changedPlaces, interfaceOf, type LookupKey } from '../../source/index.js';
import type { ProjectIndex, ProjectState } from './project-index.js';
import { turn } from './turn.js';

/** What other files can see has changed, since they were last resolved. */
export interface Seen {
  readonly keys: ReadonlySet<LookupKey> | 'everything';
  /** Files that came or went. */
  readonly moved: ReadonlySet<string>;
  /** Files whose module has another name. */
  readonly renamed: readonly string[];
}

/** What a run has to settle. */
export interface Settling {
  /** What files offer whose facts this run found. */
  readonly offers: ReadonlyMap<string, string>;
  readonly project: ProjectState;
  /** Files that were not resolved since they changed. */
  readonly unsettled: readonly string[];
  readonly removed: readonly string[];
}

/** Takes what files offer now into the index, and tells what of it is another than others were resolved against. */
export async function takeOffers(
  context: StepsContext,
  index: ProjectIndex,
  { offers: known, project, unsettled, removed }: Settling,
): Promise<Seen> {
  const places = index.places();
  const modules = index.modules();
  const keys = new Set<LookupKey>();
  const moved = new Set(removed);
  for (const path of unsettled) {
    const state = index.states.get(path);
    if (!state) continue;
    await turn(context);
    const offers = known.get(path) ?? (await offersOf(context, index, path));
    // Facts that cannot be read are extracted again by the next run.
    const hash = state.extracted && offers === '' ? '' : state.hash;
    if (offers !== state.offers) keys.add(`file:${path}`);
    if (state.offers === null) moved.add(path);
    index.set(path, { ...state, hash, offers });
  }
  for (const path of removed) {
    keys.add(`file:${path}`);
    index.set(path, undefined);
    index.facts.drop(path);
  }
  index.setProject(project);
  const renamed: string[] = [];
  if (index.modules() !== modules)
    for (const [path, module] of index.modules())
      if (index.states.get(path)?.written?.module !== module) renamed.push(path);
  if (index.places() === places) return { keys, moved, renamed };
  const changed = changedPlaces(places, index.places());
  if (changed === 'everything') return { keys: changed, moved, renamed };
  return { keys: new Set([...keys, ...changed]), moved, renamed };
}

/** What a file offers whose facts an earlier run left; empty when it has none that can be read. */
async function offersOf(
  context: StepsContext,
  { states, facts: store }: ProjectIndex,
  path: string,
): Promise<string> {
  if (states.get(path)?.extracted) await store.load(context, [path]);
  const facts = store.get(path)?.facts;
  store.trim();
  return facts ? interfaceOf(facts) : '';
}

/** Files whose part of the graph may have to be another than it is, in path order. */
export function dirtyFiles(
  index: ProjectIndex,
  unsettled: readonly string[],
  { keys, renamed }: Seen,
): string[] {
  const { states } = index;
  if (keys === 'everything' || index.damaged) return [...states.keys()].sort();
  const dirty = new Set([...unsettled, ...renamed]);
  for (const key of keys.size > 0 ? ([...keys, ANYTHING] as const) : [])
    for (const path of index.dependentsOf(key)) dirty.add(path);
  return [...dirty].filter((path) => states.has(path)).sort();
}
