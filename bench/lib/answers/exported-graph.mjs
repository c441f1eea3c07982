// A graph as its export tells it: plain maps of plain objects, and nothing of Codewalk's own code.

/** Reads the lines of an export: `nodes` by id; edges by kind and end, in the order in which they are observed. */
export function exportedGraph(lines) {
  const nodes = new Map();
  const out = new Map();
  const into = new Map();
  for (const line of lines) {
    if (line.type === 'node') nodes.set(line.id, line);
    else if (line.type === 'edge') {
      push(out, `${line.kind} ${line.from}`, line);
      push(into, `${line.kind} ${line.to}`, line);
    }
  }
  for (const edges of out.values())
    edges.sort((a, b) => a.line - b.line || a.column - b.column || compare(a.to, b.to));
  for (const edges of into.values())
    edges.sort((a, b) => compare(a.from, b.from) || a.line - b.line || a.column - b.column);
  return {
    nodes,
    /** Edges of a kind that leave a node. */
    from: (kind, id) => out.get(`${kind} ${id}`) ?? [],
    /** Edges of a kind that reach a node. */
    to: (kind, id) => into.get(`${kind} ${id}`) ?? [],
    /** What the framework of a route calls. */
    runBy: (id) => (out.get(`REFERENCES ${id}`) ?? []).filter(({ access }) => access === 'run'),
    /** All nodes that fit, by id. */
    all: (fits) => [...nodes.values()].filter(fits).sort((a, b) => compare(a.id, b.id)),
  };
}

/** Texts in the order of their UTF-8 bytes. */
export function compare(a, b) {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** Whether a node is a symbol of code: keys of configurations neither call nor are called. */
export function isSymbol({ id }) {
  return /^(?:fn|m|cls|var|type|test|route):/.test(id);
}

/** Whether a node is a symbol that code could call or stand in: no key of a configuration. */
export function isCode(node) {
  return isSymbol(node) && !node.id.startsWith('config:');
}

/** Whether a node is a file. */
export function isFile({ id }) {
  return id.startsWith('file:');
}

/** Whether a node is a file whose symbols are in the graph. */
export function isModule(node) {
  return isFile(node) && node.extracted;
}

/** Ids of the constructors that are written in a class. */
export function constructorsOf(graph, id) {
  return graph
    .from('CONTAINS', id)
    .map(({ to }) => to)
    .filter((to) => to.startsWith('m:') && ['constructor', '__init__'].includes(graph.nodes.get(to).name));
}

function push(lists, key, item) {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}
