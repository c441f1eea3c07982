import type { StepsContext } from '../../runtime/index.js';
import { toCodewalkError } from '../../schema/index.js';
import {
  ANYTHING,
  createProgram,
  type FileFacts,
  type LookupKey,
  type Resolution,
  type ResolutionProblem,
  type ResolvedPath,
  resolvePath,
} from '../../source/index.js';
import type { ProjectIndex } from './project-index.js';
import { turn } from './write.js';

/** What is resolved, and in what. */
export interface Resolving {
  readonly context: StepsContext;
  readonly index: ProjectIndex;
  /** How many files of how many were resolved before these. */
  readonly progress: { readonly done: number; readonly total: number };
}

/** What was made of one resolved file, and all that it rests on outside the file. */
export interface Resolved<T> {
  readonly value: T;
  readonly looked: readonly LookupKey[];
  /** Why its names are not all resolved; null where nothing stood in the way. */
  readonly problem: ResolutionProblem | null;
}

/** The facts of any file of the program. */
type FactsOf = (path: string) => FileFacts | undefined;

/** Files resolved between two reports of progress. */
const FILES_PER_REPORT = 32;
/** Files that are handed on together: what was made of them waits in memory. */
const FILES_PER_BATCH = 128;
/** Times that only the files which were missed are loaded. */
const PASSES = 4;

/**
 * Resolves files and makes something of each, which it hands on in batches. Only the facts that are looked at are
 * loaded: those that were looked at last time at once, others when it shows that they are needed; then every file that
 * missed them is resolved again.
 */
export async function* resolveFiles<T>(
  paths: readonly string[],
  { context, index, progress }: Resolving,
  make: (path: string, resolution: Resolution, factsOf: FactsOf) => T,
): AsyncGenerator<Map<string, Resolved<T>>> {
  const { states, facts } = index;
  const places = index.places();
  const hasFacts = (path: string) => states.get(path)?.extracted ?? false;
  let done = progress.done;
  let batch = new Map<string, Resolved<T>>();
  const unreadable = new Set<string>();
  const load = async (wanted: readonly string[]) => {
    for (const path of await facts.load(context, wanted.filter(hasFacts))) {
      unreadable.add(path);
      index.lost.add(path);
    }
  };
  await load(paths.flatMap((path) => [path, ...filesAmong(states.get(path)?.written?.looked ?? [])]));
  for (let left = paths, pass = 1; left.length > 0; pass += 1) {
    const missing = new Set<string>();
    const get = (path: string) => {
      const table = facts.get(path);
      if (!table && hasFacts(path) && !unreadable.has(path)) missing.add(path);
      return table;
    };
    const program = createProgram({ get }, places);
    const again: string[] = [];
    for (const [at, path] of left.entries()) {
      if (at % FILES_PER_REPORT === 0) context.progress({ phase: 'resolve', done, total: progress.total });
      await turn(context);
      const resolved = resolvePath(program, path);
      const looked = new Set<LookupKey>(resolved.looked);
      const { value, problem } = madeOf(path, resolved, make, (other) => {
        if (other !== path) looked.add(`file:${other}`);
        return get(other)?.facts;
      });
      const isMissed = looked.has(ANYTHING)
        ? missing.size > 0
        : filesAmong(looked).some((other) => missing.has(other));
      if (isMissed) {
        again.push(path);
        continue;
      }
      done++;
      batch.set(path, { value, looked: [...looked], problem });
      if (batch.size < FILES_PER_BATCH) continue;
      yield batch;
      batch = new Map();
    }
    // Where each pass finds one more file of a long chain, all are loaded.
    await load([...(pass < PASSES ? missing : places.paths)]);
    left = again;
  }
  if (batch.size > 0) yield batch;
}

const NOTHING: Resolution = { imports: [], references: [], receivers: [], inheritance: [], overrides: [] };

/** What is made of one file: of one whose resolution fails what it holds itself, or that alone that it is there. */
function madeOf<T>(
  path: string,
  { resolution, problem }: ResolvedPath,
  make: (path: string, resolution: Resolution, factsOf: FactsOf) => T,
  factsOf: FactsOf,
): { value: T; problem: ResolutionProblem | null } {
  try {
    return { value: make(path, resolution, factsOf), problem };
  } catch (thrown) {
    const detail = `${toCodewalkError(thrown).message}; its names are left unresolved`;
    const failed = { reason: 'RESOLVE_FAILED' as const, detail };
    try {
      return { value: make(path, NOTHING, factsOf), problem: failed };
    } catch {
      return { value: make(path, NOTHING, () => undefined), problem: failed };
    }
  }
}

function filesAmong(looked: Iterable<LookupKey>): string[] {
  const files: string[] = [];
  for (const key of looked) if (key.startsWith('file:')) files.push(key.slice('file:'.length));
  return files;
}
