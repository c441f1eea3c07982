import { nodeId } from '../codec.js';
import type { EntryDecoder } from '../entries.js';
import { type Frame, whenThere } from '../frame.js';
import type { Awaitable, KeyValueReader } from '../kv.js';
import type { EdgeAddress, HotNode, LayerReader, StoredEdge, StoredNode } from '../layer.js';
import type { RecentEdge } from './hot-graph.js';
import type { HotLayer, Later } from './hot-layer.js';

/** What a version is read with. */
export interface VersionSource {
  readonly store: KeyValueReader;
  readonly frame: () => Frame;
  readonly decoder: (frame: Frame) => EntryDecoder;
  readonly edges: LayerReader['edges'];
  /** Names of the archetypes that are one or inherit from it. */
  readonly descendants: (type: string) => readonly string[];
  /** What was written since it was pinned; null: it is the newest. */
  readonly later: Later | null;
}

/** Reads nodes and edges of one version, from memory those that it has in common with the newest. */
export class HotRecords {
  constructor(
    private readonly hot: HotLayer,
    private readonly source: VersionSource,
  ) {}

  nodes(ids: readonly string[]): Awaitable<(HotNode | undefined)[]> {
    const { graph } = this.hot;
    const { keys, records, types } = this.source.frame();
    const found = new Array<HotNode | undefined>(ids.length);
    const missing: number[] = [];
    const isOld = this.hot.older(this.source.later);
    for (let at = 0; at < ids.length; at += 1) {
      const id = ids[at] ?? '';
      const known = isOld?.(id) ? undefined : graph.nodes.get(id);
      if (known?.node === null) continue;
      if (known && types.loadedNode(known.node.type) === known.loaded) found[at] = known.node;
      else missing.push(at);
    }
    if (missing.length === 0) return found;
    const { writes } = this.hot;
    const values = this.source.store.getMany(missing.map((at) => keys.node(ids[at] ?? '')));
    return whenThere(values, (read) => {
      const keeps = this.hot.writes === writes;
      for (const [index, at] of missing.entries()) {
        const id = ids[at] ?? '';
        const bytes = read[index];
        // The key of another node: this one was never written here.
        const holder = bytes && nodeId(bytes);
        const node = bytes && (holder === id || holder === '') ? records.decodeNode(bytes) : undefined;
        found[at] = node && hotNode(node);
        if (!keeps || isOld?.(id)) continue;
        const loaded = node && types.loadedNode(node.type);
        graph.nodes.set(id, { node: found[at] ?? null, loaded }, bytes?.length ?? 0);
      }
      return found;
    });
  }

  edges(addresses: readonly EdgeAddress[]): Awaitable<(StoredEdge | undefined)[]> {
    const { graph } = this.hot;
    const { types } = this.source.frame();
    const found = new Array<StoredEdge | undefined>(addresses.length);
    const missing: number[] = [];
    const isOld = this.hot.older(this.source.later);
    for (const [at, address] of addresses.entries()) {
      const { from, type } = address;
      const known = isOld?.(from) ? undefined : graph.edges.get(from)?.get(tellOf(address));
      if (known && types.loadedEdge(type) === known.loaded) found[at] = known.edge;
      else missing.push(at);
    }
    if (missing.length === 0) return found;
    const { writes } = this.hot;
    const wanted = missing.map((at) => addresses[at] as EdgeAddress);
    return whenThere(this.source.edges(wanted), (read) => {
      const keeps = this.hot.writes === writes;
      for (const [index, at] of missing.entries()) {
        const edge = read[index];
        found[at] = edge;
        if (!edge || !keeps || isOld?.(edge.from)) continue;
        freezeValues(edge.props);
        const siblings = graph.edges.get(edge.from) ?? new Map<string, RecentEdge>();
        siblings.set(tellOf(edge), { edge, loaded: types.loadedEdge(edge.type) });
        graph.edges.set(edge.from, siblings, PER_EDGE);
      }
      return found;
    });
  }
}

/** Bytes of the record of an edge, about. */
const PER_EDGE = 80;

/** What tells an edge from the others of the node that it leaves. */
function tellOf({ type, to, seq }: EdgeAddress): string {
  return `${seq} ${type} ${to}`;
}

function hotNode({ id, type, props }: StoredNode): HotNode {
  freezeValues(props);
  return { id, type, props, shown: undefined };
}

/** Freezes what properties hold: of one decoded node many runs show the same lists and objects. */
function freezeValues(props: Readonly<Record<string, unknown>>): void {
  for (const value of Object.values(props)) freeze(value);
}

function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || Object.isFrozen(value))
    return;
  Object.freeze(value);
  for (const inner of Object.values(value)) freeze(inner);
}
