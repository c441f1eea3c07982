import type { HotNode, StoredNode } from './layer.js';

/** A node for many readers: what its properties hold cannot be changed. */
export function sharedNode(node: StoredNode): HotNode {
  for (const value of Object.values(node.props)) freeze(value);
  return { ...node, shown: undefined };
}

function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || Object.isFrozen(value))
    return;
  Object.freeze(value);
  for (const inner of Object.values(value)) freeze(inner);
}
