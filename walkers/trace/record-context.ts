import type { WriteContext } from '../../runtime/index.js';
import { traceId } from './event-ids.js';

/** What recording needs of a context. */
export type RecordContext = Pick<
  WriteContext,
  | 'nodes'
  | 'nodesOf'
  | 'find'
  | 'findIds'
  | 'q'
  | 'create'
  | 'createAll'
  | 'connectAll'
  | 'connect'
  | 'disconnect'
  | 'del'
  | 'set'
  | 'blobs'
  | 'blobsUnder'
  | 'putBlob'
  | 'kept'
>;

/** The id of the node that keeps a task's state of folding. */
export const cursorId = (task: string): string => traceId('cursor', task);

/** The id of the node that keeps which step of a task touched a file last. */
export const toucherId = (task: string, path: string): string => traceId('cursor', task, 'file', path);

/** The id of the node that keeps what hooks told a session. */
export const toldCursorId = (session: string): string => traceId('cursor', 'session', session, 'told');
