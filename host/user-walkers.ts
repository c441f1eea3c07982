import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { register } from 'node:module';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Arrival, WalkerType } from '../runtime/index.js';
import { CodewalkError, type EdgeType, LIMITS, type NodeType, toolEntry } from '../schema/index.js';

/** What the files of people's own folders export. */
export interface LoadedWalkers {
  readonly walkers: readonly WalkerType[];
  /** Nodes and edges of their own, for `OpenOptions.archetypes`. */
  readonly archetypes: readonly (NodeType | EdgeType)[];
  readonly arrivals: readonly Arrival[];
}

/** How people's walkers are loaded. */
export interface LoadOptions {
  /** What a relative folder is relative to. */
  readonly cwd: string;
  /** What `import … from 'codewalk'` means. Default: the package that this code is of. */
  readonly codewalk?: URL;
  /** Milliseconds that each file gets. Default {@link LIMITS}.walkerLoading. */
  readonly deadlineMs?: number;
}

/**
 * Loads the `.js` and `.mjs` files of folders, in the order of their names: walkers, archetypes and arrivals that
 * they export, under any name. Runs their code: only for folders that the user named. One bad file refuses them
 * all, since a walker that is silently not there is worse than a clear error.
 *
 * @throws CodewalkError `WALKER_INVALID` naming the file (or folder) and why: it does not parse, throws, exports no
 * walker, or two exports share a name.
 */
export async function loadUserWalkers(
  folders: readonly string[],
  options: LoadOptions,
): Promise<LoadedWalkers> {
  if (folders.length > 0) register(resolverOf(options.codewalk ?? new URL('./index.js', import.meta.url)));
  const found = new Set<WalkerType | NodeType | EdgeType | Arrival>();
  for (const file of folders.flatMap((folder) => filesOf(folder, options.cwd))) {
    for (const thing of await exportsOf(file, options.deadlineMs ?? LIMITS.walkerLoading.max))
      found.add(thing);
  }
  const all = [...found];
  const walkers = all.filter(isWalker);
  refuseTakenNames(walkers);
  return { walkers, archetypes: all.filter(isArchetype), arrivals: all.filter(isArrival) };
}

/** A module hook as a URL: people's files need no `node_modules`, and share our classes and our `z`. */
function resolverOf(codewalk: URL): string {
  const source = `export const resolve = (specifier, context, next) =>
  specifier === 'codewalk' ? { url: ${JSON.stringify(codewalk.href)}, shortCircuit: true } : next(specifier, context);`;
  return `data:text/javascript,${encodeURIComponent(source)}`;
}

function filesOf(folder: string, cwd: string): string[] {
  const path = resolve(cwd, folder);
  let files: string[];
  try {
    if (!statSync(path).isDirectory()) throw new Error('it is not a folder');
    files = readdirSync(path)
      .filter((name) => /\.m?js$/.test(name))
      .sort()
      .map((name) => join(path, name))
      // Reading a pipe would wait for who writes to it.
      .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile());
  } catch (error) {
    throw invalid(folder, reasonOf(error), error);
  }
  if (files.length === 0) throw invalid(folder, 'it holds no .js or .mjs file');
  return files;
}

async function exportsOf(
  file: string,
  deadlineMs: number,
): Promise<(WalkerType | NodeType | EdgeType | Arrival)[]> {
  let module: Record<string, unknown>;
  try {
    module = await settled(import(pathToFileURL(file).href), deadlineMs);
  } catch (error) {
    throw invalid(file, reasonOf(error, file), error);
  }
  const values = Object.values(module).flatMap((value): unknown[] =>
    Array.isArray(value) ? value : [value],
  );
  const things = values.filter((value) => isWalker(value) || isArchetype(value) || isArrival(value)) as (
    | WalkerType
    | NodeType
    | EdgeType
    | Arrival
  )[];
  if (things.length === 0) throw invalid(file, 'it exports no walker');
  return things;
}

/** A file may await at its top level what never comes. The timer does not keep alive what waits for nothing else. */
async function settled<T>(loading: Promise<T>, deadlineMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, fail) => {
    const why = `it had not loaded after ${deadlineMs / 1000} s: does it await what never comes?`;
    timer = setTimeout(() => fail(new Error(why)), deadlineMs).unref();
  });
  try {
    return await Promise.race([loading, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Our own names are taken before their walkers exist: what works today works tomorrow. */
function refuseTakenNames(walkers: readonly WalkerType[]): void {
  const names = new Set<string>();
  for (const { name } of walkers) {
    if (toolEntry(name)) throw invalid(name, "the name is one of Codewalk's own");
    if (names.has(name)) throw invalid(name, 'two walkers have this name');
    names.add(name);
  }
}

function invalid(what: string, why: string, cause?: unknown): CodewalkError {
  return new CodewalkError('WALKER_INVALID', `${what}: ${why}`, {
    input: what,
    suggestion: `Correct ${basename(what)}, or leave it out; docs/how-to/walkers.md shows a whole walker.`,
    cause,
  });
}

/** The message of an error; of one that does not parse, with its line. */
function reasonOf(error: unknown, file?: string): string {
  if (!(error instanceof Error)) return String(error);
  const line = error instanceof SyntaxError && file !== undefined ? lineOfSyntaxError(file) : null;
  return `${error.name}: ${error.message}${line === null ? '' : ` (line ${line})`}`;
}

/** A module's syntax error does not say where it is; Node's own check, which runs nothing, does. */
function lineOfSyntaxError(file: string): string | null {
  const { stderr } = spawnSync(process.execPath, ['--check', file], {
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  return /:(\d+)$/m.exec(stderr)?.[1] ?? null;
}

function isWalker(value: unknown): value is WalkerType {
  return elementOf(value) === 'walker';
}

function isArchetype(value: unknown): value is NodeType | EdgeType {
  const element = elementOf(value);
  return element === 'node' || element === 'edge';
}

function isArrival(value: unknown): value is Arrival {
  return isObject(value) && 'at' in value && isArchetype(value.at) && 'event' in value && 'run' in value;
}

/** Archetypes may be functions that carry their data. */
function elementOf(value: unknown): unknown {
  return isObject(value) && 'element' in value ? value.element : null;
}

function isObject(value: unknown): value is object {
  return value !== null && (typeof value === 'object' || typeof value === 'function');
}
