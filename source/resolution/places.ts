import { UnitPlaces } from '../link/places.js';
import { type ModuleIndex, modulePlaces } from '../modules/index.js';
import { byText } from './file-path.js';
import { basesIn } from './interface.js';
import type { LookupKey } from './lookups.js';
import type { PackageManifest } from './manifest.js';
import { append } from './module-table.js';
import { type NpmPlaces, npmPlaces } from './npm/index.js';

/** Which files a project has and what its manifests say: all that imports are looked up in. */
export interface Places {
  /** Every File of the project, extracted or not: an import may name a style sheet. */
  readonly paths: ReadonlySet<string>;
  readonly manifests: readonly PackageManifest[];
  readonly npm: NpmPlaces;
  /** The Python files with classes that have a base of a last name, sorted. */
  readonly derived: ReadonlyMap<string, readonly string[]>;
  /** The files that the linker links, by their packages and names. */
  readonly units: UnitPlaces;
  readonly modules: ModuleIndex;
}

/**
 * The places of a project; linear in its paths. Nothing of it depends on the order of its input.
 *
 * @param offersOf What files offer, as `interfaceOf` made it.
 */
export function createPlaces(
  allPaths: Iterable<string>,
  manifests: readonly PackageManifest[],
  offersOf: (path: string) => string = () => '',
): Places {
  const paths = new Set([...new Set(allPaths)].sort(byText));
  const derived = new Map<string, string[]>();
  const words = new Map<string, string>();
  for (const path of paths) {
    const offers = basesIn(offersOf(path));
    if (offers.startsWith(' p:')) {
      words.set(path, offers);
      for (const word of offers.split(' ')) if (word.startsWith('b:')) append(derived, word.slice(2), path);
    } else for (const name of offers.split(' ').slice(1)) append(derived, name, path);
  }
  return {
    ...{ paths, manifests, derived, npm: npmPlaces(manifests) },
    ...{ units: new UnitPlaces(words), modules: modulePlaces(manifests, paths) },
  };
}

/**
 * What a resolution may have looked at in `before` and would find otherwise in `after`; `'everything'` when what the
 * manifests say is another, which every import may rest on.
 */
export function changedPlaces(before: Places, after: Places): ReadonlySet<LookupKey> | 'everything' {
  if (JSON.stringify(before.manifests) !== JSON.stringify(after.manifests)) return 'everything';
  const changed = new Set<LookupKey>();
  for (const path of differing(before.paths, after.paths)) changed.add(stemKey(path));
  for (const folder of differing(before.modules.python.folders, after.modules.python.folders))
    changed.add(`folder:${folder}`);
  // Not joined: the root folder, whose name is empty, is another answer than none.
  for (const [kind, old, now] of [
    ['root', before.modules.python.roots, after.modules.python.roots],
    ['derived', before.derived, after.derived],
  ] as const)
    for (const name of new Set([...old.keys(), ...now.keys()]))
      if (JSON.stringify(old.get(name)) !== JSON.stringify(now.get(name))) changed.add(`${kind}:${name}`);
  for (const key of before.units.changedIn(after.units)) changed.add(key);
  return changed;
}

/** The key of a path that is looked for: the folder and the file's name up to the first dot. */
export function stemKey(path: string): LookupKey {
  const name = path.lastIndexOf('/') + 1;
  const dot = path.indexOf('.', name + 1);
  return `stem:${dot < 0 ? path : path.slice(0, dot)}`;
}

function* differing(a: ReadonlySet<string>, b: ReadonlySet<string>): Generator<string> {
  for (const one of a) if (!b.has(one)) yield one;
  for (const one of b) if (!a.has(one)) yield one;
}
