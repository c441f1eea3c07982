import type { FileFacts } from '../facts.js';
import type { FlowFact, ValueFact } from '../flow-facts.js';

/**
 * The flows of a file that resolutions of other files can come upon: into variables of the module and of classes, into
 * attributes, out of functions, and what locals these rest on. A local that nothing of it leads out of is left out, so
 * that an edit of a body seldom matters elsewhere.
 */
export function visibleFlows({ definitions, flows }: FileFacts): FlowFact[] {
  const isInside = ({ scope, from, target }: FlowFact) => {
    const owner = scope === undefined ? from : scope;
    const form = owner === null ? undefined : definitions[owner]?.form;
    return (form === 'function' || form === 'method') && !target.includes('.');
  };
  const names = new Set<string>();
  let found = new Set(flows.filter((flow) => flow.kind !== undefined || !isInside(flow)));
  for (let known = -1; known < found.size; ) {
    known = found.size;
    for (const { value, keys } of found) for (const one of [value, ...(keys ?? [])]) addNames(one, names);
    found = new Set(flows.filter((flow) => found.has(flow) || names.has(flow.target)));
  }
  return flows.filter((flow) => found.has(flow));
}

/** The first names of all paths in a value. */
function addNames(value: ValueFact | null, names: Set<string>): void {
  if (value === null) return;
  if (typeof value === 'string') {
    names.add(value.slice(0, (value.indexOf('.') + 1 || value.length + 1) - 1));
    return;
  }
  const each = (values: readonly (ValueFact | null)[]) => {
    for (const one of values) addNames(one, names);
  };
  if ('of' in value) addNames(value.of, names);
  if ('key' in value) addNames(value.key, names);
  if ('expected' in value) addNames(value.expected, names);
  if ('await' in value) addNames(value.await, names);
  if ('list' in value) each(value.list);
  if ('dict' in value) each(value.dict.flat());
  if ('either' in value) each(value.either);
  if ('call' in value) each([value.call, ...(value.passed ?? []), ...Object.values(value.named ?? {})]);
}
