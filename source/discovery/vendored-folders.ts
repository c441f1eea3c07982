import { HOME_MARKER } from '../../schema/index.js';

/**
 * When a folder of this name is vendored or generated. `always`: no person keeps sources there. `beside`: only with
 * one of these names in the same folder, because people use the name too. Nothing here asks git, so that a checkout
 * without `.git` gives the same graph; what a project generates elsewhere, its .gitignore names.
 */
type Evidence = 'always' | { readonly beside: readonly string[] };

const JAVA_OR_RUST = ['Cargo.toml', 'pom.xml', 'build.sbt'];
const SETUPTOOLS = ['setup.py', 'setup.cfg', 'pyproject.toml'];
const GRADLE = ['build.gradle', 'build.gradle.kts'];

/** The list that the documentation shows. */
export const VENDORED_FOLDERS: Readonly<Record<string, Evidence>> = {
  // Version control, editors and ourselves
  '.hg': 'always',
  '.svn': 'always',
  '.jj': 'always',
  '.idea': 'always',
  '.vs': 'always',
  '.graphs': 'always',
  // JavaScript
  node_modules: 'always',
  bower_components: 'always',
  jspm_packages: 'always',
  '.yarn': 'always',
  '.pnpm-store': 'always',
  '.next': 'always',
  '.nuxt': 'always',
  '.output': 'always',
  '.svelte-kit': 'always',
  '.turbo': 'always',
  '.parcel-cache': 'always',
  '.angular': 'always',
  '.nyc_output': 'always',
  // Python
  '.venv': 'always',
  venv: 'always',
  'site-packages': 'always',
  __pycache__: 'always',
  __pypackages__: 'always',
  '.eggs': 'always',
  '.tox': 'always',
  '.nox': 'always',
  '.mypy_cache': 'always',
  '.pytest_cache': 'always',
  '.ruff_cache': 'always',
  '.ipynb_checkpoints': 'always',
  htmlcov: 'always',
  // Others
  '.gradle': 'always',
  '.terraform': 'always',
  '.bundle': 'always',
  '.dart_tool': 'always',
  '.cache': 'always',
  dist: 'always',
  coverage: { beside: ['package.json'] },
  build: { beside: [...GRADLE, ...SETUPTOOLS, 'CMakeLists.txt', 'pubspec.yaml'] },
  target: { beside: JAVA_OR_RUST },
  vendor: { beside: ['go.mod', 'composer.json', 'Gemfile', 'Cargo.toml'] },
  Pods: { beside: ['Podfile'] },
  bin: { beside: GRADLE },
  out: { beside: GRADLE },
};

/** Files that tools leave in a folder of any name to say that it is theirs: a virtual environment, a cache, our graphs. */
export const VENDORED_MARKERS: readonly string[] = ['pyvenv.cfg', 'conda-meta', 'CACHEDIR.TAG', HOME_MARKER];

/**
 * Why the folder `name` is vendored, as the detail to show; null when it is not.
 *
 * @param siblings the names in the folder that holds it.
 */
export function vendoredByName(name: string, siblings: ReadonlySet<string>): string | null {
  if (name.endsWith('.egg-info')) return '*.egg-info';
  const evidence = Object.hasOwn(VENDORED_FOLDERS, name) ? VENDORED_FOLDERS[name] : undefined;
  if (evidence === undefined) return null;
  if (evidence === 'always') return name;
  const beside = evidence.beside.find((sibling) => siblings.has(sibling));
  return beside === undefined ? null : `${name} beside ${beside}`;
}

/** Why a folder with these names in it is vendored, as the detail to show; null when it is not. */
export function vendoredByContent(names: ReadonlySet<string>): string | null {
  const marker = VENDORED_MARKERS.find((name) => names.has(name));
  return marker === undefined ? null : `holds ${marker}`;
}
