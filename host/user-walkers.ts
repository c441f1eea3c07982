import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { register } from 'node:module';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Arrival, WalkerType } from '../runtime/index.js';
import {
  CodewalkError,
  type EdgeType,
  LIMITS,
  type NodeType,
  toCodewalkError,
  toolEntry,
} from '../schema/index.js';
import { signatureOf } from './answer.js';
import type { WalkerSignature } from './host.js';
import { WalkerRegistry } from './registry.js';

type Export = WalkerType | NodeType | EdgeType | Arrival;

/** What the files of users' own folders export. */
export interface LoadedWalkers {
  readonly walkers: readonly WalkerType[];
  /** Nodes and edges of their own, for `OpenOptions.archetypes`. */
  readonly archetypes: readonly (NodeType | EdgeType)[];
  readonly arrivals: readonly Arrival[];
}

/** How users' walkers are loaded. */
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
  const {
    cwd,
    codewalk = new URL('./index.js', import.meta.url),
    deadlineMs = LIMITS.walkerLoading.max,
  } = options;
  if (folders.length > 0) register(resolverOf(codewalk));
  const found: Export[] = [];
  for (const file of folders.flatMap((folder) => filesOf(folder, cwd)))
    found.push(...(await exportsOf(file, deadlineMs)));
  const all = [...new Set(found)];
  const walkers = all.filter(isWalker);
  refuseTakenNames(walkers);
  return { walkers, archetypes: all.filter(isArchetype), arrivals: all.filter(isArrival) };
}

/** The signatures of the walkers of folders. @param deadlineMs Null: the default. @throws As {@link loadUserWalkers}. */
export async function describeWalkers(
  folders: readonly string[],
  deadlineMs: number | null,
): Promise<readonly WalkerSignature[]> {
  const limit = deadlineMs === null ? {} : { deadlineMs };
  return (await loadUserWalkers(folders, { cwd: '/', ...limit })).walkers.map(signatureOf);
}

/** A module hook as a URL: users' files need no `node_modules`, and share our classes and our `z`. */
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

async function exportsOf(file: string, deadlineMs: number): Promise<Export[]> {
  let module: Record<string, unknown>;
  try {
    module = await settled(import(pathToFileURL(file).href), deadlineMs);
  } catch (error) {
    throw invalid(file, reasonOf(error, file), error);
  }
  const isExport = (value: unknown): value is Export =>
    isWalker(value) || isArchetype(value) || isArrival(value);
  const things = Object.values(module).flat().filter(isExport);
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
  return ['node', 'edge'].includes(elementOf(value) as string);
}

function isArrival(value: unknown): value is Arrival {
  return isObject(value) && 'at' in value && isArchetype(value.at) && 'event' in value && 'run' in value;
}

function elementOf(value: unknown): unknown {
  return isObject(value) && 'element' in value ? value.element : null;
}

/** Archetypes may be functions that carry their data. */
function isObject(value: unknown): value is object {
  return value !== null && (typeof value === 'object' || typeof value === 'function');
}

/** Users' own walkers as a thread has them: each folder by itself, since they belong to different clients. */
export class ThreadWalkers {
  readonly #folders = new Map<string, LoadedWalkers | CodewalkError>();
  readonly #registries = new Map<string, WalkerRegistry>();

  /** Loads folders. One that is bad is refused to those who ask for it, and to nobody else. */
  static async load(folders: readonly string[]): Promise<ThreadWalkers> {
    const walkers = new ThreadWalkers();
    for (const folder of folders) {
      const loading = loadUserWalkers([folder], { cwd: folder });
      walkers.#folders.set(folder, await loading.catch((error) => toCodewalkError(error)));
    }
    return walkers;
  }

  /** Archetypes and arrivals of all folders that could be loaded. */
  get all(): Pick<LoadedWalkers, 'archetypes' | 'arrivals'> {
    const loaded = this.#loaded();
    return {
      archetypes: loaded.flatMap(({ archetypes }) => archetypes),
      arrivals: loaded.flatMap(({ arrivals }) => arrivals),
    };
  }

  /** Whether a walker is a user's own. */
  isOwn(walker: WalkerType): boolean {
    return this.#loaded().some(({ walkers }) => walkers.includes(walker));
  }

  /** The built-in walkers and those of the given folders. @throws CodewalkError `WALKER_INVALID`. */
  registry(folders: readonly string[]): WalkerRegistry {
    const key = JSON.stringify(folders);
    const known = this.#registries.get(key);
    if (known) return known;
    const own = folders.flatMap((folder) => {
      const loaded = this.#folders.get(folder);
      if (loaded instanceof CodewalkError) throw loaded;
      return loaded?.walkers ?? [];
    });
    const registry = new WalkerRegistry(own, { bare: false });
    this.#registries.set(key, registry);
    return registry;
  }

  #loaded(): LoadedWalkers[] {
    return [...this.#folders.values()].filter((one) => 'walkers' in one);
  }
}
