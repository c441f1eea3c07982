import { plural } from '../markdown.js';
import { quotedBlock, quotedLine, shownLine } from '../shown-text.js';
import { minuteOf } from '../trace/shown-times.js';
import type { AboutFields, AboutRow, AboutState } from './about-row.js';
import type { MemoryRow } from './memory-row.js';
import type { RelationRow } from './relation-row.js';

/** What the state of something that a memory is about says of the memory. */
const STATE_TEXT: Readonly<Record<AboutState, string>> = {
  fresh: 'unchanged since',
  drifted: 'CHANGED since: look whether this still holds',
  orphaned: 'GONE since',
  unchecked: 'not known whether it changed since',
};

/** Characters of a content in a list. */
const EXCERPT = 300;

/**
 * A list of memories; what they say is quoted: it is data.
 *
 * @param what Of which kind, or in which order they are.
 * @param none What is said where there are none.
 */
export function memoriesMarkdown(
  memories: readonly ListedMemory[],
  what: string,
  none = 'No memory fits.',
): string {
  if (memories.length === 0) return `${none}\n`;
  const lines = memories.flatMap((memory) => [
    memoryLine(memory),
    ...saidLines(memory),
    ...changedLines(memory),
  ]);
  return [`## ${plural(memories.length, 'memory', 'memories')}, ${what}`, '', ...lines, ''].join('\n');
}

/** Some lists say whether what their memories are about is still what it was. */
type ListedMemory = MemoryRow & Partial<AboutFields>;

function memoryLine({ id, type, title, importance, tags, created_at, freshness }: ListedMemory): string {
  const since = freshness === 'drifted' || freshness === 'orphaned' ? `, ${freshness}` : '';
  const tagged = tags.length > 0 ? ` [${tags.map((tag) => quotedLine(tag, 40)).join(', ')}]` : '';
  return `- **${quotedLine(title, 120)}** (${type}, importance ${importance}, ${minuteOf(created_at)}${since})${tagged} ${id}`;
}

function saidLines({ content, summary }: MemoryRow): string[] {
  const said = summary ?? content;
  return said === '' ? [] : [`  ${quotedLine(said, EXCERPT)}`];
}

/** What of a memory's subjects is not what it was. */
function changedLines({ about = [] }: ListedMemory): string[] {
  const parts = (['drifted', 'orphaned'] as const).flatMap((state) => {
    const ids = about.filter((one) => one.state === state).map(({ id }) => shownLine(id, 200));
    if (ids.length === 0) return [];
    const more = ids.length > LISTED ? ` and ${ids.length - LISTED} more` : '';
    return [`${CHANGED[state]}: ${ids.slice(0, LISTED).join(', ')}${more}`];
  });
  return parts.length === 0 ? [] : [`  ${parts.join('; ')}`];
}

const CHANGED = { drifted: 'Changed since', orphaned: 'Gone since' } as const;
/** Things of one state that a list names. */
const LISTED = 3;

/** One memory, whole. */
export function memoryMarkdown(
  memory: MemoryRow,
  relations: readonly RelationRow[],
  about: readonly AboutRow[],
): string {
  const { id, type, title, content, summary, tags, importance, confidence, usage_count, context } = memory;
  const facts = [
    `${id}: ${type}, importance ${importance}, confidence ${confidence}, read ${plural(usage_count, 'time')}`,
    `stored ${minuteOf(memory.created_at)}, last changed ${minuteOf(memory.updated_at)}`,
    ...(tags.length > 0 ? [`tags: ${tags.map((tag) => quotedLine(tag, 60)).join(', ')}`] : []),
    ...Object.entries(context).map(
      ([field, value]) => `${field}: ${shownLine([value].flat().join(', '), 200)}`,
    ),
    ...about.map(({ id: one, state }) => `about ${shownLine(one, 200)}: ${STATE_TEXT[state]}`),
  ];
  return [
    `## ${quotedLine(title, 200)}`,
    '',
    ...facts.map((fact) => `- ${fact}`),
    '',
    ...(summary === null ? [] : [quotedLine(summary, 1000), '']),
    quotedBlock(content),
    ...(relations.length > 0 ? ['', '### Relations', '', ...relations.map(relationLine)] : []),
    '',
  ].join('\n');
}

/** A relation with its true direction. */
export function relationLine({ id, type, direction, memory, strength }: RelationRow): string {
  const arrow = direction === 'out' ? `${type} to` : `${type} from`;
  return `- ${arrow} **${quotedLine(memory.title, 100)}** (${memory.type}, strength ${strength}) ${memory.id}, relation ${shownLine(id, 500)}`;
}
