import type { z } from 'zod';
import type { NodeRef, WriteContext } from '../../runtime/index.js';
import type { TraceCursor } from '../../schema/index.js';
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

/** What a cursor remembers; where there is none, or its state is of an unknown shape, what one begins with. */
export function rememberedBy<S>(
  schema: z.ZodType<S>,
  cursor: Pick<NodeRef<typeof TraceCursor>, 'state'> | undefined,
): S {
  return schema.safeParse(cursor?.state ?? {}).data ?? schema.parse({});
}

/** The id of the node that keeps a task's state of folding. */
export const cursorId = (task: string): string => traceId('cursor', task);

/** The id of the node that keeps which step of a task touched a file last. */
export const toucherId = (task: string, path: string): string => traceId('cursor', task, 'file', path);

/** The id of the node that keeps what hooks told a session. */
export const toldCursorId = (session: string): string => traceId('cursor', 'session', session, 'told');
