import { PreparedQueries } from '../../../cypher/index.js';
import type { Slot } from '../../../runtime/index.js';

/** Queries that were read and planned, kept beside the graph: reading and planning takes longer than many a run. */
export const PREPARED: Slot<PreparedQueries> = {
  name: 'prepared Cypher queries',
  make: () => new PreparedQueries(),
};
