import type { ShortestPlan } from '../plan/index.js';
import type { CypherNode, CypherPath, CypherRelationship } from '../value.js';
import { otherEnd, type Row } from './rows.js';
import type { Run } from './run.js';
import { hopsCut, type Look, TRAIL_BYTES } from './walk.js';

/** What lies between two different nodes. */
export interface Ends {
  readonly start: CypherNode;
  readonly end: CypherNode;
  readonly ahead: Look;
  readonly back: Look;
  readonly plan: Pick<ShortestPlan, 'max' | 'all'>;
}

/** A node that one side knows, and how it got there; all ways of the fewest hops. */
interface Known {
  readonly node: CypherNode;
  readonly hops: number;
  readonly ways: { readonly relationship: CypherRelationship; readonly from: Known }[];
}

interface Side {
  readonly known: Map<number, Known>;
  level: readonly Known[];
  hops: number;
  readonly look: Look;
}

/** Nodes that are looked at together. */
const AT_ONCE = 256;

/**
 * The shortest paths between two nodes: level by level from both ends, always on the side that has fewer nodes to look
 * from, until the sides meet. All of them, or the first in the graph's order.
 */
export async function twoSided(run: Run, row: Row, ends: Ends): Promise<CypherPath[]> {
  const max = ends.plan.max ?? run.maxHops;
  const ahead = sideFrom(ends.start, ends.ahead);
  const back = sideFrom(ends.end, ends.back);
  let meeting: Known[] = [];
  while (meeting.length === 0 && ahead.hops + back.hops < max) {
    if (ahead.level.length === 0 || back.level.length === 0) break;
    const [near, far] = ahead.level.length <= back.level.length ? [ahead, back] : [back, ahead];
    await grow(run, row, near);
    meeting = near.level.filter(({ node }) => far.known.has(node.key));
  }
  const isCut = meeting.length === 0 && ahead.level.length > 0 && back.level.length > 0;
  if (isCut && ends.plan.max === null) run.cuts.add(hopsCut(run));
  const paths: CypherPath[] = [];
  for (const path of pathsOver(meeting, ahead, back)) {
    run.spend(path.nodes.length);
    run.hold(TRAIL_BYTES * path.nodes.length);
    paths.push(path);
    if (!ends.plan.all) break;
  }
  run.release(TRAIL_BYTES * (ahead.known.size + back.known.size));
  return paths;
}

function sideFrom(node: CypherNode, look: Look): Side {
  const first: Known = { node, hops: 0, ways: [] };
  return { known: new Map([[node.key, first]]), level: [first], hops: 0, look };
}

async function grow(run: Run, row: Row, side: Side): Promise<void> {
  const next: Known[] = [];
  side.hops++;
  for (let at = 0; at < side.level.length; at += AT_ONCE) {
    const wait = run.turn();
    if (wait !== null) await wait;
    const part = side.level.slice(at, at + AT_ONCE);
    const found = await side.look(
      run,
      row,
      part.map(({ node }) => node),
    );
    for (const [index, from] of part.entries()) {
      for (const relationship of found[index] ?? []) {
        run.spend(1);
        const node = otherEnd(relationship, from.node);
        const met = side.known.get(node.key);
        if (met !== undefined) {
          if (met.hops === side.hops) met.ways.push({ relationship, from });
          continue;
        }
        run.keep(TRAIL_BYTES);
        const made = { node, hops: side.hops, ways: [{ relationship, from }] };
        side.known.set(node.key, made);
        next.push(made);
      }
    }
  }
  side.level = next;
}

function* pathsOver(meeting: readonly Known[], ahead: Side, back: Side): Generator<CypherPath> {
  for (const { node } of meeting) {
    const [before, behind] = [ahead.known.get(node.key), back.known.get(node.key)];
    if (before === undefined || behind === undefined) continue;
    for (const toMeeting of waysTo(before)) {
      for (const onward of waysTo(behind)) {
        const relationships = [...toMeeting.relationships, ...onward.relationships.toReversed()];
        const nodes = [...toMeeting.nodes, ...onward.nodes.toReversed().slice(1)];
        yield { kind: 'path', nodes, relationships };
      }
    }
  }
}

interface Way {
  readonly nodes: readonly CypherNode[];
  readonly relationships: readonly CypherRelationship[];
}

function* waysTo(known: Known): Generator<Way> {
  if (known.hops === 0) yield { nodes: [known.node], relationships: [] };
  for (const { relationship, from } of known.ways) {
    for (const { nodes, relationships } of waysTo(from)) {
      yield { nodes: [...nodes, known.node], relationships: [...relationships, relationship] };
    }
  }
}
