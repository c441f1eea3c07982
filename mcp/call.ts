import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import {
  type Answer,
  absentFor,
  answer,
  checkInput,
  failureOf,
  ROOT_FIELD,
  wrongInput,
} from '../host/index.js';
import type { RunOptions, WalkerType } from '../runtime/index.js';
import { issuesText, toCodewalkError } from '../schema/index.js';
import { callRoot, type RootSources } from './call-root.js';
import type { OpenGraphs } from './open-graphs.js';
import { CallFields, type ToolFormat } from './tool.js';
import type { ToolSet } from './tool-set.js';

/** What a call runs in. */
export interface CallContext {
  readonly tools: ToolSet;
  readonly graphs: OpenGraphs;
  /** What the server was started with. */
  readonly format: ToolFormat;
  readonly roots: RootSources;
  /** Null: the host's own. */
  readonly deadlineMs: number | null;
  readonly signal: AbortSignal;
  readonly progress: RunOptions['onProgress'] | null;
  /** See `McpOptions.watch`. */
  readonly watch: <T>(walker: string, body: () => Promise<T>) => Promise<T>;
}

type Arguments = Readonly<Record<string, unknown>>;

const FACE_FIELDS = Object.keys(CallFields.shape);

/** Runs one tool. Never throws: whatever goes wrong is an answer with `isError`. */
export async function callTool(
  name: string,
  given: Arguments,
  context: CallContext,
): Promise<CallToolResult> {
  try {
    const walker = context.tools.get(name);
    const { project_root, response_format, ...rest } = callFieldsOf(walker, given);
    const root = await callRoot(project_root, context.roots);
    const input = ROOT_FIELD in walker.input.shape ? { ...rest, [ROOT_FIELD]: root } : rest;
    checkInput(walker, input, FACE_FIELDS, given);
    const answered = await answerOf(walker, root, input, context);
    return resultOf(answered, context.format, response_format ?? context.format);
  } catch (thrown) {
    const body = { ...toCodewalkError(thrown).toBody(), provided_input: given };
    return { isError: true, content: [{ type: 'text', text: JSON.stringify(body) }] };
  }
}

function callFieldsOf(walker: WalkerType, given: Arguments) {
  const parsed = CallFields.loose().safeParse(given);
  if (!parsed.success) throw wrongInput(walker, issuesText(parsed.error), FACE_FIELDS, given);
  return parsed.data;
}

async function answerOf(
  walker: WalkerType,
  root: string,
  input: Record<string, unknown>,
  { graphs, signal, progress, deadlineMs, watch }: CallContext,
): Promise<Answer> {
  const graph = await graphs.of(root, absentFor(walker));
  const options: RunOptions = {
    signal,
    ...(progress ? { onProgress: progress } : {}),
    ...(deadlineMs === null ? {} : { limits: { deadlineMs } }),
  };
  try {
    return await watch(walker.name, () => answer(graph, walker.name, input, options));
  } catch (thrown) {
    throw failureOf(thrown, walker, input);
  }
}

/** Ruling X-29: a format asked for in a call changes the text alone. */
function resultOf({ body, markdown }: Answer, mode: ToolFormat, text: ToolFormat): CallToolResult {
  const content: CallToolResult['content'] = [
    { type: 'text', text: text === 'json' ? JSON.stringify(body) : markdown },
  ];
  return mode === 'json' ? { content, structuredContent: body } : { content };
}
