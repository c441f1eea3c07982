import { CodewalkError, type EdgeType, isA } from '../schema/index.js';
import type { NodeRef } from './refs.js';

/** A node as an edge at it needs it. */
export type End = Pick<NodeRef, 'id' | 'archetype'>;

/** @throws CodewalkError `INVALID_INPUT` when a type's edges cannot join these nodes. */
export function checkEnds(type: EdgeType, from: End, to: End): void {
  checkEnd(type, 'from', from);
  checkEnd(type, 'to', to);
}

function checkEnd(type: EdgeType, end: 'from' | 'to', { id, archetype }: End): void {
  const wanted = type[end];
  if (wanted === null || isA(archetype, wanted)) return;
  throw new CodewalkError(
    'INVALID_INPUT',
    `${type.name} cannot have '${id}' (${archetype.name}) as '${end}'`,
    {
      suggestion: `Its '${end}' end must be a ${wanted.name}.`,
    },
  );
}
