import { compareText, type ReadContext } from '../../runtime/index.js';
import { MEMORY_RELATION_PREFIX, Memory, type MemoryType } from '../../schema/index.js';
import { projectPaths } from './content.js';
import { typeOf } from './fields.js';
import { relationsOf } from './relations.js';
import type { MemoryRef } from './text.js';

/** Which memories are wanted: any of each list; an empty list lets all through. */
export interface MemoryFilter {
  readonly types: readonly MemoryType[];
  /** In lower case. */
  readonly tags: readonly string[];
  readonly projects: readonly string[];
  /** 0: any. */
  readonly minImportance: number;
  /** Relations that a memory has, in either direction: asserted, not only proposed. */
  readonly relations: readonly string[];
}

/** Lets every memory through. */
export const NO_FILTER: MemoryFilter = { types: [], tags: [], projects: [], minImportance: 0, relations: [] };

interface FilterInput {
  readonly memory_types?: readonly string[];
  readonly tags?: readonly string[];
  readonly project_path?: string | undefined;
  readonly min_importance?: number | undefined;
  readonly relationship_filter?: readonly string[];
}

/** The filter of a caller's input. */
export async function filterOf(context: ReadContext, input: FilterInput): Promise<MemoryFilter> {
  const { memory_types = [], tags = [], project_path: path, relationship_filter: relations = [] } = input;
  const projects = path === undefined ? [] : await projectPaths(context, path);
  return {
    types: memory_types.map(typeOf),
    tags,
    projects,
    minImportance: input.min_importance ?? 0,
    relations,
  };
}

/** Memories that are read in the first step through all of them. */
const STEP = 400;
/** Memories whose relations are looked at: no index selects by these. */
export const MOST_TRIED = 10_000;
/** So few are read one by one: no further index has to select. */
const NARROW = 1000;

/** Says that not all was looked at. */
export const TRIED_NOTE = `Of more than ${MOST_TRIED} memories that may fit the first were looked at: name types, tags or words.`;

/** The order of S4-27: importance, then the latest; ties by the later id. */
export function byImportance(a: MemoryRef, b: MemoryRef): number {
  return b.importance - a.importance || compareText(b.created_at, a.created_at) || compareText(b.id, a.id);
}

/** Before `decision` was a type of its own, it was a solution with that tag. */
function isOf({ type, tags }: MemoryRef, wanted: MemoryType): boolean {
  return type === wanted || (wanted === 'decision' && type === 'solution' && tags.includes('decision'));
}

/** Whether no memory has any of the wanted relations: nothing has to be looked at. */
export async function noneRelated({ counts }: ReadContext, { relations }: MemoryFilter): Promise<boolean> {
  if (relations.length === 0) return false;
  const { edges } = await counts();
  return relations.every((name) => (edges.get(MEMORY_RELATION_PREFIX + name) ?? 0) === 0);
}

/** Those of the memories that pass, in their order. */
export async function passing(
  context: Pick<ReadContext, 'nodesOf' | 'entries' | 'entryEdges'>,
  ids: readonly string[],
  { types, tags, projects, minImportance, relations }: MemoryFilter,
): Promise<MemoryRef[]> {
  const found = (await context.nodesOf(Memory, ids)).filter(
    (memory) =>
      !memory.gone &&
      (types.length === 0 || types.some((one) => isOf(memory, one))) &&
      (tags.length === 0 || memory.tags.some((tag) => tags.includes(tag))) &&
      (projects.length === 0 || projects.includes(memory.context_project_path ?? '')) &&
      memory.importance >= minImportance,
  );
  if (relations.length === 0) return found;
  const foundIds = found.map(({ id }) => id);
  const known = (await relationsOf(context, foundIds, relations)).flat();
  const related = new Set(known.flatMap(({ from, to, props }) => (props.proposed ? [] : [from, to])));
  return found.filter(({ id }) => related.has(id));
}

/**
 * The ids that the indexes of a filter let through, until these are few: no memory is read. They may hold some that do not
 * pass. Null where the filter has no index.
 */
export async function selectedIds(
  { lookUp }: ReadContext,
  { types, tags, projects, minImportance: gte }: MemoryFilter,
): Promise<ReadonlySet<string> | null> {
  const stored = types.flatMap((type) => (type === 'decision' ? [type, 'solution'] : [type]));
  const anyOf = (index: string, values: readonly string[]) =>
    [...new Set(values)].map((equals) => lookUp(Memory, index, { equals }));
  // What usually lets fewest through comes first.
  const parts = [
    anyOf('type', stored),
    anyOf('tags[]', tags),
    anyOf('context_project_path', projects),
    gte > 0 ? [lookUp(Memory, 'importance+created_at', { gte })] : [],
  ];
  let selected: ReadonlySet<string> | null = null;
  for (const ranges of parts.filter(({ length }) => length > 0)) {
    const within: ReadonlySet<string> | null = selected;
    const found = new Set<string>();
    for (const range of ranges)
      for await (const ids of range) for (const id of ids) if (within?.has(id) ?? true) found.add(id);
    selected = found;
    if (found.size <= NARROW) break;
  }
  return selected;
}

/**
 * The first memories that pass, in the order of {@link byImportance}: from the start of that order where many pass, else
 * those that the indexes select. The notes say where not all were looked at.
 */
export async function firstMemories(
  context: ReadContext,
  filter: MemoryFilter,
  most: number,
): Promise<{ readonly memories: readonly MemoryRef[]; readonly notes: readonly string[] }> {
  const memories: MemoryRef[] = [];
  if (await noneRelated(context, filter)) return { memories, notes: [] };
  const mostTried = filter.relations.length > 0 ? MOST_TRIED : Number.POSITIVE_INFINITY;
  const order = { reverse: true, gte: filter.minImportance };
  let read = 0;
  for await (const ids of context.lookUp(Memory, 'importance+created_at', order)) {
    for (let at = 0; at < ids.length && memories.length < most; at += STEP)
      memories.push(...(await passing(context, ids.slice(at, at + STEP), filter)));
    read += ids.length;
    if (memories.length >= most) break;
    const selected = await selectedIds(context, filter);
    if (selected) {
      const tried = [...selected].slice(0, mostTried);
      const all = (await passing(context, tried, filter)).sort(byImportance);
      return { memories: all.slice(0, most), notes: tried.length < selected.size ? [TRIED_NOTE] : [] };
    }
    if (read >= mostTried) return { memories, notes: [TRIED_NOTE] };
  }
  return { memories: memories.slice(0, most), notes: [] };
}
