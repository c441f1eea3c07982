import { createHash } from 'node:crypto';
import type { FileFacts, Span } from '../facts.js';
import type { FlowFact, ValueFact } from '../flow-facts.js';
import { linkRulesOf } from '../languages/index.js';
import { unitInterface } from '../link/interface.js';
import { visibleBytes } from '../stored-facts/index.js';
import { documentWords } from './document-words.js';
import { append } from './module-table.js';

/**
 * A digest of what resolutions of other files can see of a file: its definitions, imports, exports, the types it tells
 * and the values that leave it, not what it refers to or says in comments. Lines count by their order alone, so that an edit inside a body
 * that defines nothing leaves the interface as it was. SHA-1, for speed and size; nothing here is a secret. Behind it
 * stands where a unit is found: see {@link basesIn}.
 *
 * Whatever a resolution reads of another file's facts must be part of this.
 */
export function interfaceOf(facts: FileFacts): string {
  const rules = facts.unit === undefined ? undefined : linkRulesOf(facts.language);
  if (rules) return unitInterface(facts, rules);
  const flows = visibleFlows(facts);
  const bytes = visibleBytes(facts, flows, lineRanks(facts, flows));
  const digest = createHash('sha1').update(bytes).digest('base64url');
  const words = documentWords(facts);
  return words.length > 0 ? [digest, ...words].join(' ') : digest;
}

/**
 * The names that an interface says its classes may derive from, of a unit where it is found, as one text with a blank in
 * front of each.
 */
export function basesIn(offers: string): string {
  return offers.includes(' ') ? offers.slice(offers.indexOf(' ')) : '';
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

/**
 * The flows of a file that resolutions of other files can come upon: into variables of the module and of classes, into
 * attributes, out of functions, and what locals these rest on. A local that nothing of it leads out of is left out, so
 * that an edit of a body seldom matters elsewhere.
 */
function visibleFlows({ definitions, flows }: FileFacts): FlowFact[] {
  const names = new Set<string>();
  const seen = new Set<FlowFact>();
  const open = new Map<string, FlowFact[]>();
  for (const flow of flows)
    if (flow.kind !== undefined || !isInside(flow, definitions)) see(flow, seen, names);
    else append(open, flow.target, flow);
  // What is seen names others: the names grow while they are gone through.
  for (const name of names) for (const flow of open.get(name) ?? []) see(flow, seen, names);
  return seen.size === flows.length ? [...flows] : flows.filter((flow) => seen.has(flow));
}

function isInside({ scope, from, target }: FlowFact, definitions: FileFacts['definitions']): boolean {
  const owner = scope === undefined ? from : scope;
  if (owner === null || target.includes('.')) return false;
  const form = definitions[owner]?.form;
  return form === 'function' || form === 'method';
}

function see(flow: FlowFact, seen: Set<FlowFact>, names: Set<string>): void {
  seen.add(flow);
  addNames(flow.value, names);
  if (flow.keys) addAll(flow.keys, names);
}

/** The first names of all paths in a value. */
function addNames(value: ValueFact | null, names: Set<string>): void {
  if (typeof value === 'string') addFirst(value, names);
  else if (value !== null) addParts(value, names);
}

function addFirst(path: string, names: Set<string>): void {
  const dot = path.indexOf('.');
  names.add(dot < 0 ? path : path.slice(0, dot));
}

function addAll(values: readonly (ValueFact | null)[], names: Set<string>): void {
  for (const one of values) addNames(one, names);
}

function addParts(value: Exclude<ValueFact, string>, names: Set<string>): void {
  if ('of' in value) {
    addNames(value.of, names);
    if ('key' in value) addNames(value.key, names);
  } else if ('call' in value) {
    addNames(value.call, names);
    if (value.passed) addAll(value.passed, names);
    if (value.named) addAll(Object.values(value.named), names);
  } else if ('expected' in value) addNames(value.expected, names);
  else if ('await' in value) addNames(value.await, names);
  else if ('list' in value) addAll(value.list, names);
  else if ('dict' in value) for (const pair of value.dict) addAll(pair, names);
  else if ('either' in value) addAll(value.either, names);
}
