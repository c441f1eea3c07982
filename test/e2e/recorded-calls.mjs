/*
 * What the durable graph holds of it, by its export: the lines of `codewalk export --layer durable`.
 */

/**
 * @param lines The export.
 * @returns `{tasks, calls, errors}`: each call with its `task`, its `files` (sorted), its `success` and the `errors` of
 *   the step that it was made in.
 */
export function recordedCalls(lines) {
  const entries = lines.filter(Boolean).map((line) => JSON.parse(line));
  const nodes = new Map(entries.filter(({ type }) => type === 'node').map((node) => [node.id, node]));
  const edges = entries.filter(({ type }) => type === 'edge');
  const from = (id, kind) =>
    edges.filter((edge) => edge.kind === kind && edge.from === id).map(({ to }) => to);
  const into = (id, kind) =>
    edges.filter((edge) => edge.kind === kind && edge.to === id).map(({ from }) => from);
  const ofKind = (kind) => [...nodes.values()].filter((node) => node.kind === kind);
  const calls = ofKind('ToolInvocation').map((call) => {
    const [step] = into(call.id, 'INVOKES_TOOL');
    const [task] = into(step, 'HAS_STEP');
    return {
      ...call,
      step: nodes.get(step),
      task: nodes.get(task),
      files: from(call.id, 'TOUCHES_FILE')
        .map((id) => id.slice('file:'.length))
        .sort(),
      errors: from(step, 'HAS_ERROR').map((id) => nodes.get(id)),
    };
  });
  return { tasks: ofKind('Task'), calls, errors: ofKind('Error') };
}
