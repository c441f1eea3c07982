import { z } from 'zod';
import { defineWalker, type ReadContext } from '../../runtime/index.js';
import {
  MEMORY_RELATIONS,
  Memory,
  MemoryAbout,
  MemorySaid,
  MemoryVersion,
  memoryVersionId,
} from '../../schema/index.js';
import { aboutKind } from './about-row.js';
import { type AboutRecord, EXCHANGE_FORMAT, ExchangeRecord } from './exchange/memory-record.js';
import { relationField } from './memory-fields.js';
import { contextIn } from './memory-row.js';
import { linksOf, relationsBehind } from './relation-links.js';

/** Memories that are read at once. */
const AT_ONCE = 500;

const count = z.number().int();

/**
 * Exports what is remembered, one record a line: a header, memories by id, what they said before, their relations, what
 * they are about. Nothing of it is lost when memory_import reads it.
 */
export const MemoryExport = defineWalker('memory_export', {
  description:
    'Export all memories as JSON lines, with their earlier versions, their relations and what they are about. memory import reads them.',
  withoutGraph: 'empty',
  reads: 'trace',
  input: {},
  report: ExchangeRecord,
  output: z.object({ memories: count, versions: count, relations: count, abouts: count }),
  state: () => ({ memories: 0, versions: 0, relations: 0, abouts: 0 }),
  examples: [{ title: 'All of it', input: {} }],
  finish: async ({ context }) => {
    const { nodes, edges } = await context.counts();
    const totals = {
      memories: nodes.get(Memory.name) ?? 0,
      versions: nodes.get(MemoryVersion.name) ?? 0,
      relations: Object.values(MEMORY_RELATIONS).reduce((sum, { name }) => sum + (edges.get(name) ?? 0), 0),
      abouts: edges.get(MemoryAbout.name) ?? 0,
    };
    context.report({ record: 'header', format: EXCHANGE_FORMAT, ...totals });
    const ids = await context.findIds(Memory);
    for (const tell of [tellMemories, tellVersions, tellRelations, tellAbouts])
      for (let at = 0; at < ids.length; at += AT_ONCE) await tell(ids.slice(at, at + AT_ONCE), context);
    return totals;
  },
  markdown: ({ memories, versions, relations, abouts }) =>
    `Exported ${memories} memories, ${versions} earlier versions, ${relations} relations and ${abouts} bindings.\n`,
});

type Context = ReadContext<unknown, ExchangeRecord>;

async function tellMemories(ids: readonly string[], { nodesOf, report }: Context): Promise<void> {
  for (const memory of await nodesOf(Memory, ids))
    report({
      record: 'memory',
      id: memory.id,
      ...saidIn(memory),
      usage_count: memory.usage_count,
      created_at: memory.created_at,
      updated_at: memory.updated_at,
      last_accessed: memory.last_accessed,
      version: memory.version,
      evidence_count: memory.evidence_count,
      validation_count: memory.validation_count,
      counter_evidence_count: memory.counter_evidence_count,
      last_validated: memory.last_validated,
      evidence: [...memory.evidence],
    });
}

async function tellVersions(ids: readonly string[], { nodesOf, report }: Context): Promise<void> {
  const earlier = (await nodesOf(Memory, ids)).flatMap(({ id, version }) =>
    Array.from({ length: version - 1 }, (_, at) => memoryVersionId(id, at + 1)),
  );
  for (const version of await nodesOf(MemoryVersion, earlier)) {
    if (version.gone) continue;
    const { memory_id, said_at, replaced_at } = version;
    const span = { memory_id, version: version.version, said_at, replaced_at };
    report({ record: 'version', ...span, ...saidIn(version) });
  }
}

async function tellRelations(ids: readonly string[], context: Context): Promise<void> {
  for (const [at, links] of (await linksOf(context, ids)).entries()) {
    const leaving = links.filter(({ direction }) => direction === 'out');
    for (const [nth, relation] of (await relationsBehind(context, leaving)).entries()) {
      const link = leaving[nth];
      if (!relation || !link) continue;
      const { relation_id: id, ...told } = relation;
      const ends = { from: ids[at] ?? '', to: link.far };
      context.report({ record: 'relation', id, type: relationField.parse(link.type), ...ends, ...told });
    }
  }
}

async function tellAbouts(ids: readonly string[], { q, report }: Context): Promise<void> {
  const path = q(ids).out(MemoryAbout);
  const kinds = new Map<string, AboutRecord['kind'] | null>();
  for (const node of await path) kinds.set(node.id, aboutKind(node));
  for (const { from, to, content_hash, bound_at } of await path.edges()) {
    const kind = kinds.get(to);
    if (kind) report({ record: 'about', memory_id: from, target: to, kind, content_hash, bound_at });
  }
}

function saidIn(memory: Readonly<Record<string, unknown>>) {
  const { type, title, content, summary, tags, ...scores } = MemorySaid.parse(memory);
  const { importance, confidence, effectiveness } = scores;
  const context = contextIn(memory);
  return { type, title, content, summary, tags, importance, confidence, effectiveness, context };
}
