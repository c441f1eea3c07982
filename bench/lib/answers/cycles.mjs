// query_cycles, by plain loops over an export: every link on a circle is in a shortest one, and every row is one.
import { isFile, isSymbol } from './exported-graph.mjs';
import { wrongValue } from './rows.mjs';

const CAP = 100;
const KINDS = { imports: ['IMPORTS'], calls: ['CALLS'], inheritance: ['INHERITS', 'IMPLEMENTS'] };

/** See checks.mjs. */
export const CYCLES = {
  walker: 'query_cycles',
  questions: (graph) => {
    const folders = new Set(graph.all(isFile).flatMap(({ path }) => foldersOf(path)));
    return Object.keys(KINDS).flatMap((cycle_type) => [
      { cycle_type },
      ...[...folders].sort().map((scope) => ({ cycle_type, scope })),
    ]);
  },
  wrong: (graph, { cycle_type, scope }, body) => {
    const links = linksOf(graph, cycle_type, scope);
    const running = links.filter(({ type_only }) => !type_only);
    const known = new Map();
    for (const [name, lengths] of [links, running].flatMap(shortestOf))
      known.set(name, new Set([...(known.get(name) ?? []), ...lengths]));
    const rows = body.results.circular_dependencies;
    const wrong = [];
    let before = 0;
    const told = new Set();
    for (const row of rows) {
      const { cycle_path, cycle_length } = row;
      if (cycle_path.length !== cycle_length + 1 || cycle_path[0] !== cycle_path.at(-1))
        wrong.push(`no circle: ${cycle_path}`);
      if (cycle_length < before) wrong.push('not the shortest first');
      before = cycle_length;
      const names = cycle_path.slice(1).map((to, at) => `${cycle_path[at]} > ${to}`);
      for (const name of names) told.add(`${name} ${cycle_length}`);
      if (!names.some((name) => [...(known.get(name) ?? [])].includes(cycle_length)))
        wrong.push(`of no link the shortest: ${cycle_path}`);
      for (const name of names) if (!known.has(name)) wrong.push(`no link of a circle: ${name}`);
    }
    const isAll = !body.metadata.truncated;
    for (const [name, lengths] of isAll ? known : [])
      for (const length of lengths)
        if (!told.has(`${name} ${length}`)) wrong.push(`not told: ${name} (${length})`);
    return [
      ...wrong,
      ...wrongValue('row_count', body.metadata.row_count, rows.length),
      ...wrongValue('truncated', body.metadata.truncated, body.metadata.total_count > rows.length),
      ...(isAll ? [] : wrongValue('rows', Math.max(rows.length, 1) <= CAP, true)),
    ];
  },
};

function foldersOf(path) {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
}

function linksOf(graph, type, scope) {
  const isWithin = ({ path }) => scope === undefined || path === scope || path.startsWith(`${scope}/`);
  const isOne = type === 'imports' ? isFile : isSymbol;
  return graph
    .all((node) => isOne(node) && isWithin(node))
    .flatMap(({ id }) => KINDS[type].flatMap((kind) => graph.from(kind, id)))
    .filter(({ to }) => isOne({ id: to }) && isWithin(graph.nodes.get(to)))
    .map(({ from, to, type_only = false }) => ({ from, to, type_only, name: nameOf(graph, from, to) }));
}

function nameOf(graph, from, to) {
  const [a, b] = [from, to].map((id) => graph.nodes.get(id)).map((node) => node.qualified_name || node.path);
  return `${a} > ${b}`;
}

/** Links on a circle by their names, with the lengths of the shortest circles through links of that name. */
function shortestOf(links) {
  const next = new Map();
  for (const { from, to } of links) next.set(from, [...(next.get(from) ?? []), to]);
  const found = new Map();
  const distances = new Map();
  for (const { from, to, name } of links) {
    let from_to = distances.get(to);
    if (!from_to) {
      from_to = new Map([[to, 0]]);
      for (const [at, far] of from_to)
        for (const one of next.get(at) ?? []) if (!from_to.has(one)) from_to.set(one, far + 1);
      distances.set(to, from_to);
    }
    const back = from_to.get(from);
    if (back !== undefined) found.set(name, new Set([...(found.get(name) ?? []), back + 1]));
  }
  return [...found];
}
