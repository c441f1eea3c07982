// query_callers, by plain loops over an export.
import { dispatchOf, isConstructor } from './dispatch.mjs';
import { compare, constructorsOf, isCode, isModule, isSymbol } from './exported-graph.mjs';
import { functionRow, wrongRows, wrongValue } from './rows.mjs';

const CAP = 100;

/** See checks.mjs. */
export const CALLERS = {
  walker: 'query_callers',
  questions: (graph) =>
    graph
      .all((node) => isCode(node) || isModule(node))
      .flatMap(({ id }) => [1, 3].map((max_depth) => ({ function_name: id, max_depth, tests: true }))),
  wrong: (graph, { function_name, max_depth = 1 }, body) => {
    const targets = targetsOf(graph, function_name);
    const { distances, direct, through } = distancesTo(graph, targets, function_name, max_depth);
    const keys = (id) => [isTest(id), distances.get(id), !direct.has(id)].map(Number);
    const ids = [...distances.keys()].sort((a, b) => {
      const at = keys(a).findIndex((key, i) => key !== keys(b)[i]);
      return at < 0 ? compare(a, b) : keys(a)[at] - keys(b)[at];
    });
    const expected = ids.map((id) => functionRow(graph.nodes.get(id)));
    return [
      ...wrongRows(
        body,
        body.results.callers.map(({ via: _, certainty: _certainty, ...row }) => row),
        expected,
        CAP,
      ),
      ...body.results.callers.flatMap(({ via }, at) =>
        wrongValue(`whether caller ${at} calls through another`, via !== undefined, !direct.has(ids[at])),
      ),
      ...wrongValue('unresolved', body.state.unresolved, unresolvedInto(graph, targets, function_name)),
      ...wrongChains(graph, ids, { distances, through }, targets, body.results, max_depth),
      ...wrongLines(graph, ids, { distances, through }, targets, body.results),
    ];
  },
};

function targetsOf(graph, id) {
  const targets = new Set([id]);
  for (const one of constructorsOf(graph, id)) targets.add(one);
  for (const { to } of id.startsWith('file:') ? graph.from('DEFINES', id) : []) targets.add(to);
  return targets;
}

function distancesTo(graph, targets, asked, depth) {
  const dispatch = dispatchOf(graph);
  const distances = new Map();
  const direct = new Set();
  const through = [];
  let frontier = [...targets];
  for (let distance = 1; distance <= depth; distance++) {
    const next = new Set();
    const calls = frontier.flatMap((id) => [...graph.to('CALLS', id), ...runners(graph, id)]);
    const isIntended = (id) => id === asked || !isConstructor(graph, id);
    const members = distance === 1 ? frontier.filter(isIntended) : frontier;
    const indirect = members.flatMap(dispatch.through).filter(({ to }) => !frontier.includes(to));
    for (const { from } of calls) if (!distances.has(from)) direct.add(from);
    for (const { from } of [...calls, ...indirect]) if (!distances.has(from)) next.add(from);
    for (const id of next) distances.set(id, distance);
    through.push(...indirect.filter(({ from }) => distances.get(from) === distance));
    frontier = [...next];
  }
  return { distances, direct, through };
}

function isTest(id) {
  return /(?:^|[/:])(?:tests?|__tests__)\/|\.(?:test|spec)\.|(?:^|[/:])(?:test_[^/]*|[^/]*_test)\.py/u.test(
    id,
  );
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

/** Each caller says on which lines it calls what is one call nearer, and whether no import or definition in sight says so. */
function wrongLines(graph, ids, { distances, through }, targets, { callers }) {
  const isAway = (id, distance) => (distance === 0 ? targets.has(id) : distances.get(id) === distance);
  return callers.flatMap(({ calls = [], certainty }, at) => {
    const nearer = [...graph.from('CALLS', ids[at]), ...graph.runBy(ids[at])].filter(({ to }) =>
      isAway(to, distances.get(ids[at]) - 1),
    );
    const others = through.filter(({ from }) => from === ids[at]).flatMap(({ places }) => places);
    const direct = nearer.flatMap(({ line, evidence }) => evidence?.map((one) => one.line) ?? [line]);
    const lines = new Set([...direct, ...others.map(({ line }) => line)]);
    const expected = [...lines].filter((line) => line > 0).sort((a, b) => a - b);
    const isCertain = nearer.some(({ confidence }) => confidence >= 0.95);
    return [
      ...wrongValue(
        `lines of caller ${at}`,
        calls.map(({ line }) => line),
        expected,
      ),
      ...wrongValue(`how sure caller ${at} is`, certainty, isCertain ? undefined : 'likely'),
    ];
  });
}

/** A chain is a shortest one, by names: each calls the next, and the last is what was asked about. */
function wrongChains(graph, ids, { distances, through }, targets, { callers, call_chains }, depth) {
  if (depth === 1) return wrongValue('call_chains', call_chains, null);
  if (call_chains?.length !== callers.length) return ['not one chain per caller'];
  const nameOf = (id) => functionRow(graph.nodes.get(id)).qualified_name;
  return call_chains.flatMap((chain, at) => {
    if (chain.length !== distances.get(ids[at]) + 1) return [`chain ${at} has ${chain.length} names`];
    let heads = [ids[at]];
    for (const name of chain.slice(1))
      heads = heads
        .flatMap((id) => [
          ...[...graph.from('CALLS', id), ...graph.runBy(id)].map(({ to }) => to),
          ...through.filter(({ from }) => from === id).map(({ reaches }) => reaches),
        ])
        .filter((id) => nameOf(id) === name);
    const isWhole = chain[0] === nameOf(ids[at]) && heads.some((id) => targets.has(id));
    return isWhole ? [] : [`chain ${at} is none: ${chain.join(' > ')}`];
  });
}
