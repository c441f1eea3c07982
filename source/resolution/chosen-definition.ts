import type { Definition, Span } from '../facts.js';
import type { Space } from './meaning.js';
import { definitionAt, isNamespace, type ModuleTable, type Place, within } from './module-table.js';

/**
 * Which of several definitions of one name in one scope is meant at a place; null when none is visible there. The
 * innermost block wins, an implementation wins over its overload signatures, and of redefinitions the last one
 * above the place counts. `at` null asks from outside the file: nothing in a block is visible from there.
 *
 * @param indexes Of one name, the same list each time: what is found out about it is kept.
 */
export function chosenDefinition(
  table: ModuleTable,
  indexes: readonly number[],
  at: Place | null,
  space: Space,
): number | null {
  const [first] = indexes;
  // Nearly always there is one.
  if (indexes.length > 1) return nearest(blocksOf(table, indexes, space), at);
  return first !== undefined && isVisible(table, first, at, space) ? first : null;
}

function isVisible(table: ModuleTable, index: number, at: Place | null, space: Space): boolean {
  const definition = definitionAt(table, index);
  const seen = at === null ? !definition.block : within(at, definition.block);
  return seen && fits(definition, space);
}

/** The definitions of one name that are visible in one block. */
interface Block {
  /** Null where they are visible everywhere. */
  readonly span: Span | null;
  /** In source order; overload signatures only where there is nothing else. */
  readonly written: readonly number[];
  /** The first line of each and of all that follow: it never falls, and the last one above a line is searched by it. */
  readonly lines: readonly number[];
  /** The next one around it, by its place among the blocks. */
  readonly outer: number | null;
}

const blocksOfLists = new WeakMap<readonly number[], Map<Space, readonly Block[]>>();

/** Definitions of one name by the blocks that they are visible in, in the order of the blocks. Made once for a list. */
function blocksOf(table: ModuleTable, indexes: readonly number[], space: Space): readonly Block[] {
  const bySpace = blocksOfLists.get(indexes) ?? new Map<Space, readonly Block[]>();
  blocksOfLists.set(indexes, bySpace);
  const known = bySpace.get(space);
  if (known) return known;
  const groups = new Map<string, number[]>();
  for (const index of indexes) {
    const { block: at } = definitionAt(table, index);
    if (!fits(definitionAt(table, index), space)) continue;
    const key = at ? [at.start_line, at.start_column, at.end_line, at.end_column].join() : '';
    const group = groups.get(key);
    if (group) group.push(index);
    else groups.set(key, [index]);
  }
  const sorted = [...groups.values()]
    .map((group) => ({ group, span: definitionAt(table, group[0] ?? 0).block ?? null }))
    .sort((a, b) => compareSpans(a.span, b.span));
  const open: number[] = [];
  const blocks = sorted.map(({ group, span }, at): Block => {
    while (open.length > 0 && !isAround(sorted[open.at(-1) ?? 0]?.span, span)) open.pop();
    const outer = open.at(-1) ?? null;
    open.push(at);
    const written = withoutNamespaces(table, withBody(table, group));
    return { span, written, lines: leastLines(table, written), outer };
  });
  bySpace.set(space, blocks);
  return blocks;
}

function leastLines(table: ModuleTable, indexes: readonly number[]): number[] {
  const lines = indexes.map((index) => definitionAt(table, index).span.start_line);
  for (let at = lines.length - 2; at >= 0; at -= 1) lines[at] = Math.min(lines[at] ?? 0, lines[at + 1] ?? 0);
  return lines;
}

function nearest(blocks: readonly Block[], at: Place | null): number | null {
  // From elsewhere nothing in a block is visible: what is visible everywhere comes first.
  let last: number | null = at === null ? 0 : lastOf(blocks, ({ span }) => !span || startsBefore(span, at));
  for (; last !== null; last = blocks[last]?.outer ?? null) {
    const { span = null, written = [], lines = [] } = blocks[last] ?? {};
    if (at === null ? span : !within(at, span)) continue;
    const above = at === null ? null : lastOf(lines, (line) => line <= at.line);
    return written[above ?? 0] ?? null;
  }
  return null;
}

/** The place of the last item of a list of which something holds, which holds of all before it; null for none. */
export function lastOf<T>(list: readonly T[], holds: (one: T) => boolean): number | null {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const one = list[middle];
    if (one !== undefined && holds(one)) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? null : low - 1;
}

/** Whether a span begins at or before a place. */
export function startsBefore({ start_line, start_column }: Span, { line, column }: Place): boolean {
  return start_line < line || (start_line === line && start_column <= column);
}

/** By their starts, what is visible everywhere first; of one start the outer first. */
export function compareSpans(a: Span | null | undefined, b: Span | null | undefined): number {
  if (!a || !b) return Number(!!a) - Number(!!b);
  return (
    a.start_line - b.start_line ||
    a.start_column - b.start_column ||
    b.end_line - a.end_line ||
    b.end_column - a.end_column
  );
}

function isAround(outer: Span | null | undefined, inner: Span | null): boolean {
  return !outer || (inner !== null && within({ line: inner.start_line, column: inner.start_column }, outer));
}

const chosenMembers = new WeakMap<readonly number[], number | null>();

/**
 * Which of several members of one name a class has. Accessors share a name: the one that reads is meant.
 *
 * @param indexes As for {@link chosenDefinition}.
 */
export function chosenMember(table: ModuleTable, indexes: readonly number[]): number | null {
  if (indexes.length < 2) return indexes[0] ?? null;
  let chosen = chosenMembers.get(indexes);
  if (chosen === undefined) {
    chosen = memberAmong(table, indexes);
    chosenMembers.set(indexes, chosen);
  }
  return chosen;
}

function memberAmong(table: ModuleTable, indexes: readonly number[]): number | null {
  const written = withBody(table, indexes);
  return written.find((index) => !isSetter(definitionAt(table, index))) ?? written[0] ?? null;
}

function withBody(table: ModuleTable, indexes: readonly number[]): readonly number[] {
  const written = indexes.filter((index) => !definitionAt(table, index).declaration_only);
  return written.length > 0 ? written : indexes;
}

function isSetter({ form, signature }: Definition): boolean {
  return form === 'method' && /^(?:\w+\s+)*set\s+[^(]/.test(signature);
}

/** A class or function that is merged with a namespace is what their name means: what the namespace holds is in it. */
function withoutNamespaces(table: ModuleTable, indexes: readonly number[]): readonly number[] {
  if (indexes.length < 2) return indexes;
  const others = indexes.filter((index) => !isNamespace(definitionAt(table, index)));
  return others.length > 0 ? others : indexes;
}

/** Types and interfaces are no values, functions no types. */
function fits(definition: Definition, space: Space): boolean {
  if (space === 'value') return definition.form !== 'type' && definition.subkind !== 'interface';
  return definition.form === 'type' || definition.form === 'class';
}
