import { z } from 'zod';
import {
  type DetailAt,
  type Draft,
  draftBy,
  type ListAt,
  minuteOf,
  plural,
  quotedBlock,
  quotedLine,
  shownLine,
  stripHidden,
} from '../../present/index.js';
import type { NodeRef, ReadContext } from '../../runtime/index.js';
import { LIMITS, MEMORY_TYPES, Memory, type MemoryVersion } from '../../schema/index.js';
import { AboutFields, type AboutLook, type AboutRow, aboutOf } from './about.js';
import { contextIn } from './content.js';
import type { RelationRow } from './relations.js';
import { standingText } from './standing.js';
import type { MemoryRef } from './text.js';

const text = z.string();

const ContentRow = z.object({
  type: z.enum(MEMORY_TYPES),
  title: text,
  content: text,
  summary: text.nullable(),
  tags: z.array(text),
  importance: z.number(),
  confidence: z.number(),
  effectiveness: z.number().nullable(),
});

/** One memory in an answer. */
export const MemoryRow = z.object({
  id: text,
  ...ContentRow.shape,
  usage_count: z.number().int(),
  created_at: text,
  updated_at: text,
  last_accessed: text.nullable(),
  /** What is known of S4-13's eleven fields, without their prefix. */
  context: z.record(text, z.unknown()),
});
export type MemoryRow = z.infer<typeof MemoryRow>;

/** The content of a memory from one time to another. */
export const VersionRow = z.object({
  memory_id: text,
  /** From 1. */
  version: z.number().int(),
  said_at: text,
  /** When other content replaced it, or the memory was deleted; null: it is the content now. */
  replaced_at: text.nullable(),
  ...ContentRow.shape,
  context: z.record(text, z.unknown()),
});
export type VersionRow = z.infer<typeof VersionRow>;

/** A memory as tools show it. */
export function memoryRow(memory: MemoryRef): MemoryRow {
  const { id, usage_count, created_at, updated_at, last_accessed } = memory;
  const times = { usage_count, created_at, updated_at, last_accessed };
  return { id, ...contentRow(memory), ...times, context: contextIn(memory) };
}

/** A version of a memory as tools show it: the present one, or an earlier one. */
export function versionRow(one: MemoryRef | NodeRef<typeof MemoryVersion>): VersionRow {
  const span =
    'memory_id' in one
      ? { memory_id: one.memory_id, said_at: one.said_at, replaced_at: one.replaced_at }
      : { memory_id: one.id, said_at: one.updated_at, replaced_at: null };
  return { ...span, version: one.version, ...contentRow(one), context: contextIn(one) };
}

/** Texts come from outside: characters that do not show are left out. */
function contentRow(one: MemoryRef | NodeRef<typeof MemoryVersion>): z.infer<typeof ContentRow> {
  const { type, title, content, summary, tags, importance, confidence, effectiveness } = one;
  const texts = { title: stripHidden(title), content: stripHidden(content) };
  const short = summary === null ? null : stripHidden(summary);
  return { type, ...texts, summary: short, tags: [...tags], importance, confidence, effectiveness };
}

/** Rows of a list of memories: each with what its walker adds, what it is about, and how it stands. */
export async function memoryRows<T extends { readonly memory: MemoryRef }, R extends object>(
  context: AboutLook,
  found: readonly T[],
  added: (one: T, at: number) => R,
): Promise<(MemoryRow & R & AboutFields)[]> {
  const about = await aboutOf(
    context,
    found.map(({ memory }) => memory),
  );
  return found.map((one, at) => ({
    ...memoryRow(one.memory),
    ...added(one, at),
    ...(about[at] ?? { about: [], freshness: null }),
  }));
}

/** The columns of {@link memoryRows}. */
export const ListedRow = MemoryRow.extend(AboutFields);
/** See {@link ListedRow}. */
export type ListedRow = z.infer<typeof ListedRow>;

/** Says that nothing was found because nothing is stored: a zero is never bare (P-01). */
export async function emptyNotes({ counts }: Pick<ReadContext, 'counts'>, found: number): Promise<string[]> {
  const isEmpty = found === 0 && ((await counts()).nodes.get(Memory.name) ?? 0) === 0;
  return isEmpty
    ? ['Nothing is remembered here yet: memory_store (codewalk memory store) remembers something.']
    : [];
}

/** What rows of memories or versions leave out before they are left out: ids, titles, types and scores stay (P-02). */
function detailsOf(of: string): readonly DetailAt[] {
  const contents = (to: number) => ({ of, field: 'content', what: 'Contents', to });
  return [
    ...[2000, 500, 200].map(contents),
    { of, field: 'context', what: 'Contexts', shorter: () => ({}) },
    { of, what: 'Contents and tags', shorter: withoutContent },
    { of, field: 'about', what: 'Lists of what memories are about', to: 3 },
    { of, field: 'summary', what: 'Summaries', as: null },
    contents(0),
  ];
}

/** A summary stands for its content. */
function withoutContent(row: z.infer<typeof ContentRow>) {
  return { ...row, content: row.summary === null ? row.content : '', tags: row.tags.slice(0, 5) };
}

/** The draft of an answer that lists memories, or versions of them. */
export function memoriesDraft<O extends object>(whole: O, ...lists: readonly ListAt[]): Draft<O> {
  const less = lists.flatMap(({ at }) => detailsOf(at));
  return draftBy(whole, { limit: LIMITS.lookupTokens, lists, less });
}

/**
 * The list `results` of a search that looks for one row more than a page shows.
 *
 * @param known How many are known, from the first page's first one on.
 */
export function foundList(from: number, known: number, limit: number): ListAt {
  return { at: 'results', what: 'memories', from, total: known, isExact: known <= from + limit };
}

/** Characters of a content in a list. */
const EXCERPT = 300;
/** Things of one state that a list names. */
const LISTED = 3;

/** A list of memories; their texts are quoted: they are data. @param what Their order. @param none For an empty one. */
export function memoriesMarkdown(
  memories: readonly ListedRow[],
  what: string,
  none = 'No memory fits.',
): string {
  if (memories.length === 0) return `${none}\n`;
  const lines = memories.flatMap(listLines);
  return [`## ${plural(memories.length, 'memory', 'memories')}, ${what}`, '', ...lines, ''].join('\n');
}

function listLines(memory: ListedRow): string[] {
  const { id, type, title, importance, tags, created_at, freshness, standing, about } = memory;
  const since = freshness === 'drifted' || freshness === 'orphaned' ? `, ${freshness}` : '';
  const tagged = tags.length > 0 ? ` [${tags.map((tag) => quotedLine(tag, 40)).join(', ')}]` : '';
  const excerpt = memory.summary ?? memory.content;
  const changed = (['drifted', 'orphaned'] as const).flatMap((state) => {
    const ids = about.filter((one) => one.state === state).map((one) => shownLine(one.id, 200));
    const more = ids.length > LISTED ? ` and ${ids.length - LISTED} more` : '';
    const verb = state === 'drifted' ? 'Changed' : 'Gone';
    return ids.length === 0 ? [] : [`${verb} since: ${ids.slice(0, LISTED).join(', ')}${more}`];
  });
  return [
    `- **${quotedLine(title, 120)}** (${type}, importance ${importance}, ${minuteOf(created_at)}${since})${tagged} ${id}`,
    ...(standing ? [`  ${standingText(standing)}`] : []),
    ...(excerpt === '' ? [] : [`  ${quotedLine(excerpt, EXCERPT)}`]),
    ...(changed.length === 0 ? [] : [`  ${changed.join('; ')}`]),
  ];
}

/** Versions of memories as list items. @param suffix What stands behind the title line. */
export function versionsMarkdown<T extends VersionRow>(
  versions: readonly T[],
  suffix: (version: T) => string,
): string[] {
  return versions.flatMap((version) => [
    `- **${quotedLine(version.title, 120)}** (${version.type}), ${suffix(version)}`,
    ...(version.content === '' ? [] : [`  ${quotedLine(version.content, EXCERPT)}`]),
  ]);
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
  return [
    `## ${quotedLine(memory.title, 200)}`,
    '',
    ...facts.map((fact) => `- ${fact}`),
    '',
    ...(summary === null ? [] : [quotedLine(summary, 1000), '']),
    quotedBlock(memory.content),
    ...(relations.length > 0 ? ['', '### Relations', '', ...relations.map(relationLine)] : []),
    '',
  ].join('\n');
}

function relationLine({ id, type, direction, memory, strength, proposed }: RelationRow): string {
  const arrow = `${type} ${direction === 'out' ? 'to' : 'from'}${proposed ? ' (proposed)' : ''}`;
  return `- ${arrow} **${quotedLine(memory.title, 100)}** (${memory.type}, strength ${strength}) ${memory.id}, relation ${shownLine(id, 500)}`;
}
