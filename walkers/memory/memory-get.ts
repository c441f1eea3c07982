import { z } from 'zod';
import { defineWalker } from '../../runtime/index.js';
import { LIMITS } from '../../schema/index.js';
import { budgetField, tokensOf } from '../token-budget.js';
import { AboutFields, aboutOf, UNBOUND } from './about-row.js';
import { idField } from './memory-fields.js';
import { memoryMarkdown } from './memory-markdown.js';
import { wasRead } from './memory-read.js';
import { MemoryRow, memoryRow } from './memory-row.js';
import { memoryNamed } from './named-memory.js';
import { RelationRow, relationsOf } from './relation-row.js';

const GetOutput = z.object({
  memory: MemoryRow,
  /** The strongest first; empty where they were not asked for. */
  relationships: z.array(RelationRow),
  ...AboutFields,
});

/** One memory, whole. */
export const MemoryGet = defineWalker('memory_get', {
  description:
    'Show one memory whole: what it says, where it was made, what it is about, its relations to others.',
  withoutGraph: 'empty',
  reads: 'trace',
  input: {
    memory_id: idField.describe('Its beginning will do where it is the only one'),
    include_relationships: z.boolean().default(true),
    max_tokens: budgetField(LIMITS.packTokens),
  },
  output: GetOutput,
  examples: [{ title: 'By its id', input: { memory_id: '01k8z5x2m9' } }],
  start: () => null,
  on: () => [],
  finish: async ({ state: { memory_id, include_relationships, max_tokens }, context }) => {
    const memory = await memoryNamed(context, memory_id);
    const relationships = include_relationships ? await relationsOf(memory, context) : [];
    const { about, freshness } = (await aboutOf(context, [memory.id])).get(memory.id) ?? UNBOUND;
    return fitted({ memory: memoryRow(memory), relationships, about, freshness }, max_tokens);
  },
  afterwards: ({ memory }) => wasRead([memory.id]),
  markdown: ({ memory, relationships, about }) => memoryMarkdown(memory, relationships, about),
});

type Output = z.infer<typeof GetOutput> & { state: { cut: string[] } };

/** Relations fall, the weakest first, and then the text is cut: that is what was asked for (P-02). */
function fitted(whole: z.infer<typeof GetOutput>, asked: number | undefined): Output {
  const budget = asked ?? LIMITS.packTokens.default;
  const cut: string[] = [];
  let output = whole;
  const over = () => tokensOf(output) - budget;
  const kept = Math.max(0, whole.relationships.length - Math.ceil(over() / TOKENS_OF_RELATION));
  if (over() > 0 && kept < whole.relationships.length) {
    output = { ...output, relationships: whole.relationships.slice(0, kept) };
    cut.push(`The first ${kept} of ${whole.relationships.length} relationships are shown.`);
  }
  if (over() > 0) {
    const { content } = output.memory;
    const most = Math.max(0, content.length - over() * CHARACTERS_OF_TOKEN);
    output = { ...output, memory: { ...output.memory, content: content.slice(0, most) } };
    cut.push(`The first ${most} of ${content.length} characters of the content are shown.`);
  }
  if (cut.length > 0) cut.push(`max_tokens up to ${LIMITS.packTokens.max} gives more.`);
  return { ...output, state: { cut } };
}

/** Of the smallest one. */
const TOKENS_OF_RELATION = 90;
const CHARACTERS_OF_TOKEN = 4;
