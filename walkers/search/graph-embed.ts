import { z } from 'zod';
import { throwIfOver, turn } from '../../graphs/code/index.js';
import {
  type AdjacencyEntry,
  defineWalker,
  type NodeType,
  type Slot,
  type StepsContext,
} from '../../runtime/index.js';
import {
  CodeSymbol,
  CodewalkError,
  Concept,
  File,
  isA,
  type Layer,
  LIMITS,
  Memory,
  nodeArchetype,
  projectNotIndexed,
  Step,
  StepHasError,
  Task,
  TaskHasStep,
  TraceError,
} from '../../schema/index.js';
import {
  EMBEDDER,
  type EmbeddedKind,
  type Embedder,
  embeddedTexts,
  textKey,
  VectorWriter,
  vectorName,
} from '../../search/index.js';

const count = z.number().int();

/** The last run of a graph: runs take turns, since two at once would ask for the same vectors. */
const LAST_RUN: Slot<{ last: Promise<unknown> }> = {
  name: 'embedding',
  make: () => ({ last: Promise.resolve() }),
};

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
 * Makes the vectors of a graph: of files, symbols, concepts, tasks, steps and memories, next to the nodes, by their ids. They
 * can be deleted and made again at any time: nothing but ranking rests on them (S2-11, S2-12).
 */
export const GraphEmbed = defineWalker('graph_embed', {
  description:
    'Make the embeddings of a graph with the configured endpoint: of what is new or changed; wipe makes all again.',
  access: 'steps',
  input: { wipe: z.boolean().default(false).describe('Delete all embeddings first') },
  output: EmbedOutput,
  examples: [{ title: 'Embed what changed', input: {} }],
  run: (_here, context) => {
    const turns = context.cached(LAST_RUN);
    const mine = turns.last.then(async () => {
      // Reads what the run before wrote.
      await context.commit();
      return embedAll(context);
    });
    turns.last = mine.catch(() => undefined);
    return mine;
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
  const embedder = context.resource(EMBEDDER)();
  if (embedder === null)
    throw new CodewalkError('EMBEDDINGS_FAILED', 'no embeddings endpoint is configured', {
      suggestion:
        "'codewalk config set embeddings_url http://localhost:11434/v1' names one; search works without it.",
    });
  if ((await context.counts()).nodes.size === 0) throw projectNotIndexed(context.projectRoot);
  const total = { dimension: null as number | null, embedded: 0, unchanged: 0, removed: 0 };
  const vectors: Record<string, number> = {};
  for (const layer of ['derived', 'durable'] as const) {
    const done = await embedLayer(context, embedder, layer, context.state.wipe);
    total.dimension ??= done.dimension;
    total.embedded += done.embedded;
    total.unchanged += done.unchanged;
    total.removed += done.removed;
    for (const [kind, number] of done.vectors) vectors[kind] = (vectors[kind] ?? 0) + number;
  }
  return { model: embedder.model, ...total, vectors, duration_ms: context.now() - started };
}

/** Counts changes of how texts are made: of another version, other vectors. */
const TEXTS_VERSION = 1;

/** Symbols that S2-21 names, and what they are used as: no keys of configurations, no variables. */
const EMBEDDED_SYMBOLS = new Set<unknown>(['function', 'method', 'class', 'component', 'test', 'route']);
/** Characters of the parts of a task's or step's text, so that each has a place in it. */
const LONGEST_PART = 1500;
const LONGEST_ERROR = 300;
const MOST_ERRORS = 4;
const MOST_PATHS = 30;

/** A node's own properties, as they are stored. */
type Props = Readonly<Record<string, unknown>>;

interface EmbeddedTypes {
  readonly kind: EmbeddedKind;
  readonly type: NodeType;
  /** Whether a node of the type has a vector. Default: all have. */
  readonly when?: (props: Props) => boolean;
  /**
   * What is embedded of a node: of code in the form and order of S2-20, without its body (ruling X-22); of a task or step its
   * prompt, summary, errors and paths (S3-32). Empty where there is nothing to say.
   *
   * @param errors What went wrong in a task or step.
   */
  readonly text: (props: Props, errors: readonly string[]) => string;
}

const EMBEDDED: readonly EmbeddedTypes[] = [
  {
    kind: 'File',
    type: File,
    text: (props) => codeText(props.is_module === true ? 'module' : 'file', props, 1),
  },
  {
    kind: 'Symbol',
    type: CodeSymbol,
    when: ({ kind }) => EMBEDDED_SYMBOLS.has(kind),
    text: (props) => codeText(text(props.kind), props, props.start_line),
  },
  {
    kind: 'Concept',
    type: Concept,
    text: ({ label, description }) =>
      lines({ KIND: 'concept', NAME: text(label), DESCRIPTION: text(description) }),
  },
  {
    kind: 'Task',
    type: Task,
    text: (props, errors) => workText('task', [props.user_prompt, props.summary], errors, props),
  },
  {
    kind: 'Step',
    type: Step,
    text: (props, errors) => workText('step', [props.llm_summary], errors, props),
  },
  {
    kind: 'Memory',
    type: Memory,
    text: ({ type, title, summary, tags, content }) =>
      lines({
        KIND: text(type),
        TITLE: text(title),
        SUMMARY: text(summary),
        TAGS: texts(tags).join(', '),
        CONTENT: text(content),
      }),
  },
];

/** S2-20: these fields in this order; a field without a value stands there all the same. */
function codeText(kind: string, props: Props, line: unknown): string {
  return [
    `KIND: ${kind}`,
    `NAME: ${text(props.name)}`,
    `QUALNAME: ${text(props.qualified_name)}`,
    `MODULE: ${text(props.path)}`,
    `LINE: ${line}`,
    `DOCSTRING: ${text(props.docstring)}`,
  ].join('\n');
}

function workText(kind: string, said: readonly unknown[], errors: readonly string[], props: Props): string {
  const parts = said.map((one) => text(one).trim().slice(0, LONGEST_PART)).filter((one) => one !== '');
  const failures = errors.slice(0, MOST_ERRORS).map((error) => error.slice(0, LONGEST_ERROR));
  if (parts.length === 0 && failures.length === 0) return '';
  const paths = texts(props.files_touched).slice(0, MOST_PATHS);
  return lines({ KIND: kind, TEXT: parts, ERROR: failures, FILES: paths.join(', ') });
}

/** Fields as lines, those without a value left out; a list has a line for each of its texts. */
function lines(fields: Readonly<Record<string, string | readonly string[]>>): string {
  return Object.entries(fields)
    .flatMap(([name, value]) => [value].flat().map((one) => [name, one]))
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** A node with the text that stands for it. */
interface NodeText {
  readonly kind: EmbeddedKind;
  readonly id: string;
  readonly text: string;
  /** Of the text. */
  readonly key: string;
}

const { max: BATCH } = LIMITS.embeddingBatch;

/**
 * Brings the vectors of a layer to its texts: what is new or another text is embedded, what is gone is taken out. Each
 * batch is a commit of its own, and between asking for one and its commit nothing is read: nobody waits for the network.
 *
 * @throws CodewalkError `EMBEDDINGS_FAILED`, `CANCELLED`, `DEADLINE`: what was committed stays.
 */
async function embedLayer(
  context: StepsContext,
  embedder: Embedder,
  layer: Layer,
  wipe: boolean,
): Promise<
  Pick<EmbedOutput, 'embedded' | 'unchanged' | 'removed' | 'dimension'> & { vectors: Map<string, number> }
> {
  const wanted = { model: embedder.model, texts: TEXTS_VERSION };
  const writer = await VectorWriter.begin(context, layer, wanted, wipe);
  const gone = new Set(writer.names());
  const vectors = new Map<string, number>();
  const due: NodeText[] = [];
  let unchanged = 0;
  for await (const page of nodeTexts(context, layer))
    for (const one of page) {
      gone.delete(vectorName(one.kind, one.id));
      vectors.set(one.kind, (vectors.get(one.kind) ?? 0) + 1);
      if (writer.keyOf(one.kind, one.id) === one.key) unchanged++;
      else due.push(one);
    }
  // What an index commits meanwhile is no conflict: from here on nothing is read.
  await context.commit();
  await writer.remove([...gone], due.length);
  await writer.settle(due.length);
  for (let at = 0; at < due.length; at += BATCH) {
    context.progress({ phase: 'embed', done: at, total: due.length });
    throwIfOver(context);
    const batch = due.slice(at, at + BATCH);
    const texts = batch.map(({ text }) => text);
    const made = await embeddedTexts(embedder, texts, writer.dimension, context.signal);
    // What was forgotten meanwhile leaves nothing behind: the texts are read again.
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
      const of = archetype && EMBEDDED.find((one) => isA(archetype, one.type));
      return of === undefined || of.when?.(props) === false ? [] : [{ id, of, kind: of.kind, props }];
    });
    const errors = await errorsOf(context, nodes, messages);
    yield nodes.flatMap(({ id, of, kind, props }) => {
      const text = of.text(props, errors.get(id) ?? []);
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
      if (type === TraceError.name) messages.set(id, String(props.message).slice(0, LONGEST_ERROR));
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
