import { z } from 'zod';
import { defineWalker, Root, type Slot, type StepsContext } from '../../runtime/index.js';
import { CodewalkError, projectNotIndexed } from '../../schema/index.js';
import { EMBEDDER } from '../../search/index.js';
import { embedLayer } from './embedding/embed-layer.js';

/** Has runs of one graph come one after the other. */
class EmbeddingTurns {
  #last: Promise<unknown> = Promise.resolve();

  /** Does the work of a run when the one before it is over: its context then reads what that one wrote. */
  take<C extends StepsContext, T>(context: C, work: (context: C) => Promise<T>): Promise<T> {
    const mine = this.#last.then(async () => {
      await context.commit();
      return work(context);
    });
    this.#last = mine.catch(() => undefined);
    return mine;
  }
}

const count = z.number().int();

/** Runs of one graph take turns: two at once would ask for the same vectors. */
const EMBEDDING_TURNS: Slot<EmbeddingTurns> = { name: 'embedding', make: () => new EmbeddingTurns() };

const EmbedOutput = z.object({
  /** The model that made the vectors. */
  model: z.string(),
  /** Numbers in each; null where there are none. */
  dimension: count.nullable(),
  embedded: count,
  /** Texts that had their vector already. */
  unchanged: count,
  /** Vectors of what is gone. */
  removed: count,
  /** How many there are, by kind of node. */
  vectors: z.record(z.string(), count),
  duration_ms: z.number(),
});

type EmbedOutput = z.output<typeof EmbedOutput>;

/**
 * Makes the vectors of a graph: of files, symbols, concepts, tasks, steps and memories, beside the nodes, by their ids. They
 * can be deleted and made again at any time: nothing but ranking rests on them (S2-11, S2-12).
 */
export const GraphEmbed = defineWalker('graph_embed', {
  description:
    'Make the embeddings of a graph with the configured endpoint: of what is new or changed; wipe makes all again.',
  access: 'steps',
  input: { wipe: z.boolean().default(false).describe('Delete all embeddings first') },
  output: EmbedOutput,
  state: () => ({ output: null as EmbedOutput | null }),
  examples: [{ title: 'Embed what changed', input: {} }],
  on: (w) => [
    w.entry(Root, async (_here, context) => {
      context.state.output = await context.kept(EMBEDDING_TURNS).take(context, embedAll);
    }),
  ],
  finish: ({ state: { output } }) => {
    if (output) return output;
    throw new CodewalkError('DEADLINE', 'embedding ended before it began', {
      suggestion: 'Give it a larger limit.',
    });
  },
  markdown: ({ model, dimension, embedded, unchanged, removed, vectors, duration_ms }) => {
    const kinds = Object.entries(vectors).map(([kind, number]) => `${kind} ${number}`);
    return [
      `Embedded ${embedded} texts with '${model}' in ${(duration_ms / 1000).toFixed(1)} s; ${unchanged} were up to date, ${removed} are gone.`,
      ...(kinds.length > 0 ? [`Vectors of ${dimension} numbers: ${kinds.join(', ')}.`] : []),
      '',
    ].join('\n');
  },
});

async function embedAll(context: StepsContext<{ readonly wipe: boolean }>): Promise<EmbedOutput> {
  const started = context.now();
  const { wipe } = context.state;
  const embedder = context.resource(EMBEDDER)();
  if (embedder === null) throw noEmbedder();
  if ((await context.counts()).nodes.size === 0) throw projectNotIndexed(context.projectRoot);
  const derived = await embedLayer(context, embedder, 'derived', wipe);
  const durable = await embedLayer(context, embedder, 'durable', wipe);
  const vectors: Record<string, number> = {};
  for (const [kind, number] of [...derived.vectors, ...durable.vectors])
    vectors[kind] = (vectors[kind] ?? 0) + number;
  return {
    model: embedder.model,
    dimension: derived.dimension ?? durable.dimension,
    embedded: derived.embedded + durable.embedded,
    unchanged: derived.unchanged + durable.unchanged,
    removed: derived.removed + durable.removed,
    vectors,
    duration_ms: context.now() - started,
  };
}

function noEmbedder(): CodewalkError {
  return new CodewalkError('EMBEDDINGS_FAILED', 'no embeddings endpoint is configured', {
    suggestion:
      "'codewalk config set embeddings_url http://localhost:11434/v1' names one; search works without it.",
  });
}
