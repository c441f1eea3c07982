import { joined } from '../file-path.js';
import type { NpmPlaces } from './npm-places.js';

/** Whether there is a file. */
export type Paths = Pick<ReadonlySet<string>, 'has'>;

/** In the order in which TypeScript prefers them: sources, then declarations, then what is built from them; bundlers know `.vue`. */
const EXTENSIONS = ['.ts', '.tsx', '.d.ts', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.json', '.vue'];

/** The sources that a specifier with a built extension may name. */
const SOURCES: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\.js$/, ['.ts', '.tsx', '.d.ts', '.js', '.jsx']],
  [/\.jsx$/, ['.tsx', '.jsx']],
  [/\.mjs$/, ['.mts', '.d.mts', '.mjs']],
  [/\.cjs$/, ['.cts', '.d.cts', '.cjs']],
];

/**
 * The file of a module by its path without, with or with a built extension, or of the folder of that name: what its
 * `package.json` names, else its index file. Null when there is none.
 */
export function moduleFile(paths: Paths, npm: NpmPlaces, base: string, onlyFolder = false): string | null {
  if (!onlyFolder) {
    for (const [built, sources] of SOURCES)
      if (built.test(base)) {
        const stem = base.replace(built, '');
        const found = sources.map((extension) => stem + extension).find((path) => paths.has(path));
        if (found !== undefined) return found;
      }
    if (paths.has(base)) return base;
    const found = firstWith(paths, base);
    if (found !== null) return found;
  }
  const main = npm.folders.get(base)?.entries.find(({ name }) => name === '.');
  for (const file of main?.files ?? []) {
    const found = entryFile(paths, npm, base, file);
    if (found !== null) return found;
  }
  return firstWith(paths, joined(base, 'index'));
}

/** The source of a file that a package's manifest names: itself, or what it is built from. */
export function entryFile(paths: Paths, npm: NpmPlaces, folder: string, file: string): string | null {
  const inside = file.replace(/^(?:\.\/)+/, '').replace(/\/$/, '');
  const named = joined(folder, inside);
  if (paths.has(named)) return declared(paths, named);
  const stem = inside.replace(/(?:\.d)?\.[cm]?[jt]sx?$/, '');
  for (const one of [stem, ...sourceStems(npm, folder, stem)]) {
    const found =
      firstWith(paths, joined(folder, one)) ?? firstWith(paths, joined(joined(folder, one), 'index'));
    if (found !== null) return found;
  }
  return null;
}

/** The source beside a file that is built into its own folder. */
function declared(paths: Paths, named: string): string {
  const stem = /^(.*?)(?:\.d)?\.[cm]?js$/.exec(named)?.[1];
  const source =
    stem === undefined ? undefined : ['.ts', '.tsx', '.mts', '.cts'].find((one) => paths.has(stem + one));
  return source === undefined ? named : stem + source;
}

/** Where a built file's source may be, relative to the package: what the configuration says, then usual layouts. */
function* sourceStems(npm: NpmPlaces, folder: string, stem: string): Generator<string> {
  const built = joined(folder, stem);
  for (const { built: told } of npm.aliases.get(folder) ?? [])
    if (told && built.startsWith(`${told.outDir}/`)) {
      const source = joined(told.rootDir, built.slice(told.outDir.length + 1));
      if (folder === '') yield source;
      else if (source.startsWith(`${folder}/`)) yield source.slice(folder.length + 1);
    }
  let rest = stem;
  for (;;) {
    const inner = BUILT.exec(rest)?.[1];
    if (inner === undefined) return;
    yield `src/${inner}`;
    yield inner;
    rest = inner;
  }
}

/** The folders that builds are usually put in, below each other. */
const BUILT =
  /^(?:dist|build|built|lib|libs|out|output|esm?|cjs|umd|mjs|module|types|typings|dts|_?bundles?|node|browser)[\w.-]*\/(.+)$/;

function firstWith(paths: Paths, base: string): string | null {
  for (const extension of EXTENSIONS) if (paths.has(base + extension)) return base + extension;
  return null;
}
