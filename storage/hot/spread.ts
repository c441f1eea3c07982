import type { EntryComparator } from '../entry-order.js';
import type { AdjacencyEntry } from '../layer.js';
import type { HotGraph } from './hot-graph.js';
import type { Lane } from './lane.js';

/** Whether far nodes with this archetype's code are kept. */
export type FarFilter = (typeCode: number) => boolean;

/** The far nodes of a frontier along one lane, each once, in the order in which they are met; all must be read. */
export function spread(
  graph: HotGraph,
  frontier: readonly number[],
  lane: Lane,
  fits: FarFilter | null,
): number[] {
  const { stamps, stamp } = graph.marks();
  const { fars, farTypes, firsts, counts } = lane;
  const met: number[] = [];
  for (let at = 0; at < frontier.length; at += 1) {
    const record = lane.recordOf(frontier[at] ?? 0) ?? 0;
    const first = firsts[record] ?? 0;
    const end = first + (counts[record] ?? 0);
    for (let edge = first; edge < end; edge += 1) {
      const far = fars[edge] ?? 0;
      if (stamps[far] === stamp || (fits !== null && !fits(farTypes[edge] ?? 0))) continue;
      stamps[far] = stamp;
      met.push(far);
    }
  }
  return met;
}

/** As {@link spread} along several lanes: where a node has edges in more than one, their entries tell the order. */
export function spreadMany(
  graph: HotGraph,
  frontier: readonly number[],
  lanes: readonly Lane[],
  fits: FarFilter | null,
  order: EntryComparator,
  entriesOf: (lane: number, record: number) => readonly AdjacencyEntry[],
): number[] {
  const { stamps, stamp } = graph.marks();
  const met: number[] = [];
  const meet = (far: number, farType: number) => {
    if (stamps[far] === stamp || (fits !== null && !fits(farType))) return;
    stamps[far] = stamp;
    met.push(far);
  };
  for (const node of frontier) {
    const records = lanes.map((lane) => lane.recordOf(node) ?? 0);
    const filled = records.flatMap((record, at) => ((lanes[at]?.counts[record] ?? 0) > 0 ? [at] : []));
    const edges = filled.flatMap((at) => edgesOf(lanes[at], records[at] ?? 0));
    if (filled.length > 1) {
      const entries = filled.flatMap((at) => entriesOf(at, records[at] ?? 0));
      const places = entries.map((_, at) => at);
      places.sort((a, b) => order(entries[a] as AdjacencyEntry, entries[b] as AdjacencyEntry));
      for (const place of places) meet(...(edges[place] ?? NOWHERE));
    } else for (const edge of edges) meet(...edge);
  }
  return met;
}

const NOWHERE: [far: number, farType: number] = [0, 0];

function edgesOf(lane: Lane | undefined, record: number): [far: number, farType: number][] {
  if (lane === undefined) return [];
  const first = lane.firsts[record] ?? 0;
  return Array.from({ length: lane.counts[record] ?? 0 }, (_, at) => [
    lane.fars[first + at] ?? 0,
    lane.farTypes[first + at] ?? 0,
  ]);
}
