import type { AskedCondition, AskedHop, AskedMatch, AskedNode, AskedPath, AskedRows } from './question.js';

/** How far patterns without an upper bound go. */
export const MAX_HOPS = 3;

/** A node of a small graph. */
export interface SmallNode {
  readonly key: number;
  readonly labels: readonly string[];
  readonly x: number | null;
}

/** A relationship of a small graph; its ends are places in the list of nodes. */
export interface SmallRelationship {
  readonly key: number;
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly w: number | null;
}

/** A small graph. */
export interface SmallGraph {
  readonly nodes: readonly SmallNode[];
  readonly relationships: readonly SmallRelationship[];
}

/** What a name may mean. */
export type Value = SmallNode | SmallRelationship | readonly SmallRelationship[] | null;
type Bound = ReadonlyMap<string, Value>;

/** The rows of a question as texts, by trying everything: what a planner must not change. */
export function answerOf(graph: SmallGraph, question: readonly AskedMatch[], asked: AskedRows): string[] {
  const rows = rowsOf(graph, question);
  const keyOf = (row: Bound) => asked.names.map((name) => keys(row.get(name) ?? null)).join(' ');
  if (asked.kind === 'all') return rows.map(keyOf);
  if (asked.kind === 'distinct') return [...new Set(rows.map(keyOf))];
  const groups = new Map<string, string[]>(asked.names.length === 0 ? [['', []]] : []);
  for (const row of rows) {
    const key = keyOf(row);
    groups.set(key, [...(groups.get(key) ?? []), keys(row.get(asked.counted ?? '') ?? null)]);
  }
  return [...groups].map(([key, all]) => {
    const counted = all.filter((value) => value !== 'null');
    const count = asked.kind === 'count' ? counted.length : new Set(counted).size;
    return asked.names.length === 0 ? `${count}` : `${key} ${count}`;
  });
}

/** A value by the keys of what it holds. */
function keys(value: Value): string {
  if (value === null) return 'null';
  return 'key' in value ? String(value.key) : `[${value.map(({ key }) => key).join(',')}]`;
}

function rowsOf(graph: SmallGraph, question: readonly AskedMatch[]): Bound[] {
  let rows: Bound[] = [new Map()];
  for (const { optional, paths, where } of question) {
    rows = rows.flatMap((row) => {
      const found = allPaths(graph, paths, row).filter(
        (match) => where === null || truthOf(graph, where, match) === true,
      );
      if (found.length > 0 || !optional) return found;
      const fresh = paths
        .flatMap(({ nodes, hops }) => [...nodes, ...hops])
        .flatMap(({ name }) => (name === null || row.has(name) ? [] : [name]));
      return [new Map([...row, ...fresh.map((name) => [name, null] as const)])];
    });
  }
  return rows;
}

interface Walk {
  readonly bound: Bound;
  readonly used: readonly number[];
}

/** All ways to lay the paths; no relationship is walked twice in one MATCH. */
function allPaths(graph: SmallGraph, paths: readonly AskedPath[], row: Bound): Bound[] {
  let walks: Walk[] = [{ bound: row, used: [] }];
  for (const path of paths) {
    walks = walks.flatMap((walk) =>
      graph.nodes.flatMap((start) => {
        const bound = withNode(walk.bound, path.nodes[0], start);
        return bound === null ? [] : onwards(graph, path, 0, start, { ...walk, bound });
      }),
    );
  }
  return walks.map(({ bound }) => bound);
}

function onwards(graph: SmallGraph, path: AskedPath, at: number, from: SmallNode, walk: Walk): Walk[] {
  const hop = path.hops[at];
  if (hop === undefined) return [walk];
  const { min, max } = hop.length ?? { min: 1, max: 1 };
  return trails(graph, hop, from, min, max ?? MAX_HOPS, walk.used).flatMap(({ trail, end }) => {
    const value = hop.length === null ? (trail[0] ?? null) : trail;
    const withHop = hop.name === null ? walk.bound : new Map([...walk.bound, [hop.name, value] as const]);
    const bound = withNode(withHop, path.nodes[at + 1], end);
    const used = [...walk.used, ...trail.map(({ key }) => key)];
    return bound === null ? [] : onwards(graph, path, at + 1, end, { bound, used });
  });
}

interface Trail {
  readonly trail: readonly SmallRelationship[];
  readonly end: SmallNode;
}

function trails(
  graph: SmallGraph,
  hop: AskedHop,
  from: SmallNode,
  min: number,
  max: number,
  used: readonly number[],
): Trail[] {
  const here: Trail[] = min <= 0 ? [{ trail: [], end: from }] : [];
  if (max === 0) return here;
  const further = graph.relationships.flatMap((relationship) => {
    if (used.includes(relationship.key)) return [];
    if (hop.types.length > 0 && !hop.types.includes(relationship.type)) return [];
    if (hop.w !== null && relationship.w !== hop.w) return [];
    return otherEnds(graph, hop, from, relationship).flatMap((next) =>
      trails(graph, hop, next, min - 1, max - 1, [...used, relationship.key]).map(({ trail, end }) => ({
        trail: [relationship, ...trail],
        end,
      })),
    );
  });
  return [...here, ...further];
}

/** Where a relationship leads from a node; a loop leads there once. */
function otherEnds(graph: SmallGraph, hop: AskedHop, from: SmallNode, { start, end }: SmallRelationship) {
  const [first, last] = [graph.nodes[start], graph.nodes[end]];
  const ends = new Set<SmallNode>();
  if (hop.way !== 'in' && first === from && last !== undefined) ends.add(last);
  if (hop.way !== 'out' && last === from && first !== undefined) ends.add(first);
  return [...ends];
}

function withNode(bound: Bound, asked: AskedNode | undefined, node: SmallNode): Bound | null {
  if (asked === undefined) return null;
  if (asked.label !== null && !node.labels.includes(asked.label)) return null;
  if (asked.x !== null && node.x !== asked.x) return null;
  if (asked.name === null) return bound;
  if (bound.has(asked.name)) return bound.get(asked.name) === node ? bound : null;
  return new Map([...bound, [asked.name, node]]);
}

function truthOf(graph: SmallGraph, condition: AskedCondition, bound: Bound): boolean | null {
  const node = (name: string) => {
    const value = bound.get(name) ?? null;
    return value !== null && 'labels' in value ? value : null;
  };
  switch (condition.kind) {
    case 'label':
      return node(condition.name)?.labels.includes(condition.label) ?? null;
    case 'less': {
      const [left, right] = [node(condition.left)?.x ?? null, node(condition.right)?.x ?? null];
      return left === null || right === null ? null : left < right;
    }
    case 'value': {
      const x = node(condition.name)?.x ?? null;
      return x === null ? null : x === condition.x;
    }
    case 'same': {
      const [left, right] = [node(condition.left), node(condition.right)];
      return left === null || right === null ? null : left === right;
    }
    case 'missing':
      return (node(condition.left)?.x ?? null) === null && (node(condition.right)?.x ?? null) !== null;
    case 'exists':
      return allPaths(graph, [condition.path], bound).length > 0;
    case 'count':
      return allPaths(graph, [condition.path], bound).length > condition.more;
    case 'not': {
      const truth = truthOf(graph, condition.of, bound);
      return truth === null ? null : !truth;
    }
  }
  const [left, right] = [truthOf(graph, condition.left, bound), truthOf(graph, condition.right, bound)];
  const decides = condition.kind === 'or';
  if (left === decides || right === decides) return decides;
  return left === null || right === null ? null : !decides;
}
