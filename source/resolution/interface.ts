import { createHash } from 'node:crypto';
import type { Definition, FileFacts, Span } from '../facts.js';
import type { FlowFact } from '../flow-facts.js';
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
  const ranks = lineRanks(facts, flows);
  const line = (at: number) => ranks.get(at) ?? 0;
  const span = (at: Span | null | undefined) =>
    at ? [line(at.start_line), at.start_column, line(at.end_line), at.end_column] : null;
  const content = [
    facts.language,
    facts.definitions.map((each) => [
      ...visible(each),
      span(each.block),
      span(each.span),
      each.branch?.map(line),
    ]),
    facts.imports.map(({ line: at, ...rest }) => [line(at), rest]),
    facts.exports.map(({ line: at, ...rest }) => [line(at), rest]),
    facts.types.map(({ line: at, block, ...rest }) => [line(at), span(block), rest]),
    flows.map(({ line: at, block, branch, loop, ...rest }) => [
      line(at),
      span(block),
      branch?.map(line),
      loop?.map(line),
      rest,
    ]),
  ];
  return createHash('sha1').update(JSON.stringify(content)).digest('base64url');
}

/** A definition without its places and without what only people read. */
function visible({
  span: _,
  block: __,
  name_line: ___,
  docstring: ____,
  branch: _____,
  bases,
  ...rest
}: Definition): unknown[] {
  return [rest, bases.map(({ line: _____, ...base }) => base)];
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
