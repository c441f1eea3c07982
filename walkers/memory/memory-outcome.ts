import { z } from 'zod';
import {
  idField,
  type MemoryRef,
  memoryNamed,
  relationIdField,
  storedText,
  wasDone,
} from '../../graphs/memory/index.js';
import { shownLine } from '../../present/index.js';
import { defineWalker, type EdgeRef, type ReadContext } from '../../runtime/index.js';
import { CodewalkError, isoOf, LIMITS, Memory, type MemoryRelation } from '../../schema/index.js';

const { memoryEvidence, memoryEvidenceKept, memoryContext } = LIMITS;

/** Counts whether a memory, or a relation between two, held when it was used. */
export const MemoryOutcome = defineWalker('memory_outcome', {
  description:
    'Report whether a memory, or a relation between two, held when it was used: effectiveness or success_rate follow from all reports.',
  access: 'write',
  reads: 'trace',
  input: {
    memory_id: idField.optional().describe('Either this'),
    relationship_id: relationIdField.optional().describe('or this'),
    success: z.boolean(),
    evidence: z.string().trim().max(memoryEvidence.max).optional().describe('What it rests on'),
  },
  output: z.object({
    memory_id: z.string().nullable(),
    relationship_id: z.string().nullable(),
    success: z.boolean(),
    evidence_count: z.number().int(),
    validation_count: z.number().int(),
    counter_evidence_count: z.number().int(),
    /** Of a memory; null for a relation. */
    effectiveness: z.number().nullable(),
    /** Of a relation; null for a memory. */
    success_rate: z.number().nullable(),
    last_validated: z.string(),
  }),
  examples: [
    {
      title: 'A fix helped',
      input: { memory_id: '01k8z5x2m9', success: true, evidence: 'test/auth.test.ts passes' },
    },
    { title: 'A relation did not hold', input: { relationship_id: '01k8z61f0c', success: false } },
  ],
  finish: async ({ state, context }) => {
    const { memory_id, relationship_id, success, evidence } = state;
    if ((memory_id === undefined) === (relationship_id === undefined))
      throw new CodewalkError('INVALID_INPUT', 'an outcome is of a memory_id or of a relationship_id', {
        input: state,
        suggestion: 'Give one of the two.',
      });
    const memory = memory_id === undefined ? null : await memoryNamed(context, memory_id);
    const of = memory ?? (await relationNamed(context, relationship_id ?? ''));
    const now = isoOf(context.now());
    if (!(await wasDone(context))) {
      const lines = evidence ? [`${now} ${success ? 'held' : 'did not hold'}: ${storedText(evidence)}`] : [];
      const counts = {
        evidence_count: of.evidence_count + 1,
        validation_count: of.validation_count + (success ? 1 : 0),
        counter_evidence_count: of.counter_evidence_count + (success ? 0 : 1),
        last_validated: now,
      };
      if ('relation_id' in of) {
        const success_rate = meanAfter(of.success_rate, of, success);
        const text = [of.context ?? [], lines].flat().join('\n');
        // A relation has its context alone to store evidence in, for as long as there is room.
        const context_ = lines.length === 0 || text.length > memoryContext.max ? of.context : text;
        context.set<MemoryRelation>(of, { ...counts, success_rate, context: context_ });
      } else {
        const effectiveness = meanAfter(of.effectiveness, of, success);
        const stored = [...of.evidence, ...lines].slice(-memoryEvidenceKept.max);
        context.set<typeof Memory>(of, { ...counts, effectiveness, evidence: stored });
      }
    }
    const { evidence_count, validation_count, counter_evidence_count } = of;
    return {
      ...{ memory_id: memory?.id ?? null, relationship_id: relationship_id ?? null, success },
      ...{ evidence_count, validation_count, counter_evidence_count },
      effectiveness: 'effectiveness' in of ? of.effectiveness : null,
      success_rate: 'success_rate' in of ? of.success_rate : null,
      last_validated: of.last_validated ?? now,
    };
  },
  markdown: ({ memory_id, relationship_id, success, effectiveness, success_rate, ...counts }) => {
    const { evidence_count, validation_count } = counts;
    const mean = effectiveness === null ? `success rate ${success_rate}` : `effectiveness ${effectiveness}`;
    return `${success ? 'Held' : 'Did not hold'}: ${memory_id ?? relationship_id}, ${validation_count} of ${evidence_count} times so far, ${mean}.\n`;
  },
});

/**
 * The mean after one more outcome, of a Beta distribution with a weak prior: without a stated mean it begins at one half, so
 * that after s successes and f failures it is (s + 1) / (s + f + 2).
 */
function meanAfter(
  mean: number | null,
  before: MemoryRef | EdgeRef<MemoryRelation>,
  success: boolean,
): number {
  const weight = before.validation_count + before.counter_evidence_count + 2;
  const next = ((mean ?? 0.5) * weight + (success ? 1 : 0)) / (weight + 1);
  return Math.round(next * 1e6) / 1e6;
}

const AT_ONCE = 5000;

/**
 * The relation with this id. Ids that memory_link gives name its memories (which may have colons); for others, which an import
 * brings, the relations of all memories are looked through.
 *
 * @throws CodewalkError `NODE_NOT_FOUND`.
 */
async function relationNamed(
  { q, findIds }: Pick<ReadContext, 'findIds' | 'q'>,
  id: string,
): Promise<EdgeRef<MemoryRelation>> {
  const find = async (memories: readonly string[]) =>
    (await q(memories).out().edges()).find((edge) => edge.relation_id === id);
  const parts = id.split(':').slice(1);
  let found = await find(parts.slice(1).map((_, at) => parts.slice(0, at + 1).join(':')));
  const memories = found ? [] : await findIds(Memory);
  for (let at = 0; at < memories.length && !found; at += AT_ONCE)
    found = await find(memories.slice(at, at + AT_ONCE));
  if (found) return found as EdgeRef<MemoryRelation>;
  throw new CodewalkError('NODE_NOT_FOUND', `relationship_id: there is no relation '${shownLine(id)}'`, {
    input: id,
    suggestion: 'memory_get and memory_related show the relations of a memory with their ids.',
  });
}
