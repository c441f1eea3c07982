import { Graph, layout } from '@dagrejs/dagre';
import type { Arrow, Box, Drawn } from './picture.js';

/** Pixels of a box without others in it, of the title of one that has some, and between boxes. */
const BOX = { width: 204, height: 56 };
const TITLE = 34;
const GAP = 26;
const PADDING = 14;

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Where a box or an arrow is, from the upper left corner. */
interface Placed {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly Drawn[];
  readonly arrows: readonly {
    readonly arrow: Arrow;
    readonly points: readonly (readonly [number, number])[];
  }[];
}

/**
 * Puts boxes in layers, so that arrows point down. Boxes that hold others are as large as what they hold. Equal boxes in equal
 * order have equal places.
 */
export function inLayers(boxes: readonly Box[], arrows: readonly Arrow[]): Placed {
  const inner = new Map(
    boxes.map((box) => [box.id, box.inner ? inLayers(box.inner.boxes, box.inner.arrows) : null]),
  );
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'TB', nodesep: GAP, ranksep: GAP * 1.8, edgesep: 8, marginx: 0, marginy: 0 });
  graph.setDefaultEdgeLabel(() => ({}));
  const joined = new Set(arrows.flatMap(({ from, to }) => (from === to ? [] : [from, to])));
  const loose = boxes.filter(({ id }) => !joined.has(id));
  for (const box of boxes) if (joined.has(box.id)) graph.setNode(box.id, sizeOf(inner.get(box.id) ?? null));
  const known = arrows.filter(({ from, to }) => from !== to && graph.hasNode(from) && graph.hasNode(to));
  for (const [at, { from, to }] of known.entries()) graph.setEdge(from, to, {}, String(at));
  if (graph.nodeCount() > 0) layout(graph);
  const ways = known.map(
    ({ from, to }, at) => (graph.edge(from, to, String(at)) as { points: Point[] }).points,
  );
  // Arrows may go around on the left.
  const left = Math.min(0, ...ways.flat().map(({ x }) => x));
  const placed = known.map((arrow, at) => ({
    arrow,
    points: (ways[at] ?? []).map(({ x, y }) => [x - left, y] as const),
  }));
  const drawn: Drawn[] = [];
  let [right, bottom] = [Math.max(0, ...ways.flat().map(({ x }) => x - left)), 0];
  const put = (box: Box, x: number, y: number) => {
    const inside = inner.get(box.id) ?? null;
    const size = sizeOf(inside);
    drawn.push({ box, x, y, ...size, inner: inside && { ...inside, x: x + PADDING, y: y + TITLE } });
    right = Math.max(right, x + size.width);
    bottom = Math.max(bottom, y + size.height);
  };
  for (const box of boxes) {
    if (!joined.has(box.id)) continue;
    const { x, y, width, height } = graph.node(box.id) as Point & { width: number; height: number };
    put(box, x - left - width / 2, y - height / 2);
  }
  // What nothing leads to or from stands below, in rows.
  const width = Math.max(right, 4 * (BOX.width + GAP) - GAP);
  let [x, y, tallest] = [0, drawn.length > 0 ? bottom + GAP * 1.8 : 0, 0];
  for (const box of loose) {
    const size = sizeOf(inner.get(box.id) ?? null);
    if (x > 0 && x + size.width > width) [x, y, tallest] = [0, y + tallest + GAP, 0];
    put(box, x, y);
    x += size.width + GAP;
    tallest = Math.max(tallest, size.height);
  }
  return { width: right, height: bottom, boxes: drawn, arrows: placed };
}

function sizeOf(inner: { width: number; height: number } | null): { width: number; height: number } {
  if (inner === null) return { ...BOX };
  return {
    width: Math.max(BOX.width, inner.width + 2 * PADDING),
    height: inner.height + TITLE + PADDING,
  };
}
