import type { ExpandDirection, HopPattern } from '../../../cypher/index.js';
import type { AdjacencyEntry, Awaitable, HopDirection, ReadContext } from '../../../runtime/index.js';
import { type AskedEdge, askedEdges, isBookkeeping, preferredName } from './edge-names.js';
import type { FoundNode } from './found-node.js';
import { type EdgeNumbers, FoundRelationship } from './found-relationship.js';
import type { NodeTable } from './node-table.js';

/** One kind of edges that a hop asks for; null: any. */
interface Wanted {
  readonly asked: AskedEdge | null;
  readonly direction: HopDirection;
}

/** Per node its entries. */
type EntryLists = readonly (readonly AdjacencyEntry[])[];

const TURNED = { out: 'in', in: 'out', both: 'any' } as const satisfies Record<ExpandDirection, HopDirection>;
const STRAIGHT = { out: 'out', in: 'in', both: 'any' } as const satisfies Record<
  ExpandDirection,
  HopDirection
>;

/** Archetypes that are, or are not, only bookkeeping. */
const hidden = new Map<string, boolean>();
/** By the list of names that a plan has, which stays the same object from batch to batch and from run to run. */
const known = new WeakMap<readonly string[], Map<ExpandDirection, readonly Wanted[]>>();

/** Follows the stored edges of nodes under the names of a pattern. */
export class HopReader {
  constructor(
    private readonly context: Pick<ReadContext, 'entries' | 'entryEdges'>,
    private readonly nodes: NodeTable,
    private readonly numbers: EdgeNumbers,
  ) {}

  /** The relationships of each node, in the order of the names and of the graph. */
  expand(
    nodes: readonly FoundNode[],
    direction: ExpandDirection,
    types: readonly string[] | null,
  ): Awaitable<FoundRelationship[][]> {
    const wanted = wantedOf(types, direction);
    const ids = nodes.map(({ id }) => id);
    const reads = wanted.map((one) => this.context.entries(ids, one.direction, one.asked?.archetype ?? null));
    const lists: EntryLists[] = [];
    for (const read of reads) {
      if (read instanceof Promise)
        return Promise.all(reads).then((all) => this.#relationships(nodes, wanted, all));
      lists.push(read);
    }
    return this.#relationships(nodes, wanted, lists);
  }

  /** Loads the properties that adjacency does not hold, in one look. */
  async load(relationships: readonly FoundRelationship[]): Promise<void> {
    const missing = relationships.flatMap((relationship) =>
      relationship.props === null ? [{ relationship, step: relationship.step }] : [],
    );
    if (missing.length === 0) return;
    const edges = await this.context.entryEdges(missing.map(({ step }) => step));
    for (const [at, { relationship }] of missing.entries())
      relationship.props = edges[at] ?? relationship.edge.inline;
  }

  #relationships(
    nodes: readonly FoundNode[],
    wanted: readonly Wanted[],
    lists: readonly EntryLists[],
  ): Awaitable<FoundRelationship[][]> {
    const made = nodes.map((node, at) => {
      const found: FoundRelationship[] = [];
      for (const [one, { asked }] of wanted.entries()) {
        for (const entry of lists[one]?.[at] ?? []) {
          const relationship = this.#relationship(node, entry, asked);
          if (relationship !== undefined) found.push(relationship);
        }
      }
      return found;
    });
    const conditional = wanted.some(({ asked }) => asked?.from !== undefined || asked?.to !== undefined);
    if (!overlap(wanted)) return conditional ? this.#withEnds(made, wanted) : made;
    return conditional ? this.#withEnds(made, wanted).then(eachOnce) : eachOnce(made);
  }

  #relationship(
    node: FoundNode,
    entry: AdjacencyEntry,
    asked: AskedEdge | null,
  ): FoundRelationship | undefined {
    const { edgeType, farType } = entry;
    if (asked !== null && asked.edge !== edgeType) return undefined;
    if (isHidden(farType)) return undefined;
    const where = asked?.where;
    if (where !== undefined && entry.props[where.property] !== where.is) return undefined;
    const other = this.nodes.node(entry.far, farType);
    // An undirected edge counts from both of its ends.
    const leaves = entry.outgoing || entry.undirected;
    const forward = asked?.reversed === true ? !leaves : leaves;
    const [start, end] = forward ? [node, other] : [other, node];
    const type = asked?.type ?? preferredName(edgeType);
    return new FoundRelationship(type, start, end, { node: node.id, entry }, this.numbers);
  }

  /** Leaves out those whose ends have not the labels that their name asks for. */
  async #withEnds(
    made: readonly FoundRelationship[][],
    wanted: readonly Wanted[],
  ): Promise<FoundRelationship[][]> {
    const rules = new Map(
      wanted.flatMap(({ asked }) => (asked === null ? [] : [[`${asked.type}\0${asked.edge}`, asked]])),
    );
    const ruleOf = ({ type, step }: FoundRelationship) => rules.get(`${type}\0${step.entry.edgeType}`);
    const ends = made.flat().flatMap((relationship) => {
      const rule = ruleOf(relationship);
      return [
        ...(rule?.from === undefined ? [] : [relationship.start]),
        ...(rule?.to === undefined ? [] : [relationship.end]),
      ];
    });
    await this.nodes.load(ends.filter(({ isLabelled }) => !isLabelled));
    return made.map((list) =>
      list.filter((relationship) => {
        const { from, to } = ruleOf(relationship) ?? {};
        return (
          (from === undefined || relationship.start.hasLabel(from)) &&
          (to === undefined || relationship.end.hasLabel(to))
        );
      }),
    );
  }
}

/** Whether several names ask for the same edges, as INHERITS and EXTENDS do. */
function overlap(wanted: readonly Wanted[]): boolean {
  const edges = wanted.map(({ asked }) => asked?.edge);
  return new Set(edges).size < edges.length;
}

/** Each edge of a node under the first of the names that ask for it. */
function eachOnce(lists: readonly FoundRelationship[][]): FoundRelationship[][] {
  return lists.map((list) => {
    const seen = new Set<number>();
    return list.filter(({ key }) => !seen.has(key) && seen.add(key));
  });
}

function wantedOf(types: readonly string[] | null, direction: ExpandDirection): readonly Wanted[] {
  if (types === null) return [{ asked: null, direction: STRAIGHT[direction] }];
  const own = known.get(types) ?? new Map<ExpandDirection, readonly Wanted[]>();
  known.set(types, own);
  const made =
    own.get(direction) ??
    askedEdges(types).map((asked) => ({
      asked,
      direction: (asked.reversed ? TURNED : STRAIGHT)[direction],
    }));
  own.set(direction, made);
  return made;
}

function isHidden(archetype: string): boolean {
  const isHidden = hidden.get(archetype) ?? isBookkeeping(archetype);
  hidden.set(archetype, isHidden);
  return isHidden;
}

/** Whether a pattern asks for the Project's own CONTAINS, which leads to every node of the project. */
export function asksProjectContains(
  direction: ExpandDirection,
  types: readonly string[] | null,
  { single, near, far }: HopPattern,
): 'out' | 'in' | null {
  if (!single || !types?.includes('CONTAINS')) return null;
  if (direction !== 'in' && near.includes('Project')) return 'out';
  if (direction !== 'out' && far.includes('Project')) return 'in';
  return null;
}
