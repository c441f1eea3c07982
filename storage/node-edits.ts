import type { Frame } from './frame.js';
import type { Bytes } from './kv.js';
import type { Direction, StoredEdge, StoredNode } from './layer.js';
import { RecordEdit } from './record-edits.js';
import type { TypeInUse } from './type-table.js';

/** What one commit changes at one node: its own record, and adjacency records. */
export class NodeEdits {
  readonly id: string;
  /** The key of its record; those of its adjacency follow from it. */
  readonly key: Buffer;
  /** The code of its archetype, as entries of its neighbours name it; 0 until it is known. */
  typeCode = 0;
  /** Whether the commit writes or deletes its own record. */
  isChanged = false;
  /** What its record becomes. */
  after: StoredNode | undefined = undefined;
  /** Whether a new edge ends here. */
  isEnd = false;
  /** What is stored under its key, if that was read. */
  stored: Bytes | undefined = undefined;
  #own: RecordEdit[] | undefined = undefined;

  /** @param all gets the edits that are made here. */
  constructor(
    id: string,
    key: Buffer,
    private readonly all: RecordEdit[],
  ) {
    this.id = id;
    this.key = key;
  }

  of(direction: Direction, inUse: TypeInUse): RecordEdit {
    this.#own ??= [];
    // A node has edges of a few types: looking through them costs less than a map of them.
    for (const known of this.#own) if (known.isOf(direction, inUse)) return known;
    const edit = new RecordEdit(this, direction, inUse);
    this.#own.push(edit);
    this.all.push(edit);
    return edit;
  }
}

/** The nodes and adjacency records that one commit touches. */
export class CommitEdits {
  readonly #byId = new Map<string, NodeEdits>();
  readonly #records: RecordEdit[] = [];
  readonly #touched: NodeEdits[] = [];
  /** New edges come in runs from one node. */
  #last: NodeEdits | undefined = undefined;

  constructor(private readonly frame: Frame) {}

  at(id: string): NodeEdits {
    if (this.#last !== undefined && this.#last.id === id) return this.#last;
    let edits = this.#byId.get(id);
    if (edits === undefined) {
      edits = new NodeEdits(id, this.frame.keys.node(id), this.#records);
      this.#byId.set(id, edits);
    }
    return edits;
  }

  /** Notes what a node's own record becomes. */
  change(id: string, after: StoredNode | undefined): void {
    const node = this.at(id);
    this.#touch(node);
    node.isChanged = true;
    node.after = after;
  }

  /**
   * Enters a new edge at both ends: at both sides of each where it is undirected. Of several canonical edges with one
   * address the last counts.
   *
   * @param codeOf The code of the archetype of a node.
   */
  add(edge: StoredEdge, inUse: TypeInUse, codeOf: (node: NodeEdits) => number): void {
    const from = this.at(edge.from);
    this.#last = from;
    const to = this.at(edge.to);
    if (!to.isEnd) this.#end(to, codeOf);
    if (!from.isEnd) this.#end(from, codeOf);
    const [out, back] = [from.of('out', inUse), to.of('in', inUse)];
    const place = inUse.type.order === 'canonical' && !edge.undirected ? out.placeOf(to) : -1;
    if (place >= 0) {
      out.replace(place, edge);
      back.replace(back.placeOf(from), edge);
      return;
    }
    out.add(edge, to);
    back.add(edge, from);
    // A self loop shows once per direction, so its other end adds nothing.
    if (!edge.undirected || from === to) return;
    from.of('in', inUse).add(edge, to);
    to.of('out', inUse).add(edge, from);
  }

  #end(node: NodeEdits, codeOf: (node: NodeEdits) => number): void {
    this.#touch(node);
    node.isEnd = true;
    node.typeCode = codeOf(node);
  }

  #touch(node: NodeEdits): void {
    if (!node.isChanged && !node.isEnd) this.#touched.push(node);
  }

  /** The nodes under whose keys this commit writes, or whose owner it must know: changed ones, and ends of new edges. */
  touched(): readonly NodeEdits[] {
    return this.#touched;
  }

  /** The adjacency records, in the order in which they were first asked for. */
  records(): readonly RecordEdit[] {
    return this.#records;
  }
}
