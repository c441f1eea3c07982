import { compareText, type NodeRef, type ReadContext } from '../../runtime/index.js';
import { MEMORY_RELATION_PREFIX, Memory } from '../../schema/index.js';
import type { MeantType } from './memory-fields.js';
import { linksOf } from './relation-links.js';

/** A memory as a run reads it. */
export type MemoryRef = NodeRef<typeof Memory>;

/** What a memory has to be. */
export interface MemoryFilter {
  /** Any of them; empty: of any type. */
  readonly types: readonly MeantType[];
  /** Any of them, in lower case; empty: whatever its tags. */
  readonly tags: readonly string[];
  readonly projectPath: string | null;
  readonly minImportance: number | null;
  /** It has a relation of one of these, in either direction; empty: it need not have any. */
  readonly relations: readonly string[];
}

/** Lets every memory through. */
export const NO_FILTER: MemoryFilter = {
  types: [],
  tags: [],
  projectPath: null,
  minImportance: null,
  relations: [],
};

type Look = Pick<ReadContext, 'lookUp' | 'nodesOf' | 'entries' | 'counts'>;

/** Memories that pass, and what is to be said of them. */
export interface FirstMemories {
  readonly memories: readonly MemoryRef[];
  /** Null where all that there are were looked at. */
  readonly note: string | null;
}

/** Memories that are read in the first step of the way through all of them; each step is twice as long. */
const STEP = 200;
/** Memories that are looked at for relations, which no index selects by. */
export const MOST_TRIED = 10_000;
/** A filter that fewer pass selects first: they are read and nothing else is. */
const NARROW = 1000;

/** The order of S4-27: the most important first, then the latest; of equals the later id. */
export function byImportance(a: MemoryRef, b: MemoryRef): number {
  return b.importance - a.importance || compareText(b.created_at, a.created_at) || compareText(b.id, a.id);
}

function isOf({ type, tags }: MemoryRef, meant: MeantType): boolean {
  return type === meant.type && (meant.tag === null || tags.includes(meant.tag));
}

/** Whether no memory has any of the relations that are wanted: nothing has to be looked at. */
export async function noneRelated({ counts }: Look, { relations }: MemoryFilter): Promise<boolean> {
  if (relations.length === 0) return false;
  const { edges } = await counts();
  return relations.every((name) => (edges.get(MEMORY_RELATION_PREFIX + name) ?? 0) === 0);
}

/** Those of the memories that pass, in their order. */
export async function passing(
  context: Pick<Look, 'nodesOf' | 'entries'>,
  ids: readonly string[],
  { types, tags, projectPath, minImportance, relations }: MemoryFilter,
): Promise<MemoryRef[]> {
  const found = (await context.nodesOf(Memory, ids)).filter(
    (memory) =>
      !memory.gone &&
      (types.length === 0 || types.some((one) => isOf(memory, one))) &&
      (tags.length === 0 || memory.tags.some((tag) => tags.includes(tag))) &&
      (projectPath === null || memory.context_project_path === projectPath) &&
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
 * The ids that the narrowest of the filters lets through, where these are few: nothing but an index is read for it. Null
 * where every filter lets many through. The other filters are not looked at.
 */
export async function narrowIds(context: Look, filter: MemoryFilter): Promise<readonly string[] | null> {
  const { minImportance: gte } = filter;
  const important = gte === null ? [] : [context.lookUp(Memory, 'importance+created_at', { gte })];
  for (const ids of [...rangesOf(context, filter), ...important].map((range) => new Ids(range))) {
    const ends = await ids.endsBefore(NARROW);
    await ids.close();
    if (ends) return ids.found;
  }
  return null;
}

/**
 * The ids that all filters that have an index let through, from their ranges alone: no memory is read. Null where there
 * is no such filter.
 */
export async function selectedIds(context: Look, filter: MemoryFilter): Promise<readonly string[] | null> {
  const { minImportance: gte } = filter;
  const important = gte === null ? [] : [context.lookUp(Memory, 'importance+created_at', { gte })];
  let selected: Set<string> | null = null;
  for (const range of [...rangesOf(context, filter), ...important]) {
    const within: Set<string> | null = selected;
    const found = new Set<string>();
    for await (const ids of range) for (const id of ids) if (within?.has(id) ?? true) found.add(id);
    selected = found;
  }
  return selected && [...selected];
}

/**
 * The first memories that pass, in the order of S4-27, without a look at all of them: the filter's ranges and the order's
 * are read side by side, and whichever comes to its end first decides. So it costs no more than a few times the
 * narrowest filter, or the way through the order to as many as are wanted, whichever is less. Relations have no index: of
 * them the first {@link MOST_TRIED} are looked at.
 */
export async function firstMemories(
  context: Look,
  filter: MemoryFilter,
  most: number,
): Promise<FirstMemories> {
  if (await noneRelated(context, filter)) return { memories: [], note: null };
  const narrow = rangesOf(context, filter).map((range) => new Ids(range));
  const gte = filter.minImportance === null ? {} : { gte: filter.minImportance };
  const ordered = new Ids(context.lookUp(Memory, 'importance+created_at', { reverse: true, ...gte }));
  const found: MemoryRef[] = [];
  try {
    for (let [reached, step] = [0, STEP]; ; reached = ordered.found.length, step *= 2) {
      for (const ids of narrow)
        if (await ids.endsBefore(NARROW + 2 * reached))
          return whole((await passing(context, ids.found, filter)).sort(byImportance).slice(0, most));
      const isOver = await ordered.endsBefore(reached + step);
      found.push(...(await passing(context, ordered.found.slice(reached), filter)));
      if (isOver || found.length >= most) return whole(found.slice(0, most));
      if (filter.relations.length > 0 && ordered.found.length >= MOST_TRIED)
        return { memories: found, note: TRIED_NOTE };
    }
  } finally {
    await Promise.all([...narrow, ordered].map((ids) => ids.close()));
  }
}

/** What is said where not all was looked at. */
export const TRIED_NOTE = `Of more than ${MOST_TRIED} memories that may fit the first were looked at: name types, tags or words.`;

function whole(memories: readonly MemoryRef[]): FirstMemories {
  return { memories, note: null };
}

type Pages = AsyncIterable<readonly string[]>;

/** What each filter lets through by itself, of those that have an index that selects. */
function rangesOf({ lookUp }: Look, { types, tags, projectPath }: MemoryFilter): Pages[] {
  const any = (index: string, values: readonly string[]) =>
    values.length === 0 ? [] : [joined(values.map((equals) => lookUp(Memory, index, { equals })))];
  return [
    ...any('tags[]', tags),
    ...any('type', [...new Set(types.map(({ type }) => type))]),
    ...any('context_project_path', projectPath === null ? [] : [projectPath]),
  ];
}

async function* joined(ranges: readonly Pages[]): AsyncGenerator<readonly string[]> {
  for (const range of ranges) yield* range;
}

/** The ids of a range as far as they were read. */
class Ids {
  readonly found: string[] = [];
  readonly #pages: AsyncIterator<readonly string[]>;
  #waiting: readonly string[] = [];
  #isOver = false;

  constructor(pages: Pages) {
    this.#pages = pages[Symbol.asyncIterator]();
  }

  /** Reads on until there are as many; whether the range ended before. */
  async endsBefore(count: number): Promise<boolean> {
    while (this.found.length < count && !this.#isOver) {
      if (this.#waiting.length === 0) {
        const { done, value } = await this.#pages.next();
        if (done) this.#isOver = true;
        else this.#waiting = value;
      }
      const taken = this.#waiting.slice(0, count - this.found.length);
      this.found.push(...taken);
      this.#waiting = this.#waiting.slice(taken.length);
    }
    return this.#isOver;
  }

  async close(): Promise<void> {
    await this.#pages.return?.();
  }
}
