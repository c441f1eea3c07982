import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

/** What esbuild says of a file that it wrote. */
interface Output {
  readonly entryPoint?: string;
  readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>>;
  readonly imports: readonly { readonly path: string; readonly kind: string; readonly external?: boolean }[];
}

const DIST = join(import.meta.dirname, '../../dist');
const OUTPUTS: Readonly<Record<string, Output>> = JSON.parse(
  readFileSync(join(DIST, '.outputs.json'), 'utf8'),
);

/** The engine: whatever opens a graph, knows a language, or does what a walker does. */
const ENGINE = [
  /^(?:walkers|cypher|search)\//,
  /^source\/(?:languages|extraction|resolution|history|stored-facts)\//,
  /^source\/discovery\/(?!(?:globs?|secret-files)\.ts)/,
  /^source\/(?:parser|tree-memory)\.ts$/,
  /^storage\/(?:memory|layer|graph-layer|commit|codec)\.ts$/,
  /^runtime\/(?:graph|walk|transaction)\.ts$/,
  /^schema\/(?:archetypes|code|trace|memory)\.ts$/,
  /(?:^|\/)node_modules\/(?:abstract-level|memory-level|@msgpack\/msgpack)\//,
];
const ZOD = /(?:^|\/)node_modules\/zod\//;
const SDK = /(?:^|\/)node_modules\/@modelcontextprotocol\//;
const COMMANDER = /(?:^|\/)node_modules\/commander\//;
const LEVEL = /^storage\/level\.ts$/;

/** The files of `dist/` that are loaded with one of our modules, whatever runs then. */
function loadedWith(entryPoint: string): readonly Output[] {
  const first = Object.keys(OUTPUTS).find((path) => OUTPUTS[path]?.entryPoint === entryPoint);
  const loaded = new Set<Output>();
  const queue = [first ?? `no file of ${entryPoint}`];
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    const output = OUTPUTS[path];
    if (output === undefined) throw new Error(`the build has ${path}`);
    if (loaded.has(output)) continue;
    loaded.add(output);
    for (const { path: next, kind, external } of output.imports)
      if (kind === 'import-statement' && external !== true) queue.push(next);
  }
  return [...loaded];
}

/** The sources of which something is loaded, and the packages that are not bundled. */
function sourcesOf(entryPoint: string): string[] {
  return loadedWith(entryPoint).flatMap(({ inputs, imports }) => [
    ...Object.keys(inputs).filter((path) => (inputs[path]?.bytesInOutput ?? 0) > 0),
    ...imports
      .filter(({ external, path }) => external === true && !path.startsWith('.'))
      .filter(({ kind }) => kind === 'import-statement')
      .map(({ path }) => `external ${path}`),
  ]);
}

const matching = (sources: readonly string[], patterns: readonly RegExp[]) =>
  sources.filter((path) => patterns.some((pattern) => pattern.test(path)));

/** What is loaded by each way to start, with what it may hold beside our own light modules. */
const WAYS = [
  { way: 'any command', entryPoint: 'cli/main.ts', may: [] },
  { way: 'a command line that is parsed', entryPoint: 'cli/program.ts', may: [COMMANDER, ZOD] },
  { way: 'the server of MCP', entryPoint: 'cli/serve-mcp.ts', may: [SDK, ZOD] },
  { way: 'a command about what is kept', entryPoint: 'cli/commands/home.ts', may: [ZOD, LEVEL] },
  { way: 'an installer', entryPoint: 'cli/commands/agents.ts', may: [ZOD, LEVEL] },
  { way: 'the recorder', entryPoint: 'cli/commands/record.ts', may: [] },
  { way: 'a hook that answers', entryPoint: 'cli/hook.ts', may: [] },
];

describe('what is loaded at the start', () => {
  it.each(WAYS)('of $way is nothing of the engine', ({ entryPoint }) => {
    const sources = sourcesOf(entryPoint);
    expect(sources).not.toEqual([]);
    expect(matching(sources, ENGINE)).toEqual([]);
    expect(
      sources.filter((path) => path.startsWith('external ') && !path.startsWith('external node:')),
    ).toEqual([]);
  });

  it.each(WAYS)('of $way is no library that it can do without', ({ entryPoint, may }) => {
    const others = [ZOD, SDK, COMMANDER, LEVEL].filter((pattern) => !may.includes(pattern));
    expect(matching(sourcesOf(entryPoint), others)).toEqual([]);
  });

  it('of the server of MCP is neither the validator of its library nor a second language of zod', () => {
    expect(
      matching(sourcesOf('cli/serve-mcp.ts'), [
        /(?:^|\/)node_modules\/ajv/,
        /(?:^|\/)zod\/v4\/locales\/(?!en)/,
      ]),
    ).toEqual([]);
  });
});

describe('the manifest', () => {
  it('names every tool by its walker, and holds what the faces need and no code', () => {
    const read = (name: string) => JSON.parse(readFileSync(join(DIST, name), 'utf8'));
    const walkers: { name: string; input: { type: string } }[] = read('manifest.json');
    const tools: { name: string }[] = read('tools.json');
    expect(tools.map(({ name }) => name)).toEqual(walkers.map(({ name }) => name));
    for (const { name, input } of walkers) expect(input.type, name).toBe('object');
  });
});
