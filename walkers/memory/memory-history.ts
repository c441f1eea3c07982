import { z } from 'zod';
import { pageFields, presented } from '../../present/index.js';
import { defineWalker, type NodeRef, type ReadContext } from '../../runtime/index.js';
import { LIMITS, type Memory, MemoryVersion, memoryVersionId } from '../../schema/index.js';
import { plural } from '../markdown.js';
import { quotedLine } from '../shown-text.js';
import { minuteOf } from '../trace/shown-times.js';
import { memoriesDraft } from './fit-memories.js';
import { idField } from './memory-fields.js';
import { memoryNamed } from './named-memory.js';
import { currentRow, VersionRow, versionRow } from './version-row.js';

/** Characters of what a version said, in a list. */
const EXCERPT = 300;

const HistoryOutput = z.object({
  memory_id: z.string(),
  /** The latest first: what it says now. */
  versions: z.array(
    VersionRow.extend({
      /** The fields that it says otherwise than the version before; empty for the first one. */
      changed: z.array(z.string()),
    }),
  ),
});

type HistoryRow = z.infer<typeof HistoryOutput>['versions'][number];

/** What a memory said before. */
export const MemoryHistory = defineWalker('memory_history', {
  description: 'What a memory says and what it said before each update, the latest first, with what changed.',
  withoutGraph: 'empty',
  reads: 'trace',
  input: { memory_id: idField, ...pageFields(LIMITS.lookupTokens) },
  output: HistoryOutput,
  examples: [{ title: 'How a decision changed', input: { memory_id: '01k8z5x2m9' } }],
  finish: async ({ state: { memory_id }, context }) => {
    const memory = await memoryNamed(context, memory_id);
    const versions = await versionsOf(memory, context);
    const rows = versions.map((row, at) => ({ ...row, changed: changedFrom(versions[at + 1], row) }));
    return presented(
      memoriesDraft({ memory_id: memory.id, versions: rows }, { at: 'versions', what: 'versions' }),
    );
  },
  markdown: ({ memory_id, versions }) =>
    [`## ${plural(versions.length, 'version')} of ${memory_id}`, '', ...versions.flatMap(lines), ''].join(
      '\n',
    ),
});

/** All versions of a memory, the latest first. */
export async function versionsOf(
  memory: NodeRef<typeof Memory>,
  { nodesOf }: Pick<ReadContext, 'nodesOf'>,
): Promise<VersionRow[]> {
  const earlier = Array.from({ length: memory.version - 1 }, (_, at) => memoryVersionId(memory.id, at + 1));
  const kept = (await nodesOf(MemoryVersion, earlier)).filter(({ gone }) => !gone);
  return [currentRow(memory), ...kept.map(versionRow).reverse()];
}

function changedFrom(before: VersionRow | undefined, now: VersionRow): string[] {
  if (!before) return [];
  const { memory_id: _, version: __, said_at: ___, replaced_at: ____, ...said } = now;
  const known: Readonly<Record<string, unknown>> = before;
  return Object.entries(said).flatMap(([field, value]) =>
    JSON.stringify(value) === JSON.stringify(known[field]) ? [] : [field],
  );
}

function lines({ version, said_at, replaced_at, title, type, content, changed }: HistoryRow): string[] {
  const until = replaced_at === null ? 'now' : minuteOf(replaced_at);
  const what = changed.length > 0 ? `, changed: ${changed.join(', ')}` : '';
  return [
    `- ${version}: **${quotedLine(title, 120)}** (${type}), ${minuteOf(said_at)} to ${until}${what}`,
    ...(content === '' ? [] : [`  ${quotedLine(content, EXCERPT)}`]),
  ];
}
