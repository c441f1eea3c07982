import { rmSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { Catalog, Graph, type GraphTransaction, Ledger } from '../../runtime/index.js';
import {
  ARCHETYPES,
  CodewalkError,
  type EdgeType,
  LIMITS,
  type NodeType,
  parseProps,
} from '../../schema/index.js';
import { openLayer, openLevelStore, openMemoryStore } from '../../storage/index.js';
import { KeptEvent } from '../../walkers/index.js';
import { wholeHistoryTexts } from '../history-texts.js';
import { timeSortableIds } from '../ids.js';
import { DEFAULT_LIMITS } from '../open-graph.js';
import { WalkerRegistry } from '../registry.js';
import type { BackupLine, LineOf } from './backup-line.js';

/** What a layer was built from. */
export interface BuiltCounts {
  readonly events: number;
  /** Nodes and edges that follow from no event. */
  readonly others: number;
  /** Lines of an unknown shape, which were left out. */
  readonly refused: number;
}

/** The types that a history may have nodes and edges of: ours, and the user's own. */
export function catalogWith(archetypes: readonly (NodeType | EdgeType)[] = []): Catalog {
  return new Catalog([...ARCHETYPES, ...archetypes]);
}

/**
 * Builds a durable layer: records the events again, then writes the nodes and edges that follow from none.
 *
 * @param folder Of the new store. What is there is removed, and so is a store that could not be completed.
 * @throws CodewalkError `INVALID_ARCHETYPE` for a type that the catalog does not have, `STORE_FULL`, or as reading the
 * lines does.
 */
export async function buildLayer(
  folder: string,
  catalog: Catalog,
  lines: AsyncIterable<readonly BackupLine[]>,
): Promise<BuiltCounts> {
  rmSync(folder, { recursive: true, force: true });
  const graph = await graphOver(folder, catalog);
  try {
    const built = await filled(graph, catalog, lines);
    await graph.close();
    return built;
  } catch (thrown) {
    await graph.close().catch(() => undefined);
    rmSync(folder, { recursive: true, force: true });
    throw thrown;
  }
}

async function filled(
  graph: Graph,
  catalog: Catalog,
  lines: AsyncIterable<readonly BackupLine[]>,
): Promise<BuiltCounts> {
  const replay = new WalkerRegistry([], { bare: false }).get('trace_replay');
  const nodes: LineOf<'node'>[] = [];
  const edges: LineOf<'edge'>[] = [];
  let batch: KeptEvent[] = [];
  let [events, refused] = [0, 0];
  const flush = async () => {
    if (batch.length > 0) await graph.spawn(replay, null, { events: batch });
    events += batch.length;
    batch = [];
  };
  for await (const page of lines)
    for (const line of page) {
      if (line.type === 'node') nodes.push(line);
      else if (line.type === 'edge') edges.push(line);
      else {
        const event = KeptEvent.safeParse(line).data;
        if (event === undefined) refused += 1;
        else if (batch.push(event) >= LIMITS.journalBatch.max) await flush();
      }
    }
  await flush();
  refused += await graph.write((tx) => writeOthers(tx, catalog, nodes, edges));
  await wholeHistoryTexts(graph, { anew: true });
  return { events, others: nodes.length + edges.length, refused };
}

/** @returns how many do not fit their archetypes. */
async function writeOthers(
  tx: GraphTransaction,
  catalog: Catalog,
  nodes: readonly LineOf<'node'>[],
  edges: readonly LineOf<'edge'>[],
): Promise<number> {
  let refused = 0;
  const checked = ({ name, schema }: NodeType | EdgeType, props: LineOf<'node'>['props']) => {
    try {
      return parseProps(name, schema, props);
    } catch {
      refused += 1;
      return null;
    }
  };
  const drafts = nodes.flatMap(({ id, archetype: name, props: given }) => {
    const archetype = known(catalog.node(name), name);
    const props = checked(archetype, given);
    return props === null ? [] : [{ draft: 'node', archetype, id, props } as const];
  });
  await tx.createAll(drafts);
  for (const { archetype: name, from, to, ends, undirected, props: given } of [...edges].sort(bySeq)) {
    const archetype = known(catalog.edge(name), name);
    const props = checked(archetype, given);
    // An end that is not there is named all the same: its own layer has it, or had it (ruling X-34).
    const [source] = await tx.nodesOf(known(catalog.node(ends[0]), ends[0]), [from]);
    const [target] = await tx.nodesOf(known(catalog.node(ends[1]), ends[1]), [to]);
    if (props !== null && source !== undefined && target !== undefined)
      await tx.connect(source, target, { draft: 'edge', archetype, props }, { undirected });
  }
  return refused;
}

function known<T extends NodeType | EdgeType>(type: T | undefined, name: string): T {
  if (type) return type;
  throw new CodewalkError('INVALID_ARCHETYPE', `the history has '${name}', which nothing here defines`, {
    input: name,
    suggestion: 'Give the folder of the walkers that define it: --walkers DIR. Nothing was changed.',
  });
}

function bySeq(a: LineOf<'edge'>, b: LineOf<'edge'>): number {
  return a.seq - b.seq;
}

/** A graph whose durable layer is in a folder; the other one is in memory. */
async function graphOver(folder: string, catalog: Catalog): Promise<Graph> {
  const durable = await openLayer(await openLevelStore(folder), 'durable', catalog);
  const derived = await openLayer(await openMemoryStore(), 'derived', catalog);
  return new Graph({
    layers: { derived, durable },
    catalog,
    ledger: new Ledger(),
    arrivals: [],
    projectRoot: null,
    now: Date.now,
    clock: () => performance.now(),
    ids: timeSortableIds(Date.now),
    roundTrips: () => 0,
    limits: { ...DEFAULT_LIMITS, deadlineMs: Number.POSITIVE_INFINITY },
    release: async () => void (await Promise.all([derived.close(), durable.close()])),
  });
}
