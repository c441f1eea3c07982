// query_call_graph, by plain loops over an export.
import { constructorsOf, isCode, isModule, isSymbol } from './exported-graph.mjs';
import { functionRow, wrongRows, wrongValue } from './rows.mjs';

/** See checks.mjs. */
export const CALL_GRAPH = {
  walker: 'query_call_graph',
  questions: (graph) =>
    graph
      .all((node) => isCode(node) || isModule(node))
      .flatMap(({ id }) => [
        { entry_point: id },
        { entry_point: id, max_depth: 5, max_nodes: 100 },
        { entry_point: id, max_depth: 1, max_nodes: 3 },
      ]),
  wrong: (graph, { entry_point, max_depth = 3, max_nodes = 50 }, body) => {
    const ids = calledFrom(graph, entry_point, max_depth);
    const expected = ids.map((id) => functionRow(graph.nodes.get(id)));
    const shown = new Set(ids.slice(0, body.results.nodes.length));
    return [
      ...wrongRows(body, body.results.nodes, expected, max_nodes),
      ...wrongValue('edges', body.results.edges, edgesWithin(graph, shown)),
      ...wrongValue('total_nodes', body.results.total_nodes, ids.length),
      ...wrongValue('truncated', body.results.truncated, body.results.nodes.length < ids.length),
      ...wrongValue(
        'unresolved',
        body.state.unresolved,
        unresolvedFrom(graph, new Set(ids.slice(0, max_nodes))),
      ),
    ];
  },
};

function calledFrom(graph, entry, depth) {
  const reached = new Set([entry, ...constructorsOf(graph, entry)]);
  let frontier = [...reached];
  for (let distance = 1; distance <= depth; distance++) {
    const next = [];
    const calls = frontier.flatMap((id) => graph.from('CALLS', id));
    for (const { to } of [...calls, ...frontier.flatMap((id) => graph.runBy(id))]) {
      if (reached.has(to) || !isSymbol({ id: to })) continue;
      reached.add(to);
      next.push(to);
    }
    frontier = next;
  }
  return [...reached];
}

function edgesWithin(graph, shown) {
  const nameOf = (id) => functionRow(graph.nodes.get(id)).qualified_name;
  return [...shown].flatMap((id) =>
    [...graph.from('CALLS', id), ...graph.runBy(id).map((edge) => ({ ...edge, call_type: 'direct' }))]
      .filter(({ to }) => shown.has(to))
      .map(({ from, to, call_type, line }) => ({
        from_function: nameOf(from),
        to_function: nameOf(to),
        call_type,
        line,
      })),
  );
}

/** Ambiguous calls of all these, and calls that lead nowhere known. A caller counts once for each name. */
export function unresolvedFrom(graph, ids) {
  const calls = new Set();
  for (const from of ids) {
    const called = graph.from('CALLS', from).filter(({ to }) => graph.nodes.get(to).package === null);
    for (const { to } of [...graph.from('MAY_CALL', from), ...called])
      calls.add(JSON.stringify([from, graph.nodes.get(to).name]));
  }
  return calls.size;
}
