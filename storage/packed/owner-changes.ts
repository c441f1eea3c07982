import type { EdgeAddress, LayerChanges, LayerUnit, StoredEdge, StoredNode } from '../layer.js';
import type { NodeNames } from './node-names.js';
import { ownerOf } from './owner.js';
import { type Pack, PackDetails } from './pack.js';
import type { EdgeRow, NodeRow, PackCodec } from './pack-codec.js';
import type { PackRows, Removed } from './pack-encoder.js';
import type { Version } from './version.js';

/** What a commit changes of one owner. */
export class OwnerChanges {
  readonly nodes = new Map<string, StoredNode | undefined>();
  readonly edges: StoredEdge[] = [];
  readonly removed: EdgeAddress[] = [];
  /** What takes the place of all that the owner had. */
  unit: LayerUnit | null = null;

  /** @param archetypeOf The name of a node's archetype after the commit. */
  constructor(private readonly archetypeOf: (id: string) => string) {}

  /**
   * What the owner's pack becomes.
   *
   * @param pack What it is.
   * @param codeOf The code of an archetype by its name.
   * @throws CodewalkError `INVALID_ARCHETYPE`, `INVALID_INPUT`
   */
  rows(
    codec: PackCodec,
    pack: Pack | undefined,
    names: NodeNames,
    codeOf: (name: string) => number,
  ): PackRows {
    const { unit } = this;
    const nodes: NodeRow[] = [];
    const before: EdgeRow[] = [];
    const hints = new Map<string, number>();
    const own = new Set(unit?.nodes.map(({ id }) => id));
    if (pack) {
      const details = pack.details ?? PackDetails.lost(pack);
      for (const [row, number] of pack.numbers.entries()) {
        const id = names.nameOf(number);
        if (unit || this.nodes.has(id)) hints.set(id, pack.codeOf(row));
        else nodes.push(codec.storedNodeRow(pack, details, row, id));
      }
      const { ids, froms, fars } = pack.edges;
      for (const [at, code] of pack.hints().entries())
        hints.set(names.nameOf(ids[pack.nodeCount + at] ?? 0), code);
      for (let row = 0; row < pack.edgeCount; row += 1) {
        const ends = [names.nameOf(ids[froms[row] ?? 0] ?? 0), names.nameOf(fars[row] ?? 0)] as const;
        if (unit && !(unit.keeps(ends[1]) && own.has(ends[0]))) continue;
        before.push(codec.storedEdgeRow(pack, details, row, ends));
      }
    }
    for (const { id = '', archetype, props } of unit?.nodes ?? [])
      if (!this.nodes.has(id)) nodes.push(codec.nodeRow({ id, type: archetype.name, props }));
    for (const node of this.nodes.values()) if (node) nodes.push(codec.nodeRow(node));
    const added = this.edges.map((edge) => codec.edgeRow(edge));
    const edges: EdgeRow[] = [];
    for (const { from, to, edge } of unit?.links ?? [])
      edges.push(
        codec.edgeRow({ type: edge.archetype.name, from, to, seq: 0, undirected: false, props: edge.props }),
      );
    for (const edge of added) edges.push(edge);
    const removed = this.removed.flatMap(({ type, from, to, seq }): Removed[] => {
      const code = codec.types.byName('edge', type)?.code;
      return code === undefined ? [] : [{ code, from, to, seq }];
    });
    const linked = new Set(added.flatMap(({ from, to }) => [from, to]));
    const hintOf = (id: string) => (linked.has(id) ? codeOf(this.archetypeOf(id)) : (hints.get(id) ?? 0));
    return { nodes, before, removed, edges, hintOf };
  }
}

/** The changes of a commit by owner: nodes and the edges that leave them. */
export function ownersOf(
  { nodes, edges, removedEdges, typeOf, units = [] }: LayerChanges,
  version: Version,
): Map<string, OwnerChanges> {
  const owners = new Map<string, OwnerChanges>();
  const known = new Map<string, OwnerChanges>();
  const types = new Map(nodes.flatMap(({ id, after }) => (after ? [[id, after.type] as const] : [])));
  const archetypeOf = (id: string) => types.get(id) ?? typeOf(id);
  const at = (id: string): OwnerChanges => {
    let changes = known.get(id);
    if (changes === undefined) {
      const number = version.names.knownNumberOf(id);
      const owner = (number === undefined ? undefined : version.packOf(number)?.owner) ?? ownerOf(id);
      changes = owners.get(owner) ?? new OwnerChanges(archetypeOf);
      owners.set(owner, changes);
      known.set(id, changes);
    }
    return changes;
  };
  for (const unit of units) at(unit.id).unit = unit;
  for (const { id, after } of nodes) at(id).nodes.set(id, after);
  for (const edge of edges) at(edge.from).edges.push(edge);
  for (const address of removedEdges) at(address.from).removed.push(address);
  return owners;
}
