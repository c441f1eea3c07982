import { z } from 'zod';
import type { NodeRef } from '../../../runtime/index.js';
import type { CodeSymbol } from '../../../schema/index.js';
import { ClassNode, classNode } from '../parts/code-node.js';
import { targetField } from '../parts/target-row.js';
import { RELATIONS } from './inheritance-links.js';
import type { Relative } from './lineage.js';

/** A class with how it stands to the one that was asked for. */
export const RelatedClass = ClassNode.extend({
  /** Steps from it: 1 is direct. */
  depth: z.number().int(),
  /** Of the last step, child to parent. */
  relation: z.enum(RELATIONS),
  ...targetField,
});
export type RelatedClass = z.infer<typeof RelatedClass>;

/** A relative with its node. */
export interface FoundRelative extends Relative {
  readonly node: NodeRef<typeof CodeSymbol>;
}

/** Its row. */
export function relatedClass({ node, depth, relation, target }: FoundRelative): RelatedClass {
  return { ...classNode(node), depth, relation, ...(target === undefined ? {} : { target }) };
}
