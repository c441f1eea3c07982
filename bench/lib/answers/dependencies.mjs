// query_dependencies, by plain loops over an export.
import { unresolvedFrom } from './call-graph.mjs';
import { isCode, isFile, isModule, isSymbol } from './exported-graph.mjs';
import { functionRow, moduleRow, wrongRows, wrongValue } from './rows.mjs';

const CAP = 100;
/** Questions for dependencies of dependencies, of each kind. */
const TRANSITIVE = 100;

/** See checks.mjs. */
export const DEPENDENCIES = {
  walker: 'query_dependencies',
  questions: (graph) => {
    const asked = graph.all((node) => isCode(node) || isModule(node));
    // All that code needs is half a project: of these a sample tells.
    const step = Math.ceil(asked.length / TRANSITIVE);
    return asked.flatMap(({ id }, at) => [
      { target: id },
      { target: id, dependency_type: at % 2 === 0 ? 'imports' : 'calls' },
      ...(at % step === 0
        ? [
            { target: id, include_transitive: true },
            { target: id, include_transitive: true, dependency_type: 'imports' },
          ]
        : []),
    ]);
  },
  wrong: (graph, { target, dependency_type = 'all', include_transitive = false }, body) => {
    const { imports, calls, followed } = reachedFrom(graph, target, dependency_type, include_transitive);
    const modules = imports.map((id) => moduleRow(graph.nodes.get(id)));
    const symbols = calls.map((id) => functionRow(graph.nodes.get(id)));
    const shown = [...imports, ...calls].slice(0, body.metadata.row_count);
    return [
      ...wrongRows(body, [...body.results.imports, ...body.results.calls], [...modules, ...symbols], CAP),
      ...wrongValue(
        'imports',
        body.results.imports.length,
        Math.min(body.metadata.row_count, imports.length),
      ),
      ...wrongValue('adjacency', body.results.dependency_graph, adjacency(graph, target, followed, shown)),
      ...wrongValue('unresolved', body.state.unresolved, unresolved(graph, target, dependency_type)),
    ];
  },
};

/** A thing and all code in it. */
function insideOf(graph, id) {
  if (isFile({ id })) return new Set([id, ...graph.from('DEFINES', id).map(({ to }) => to)]);
  const inside = new Set([id]);
  for (const one of inside) for (const { to } of graph.from('CONTAINS', one)) inside.add(to);
  return inside;
}

function neededBy(graph, id, type) {
  const inside = insideOf(graph, id);
  const imported = (type === 'calls' ? [] : importsOf(graph, id, inside)).filter((one) => !inside.has(one));
  const called = new Set();
  for (const one of type === 'imports' ? [] : inside)
    for (const { to } of graph.from('CALLS', one))
      if (isSymbol({ id: to }) && !inside.has(to)) called.add(to);
  return { imports: [...new Set(imported)], calls: [...called] };
}

function importsOf(graph, id, inside) {
  if (isFile({ id }))
    return ['IMPORTS', 'FILE_IMPORTS_PACKAGE'].flatMap((kind) => graph.from(kind, id).map(({ to }) => to));
  const all = [...inside].flatMap((one) => graph.from('SYMBOL_IMPORTS', one).map(({ to }) => to));
  return [...all.filter((to) => to.startsWith('file:')), ...all.filter((to) => to.startsWith('pkg:'))];
}

function reachedFrom(graph, target, type, transitive) {
  const seen = new Set([target]);
  const [imports, calls, followed] = [[], [], new Map()];
  let frontier = [target];
  while (frontier.length > 0) {
    const next = [];
    for (const id of frontier) {
      const needed = id.startsWith('pkg:') ? { imports: [], calls: [] } : neededBy(graph, id, type);
      followed.set(id, needed);
      for (const [list, ids] of [
        [imports, needed.imports],
        [calls, needed.calls],
      ])
        for (const one of ids) {
          if (seen.has(one)) continue;
          seen.add(one);
          list.push(one);
          next.push(one);
        }
    }
    frontier = transitive ? next : [];
  }
  return { imports, calls, followed };
}

function adjacency(graph, target, followed, shown) {
  const visible = new Set([target, ...shown]);
  const nameOf = (id) => {
    const node = graph.nodes.get(id);
    return node.qualified_name || node.path || node.name;
  };
  const lists = {};
  for (const [id, { imports, calls }] of followed) {
    const needed = [...imports, ...calls].filter((one) => visible.has(one));
    if (!visible.has(id) || (needed.length === 0 && id !== target)) continue;
    lists[nameOf(id)] = [...new Set([...(lists[nameOf(id)] ?? []), ...needed.map(nameOf)])];
  }
  return lists;
}

/** Calls of it that are ambiguous or lead nowhere known, and imports that lead nowhere known. */
function unresolved(graph, target, type) {
  const inside = insideOf(graph, target);
  let count = type === 'imports' ? 0 : unresolvedFrom(graph, inside);
  if (type === 'calls') return count;
  const written = new Set();
  for (const one of inside)
    for (const kind of ['CONTAINS', 'SYMBOL_IMPORTS'])
      for (const { to } of graph.from(kind, one)) if (to.startsWith('import:')) written.add(to);
  for (const one of written)
    for (const { to } of graph.from('RESOLVES_TO', one)) if (to.startsWith('sym:')) count++;
  return count;
}
