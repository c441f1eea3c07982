import { UnitPlaces } from '../link/places.js';
import { type ModuleIndex, modulePlaces } from '../modules/index.js';
import { documentKeys } from './document-words.js';
import { byText, directoryOf } from './file-path.js';
import { basesIn } from './interface.js';
import type { LookupKey } from './lookups.js';
import type { PackageManifest } from './manifest.js';
import { append } from './module-table.js';
import { javascriptImport, type NpmPlaces, npmPlaces } from './npm/index.js';

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
  /** The documents that define a name, as often as they do, by the keys of `documents.ts`. */
  readonly documents: ReadonlyMap<string, readonly string[]>;
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
  const documents = new Map<string, string[]>();
  for (const path of paths) {
    const offers = basesIn(offersOf(path));
    if (offers.startsWith(' p:')) {
      words.set(path, offers);
      for (const word of offers.split(' ')) if (word.startsWith('b:')) append(derived, word.slice(2), path);
    } else for (const key of documentKeys(path, offers)) append(documents, key, path);
  }
  if (documents.size > 0) documents.set('', []);
  return {
    ...{ paths, manifests, derived, documents, npm: npmPlaces(manifests) },
    ...{ units: new UnitPlaces(words), modules: modulePlaces(manifests, paths) },
  };
}

/**
 * What a resolution may have looked at in `before` and would find otherwise in `after`; `'everything'` when what the
 * manifests of other languages than those of npm say is another, which every import may rest on. What those of npm say
 * has no keys: see {@link changedImports}.
 */
export function changedPlaces(before: Places, after: Places): ReadonlySet<LookupKey> | 'everything' {
  if (shown(before.manifests, false) !== shown(after.manifests, false)) return 'everything';
  const changed = new Set<LookupKey>();
  for (const path of differing(before.paths, after.paths)) changed.add(stemKey(path));
  for (const folder of differing(before.modules.python.folders, after.modules.python.folders))
    changed.add(`folder:${folder}`);
  // Not joined: the root folder, whose name is empty, is another answer than none.
  for (const [kind, old, now] of [
    ['root', before.modules.python.roots, after.modules.python.roots],
    ['derived', before.derived, after.derived],
    ['document', before.documents, after.documents],
  ] as const)
    for (const name of new Set([...old.keys(), ...now.keys()]))
      if (JSON.stringify(old.get(name)) !== JSON.stringify(now.get(name))) changed.add(`${kind}:${name}`);
  for (const key of before.units.changedIn(after.units)) changed.add(key);
  return changed;
}

/**
 * The files that import something which means another file or package in `after` than in `before`, by what the manifests
 * of npm say. Who looked at such a file may have looked at where its imports lead.
 *
 * @param files With the modules that each names; null where these are not known.
 */
export function changedImports(
  before: Places,
  after: Places,
  files: Iterable<readonly [path: string, modules: readonly string[] | null]>,
): string[] {
  if (shown(before.manifests, true) === shown(after.manifests, true)) return [];
  const known = new Map<string, boolean>();
  const isChanged = (path: string, module: string) => {
    const key = `${directoryOf(path)}\0${module}`;
    const [was, is] = known.has(key)
      ? []
      : [before, after].map(({ paths, npm }) => JSON.stringify(javascriptImport(paths, npm, path, module)));
    const changed = known.get(key) ?? was !== is;
    known.set(key, changed);
    return changed;
  };
  return [...files].flatMap(([path, modules]) =>
    modules === null || modules.some((module) => isChanged(path, module)) ? [path] : [],
  );
}

/** What the manifests of npm say, compiler configurations among them, or what all others do. */
function shown(manifests: readonly PackageManifest[], ofNpm: boolean): string {
  const isOfNpm = ({ ecosystem }: PackageManifest) => ecosystem === 'npm' || ecosystem === 'typescript';
  return JSON.stringify(manifests.filter((manifest) => isOfNpm(manifest) === ofNpm));
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
