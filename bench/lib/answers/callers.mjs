// query_callers, by plain loops over an export.
import { compare, constructorsOf, isCode, isModule, isSymbol } from './exported-graph.mjs';
import { functionRow, wrongRows, wrongValue } from './rows.mjs';

const CAP = 100;

/** See checks.mjs. */
export const CALLERS = {
  walker: 'query_callers',
  questions: (graph) =>
    graph
      .all((node) => isCode(node) || isModule(node))
      .flatMap(({ id }) => [1, 3].map((max_depth) => ({ function_name: id, max_depth }))),
  wrong: (graph, { function_name, max_depth = 1 }, body) => {
    const targets = targetsOf(graph, function_name);
    const distances = distancesTo(graph, targets, max_depth);
    const ids = [...distances.keys()].sort((a, b) => distances.get(a) - distances.get(b) || compare(a, b));
    const expected = ids.map((id) => functionRow(graph.nodes.get(id)));
    return [
      ...wrongRows(body, body.results.callers, expected, CAP),
      ...wrongValue('unresolved', body.state.unresolved, unresolvedInto(graph, targets, function_name)),
      ...wrongChains(graph, ids, distances, targets, body.results, max_depth),
      ...wrongLines(graph, ids, distances, targets, body.results),
    ];
  },
};

function targetsOf(graph, id) {
  const targets = new Set([id]);
  for (const one of constructorsOf(graph, id)) targets.add(one);
  for (const { to } of id.startsWith('file:') ? graph.from('DEFINES', id) : []) targets.add(to);
  return targets;
}

function distancesTo(graph, targets, depth) {
  const distances = new Map();
  let frontier = [...targets];
  for (let distance = 1; distance <= depth; distance++) {
    const next = [];
    for (const id of frontier)
      for (const { from } of [...graph.to('CALLS', id), ...runners(graph, id)]) {
        if (distances.has(from)) continue;
        distances.set(from, distance);
        next.push(from);
      }
    frontier = next;
  }
  return distances;
}

/** Routes that run a symbol. */
function runners(graph, id) {
  return graph.to('REFERENCES', id).filter(({ access }) => access === 'run');
}

/**
 * Ambiguous calls that may lead there, and callers of what has the name and leads nowhere known. A caller counts once
 * for each name.
 */
function unresolvedInto(graph, targets, asked) {
  const calls = new Set();
  const note = ({ from }, { name }) => calls.add(JSON.stringify([from, name]));
  for (const id of targets) for (const edge of graph.to('MAY_CALL', id)) note(edge, graph.nodes.get(id));
  const node = graph.nodes.get(asked);
  const stub = graph.nodes.get(`sym:${node.name}`);
  if (isSymbol(node) && stub?.package === null)
    for (const edge of graph.to('CALLS', stub.id)) note(edge, stub);
  return calls.size;
}

/** Each caller says on which lines it calls what is one call nearer. */
function wrongLines(graph, ids, distances, targets, { callers }) {
  const left = (id) => (targets.has(id) ? 0 : distances.get(id));
  return callers.flatMap(({ calls = [] }, at) => {
    const nearer = [...graph.from('CALLS', ids[at]), ...graph.runBy(ids[at])].filter(
      ({ to }) => left(to) === distances.get(ids[at]) - 1,
    );
    const lines = new Set(nearer.flatMap(({ line, evidence }) => evidence?.map((one) => one.line) ?? [line]));
    const expected = [...lines].filter((line) => line > 0).sort((a, b) => a - b);
    return wrongValue(
      `lines of caller ${at}`,
      calls.map(({ line }) => line),
      expected,
    );
  });
}

/** A chain is a shortest one, by names: each calls the next, and the last is what was asked about. */
function wrongChains(graph, ids, distances, targets, { callers, call_chains }, depth) {
  if (depth === 1) return wrongValue('call_chains', call_chains, null);
  if (call_chains?.length !== callers.length) return ['not one chain per caller'];
  const nameOf = (id) => functionRow(graph.nodes.get(id)).qualified_name;
  return call_chains.flatMap((chain, at) => {
    if (chain.length !== distances.get(ids[at]) + 1) return [`chain ${at} has ${chain.length} names`];
    let heads = [ids[at]];
    for (const name of chain.slice(1))
      heads = heads
        .flatMap((id) => [...graph.from('CALLS', id), ...graph.runBy(id)].map(({ to }) => to))
        .filter((id) => nameOf(id) === name);
    const isWhole = chain[0] === nameOf(ids[at]) && heads.some((id) => targets.has(id));
    return isWhole ? [] : [`chain ${at} is none: ${chain.join(' > ')}`];
  });
}
