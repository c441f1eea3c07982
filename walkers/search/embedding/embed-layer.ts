import type { AdjacencyEntry, StepsContext } from '../../../runtime/index.js';
import {
  type Layer,
  LIMITS,
  nodeArchetype,
  StepHasError,
  TaskHasStep,
  TraceError,
} from '../../../schema/index.js';
import {
  type EmbeddedKind,
  type Embedder,
  embeddedTexts,
  textKey,
  VectorWriter,
} from '../../../search/index.js';
import { throwIfOver, turn } from '../../code/indexing/turn.js';
import { embeddedKind, embeddedText, TEXTS_VERSION } from './embedded-text.js';

/** A node with the text that stands for it. */
interface NodeText {
  readonly kind: EmbeddedKind;
  readonly id: string;
  readonly text: string;
  /** Of the text. */
  readonly key: string;
}

/** Characters of an error that are held while others are read. */
const LONGEST_MESSAGE = 300;

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

/**
 * Every node of a layer that is embedded, with its text, in pages. Nodes are read as they are stored, and none by its id:
 * a run that waits for the network loses no conflict over what it has read.
 */
async function* nodeTexts(context: StepsContext, layer: Layer): AsyncGenerator<readonly NodeText[]> {
  const messages = layer === 'durable' ? await errorMessages(context) : new Map<string, string>();
  for await (const page of context.storedNodes(layer)) {
    const nodes = page.flatMap(({ id, type, props }) => {
      const archetype = nodeArchetype(type);
      const kind = archetype ? embeddedKind(archetype, props) : null;
      return kind === null ? [] : [{ id, kind, props }];
    });
    const errors = await errorsOf(context, nodes, messages);
    yield nodes.flatMap(({ id, kind, props }) => {
      const text = embeddedText(kind, props, errors.get(id) ?? []);
      return text === '' ? [] : [{ kind, id, text, key: textKey(text) }];
    });
    await turn(context);
  }
}

/** What every error says, by its id. */
async function errorMessages(context: StepsContext): Promise<Map<string, string>> {
  const messages = new Map<string, string>();
  for await (const page of context.storedNodes('durable')) {
    for (const { id, type, props } of page)
      if (type === TraceError.name) messages.set(id, String(props.message).slice(0, LONGEST_MESSAGE));
    await turn(context);
  }
  return messages;
}

/** What went wrong in tasks and steps, each message once, in the order of the trace. */
async function errorsOf(
  context: StepsContext,
  nodes: readonly { readonly id: string; readonly kind: EmbeddedKind }[],
  messages: ReadonlyMap<string, string>,
): Promise<Map<string, string[]>> {
  const tasks = nodes.filter(({ kind }) => kind === 'Task').map(({ id }) => id);
  const taskSteps = await context.entries(tasks, 'out', TaskHasStep);
  const ownSteps = nodes.filter(({ kind }) => kind === 'Step').map(({ id }) => id);
  const steps = [...new Set([...ownSteps, ...taskSteps.flatMap(farIds)])];
  const found = await context.entries(steps, 'out', StepHasError);
  const errorsOfStep = new Map(steps.map((step, i) => [step, farIds(found[i] ?? [])]));
  const said = (ids: readonly string[]) => [
    ...new Set(ids.flatMap((step) => errorsOfStep.get(step) ?? []).flatMap((id) => messages.get(id) ?? [])),
  ];
  return new Map([
    ...ownSteps.map((step): [string, string[]] => [step, said([step])]),
    ...tasks.map((task, i): [string, string[]] => [task, said(farIds(taskSteps[i] ?? []))]),
  ]);
}

function farIds(entries: readonly AdjacencyEntry[]): string[] {
  return entries.map(({ far }) => far);
}
