import { offered } from '../link/places.js';
import {
  type ModulePlaces,
  modulePlaces,
  type PythonLayout,
  pythonSourceRoot,
  unitModuleName,
} from '../modules/index.js';
import { isDocument } from './document-words.js';
import { byText, directoryOf } from './file-path.js';
import { basesIn } from './interface.js';
import type { PackageManifest } from './manifest.js';

const PYTHON = /\.pyi?$/;
const SCRIPT = /(?:\.d)?\.[cm]?[jt]sx?$/;
const VUE = /\.vue$/i;

/**
 * The qualified name of every file's module (spec S0-55, X-19). Python: the path under its source root with dots,
 * `__init__` being the package itself: `src/auth/services.py` is `auth.services`. TypeScript and JavaScript: the
 * package's name, then the path inside the package without a leading `src`, extension and `/index`:
 * `src/utils/url.ts` in `hono` is `hono/utils/url`; a manifest without a name is
 * no package, and without a package the prefix is empty; a Vue component keeps its ending, as imports write it. Any other file: its
 * path. Of a unit the name of its package, which other files share; of a document none. Where modules collide each gets its root-relative path in front: `a/run.py:run`, `b/run.py:run`.
 */
export function moduleNames(
  paths: Iterable<string>,
  manifests: readonly PackageManifest[],
  offersOf: (path: string) => string = () => '',
): ReadonlyMap<string, string> {
  const sorted = [...paths].sort(byText);
  const places = modulePlaces(manifests, new Set(sorted));
  const { layout } = places.python;
  const packages = new Map<string, string>();
  for (const manifest of manifests)
    if (manifest.ecosystem === 'npm' && manifest.name !== null)
      packages.set(manifest.directory, manifest.name);

  const names = new Map(sorted.map((path) => [path, moduleName(path, layout, packages)]));
  const uses = new Map<string, number>();
  for (const name of names.values()) uses.set(name, (uses.get(name) ?? 0) + 1);
  for (const [path, name] of names)
    if ((uses.get(name) ?? 0) > 1) names.set(path, name === '' || name === path ? path : `${path}:${name}`);
  for (const path of sorted) {
    const offers = offersOf(path);
    const name = packageName(places, path, offers);
    if (name !== null) names.set(path, name);
    // A document says all of a name itself.
    else if (isDocument(basesIn(offers))) names.set(path, '');
  }
  return names;
}

/** The name of the package that a unit is in, by its interface; null for a file that is none. */
function packageName(places: ModulePlaces, path: string, offers: string): string | null {
  const one = offers.includes(' p:') ? offered(path, basesIn(offers)) : null;
  return one && unitModuleName(one.family, places, path, one.written);
}

/**
 * The qualified name of a definition: its module's name, a dot, its path inside the file:
 * `hono/utils/url.getPath`, `auth.services.Auth.login`. A module without a name adds nothing.
 *
 * @param separator What stands between the parts of names in the language: `crate::auth::Auth::login`.
 */
export function symbolName(module: string, qualname: string, separator = '.'): string {
  const name = separator === '.' ? qualname : qualname.replaceAll('.', separator);
  return module === '' ? name : `${module}${separator}${name}`;
}

function moduleName(path: string, layout: PythonLayout, packages: ReadonlyMap<string, string>): string {
  if (PYTHON.test(path)) {
    const inside = below(pythonSourceRoot(layout, path), path).replace(PYTHON, '');
    return inside.replace(/(?:^|\/)__init__$/, '').replaceAll('/', '.');
  }
  if (SCRIPT.test(path) || VUE.test(path)) return scriptName(path, packages);
  return path;
}

function scriptName(path: string, packages: ReadonlyMap<string, string>): string {
  let folder = directoryOf(path);
  while (folder !== '' && !packages.has(folder)) folder = directoryOf(folder);
  const inside = below(folder, path)
    .replace(SCRIPT, '')
    .replace(/^src\//, '')
    .replace(/(?:^|\/)index$/, '');
  const prefix = packages.get(folder) ?? '';
  return prefix === '' || inside === '' ? prefix + inside : `${prefix}/${inside}`;
}

function below(folder: string, path: string): string {
  return folder === '' ? path : path.slice(folder.length + 1);
}
