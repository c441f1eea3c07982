import type { NodeDraft, NodeType } from '../schema/index.js';
import { NodeElement } from './element.js';
import type { NodeRef } from './refs.js';

/**
 * The nodes that one run knows, one live object each. What bulk writers put or name is kept as it was given: its object
 * is made when somebody asks for it, which is never for nearly all of a large program's graph.
 */
export class LiveNodes {
  readonly #slots = new Map<string, NodeRef | NodeDraft>();

  /** Whether the node is known. */
  has(id: string): boolean {
    return this.#slots.has(id);
  }

  /** Its live object, if it is known. */
  get(id: string): NodeRef | undefined {
    const slot = this.#slots.get(id);
    if (slot === undefined) return undefined;
    if (!isNodeDraft(slot)) return slot;
    const ref = new NodeElement(id, slot.archetype, slot.props) as unknown as NodeRef;
    this.#slots.set(id, ref);
    return ref;
  }

  /** Its archetype, if it is known. */
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

  /** Forgets a node. False when it was not known. */
  delete(id: string): boolean {
    return this.#slots.delete(id);
  }

  clear(): void {
    this.#slots.clear();
  }
}

/** Whether it is a draft and not a reference: no field of an archetype can be called `draft`. */
export function isNodeDraft(node: NodeRef | NodeDraft): node is NodeDraft {
  return 'draft' in node && node.draft === 'node';
}
