import { rmSync } from 'node:fs';
import type { Catalog, GraphTransaction } from '../../runtime/index.js';
import { CodewalkError, type EdgeType, LIMITS, type NodeType, parseProps } from '../../schema/index.js';
import { openLevelStore, openMemoryStore } from '../../storage/index.js';
import { KeptEvent } from '../../walkers/index.js';
import { wholeHistoryTexts } from '../history-texts.js';
import { type OpenGraph, openEmbedded } from '../open-graph.js';
import type { BackupLine, LineOf } from './backup-line.js';

/** What a layer was built from. */
export interface BuiltCounts {
  readonly events: number;
  /** Nodes and edges that follow from no event. */
  readonly others: number;
  /** Lines of an unknown shape, which were left out. */
  readonly refused: number;
}

/** Where a layer is built, and for what. */
export interface BuildPlace {
  /** The folder of the new store. What is there is removed, and so is a store that could not be completed. */
  readonly folder: string;
  /** The real path of the project's root. */
  readonly root: string;
  /** The archetypes that the lines may have, and those of them that are the user's own. */
  readonly catalog: Catalog;
  readonly archetypes: readonly (NodeType | EdgeType)[];
}

/**
 * Builds a durable layer: records the events again, then writes the nodes and edges that follow from none.
 *
 * @throws CodewalkError `INVALID_ARCHETYPE` for an archetype that the catalog does not have, `STORE_FULL`, or as reading
 * the lines does.
 */
export async function buildLayer(
  { folder, root, catalog, archetypes }: BuildPlace,
  lines: AsyncIterable<readonly BackupLine[]>,
): Promise<BuiltCounts> {
  rmSync(folder, { recursive: true, force: true });
  const stores = { derived: await openMemoryStore(), durable: await openLevelStore(folder) };
  const limits = { deadlineMs: Number.POSITIVE_INFINITY };
  const graph = await openEmbedded(root, { archetypes, stores, limits, force: true, embedder: null });
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
  graph: OpenGraph,
  catalog: Catalog,
  lines: AsyncIterable<readonly BackupLine[]>,
): Promise<BuiltCounts> {
  const nodes: LineOf<'node'>[] = [];
  const edges: LineOf<'edge'>[] = [];
  let batch: KeptEvent[] = [];
  let [events, refused] = [0, 0];
  const flush = async () => {
    if (batch.length > 0) await graph.spawn('trace_replay', null, { events: batch });
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
  const nodeType = (name: string) => known(catalog.node(name), name);
  const drafts = nodes.flatMap(({ id, archetype: name, props: given }) => {
    const archetype = nodeType(name);
    const props = checked(archetype, given);
    return props === null ? [] : [{ draft: 'node', archetype, id, props } as const];
  });
  await tx.createAll(drafts);
  for (const { archetype: name, from, to, ends, undirected, props: given } of edges.toSorted(
    (a, b) => a.seq - b.seq,
  )) {
    const archetype = known(catalog.edge(name), name);
    const props = checked(archetype, given);
    // An end that is not there is named all the same: its own layer has it, or had it (ruling X-34).
    const [source] = await tx.nodesOf(nodeType(ends[0]), [from]);
    const [target] = await tx.nodesOf(nodeType(ends[1]), [to]);
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
