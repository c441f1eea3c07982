// query_hierarchy and query_implementations, by plain loops over an export.
import { compare } from './exported-graph.mjs';
import { wrongRows, wrongValue } from './rows.mjs';

const CAP = 100;
const RELATIONS = { INHERITS: 'extends', IMPLEMENTS: 'implements' };

/** See checks.mjs. */
export const HIERARCHY = {
  walker: 'query_hierarchy',
  questions: (graph) =>
    graph
      .all(isClass)
      .flatMap(({ id }, at) => [
        { class_name: id },
        { class_name: id, direction: at % 2 === 0 ? 'up' : 'down' },
        { class_name: id, max_depth: 1 },
      ]),
  wrong: (graph, { class_name, direction = 'both', max_depth = 10 }, body) => {
    const up = direction === 'down' ? [] : relatives(graph, class_name, parentsOf, max_depth);
    const down = direction === 'up' ? [] : relatives(graph, class_name, childrenOf, max_depth);
    const { rows: ancestors, wrong: wrongUp } = withoutRelations(body.results.ancestors, up);
    const { rows: descendants, wrong: wrongDown } = withoutRelations(body.results.descendants, down);
    const isAll = body.metadata.row_count === up.length + down.length;
    return [
      ...wrongRows(body, [...ancestors, ...descendants], [...up, ...down].map(rowOf), CAP),
      ...wrongUp,
      ...wrongDown,
      ...wrongValue('ancestors', body.results.ancestors.length, Math.min(body.metadata.row_count, up.length)),
      ...(isAll ? wrongTree(graph, class_name, direction, max_depth, body.results.hierarchy_tree) : []),
      ...wrongValue('max_depth', body.metadata.max_depth, max_depth),
    ];
  },
};

/** See checks.mjs. */
export const IMPLEMENTATIONS = {
  walker: 'query_implementations',
  questions: (graph) =>
    graph
      .all((node) => isClass(node) || (node.id.startsWith('sym:') && childrenOf(graph, node.id).length > 0))
      .flatMap(({ id }) => [{ interface_name: id }, { interface_name: id, include_indirect: true }]),
  wrong: (graph, { interface_name, include_indirect = false }, body) => {
    const depth = include_indirect ? Number.POSITIVE_INFINITY : 1;
    const heirs = relatives(graph, interface_name, childrenOf, depth);
    const { rows, wrong } = withoutRelations(body.results.implementations, heirs);
    const depths = {};
    for (const { node, depth: far } of heirs.slice(0, rows.length)) depths[node.qualified_name] ??= far;
    return [
      ...wrongRows(body, rows, heirs.map(rowOf), CAP),
      ...wrong,
      ...wrongValue('inheritance_depth', body.results.inheritance_depth, depths),
    ];
  },
};

function isClass({ id }) {
  return id.startsWith('cls:');
}

function parentsOf(graph, id) {
  return Object.entries(RELATIONS).flatMap(([kind, relation]) =>
    graph.from(kind, id).map(({ to }) => ({ to, relation })),
  );
}

function childrenOf(graph, id) {
  return Object.entries(RELATIONS).flatMap(([kind, relation]) =>
    graph.to(kind, id).map(({ from }) => ({ to: from, relation })),
  );
}

/** Classes of the project that steps lead to, by distance and id, with all relations by which the last step leads there. */
function relatives(graph, start, steps, depth) {
  const found = new Map();
  let frontier = [start];
  for (let distance = 1; distance <= depth && frontier.length > 0; distance++) {
    const next = new Map();
    for (const id of frontier)
      for (const { to, relation } of steps(graph, id)) {
        if (to === start || found.has(to)) continue;
        next.set(to, [...(next.get(to) ?? []), relation]);
      }
    for (const [id, relations] of next) found.set(id, { id, depth: distance, relations });
    frontier = [...next.keys()];
  }
  return [...found.values()]
    .filter(({ id }) => !id.startsWith('sym:'))
    .sort((a, b) => a.depth - b.depth || compare(a.id, b.id))
    .map((one) => ({ ...one, node: graph.nodes.get(one.id) }));
}

function rowOf({ node, depth }) {
  return {
    kind: node.subkind ?? node.symbol_kind ?? node.kind,
    qualified_name: node.qualified_name,
    name: node.name,
    file_path: node.path,
    line_start: node.start_line,
    line_end: node.end_line,
    base_classes: node.base_classes,
    depth,
  };
}

/** Rows without their relations, which are any of those by which the nearest steps lead there. */
function withoutRelations(rows, expected) {
  const wrong = rows.flatMap(({ relation }, at) =>
    expected[at]?.relations.includes(relation) ? [] : [`row ${at} is said to be ${relation}`],
  );
  return { rows: rows.map(({ relation: _, ...row }) => row), wrong };
}

/** The tree shows each step that there is, and unfolds each class once on each side. */
function wrongTree(graph, start, direction, maxDepth, tree) {
  const nameOf = (id) => graph.nodes.get(id).qualified_name;
  const shown = [];
  const show = (node, above, way) => {
    shown.push(`${way}: ${above} ${node.relation} ${node.name}`);
    for (const child of node.children) show(child, node.name, way);
  };
  for (const child of tree.children) show(child, tree.name, child.direction);
  const expected = [];
  for (const [way, steps] of [
    ['up', parentsOf],
    ['down', childrenOf],
  ]) {
    if (direction !== 'both' && direction !== way) continue;
    const seen = new Set([start]);
    let frontier = [start];
    for (let depth = 1; depth <= maxDepth && frontier.length > 0; depth++) {
      const next = [];
      for (const id of frontier) {
        const twice = new Set();
        for (const { to, relation } of steps(graph, id)) {
          if (twice.has(to)) continue;
          twice.add(to);
          expected.push(`${way}: ${nameOf(id)} ${relation} ${nameOf(to)}`);
          if (!seen.has(to)) next.push(to);
          seen.add(to);
        }
      }
      frontier = next;
    }
  }
  return wrongValue('tree', shown.sort(), expected.sort());
}
