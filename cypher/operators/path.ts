import type { PathPlan } from '../plan/index.js';
import type { CypherNode, CypherPath, CypherRelationship, CypherValue } from '../value.js';
import { isList, isNode, isRelationship } from '../values/index.js';
import { type Open, otherEnd } from './rows.js';

/** Puts a path into each row. */
export function namePath({ slot, first, relationships }: PathPlan, input: Open): Open {
  return async function* (run, argument) {
    for await (const batch of input(run, argument)) {
      for (const row of batch) {
        const start = row[first] ?? null;
        const parts = relationships.map((of) => row[of] ?? null);
        row[slot] = start !== null && isNode(start) ? pathFrom(start, parts.flatMap(relationshipsIn)) : null;
      }
      yield batch;
    }
  };
}

function relationshipsIn(value: CypherValue): readonly CypherRelationship[] {
  if (value === null) return [];
  return isList(value) ? value.filter(isRelationship) : [value].filter(isRelationship);
}

/** The path that begins at a node and goes over these relationships. */
export function pathFrom(start: CypherNode, relationships: readonly CypherRelationship[]): CypherPath {
  const nodes = [start];
  let node = start;
  for (const relationship of relationships) {
    node = otherEnd(relationship, node);
    nodes.push(node);
  }
  return { kind: 'path', nodes, relationships };
}
