import { compareText, type ReadContext } from '../../../runtime/index.js';
import { CodeSymbol, FileContainsSymbol, fileId, parseId } from '../../../schema/index.js';
import { isTestPath } from '../../../source/index.js';
import { reachingCode } from './dependents.js';

/** Calls that a search for tests goes at most, and nodes that it comes to. */
const FARTHEST = 8;
const MOST_NODES = 20_000;

/** A test that comes to what was asked about. */
export interface ReachingTest {
  readonly id: string;
  /** 1: it calls it itself; 0: it is what was asked about. */
  readonly distance: number;
}

/** A file of such tests. */
export interface ReachingFile {
  readonly path: string;
  /** Of its nearest test, or of what else in it comes there. */
  readonly distance: number;
  /** Nearest first; none where only what stands outside of its tests is known to come there. */
  readonly tests: readonly ReachingTest[];
  /** Ids of the calls from there to what was asked about, which is last. */
  readonly way: readonly string[];
}

/**
 * The files of tests that come to some symbols: those of the nearest tests first, then of the most.
 *
 * @param starts Ids. A test among them comes to itself.
 * @param most The largest distance. Default: as far as a test says anything of a symbol.
 */
export async function testsReaching(
  context: ReadContext,
  starts: readonly string[],
  most = FARTHEST,
): Promise<ReachingFile[]> {
  const reached = await reachingCode(context, starts, { maxDepth: most, maxNodes: MOST_NODES });
  const own = new Set(starts);
  const ids = [...own, ...reached.ids.filter((id) => !own.has(id))].filter((id) =>
    isTestPath(parseId(id)?.path ?? ''),
  );
  const nodes = await context.nodesOf(CodeSymbol, ids);
  const tests = new Set(nodes.flatMap((node) => (!node.gone && node.kind === 'test' ? [node.id] : [])));
  const places = new Map<string, ReachingTest[]>();
  for (const id of ids) {
    const path = parseId(id)?.path ?? '';
    const found = { id, distance: own.has(id) ? 0 : (reached.distance(id) ?? 0) };
    places.set(path, [...(places.get(path) ?? []), found]);
  }
  const files: ReachingFile[] = [];
  for (const [path, all] of places) {
    const [nearest] = all;
    const named = all.filter(({ id }) => tests.has(id));
    // Helpers and fixtures have files of their own, which no runner takes.
    if (!nearest || (named.length === 0 && !(await holdsTests(context, path)))) continue;
    const way = reached.path(named[0]?.id ?? nearest.id);
    files.push({ path, distance: nearest.distance, tests: named, way });
  }
  return files.sort(
    (a, b) => a.distance - b.distance || b.tests.length - a.tests.length || compareText(a.path, b.path),
  );
}

async function holdsTests({ q }: Pick<ReadContext, 'q'>, path: string): Promise<boolean> {
  const symbols = await q(fileId(path)).out(FileContainsSymbol).of(CodeSymbol);
  return symbols.some(({ kind }) => kind === 'test');
}
