import type { AdjacencyEntry, StepsContext } from '../../../runtime/index.js';
import { type Layer, nodeArchetype, StepHasError, TaskHasStep, TraceError } from '../../../schema/index.js';
import { type EmbeddedKind, textKey } from '../../../search/index.js';
import { turn } from '../../code/indexing/turn.js';
import { embeddedKind, embeddedText } from './embedded-text.js';

/** A node with the text that stands for it. */
export interface NodeText {
  readonly kind: EmbeddedKind;
  readonly id: string;
  readonly text: string;
  /** Of the text. */
  readonly key: string;
}

/** Characters of an error that are held while others are read. */
const LONGEST_MESSAGE = 300;

/**
 * Every node of a layer that is embedded, with its text, in pages. Nodes are read as they are stored, and none by its id:
 * a run that waits for the network loses no conflict over what it has read.
 */
export async function* nodeTexts(context: StepsContext, layer: Layer): AsyncGenerator<readonly NodeText[]> {
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
