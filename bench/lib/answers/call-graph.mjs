// query_call_graph, by plain loops over an export.
import { dispatchOf } from './dispatch.mjs';
import { constructorsOf, isCode, isModule, isSymbol } from './exported-graph.mjs';
import { functionRow, wrongRows, wrongValue } from './rows.mjs';

/** Members that are followed from one that they override. */
const MOST_OVERRIDING = 50;

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
    const { ids, may } = calledFrom(graph, entry_point, max_depth);
    const expected = ids.map((id) => functionRow(graph.nodes.get(id)));
    const shown = new Set(ids.slice(0, body.results.nodes.length));
    return [
      ...wrongRows(body, body.results.nodes, expected, max_nodes),
      ...wrongValue('edges', body.results.edges, edgesWithin(graph, shown, may)),
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
  const dispatch = dispatchOf(graph);
  const reached = new Set([entry, ...constructorsOf(graph, entry)]);
  const may = [];
  let before = [];
  let frontier = [...reached];
  for (let distance = 0; frontier.length > 0; distance++) {
    const called = before.flatMap((id) => graph.from('CALLS', id));
    for (const id of [...frontier]) {
      const isOpen = distance === 0 || called.some((edge) => edge.to === id && dispatch.isOpen(edge));
      for (const to of isOpen ? dispatch.overriding(id).slice(0, MOST_OVERRIDING) : []) {
        may.push({ from: id, to });
        if (!reached.has(to)) frontier.push(to);
        reached.add(to);
      }
    }
    if (distance === depth) break;
    before = frontier;
    const next = [];
    const calls = frontier.flatMap((id) => graph.from('CALLS', id));
    for (const { to } of [...calls, ...frontier.flatMap((id) => graph.runBy(id))]) {
      if (reached.has(to) || !isSymbol({ id: to })) continue;
      reached.add(to);
      next.push(to);
    }
    frontier = next;
  }
  return { ids: [...reached], may };
}

function edgesWithin(graph, shown, may) {
  const nameOf = (id) => functionRow(graph.nodes.get(id)).qualified_name;
  const row = ({ from, to, call_type, line }) => ({
    from_function: nameOf(from),
    to_function: nameOf(to),
    call_type,
    line,
  });
  const calls = [...shown].flatMap((id) => [
    ...graph.from('CALLS', id),
    ...graph.runBy(id).map((edge) => ({ ...edge, call_type: 'direct' })),
  ]);
  const others = may.map(({ from, to }) => ({
    from,
    to,
    call_type: 'method',
    line: graph.nodes.get(from).start_line ?? 1,
  }));
  const isShown = ({ from, to }) => shown.has(from) && shown.has(to);
  return [
    ...calls.filter(isShown).map(row),
    ...others.filter(isShown).map((one) => ({ ...row(one), may: true })),
  ];
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
