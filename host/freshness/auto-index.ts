import type { WalkerType } from '../../runtime/index.js';
import { settingsFor } from '../config.js';
import { isEligible, isOwnProject } from '../eligible.js';
import type { Absent } from '../open-graph.js';

/**
 * Whether a question about a root that has no index begins one: the configuration lets it, the root is eligible, and it
 * is a project by itself: a question about a folder inside of a project does not make another one.
 *
 * @param root Its real path.
 * @param home The folder of all graphs.
 * @throws CodewalkError `CONFIG_INVALID`
 */
export function indexesByItself(root: string, home: string): boolean {
  return settingsFor(root, { home }).auto_index && isEligible(root) && isOwnProject(root);
}

/** What is done for a walker where a root has no graph: one that only reads makes none, but it may begin the index. */
export function absentOrBegun(walker: WalkerType, root: string, home: string): Absent {
  const absent = walker.access === 'read' ? walker.withoutGraph : 'made';
  return absent === 'refused' && walker.reads === 'code' && indexesByItself(root, home) ? 'made' : absent;
}
