import { basename, resolve } from 'node:path';
import { sourceFiles } from './sources.mjs';

/** Stay what users install: native or WebAssembly. All else is bundled. */
const EXTERNAL = ['level', 'classic-level', 'web-tree-sitter', '@vscode/tree-sitter-wasm'];

/** Bundled CommonJS packages still ask for Node's own modules with `require`. */
const REQUIRE = `import { createRequire as createRequire_ } from 'node:module';
const require = createRequire_(import.meta.url);`;

/** What clients load of the engine when it comes to that, by the name that it has in `dist/`. */
const LOADED_LATE = {
  host: 'host/index.ts',
  'local-host': 'host/local/local-host.ts',
  'direct-host': 'host/direct-host.ts',
  source: 'source/index.ts',
};

/** What hooks run, the recorder and the one that answers: chunks that they shared would bring all that others need. */
const FOR_HOOKS = { record: 'cli/commands/record.ts', hook: 'cli/hook.ts' };

/** Commands that are loaded when they run, without the engine; and what reads payloads where a client opens graphs. */
const COMMANDS = {
  home: 'cli/commands/home.ts',
  agents: 'cli/commands/agents.ts',
  explore: 'cli/commands/explore.ts',
  hooks: 'hooks/index.ts',
};

/**
 * The bundles of the package, as options of esbuild, which all write to `dist/`.
 *
 * They are several because esbuild puts what two entries of a bundle with chunks use into a file that both load: in one
 * bundle with the engine a client would load all of it.
 */
export function bundles(root) {
  const common = {
    absWorkingDir: root,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    external: EXTERNAL,
    // Its other form cannot be bundled.
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
    minifySyntax: true,
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
    banner: { js: REQUIRE },
  };
  // Side by side, so that a worker is found by the same relative URL from every chunk.
  const split = { ...common, outdir: 'dist', splitting: true, chunkNames: 'chunk-[hash]' };
  // What is imported late would otherwise be held too, with whatever it needs.
  const whole = { ...common, outdir: 'dist', plugins: [filesOfOthers(root)] };
  // Prism's languages look for it on the global object, by the name that Node has for that.
  const browser = {
    ...common,
    platform: 'browser',
    target: 'es2022',
    minify: true,
    define: { global: 'globalThis' },
    banner: {},
    alias: {},
    external: [],
  };
  // `zod` is part of our public types: people's walkers and ours must share the one that users install.
  const sharesZod = { external: [...EXTERNAL, 'zod'] };
  return {
    /** The library, what opens graphs, and every `*.worker.ts`: a thread needs a file of its own. */
    engine: {
      ...split,
      ...sharesZod,
      entryPoints: { index: 'index.ts', ...LOADED_LATE, ...workersOf(root) },
    },
    /**
     * Who starts often and must start fast. Clients never meet the schemas of people's walkers and hold a copy of
     * `zod`: loading the many files of the installed one would take a large part of a server's start.
     */
    clients: {
      ...split,
      entryPoints: { cli: 'cli/main.ts' },
      plugins: [filesOfOthers(root), withoutValidator],
    },
    /** The daemon, and what clients load late: a file each, with what it needs alone. */
    programs: { ...whole, entryPoints: { daemon: 'cli/daemon.ts', ...COMMANDS } },
    hooks: { ...whole, entryPoints: FOR_HOOKS, banner: {} },
    /** The explorer's page: what few views need is loaded late. */
    page: {
      ...browser,
      entryPoints: [
        { in: 'web/page/app.tsx', out: 'app' },
        { in: 'web/page/app.css', out: 'app' },
      ],
      outdir: 'dist/web',
      splitting: true,
      chunkNames: 'chunk-[hash]',
    },
    /** The same in one piece, for pages that are exported to a file. */
    single: { ...browser, entryPoints: ['web/page/app.tsx'], format: 'iife', outfile: 'dist/web/single.js' },
    /** Writes what clients know of the walkers; run and removed by the build. */
    manifest: {
      ...common,
      ...sharesZod,
      entryPoints: ['cli/write-manifest.ts'],
      outfile: 'dist/.write-manifest.js',
    },
  };
}

function workersOf(root) {
  const workers = sourceFiles(root).filter((path) => path.endsWith('.worker.ts'));
  return Object.fromEntries(workers.map((path) => [basename(path, '.ts'), path]));
}

/** `mcp/serve.ts` gives the server of the MCP library a validator; the one that it would load is large. */
const withoutValidator = {
  name: 'without validator',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\/ajv-provider\.js$/ }, ({ path }) => ({ path, namespace: 'left out' }));
    onLoad({ filter: /./, namespace: 'left out' }, () => ({
      contents: 'export class AjvJsonSchemaValidator {}',
    }));
  },
};

/** Takes dynamic imports of what is a file of another bundle from there. */
function filesOfOthers(root) {
  const others = new Map(
    Object.entries({ ...LOADED_LATE, ...COMMANDS, ...FOR_HOOKS }).map(([name, path]) => [
      resolve(root, path),
      name,
    ]),
  );
  return {
    name: 'files of other bundles',
    setup: ({ onResolve }) =>
      onResolve({ filter: /^\..*\.js$/ }, ({ path, resolveDir, kind }) => {
        const name = others.get(resolve(resolveDir, path).replace(/\.js$/u, '.ts'));
        return kind === 'dynamic-import' && name !== undefined
          ? { path: `./${name}.js`, external: true }
          : null;
      }),
  };
}
