import type { NodeRef } from '../../runtime/index.js';
import type { TraceEvent } from '../../schema/index.js';
import { Fact } from './fact.js';
import type { PlacedEvent } from './fold.js';

/** A kept event, as folding wants it. */
export function placedEvent({
  id,
  task,
  at,
  step_name,
  tool_name,
  fact,
}: NodeRef<typeof TraceEvent>): PlacedEvent {
  return { id, task, at, stepName: step_name, toolName: tool_name, fact: Fact.parse(fact) };
}
