import { compareText, type ReadContext } from '../../runtime/index.js';
import { MEMORY_RELATION_PREFIX, Memory, type MemoryType } from '../../schema/index.js';
import { projectPaths } from './content.js';
import { linksOf } from './relations.js';
import type { MemoryRef } from './text.js';

/** Which memories are wanted. */
export interface MemoryFilter {
  /** Any of them; empty: of any type. */
  readonly types: readonly MemoryType[];
  /** Any of them, in lower case; empty: whatever its tags. */
  readonly tags: readonly string[];
  /** Any of them; empty: of any project. */
  readonly projects: readonly string[];
  readonly minImportance: number | null;
  /** A relation of one of these, in either direction; empty: any memory. */
  readonly relations: readonly string[];
}

/** Lets every memory through. */
export const NO_FILTER: MemoryFilter = {
  types: [],
  tags: [],
  projects: [],
  minImportance: null,
  relations: [],
};

/** The filter of a caller's input. */
export async function filterOf(
  context: Pick<ReadContext, 'projectRoot' | 'blobs'>,
  { project_path, ...given }: Partial<MemoryFilter> & { readonly project_path?: string | undefined },
): Promise<MemoryFilter> {
  const projects = project_path === undefined ? [] : await projectPaths(context, project_path);
  return { ...NO_FILTER, ...given, projects };
}

/** What selecting memories reads. */
export type SelectLook = Pick<ReadContext, 'lookUp' | 'nodesOf' | 'entries' | 'counts'>;

/** Memories that pass a filter. */
export interface FirstMemories {
  readonly memories: readonly MemoryRef[];
  /** Null where all that there are were looked at. */
  readonly note: string | null;
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
export async function noneRelated({ counts }: SelectLook, { relations }: MemoryFilter): Promise<boolean> {
  if (relations.length === 0) return false;
  const { edges } = await counts();
  return relations.every((name) => (edges.get(MEMORY_RELATION_PREFIX + name) ?? 0) === 0);
}

/** Those of the memories that pass, in their order. */
export async function passing(
  context: Pick<SelectLook, 'nodesOf' | 'entries'>,
  ids: readonly string[],
  { types, tags, projects, minImportance, relations }: MemoryFilter,
): Promise<MemoryRef[]> {
  const found = (await context.nodesOf(Memory, ids)).filter(
    (memory) =>
      !memory.gone &&
      (types.length === 0 || types.some((one) => isOf(memory, one))) &&
      (tags.length === 0 || memory.tags.some((tag) => tags.includes(tag))) &&
      (projects.length === 0 || projects.includes(memory.context_project_path ?? '')) &&
      (minImportance === null || memory.importance >= minImportance),
  );
  if (relations.length === 0) return found;
  const links = await linksOf(
    context,
    found.map(({ id }) => id),
    relations,
  );
  return found.filter((_, at) => (links[at]?.length ?? 0) > 0);
}

/**
 * The ids that the indexes of a filter let through, until these are few: no memory is read. They may hold some that do not
 * pass. Null where the filter has no index.
 */
export async function selectedIds(
  context: SelectLook,
  filter: MemoryFilter,
): Promise<ReadonlySet<string> | null> {
  let selected: Set<string> | null = null;
  for (const range of rangesOf(context, filter)) {
    const within: Set<string> | null = selected;
    const found = new Set<string>();
    for await (const ids of range) for (const id of ids) if (within?.has(id) ?? true) found.add(id);
    selected = found;
    if (found.size <= NARROW) break;
  }
  return selected;
}

/**
 * The first memories that pass, in the order of {@link byImportance}: from the start of that order where many pass, else
 * those that the indexes select. Relations have no index: of them the first {@link MOST_TRIED} are looked at.
 */
export async function firstMemories(
  context: SelectLook,
  filter: MemoryFilter,
  most: number,
): Promise<FirstMemories> {
  if (await noneRelated(context, filter)) return { memories: [], note: null };
  const gte = filter.minImportance === null ? {} : { gte: filter.minImportance };
  const memories: MemoryRef[] = [];
  let read = 0;
  for await (const ids of context.lookUp(Memory, 'importance+created_at', { reverse: true, ...gte })) {
    for (let at = 0; at < ids.length && memories.length < most; at += STEP)
      memories.push(...(await passing(context, ids.slice(at, at + STEP), filter)));
    read += ids.length;
    if (memories.length >= most) return { memories: memories.slice(0, most), note: null };
    const selected = await selectedIds(context, filter);
    if (selected) {
      const tried = filter.relations.length > 0 ? [...selected].slice(0, MOST_TRIED) : [...selected];
      const all = (await passing(context, tried, filter)).sort(byImportance);
      return { memories: all.slice(0, most), note: tried.length < selected.size ? TRIED_NOTE : null };
    }
    if (filter.relations.length > 0 && read >= MOST_TRIED) return { memories, note: TRIED_NOTE };
  }
  return { memories, note: null };
}

/** The ranges of the filters that have an index, the one that usually lets fewest through first. */
function rangesOf({ lookUp }: SelectLook, filter: MemoryFilter): AsyncIterable<readonly string[]>[] {
  const { types, tags, projects, minImportance: gte } = filter;
  const any = (index: string, values: readonly string[]) =>
    values.length === 0 ? [] : [joined(values.map((equals) => lookUp(Memory, index, { equals })))];
  const stored = types.flatMap((type) => (type === 'decision' ? [type, 'solution'] : [type]));
  return [
    ...any('type', [...new Set(stored)]),
    ...any('tags[]', tags),
    ...any('context_project_path', projects),
    ...(gte === null ? [] : [lookUp(Memory, 'importance+created_at', { gte })]),
  ];
}

async function* joined(
  ranges: readonly AsyncIterable<readonly string[]>[],
): AsyncGenerator<readonly string[]> {
  for (const range of ranges) yield* range;
}
