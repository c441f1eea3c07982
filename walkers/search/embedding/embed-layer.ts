import type { StepsContext } from '../../../runtime/index.js';
import { type Layer, LIMITS } from '../../../schema/index.js';
import { type EmbeddedKind, type Embedder, embeddedTexts, VectorWriter } from '../../../search/index.js';
import { throwIfOver } from '../../code/indexing/turn.js';
import { type NodeText, nodeTexts } from './due-texts.js';
import { TEXTS_VERSION } from './embedded-text.js';

const { max: BATCH } = LIMITS.embeddingBatch;

/** What a run did to the vectors of a layer. */
export interface EmbeddedLayer {
  readonly embedded: number;
  readonly unchanged: number;
  readonly removed: number;
  /** How many there are, by kind. */
  readonly vectors: ReadonlyMap<EmbeddedKind, number>;
  /** Numbers in each; null where there are none. */
  readonly dimension: number | null;
}

/**
 * Brings the vectors of a layer to its texts: what is new or another text is embedded, what is gone is taken out. Each
 * batch is a commit of its own, and between asking for one and its commit nothing is read: nobody waits for the network.
 *
 * @throws CodewalkError `EMBEDDINGS_FAILED`, `CANCELLED`, `DEADLINE`: what was committed is kept.
 */
export async function embedLayer(
  context: StepsContext,
  embedder: Embedder,
  layer: Layer,
  wipe: boolean,
): Promise<EmbeddedLayer> {
  const wanted = { model: embedder.model, texts: TEXTS_VERSION };
  const writer = await VectorWriter.begin(context, layer, wanted, wipe);
  const gone = new Map([...writer.ids()].map((one) => [one.join('/'), one]));
  const vectors = new Map<EmbeddedKind, number>();
  const due: NodeText[] = [];
  let unchanged = 0;
  for await (const page of nodeTexts(context, layer))
    for (const one of page) {
      gone.delete(`${one.kind}/${one.id}`);
      vectors.set(one.kind, (vectors.get(one.kind) ?? 0) + 1);
      if (writer.keyOf(one.kind, one.id) === one.key) unchanged++;
      else due.push(one);
    }
  // What an index commits meanwhile is no conflict: from here on nothing is read.
  await context.commit();
  await writer.remove([...gone.values()], due.length);
  // It tells that this layer was embedded, even where nothing of it is.
  await writer.settle(due.length);
  for (let at = 0; at < due.length; at += BATCH) {
    context.progress({ phase: 'embed', done: at, total: due.length });
    throwIfOver(context);
    const batch = due.slice(at, at + BATCH);
    const texts = batch.map(({ text }) => text);
    const made = await embeddedTexts(embedder, texts, writer.dimension, context.signal);
    // What was forgotten meanwhile leaves nothing behind: the texts are read anew.
    if (await writer.isStale()) return embedLayer(context, embedder, layer, false);
    const added = batch.map(({ kind, id, key }, i) => ({
      kind,
      id,
      key,
      vector: made[i] ?? new Float32Array(),
    }));
    await writer.put(added, due.length - at - batch.length);
  }
  return { embedded: due.length, unchanged, removed: gone.size, vectors, dimension: writer.dimension };
}
