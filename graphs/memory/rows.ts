import { z } from 'zod';
import {
  type DetailAt,
  draftBy,
  type Found,
  type ListAt,
  listAnswer,
  listMarkdown,
  minuteOf,
  type Page,
  plural,
  presented,
  quotedBlock,
  quotedLine,
  shownLine,
  stripHidden,
} from '../../present/index.js';
import type { ReadContext } from '../../runtime/index.js';
import { grouped, LIMITS, Memory, MemoryContent } from '../../schema/index.js';
import { AboutFields, type AboutRow, aboutOf } from './about.js';
import { contextIn, type MemoryRef, type StoredVersion } from './content.js';
import { type RelationRow, relationName, standingText } from './relations.js';
import { solutionsOf } from './search.js';

const text = z.string();
const { type, title, content, summary, tags, importance, confidence, effectiveness } = MemoryContent.shape;
const ContentRow = z.object({ type, title, content, summary, tags, importance, confidence, effectiveness });
/** What is known of S4-13's eleven fields, without their prefix. */
const context = z.record(text, z.unknown());

/** One memory in an answer. */
export const MemoryRow = z.object({
  id: text,
  ...ContentRow.shape,
  usage_count: z.number().int(),
  created_at: text,
  updated_at: text,
  last_accessed: text.nullable(),
  context,
});

/** A memory in an answer, with what it is about and how it stands. */
export const ListedRow = MemoryRow.extend({
  ...AboutFields,
  /** What solves it, the best first; where it is found by a query. The content is cut, or a summary. */
  solved_by: z.array(MemoryRow.pick({ id: true, type: true, title: true, content: true })).optional(),
});
type ListedRow = z.infer<typeof ListedRow>;

/** The content of a memory from one time to another. */
export const VersionRow = z.object({
  memory_id: text,
  /** From 1. */
  version: z.number().int(),
  said_at: text,
  /** When other content replaced it, or the memory was deleted; null: it is the content now. */
  replaced_at: text.nullable(),
  ...ContentRow.shape,
  context,
});
export type VersionRow = z.infer<typeof VersionRow>;

/** A version of a memory as tools show it: the present one, or an earlier one. */
export function versionRow(one: StoredVersion): VersionRow {
  const span =
    'memory_id' in one
      ? { memory_id: one.memory_id, said_at: one.said_at, replaced_at: one.replaced_at }
      : { memory_id: one.id, said_at: one.updated_at, replaced_at: null };
  return { ...span, version: one.version, ...contentRow(one), context: contextIn(one) };
}

/** Texts come from outside: characters that do not show are left out. */
function contentRow(one: StoredVersion): z.infer<typeof ContentRow> {
  const row = ContentRow.parse(one);
  const [title, content] = [stripHidden(row.title), stripHidden(row.content)];
  return { ...row, title, content, summary: row.summary && stripHidden(row.summary) };
}

type FoundMemory = { readonly memory: MemoryRef };

/** Rows of memories, in their order: each with its further columns, what it is about, and how it stands. */
export async function memoryRows<T extends FoundMemory>(
  context: ReadContext,
  found: readonly T[],
): Promise<(ListedRow & Omit<T, 'memory'>)[]> {
  const memories = found.map(({ memory }) => memory);
  const about = await aboutOf(context, memories);
  return found.map(({ memory, ...columns }, at) => {
    const { id, usage_count, created_at, updated_at, last_accessed } = memory;
    const own = { id, ...contentRow(memory), usage_count, created_at, updated_at, last_accessed };
    const now = about[at] ?? { about: [], freshness: null };
    return { ...own, context: contextIn(memory), ...columns, ...now };
  });
}

function solutionRow(memory: MemoryRef) {
  const { type, title, content, summary } = contentRow(memory);
  return { id: memory.id, type, title, content: (summary ?? content).slice(0, EXCERPT) };
}

const NOTHING_STORED = 'Nothing is remembered here yet: memory_store remembers something.';

const contents = (to: number) => ({ field: 'content', what: 'Contents', to });

/** What rows of memories or versions leave out before they are left out: ids, titles, types and scores stay (P-02). */
const LESS: readonly Omit<DetailAt, 'of'>[] = [
  ...[2000, 500, 200].map(contents),
  { field: 'context', what: 'Contexts', shorter: () => ({}) },
  { field: 'solved_by.content', what: 'Contents of solutions', as: '' },
  { what: 'Contents and tags', shorter: withoutContent },
  { field: 'about', what: 'Lists of what memories are about', to: 3 },
  { field: 'summary', what: 'Summaries', as: null },
  contents(0),
];

/** A summary stands for its content. */
function withoutContent(row: z.infer<typeof ContentRow>) {
  return { ...row, content: row.summary === null ? row.content : '', tags: row.tags.slice(0, 5) };
}

/** An answer with several lists of memories. */
export function memoriesAnswer<O extends object>(whole: O, ...lists: readonly ListAt[]): O {
  const less = lists.flatMap(({ at: of }) => LESS.map((detail) => ({ of, ...detail })));
  return presented(draftBy(whole, { limit: LIMITS.lookupTokens, lists, less }));
}

/** A page of memories as an answer; see {@link listAnswer}. A zero is never bare (P-01). */
export async function memoryPage<T extends FoundMemory, M extends object>(
  context: ReadContext,
  found: Found<T>,
  page: Page,
  more: (page: { total: number; has_more: boolean }) => M,
) {
  const isEmpty = found.hits.length === 0 && !(await context.counts()).nodes.get(Memory.name);
  const notes = [...(isEmpty ? [NOTHING_STORED] : []), ...found.notes];
  const rowsOf = async (hits: readonly T[]) => {
    const solutions = await solutionsOf(
      context,
      hits.map(({ memory }) => memory),
    );
    const rows = await memoryRows(context, hits);
    return rows.map((row) => {
      const solved_by = solutions.get(row.id)?.map(solutionRow);
      return solved_by ? { ...row, solved_by } : row;
    });
  };
  return listAnswer(memoryList('results'), { ...found, notes }, page, rowsOf, more);
}

/** A list of memories or versions of them. */
export function memoryList<A extends string>(at: A, what = 'memories') {
  return { at, what, tokens: LIMITS.lookupTokens, less: LESS };
}

/** How often each name occurs, in the order of first occurrence. */
export function countsOf(names: readonly string[]): Record<string, number> {
  return Object.fromEntries([...grouped(names, (name) => name)].map(([name, all]) => [name, all.length]));
}

/** Characters of a content in a list, and things of one state that a list names. */
const [EXCERPT, LISTED] = [300, 3];

/** A list of memories. @param order What stands behind their number. @param below What stands below a memory. */
export function memoriesMarkdown<R extends ListedRow>(
  memories: readonly R[],
  order: string,
  none = 'No memory fits.',
  below: (memory: R) => readonly string[] = () => [],
): string {
  const linesOf = (memory: R) => [...memoryLines(memory), ...below(memory)];
  return listMarkdown(memories, ['memory', 'memories', `, ${order}`], linesOf, { none });
}

function memoryLines(memory: ListedRow): string[] {
  const {
    type,
    importance,
    tags,
    created_at,
    freshness,
    standing,
    summary,
    content,
    solved_by = [],
  } = memory;
  const since = freshness === null || freshness === 'fresh' ? '' : `, ${freshness}`;
  const tagged = tags.length > 0 ? ` [${tags.map((tag) => quotedLine(tag, 40)).join(', ')}]` : '';
  const facts = `(${type}, importance ${importance}, ${minuteOf(created_at)}${since})${tagged}`;
  const changed = changesLine(memory.about);
  return [
    `- **${quotedLine(memory.title, 120)}** ${facts} ${memory.id}`,
    ...(standing ? [`  ${standingText(standing)}`] : []),
    ...excerptLines(summary ?? content),
    ...solved_by.flatMap((one) => [
      `  solved by **${quotedLine(one.title, 120)}** (${one.type}) ${one.id}`,
      ...excerptLines(one.content).map((line) => `  ${line}`),
    ]),
    ...(changed === '' ? [] : [`  ${changed}`]),
  ];
}

function excerptLines(content: string): string[] {
  return content === '' ? [] : [`  ${quotedLine(content, EXCERPT)}`];
}

/** What changed or is gone since memories were bound to it. */
function changesLine(about: readonly AboutRow[]): string {
  const states = { drifted: 'Changed', orphaned: 'Gone' };
  const parts = Object.entries(states).flatMap(([state, verb]) => {
    const ids = about.filter((one) => one.state === state).map(({ id }) => shownLine(id, 200));
    const more = ids.length > LISTED ? ` and ${ids.length - LISTED} more` : '';
    return ids.length === 0 ? [] : [`${verb} since: ${ids.slice(0, LISTED).join(', ')}${more}`];
  });
  return parts.join('; ');
}

type Texts = Pick<VersionRow, 'title' | 'type' | 'content'>;

/** A version of a memory as an item of a list. @param suffix What stands behind its title. */
export function versionLines({ title, type, content }: Texts, suffix: string): string[] {
  return [`- **${quotedLine(title, 120)}** (${type}), ${suffix}`, ...excerptLines(content)];
}

const STATE_TEXT: Readonly<Record<AboutRow['state'], string>> = {
  fresh: 'unchanged since',
  drifted: 'CHANGED since: check whether this still holds',
  orphaned: 'GONE since',
  unchecked: 'not known whether it changed since',
};

/** One memory with its relations. */
export function memoryMarkdown(memory: ListedRow, relations: readonly RelationRow[]): string {
  const { id, type, importance, confidence, usage_count, tags, context, about, standing, summary } = memory;
  const facts = [
    `${id}: ${type}, importance ${importance}, confidence ${confidence}, read ${plural(usage_count, 'time')}`,
    ...(standing ? [standingText(standing)] : []),
    `stored ${minuteOf(memory.created_at)}, last changed ${minuteOf(memory.updated_at)}`,
    ...(tags.length > 0 ? [`tags: ${tags.map((tag) => quotedLine(tag, 60)).join(', ')}`] : []),
    ...Object.entries(context).map(
      ([field, value]) => `${field}: ${shownLine([value].flat().join(', '), 200)}`,
    ),
    ...about.map(({ id: one, state }) => `about ${shownLine(one, 200)}: ${STATE_TEXT[state]}`),
  ];
  const related = relations.map((relation) => {
    const { memory: other, strength } = relation;
    const arrow = `${relationName(relation)} ${relation.direction === 'out' ? 'to' : 'from'}`;
    const ends = `**${quotedLine(other.title, 100)}** (${other.type}, strength ${strength}) ${other.id}`;
    return `- ${arrow} ${ends}, relation ${shownLine(relation.id, 500)}`;
  });
  return [
    `## ${quotedLine(memory.title, 200)}`,
    '',
    ...facts.map((fact) => `- ${fact}`),
    '',
    ...(summary === null ? [] : [quotedLine(summary, 1000), '']),
    quotedBlock(memory.content),
    ...(related.length > 0 ? ['', '### Relations', '', ...related] : []),
    '',
  ].join('\n');
}
