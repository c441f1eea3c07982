// query_exports, by plain loops over an export: each name is asked for, from the module that should offer it.
import { compare, isModule, isSymbol } from './exported-graph.mjs';
import { wrongRows, wrongValue } from './rows.mjs';

const CAP = 100;

/** See checks.mjs. */
export const EXPORTS = {
  walker: 'query_exports',
  questions: (graph) =>
    graph
      .all(isModule)
      .flatMap(({ id }) => [{ module_name: id }, { module_name: id, include_private: true }]),
  wrong: (graph, { module_name, include_private = false }, body) => {
    const offered = new Map();
    for (const name of namesBehind(graph, module_name, new Set()))
      for (const id of meant(graph, module_name, name, new Set()) ?? [])
        offered.set(id, [...(offered.get(id) ?? []), name]);
    const own = topOf(graph, module_name).filter(({ id }) => include_private || offered.has(id));
    const isOwn = new Set(own.map(({ id }) => id));
    const passed = [...offered.keys()]
      .filter((id) => isSymbol({ id }) && !isOwn.has(id))
      .map((id) => graph.nodes.get(id))
      .sort((a, b) => compare(a.path, b.path) || a.start_line - b.start_line || compare(a.id, b.id));
    const rows = [...own, ...passed].map((node) => exportRow(node, offered.get(node.id) ?? []));
    const told = body.results.exports.map(({ class_name: _, ...row }) => row);
    const wholes = [...offered.keys()].filter((id) => !isSymbol({ id })).sort(compare);
    return [
      ...wrongRows(body, told, rows, CAP),
      ...wrongValue(
        'modules',
        body.results.modules.map(nameOf),
        wholes.map((id) => nameOf(graph.nodes.get(id))),
      ),
      ...wrongValue('module', body.results.module_info.path, graph.nodes.get(module_name).path),
    ];
  },
};

function nameOf({ qualified_name, path, name }) {
  return qualified_name || path || name;
}

function exportRow(node, names) {
  const isClass = node.id.startsWith('cls:') || node.callable_kind === 'class';
  const as = [...new Set(names)].sort(compare);
  return {
    kind: node.subkind ?? node.symbol_kind ?? node.kind,
    qualified_name: node.qualified_name,
    name: node.name,
    file_path: node.path,
    line_start: node.start_line,
    line_end: node.end_line,
    ...(isClass ? { base_classes: node.base_classes } : {}),
    ...(as.length === 0 || (as.length === 1 && as[0] === node.name) ? {} : { exported_as: as }),
    exported: names.length > 0,
  };
}

/** The top-level symbols of a module, in the order of the text. */
function topOf(graph, file) {
  return graph
    .from('DEFINES', file)
    .filter(({ top_level }) => top_level)
    .map(({ to }) => graph.nodes.get(to));
}

/** What it passes on: each link of its imports that has names. */
function passedOn(graph, file) {
  const imports = graph
    .from('CONTAINS', file)
    .map(({ to }) => to)
    .filter((to) => to.startsWith('import:'));
  return imports
    .flatMap((id) => graph.from('RESOLVES_TO', id))
    .filter((edge) => edge.exported_as?.length > 0);
}

function starsOf(graph, file) {
  return passedOn(graph, file)
    .filter(({ to, exported_as }) => to.startsWith('file:') && exported_as.includes('*'))
    .map(({ to }) => to);
}

/** Every name that stands anywhere behind a module's stars. */
function namesBehind(graph, file, seen) {
  if (seen.has(file)) return new Set();
  seen.add(file);
  const names = new Set(ownNames(graph, file).keys());
  for (const star of starsOf(graph, file)) for (const name of namesBehind(graph, star, seen)) names.add(name);
  return names;
}

function ownNames(graph, file) {
  const names = new Map();
  const add = (name, id) => names.set(name, [...(names.get(name) ?? []), id]);
  for (const { id, name, exported, exported_as } of topOf(graph, file))
    if (exported) for (const outside of exported_as.length > 0 ? exported_as : [name]) add(outside, id);
  for (const { to, exported_as } of passedOn(graph, file))
    for (const name of exported_as) if (name !== '*' || !to.startsWith('file:')) add(name, to);
  return names;
}

/** What a module gives for a name; null: nothing. */
function meant(graph, file, name, open) {
  if (open.has(file)) return null;
  const own = ownNames(graph, file).get(name);
  if (own && name !== '*') return [...new Set(own)];
  const isPython = graph.nodes.get(file).language === 'python';
  if (name === 'default' && !isPython) return null;
  open.add(file);
  const given = starsOf(graph, file)
    .map((star) => meant(graph, star, name, open))
    .filter((ids) => ids !== null);
  open.delete(file);
  if (name === '*') {
    const all = new Set([...(own ?? []), ...given.flat()]);
    return all.size > 0 ? [...all] : null;
  }
  if (given.length === 0) return null;
  if (isPython) return given.at(-1);
  const [first] = given;
  const key = (ids) => [...ids].sort().join();
  return given.every((ids) => key(ids) === key(first)) ? first : null;
}
