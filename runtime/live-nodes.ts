import type { NodeDraft, NodeType } from '../schema/index.js';
import { NodeElement } from './element.js';
import type { NodeRef } from './refs.js';

/** A node of which only the archetype was looked at. */
interface OnlyType {
  readonly draft: 'type';
  readonly archetype: NodeType;
}

/**
 * The nodes that one run knows, one live object each. What bulk writers put or name is kept as it was given: its object
 * is made when somebody asks for it, which is never for nearly all of a large program's graph.
 */
export class LiveNodes {
  readonly #slots = new Map<string, NodeRef | NodeDraft | OnlyType>();
  readonly #onlyTypes = new Map<NodeType, OnlyType>();

  /** Whether the node is known with all that it has. */
  has(id: string): boolean {
    const slot = this.#slots.get(id);
    return slot !== undefined && !isOnlyType(slot);
  }

  /** Its live object, if it is known with all that it has. */
  get(id: string): NodeRef | undefined {
    const slot = this.#slots.get(id);
    if (slot === undefined || isOnlyType(slot)) return undefined;
    if (!isNodeDraft(slot)) return slot;
    const ref = new NodeElement(id, slot.archetype, slot.props) as unknown as NodeRef;
    this.#slots.set(id, ref);
    return ref;
  }

  /** Its archetype, if that much is known of it. */
  archetypeOf(id: string): NodeType | undefined {
    return this.#slots.get(id)?.archetype;
  }

  /** Whether it is only the stub of a node that is not there. */
  isGone(id: string): boolean {
    const slot = this.#slots.get(id);
    return slot !== undefined && 'gone' in slot && slot.gone === true;
  }

  set(ref: NodeRef): void {
    this.#slots.set(ref.id, ref);
  }

  /** Keeps a node as the draft that it was put with. */
  setDraft(id: string, draft: NodeDraft): void {
    this.#slots.set(id, draft);
  }

  /** Keeps that a node is there and what it is, unless more is known of it. */
  setType(id: string, archetype: NodeType): void {
    if (this.#slots.has(id)) return;
    let slot = this.#onlyTypes.get(archetype);
    if (slot === undefined) {
      slot = { draft: 'type', archetype };
      this.#onlyTypes.set(archetype, slot);
    }
    this.#slots.set(id, slot);
  }

  /** Forgets a node. False when it was not known with all that it has. */
  delete(id: string): boolean {
    const known = this.has(id);
    this.#slots.delete(id);
    return known;
  }

  clear(): void {
    this.#slots.clear();
  }
}

/** Whether it is a draft and not a reference: no field of an archetype can be called `draft`. */
export function isNodeDraft(node: NodeRef | NodeDraft): node is NodeDraft {
  return 'draft' in node && node.draft === 'node';
}

function isOnlyType(slot: NodeRef | NodeDraft | OnlyType): slot is OnlyType {
  return 'draft' in slot && slot.draft === 'type';
}
