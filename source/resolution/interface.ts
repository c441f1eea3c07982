import { createHash } from 'node:crypto';
import type { FileFacts, Span } from '../facts.js';
import type { FlowFact } from '../flow-facts.js';
import { visibleBytes } from '../stored-facts/index.js';
import { visibleFlows } from './visible-flows.js';

/**
 * A digest of what resolutions of other files can see of a file: its definitions, imports, exports, the types it tells
 * and the values that leave it, not what it refers to or says in comments. Lines count by their order alone, so that an edit inside a body
 * that defines nothing leaves the interface as it was. SHA-1, for speed and size; nothing here is a secret.
 *
 * Whatever a resolution reads of another file's facts must be part of this.
 */
export function interfaceOf(facts: FileFacts): string {
  const flows = visibleFlows(facts);
  const bytes = visibleBytes(facts, flows, lineRanks(facts, flows));
  return createHash('sha1').update(bytes).digest('base64url');
}

/** The lines that names are looked up by, numbered in their order. */
function lineRanks(
  { definitions, imports, exports, types }: FileFacts,
  flows: readonly FlowFact[],
): Map<number, number> {
  const lines = new Set<number>();
  const add = (span: Span | null | undefined) => {
    if (span) lines.add(span.start_line).add(span.end_line);
  };
  for (const { span, block, branch } of definitions) {
    for (const at of branch ?? []) lines.add(at);
    add(span);
    add(block);
  }
  for (const { line, block } of types) {
    lines.add(line);
    add(block);
  }
  for (const { line, block, branch, loop } of flows) {
    for (const at of [line, ...(branch ?? []), ...(loop ?? [])]) lines.add(at);
    add(block);
  }
  for (const { line } of [...imports, ...exports]) lines.add(line);
  return new Map([...lines].sort((a, b) => a - b).map((line, rank) => [line, rank]));
}
