import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { transform } from 'esbuild';
import { configDefaults, defineConfig, type Plugin } from 'vitest/config';
import { sourceFiles } from './scripts/sources.mjs';

/** They look at what a process has loaded, load the build as well, or measure what a busy process makes slower. */
const ALONE = [
  'test/fuzz/fuzz.test.ts',
  'test/host/library-beside-daemon.test.ts',
  'test/host/local-host.test.ts',
  'test/hostile/hostile.test.ts',
  'test/house/linear-expressions.test.ts',
];

const ROOT = fileURLToPath(new URL('.', import.meta.url));
/** The product's files as JavaScript, each with the URL of what it was made from. */
const MODULES = join(ROOT, 'dist/.modules');

/**
 * Gives tests the product as modules that Node loads by itself: going through Vite costs each process seconds, and each
 * use of an import a look-up. Off while files are watched: Vite watches only what it loads.
 */
async function nativeModules(): Promise<Plugin> {
  const sources = new Set(['index.ts', ...sourceFiles(ROOT).filter((path) => path.endsWith('.ts'))]);
  const outputOf = (path: string) => join(MODULES, path.replace(/\.ts$/u, '.js'));
  const make = async (path: string) => {
    const [source, output] = [join(ROOT, path), outputOf(path)];
    if (existsSync(output) && statSync(output).mtimeMs > statSync(source).mtimeMs) return;
    const define = { 'import.meta.url': JSON.stringify(pathToFileURL(source).href) };
    const { code } = await transform(readFileSync(source, 'utf8'), {
      loader: 'ts',
      target: 'node20',
      define,
    });
    mkdirSync(dirname(output), { recursive: true });
    // Whole at once: another run may be reading.
    writeFileSync(`${output}.${process.pid}`, code);
    renameSync(`${output}.${process.pid}`, output);
  };
  await Promise.all([...sources].map(make));
  return {
    name: 'native-modules',
    enforce: 'pre',
    resolveId(id, importer) {
      if (!id.startsWith('.') || importer === undefined) return null;
      const path = relative(ROOT, join(dirname(importer), id)).replace(/\.js$/u, '.ts');
      return sources.has(path) ? { id: outputOf(path), external: true } : null;
    },
  };
}

/** A file system in memory; Linux has one, of which a container may get too little, or none in which programs run. */
const MEMORY = '/dev/shm';

/** Whether tests may put there what they write: removing thousands of folders from a disk takes a tenth of their time. */
function hasMemoryFolders(): boolean {
  if (process.env.TMPDIR !== undefined || !existsSync(MEMORY)) return false;
  const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
  const options = mounts.find((line) => line.includes(` ${MEMORY} `))?.split(' ')[3] ?? 'noexec';
  const { bavail, bsize } = statfsSync(MEMORY);
  return !options.split(',').includes('noexec') && bavail * bsize > 4 * 1024 ** 3;
}

if (hasMemoryFolders()) process.env.TMPDIR = MEMORY;

export default defineConfig({
  plugins: process.argv.includes('run') ? [nativeModules()] : [],
  test: {
    // LevelDB is a native module, and some tests kill what they start: processes, not threads.
    pool: 'forks',
    // A graph is made and dropped in each test: with little room most of it would be copied first.
    execArgv: ['--max-semi-space-size=64'],
    // One more than the cores that it must do with: many tests wait for daemons, deadlines and disks.
    maxWorkers: 3,
    // They only end what hangs: a busy machine is no fault.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 110_000, interval: 25 } },
    server: { deps: { external: [/\/dist\/\.modules\//u] } },
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...ALONE, 'test/browser/**'],
          // What a file imports is there for the next.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'alone', include: ALONE } },
    ],
  },
});
