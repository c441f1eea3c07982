import { z } from 'zod';
import {
  defineWalker,
  type EdgeRef,
  type ReadContext,
  Root,
  type WriteContext,
} from '../../runtime/index.js';
import { CodewalkError, LIMITS, MEMORY_RELATIONS, Memory, type MemoryRelation } from '../../schema/index.js';
import { shownLine } from '../shown-text.js';
import { keptText } from '../trace/kept-text.js';
import { isoOf } from '../trace/times.js';
import { idField, relationIdField } from './memory-fields.js';
import { memoryNamed } from './named-memory.js';
import { wasDone } from './sent-again.js';

/** Memories whose relations are looked at together. */
const AT_ONCE = 5000;

type Look = Pick<ReadContext, 'findIds' | 'counts' | 'q'>;

/** What a mean that nobody stated begins at, and how many outcomes it weighs as much as. */
const PRIOR_MEAN = 0.5;

const PRIOR_WEIGHT = 2;

/** Digits that a mean is kept with. */
const DIGITS = 1e6;

/** Outcomes that were counted, and the mean that they have come to. */
interface Outcomes {
  /** From 0 to 1; null: nobody said, and there was none. */
  readonly mean: number | null;
  readonly validation_count: number;
  readonly counter_evidence_count: number;
}

const { memoryEvidence, memoryEvidenceKept, memoryContext } = LIMITS;

const OutcomeOutput = z.object({
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
});
type OutcomeOutput = z.infer<typeof OutcomeOutput>;

/** What became of using a memory, or of relying on a relation. */
export const MemoryOutcome = defineWalker('memory_outcome', {
  description:
    'Tell whether a memory, or a relation between two, held when it was used: effectiveness or success_rate follow from all that was told.',
  access: 'write',
  reads: 'trace',
  input: {
    memory_id: idField.optional().describe('Either this'),
    relationship_id: relationIdField.optional().describe('or this'),
    success: z.boolean(),
    evidence: z.string().trim().max(memoryEvidence.max).optional().describe('What it rests on'),
  },
  output: OutcomeOutput,
  state: () => ({ output: null as OutcomeOutput | null }),
  examples: [
    {
      title: 'A fix helped',
      input: { memory_id: '01k8z5x2m9', success: true, evidence: 'test/auth.test.ts passes' },
    },
    { title: 'A relation did not hold', input: { relationship_id: '01k8z61f0c', success: false } },
  ],
  on: (w) => [
    w.entry(Root, async (_here, context) => {
      const { state } = context;
      const { memory_id, relationship_id } = state;
      if ((memory_id === undefined) === (relationship_id === undefined)) throw eitherOr(state);
      state.output =
        memory_id === undefined
          ? await tellRelation(relationship_id ?? '', context)
          : await tellMemory(memory_id, context);
    }),
  ],
  finish: ({ state: { output } }) => {
    if (output) return output;
    throw new CodewalkError('DEADLINE', 'the run ended before the outcome was kept');
  },
  markdown: ({ memory_id, relationship_id, success, effectiveness, success_rate, ...counts }) => {
    const { evidence_count, validation_count } = counts;
    const mean = effectiveness === null ? `success rate ${success_rate}` : `effectiveness ${effectiveness}`;
    return `${success ? 'Held' : 'Did not hold'}: ${memory_id ?? relationship_id}, ${validation_count} of ${evidence_count} times so far, ${mean}.\n`;
  },
});

type Context = WriteContext<{ readonly success: boolean; readonly evidence?: string | undefined }>;

async function tellMemory(id: string, context: Context): Promise<OutcomeOutput> {
  const memory = await memoryNamed(context, id);
  const { success } = context.state;
  if (!(await wasDone(context))) {
    const effectiveness = meanAfter({ ...memory, mean: memory.effectiveness }, success);
    const line = evidenceLine(context);
    const evidence =
      line === null ? memory.evidence : [...memory.evidence, line].slice(-memoryEvidenceKept.max);
    context.set<typeof Memory>(memory, {
      ...countedOn(memory, context),
      effectiveness,
      evidence: [...evidence],
    });
  }
  const { effectiveness } = memory;
  const ids = { memory_id: memory.id, relationship_id: null };
  return { ...ids, success, ...countsOf(memory, context), effectiveness, success_rate: null };
}

async function tellRelation(id: string, context: Context): Promise<OutcomeOutput> {
  const relation = await relationNamed(context, id);
  const { success } = context.state;
  if (!(await wasDone(context))) {
    const success_rate = meanAfter({ ...relation, mean: relation.success_rate }, success);
    const line = evidenceLine(context);
    const said = line === null ? relation.context : joined(relation.context, line);
    context.set<MemoryRelation>(relation, { ...countedOn(relation, context), success_rate, context: said });
  }
  const { success_rate } = relation;
  const ids = { memory_id: null, relationship_id: id };
  return { ...ids, success, ...countsOf(relation, context), effectiveness: null, success_rate };
}

/** What is counted of a memory, and of a relation. */
interface Counts {
  readonly evidence_count: number;
  readonly validation_count: number;
  readonly counter_evidence_count: number;
  readonly last_validated: string | null;
}

function countsOf(of: Counts, { now }: Context) {
  const { evidence_count, validation_count, counter_evidence_count, last_validated } = of;
  const told = last_validated ?? isoOf(now());
  return { evidence_count, validation_count, counter_evidence_count, last_validated: told };
}

function countedOn(of: Counts, { state: { success }, now }: Context) {
  return {
    evidence_count: of.evidence_count + 1,
    validation_count: of.validation_count + (success ? 1 : 0),
    counter_evidence_count: of.counter_evidence_count + (success ? 0 : 1),
    last_validated: isoOf(now()),
  };
}

/** What an outcome rests on, as it is kept: secrets masked; null where nothing was said. */
function evidenceLine({ state: { success, evidence }, now }: Context): string | null {
  if (!evidence) return null;
  return `${isoOf(now())} ${success ? 'held' : 'did not hold'}: ${keptText(evidence, memoryEvidence.max).text}`;
}

/** A relation has its context alone to keep evidence in: behind what was said of it, for as long as there is room. */
function joined(context: string | null, line: string): string {
  const all = context === null ? line : `${context}\n${line}`;
  return all.length > memoryContext.max ? (context ?? '') : all;
}

function eitherOr(input: object): CodewalkError {
  return new CodewalkError('INVALID_INPUT', 'an outcome is of a memory_id or of a relationship_id', {
    input,
    suggestion: 'Give one of the two.',
  });
}

/**
 * The mean after one more outcome: that of a Beta distribution whose prior weighs as much as two outcomes,
 *
 *     mean' = (mean · (n + 2) + outcome) / (n + 3)
 *
 * with n the outcomes before and 1 for a success, 0 for a failure. Where nobody stated a mean it begins at one half, so
 * after s successes and f failures it is (s + 1) / (s + f + 2): one success says 0.67, ten say 0.92, and none is
 * ever sure. A mean that somebody stated is believed as if it were one of n + 2 outcomes.
 */
function meanAfter({ mean, validation_count, counter_evidence_count }: Outcomes, success: boolean): number {
  const weight = validation_count + counter_evidence_count + PRIOR_WEIGHT;
  const next = ((mean ?? PRIOR_MEAN) * weight + (success ? 1 : 0)) / (weight + 1);
  return Math.round(next * DIGITS) / DIGITS;
}

/**
 * The relation with this id. Ids that memory_link gives tell the type and the ends; of others, which an import brings,
 * there is no index: the relations of all memories are looked through.
 *
 * @throws CodewalkError `NODE_NOT_FOUND`.
 */
async function relationNamed(context: Look, id: string): Promise<EdgeRef<MemoryRelation>> {
  const found = (await relationAt(context, id)) ?? (await relationAmongAll(context, id));
  if (found) return found;
  throw new CodewalkError('NODE_NOT_FOUND', `relationship_id: there is no relation '${shownLine(id)}'`, {
    input: id,
    suggestion: 'memory_get and memory_related show the relations of a memory with their ids.',
  });
}

/** `SOLVES:from:to`; an id of a memory may have a colon, too. */
async function relationAt({ q }: Look, id: string): Promise<EdgeRef<MemoryRelation> | undefined> {
  const [name, ...parts] = id.split(':');
  const type = Object.entries(MEMORY_RELATIONS).find(([known]) => known === name)?.[1];
  if (!type) return undefined;
  const froms = parts.slice(1).map((_, at) => parts.slice(0, at + 1).join(':'));
  const edges = await q(froms).out(type).edges();
  return edges.find(({ relation_id }) => relation_id === id);
}

async function relationAmongAll(
  { findIds, counts, q }: Look,
  id: string,
): Promise<EdgeRef<MemoryRelation> | undefined> {
  const { edges } = await counts();
  const types = Object.values(MEMORY_RELATIONS).filter(({ name }) => edges.has(name));
  const memories = await findIds(Memory);
  for (let at = 0; at < memories.length; at += AT_ONCE)
    for (const type of types) {
      const some = memories.slice(at, at + AT_ONCE);
      const found = (await q(some).out(type).edges()).find(({ relation_id }) => relation_id === id);
      if (found) return found;
    }
  return undefined;
}
