import { defineEdge, defineNode } from '../schema/index.js';

/** The node that every graph has: where walkers start when nothing else is said. Its id is {@link ROOT_ID}. */
export const Root = defineNode('Root', {}, { layer: 'durable', doc: 'The root of the graph.' });

/** The id of the root node. */
export const ROOT_ID = 'root';

/** The edge that an untyped connect makes. */
export const GenericEdge = defineEdge('GenericEdge', {}, { layer: 'durable', doc: 'An untyped connection.' });
