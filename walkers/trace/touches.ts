import { toolUse, usageOf } from '../../graphs/trace/index.js';
import { isA, type NodeRef, type ReadContext } from '../../runtime/index.js';
import {
  ErrorResolvedByStep,
  fileId,
  parseId,
  StepHasError,
  StepInvokesTool,
  TaskHasStep,
  ToolInvocation,
  ToolTouchesFile,
  ToolTouchesSymbol,
  TraceError,
} from '../../schema/index.js';
import { byLatest } from './find-traced.js';

/* What agents did to code: which tools read and changed symbols and files, and what failed in their tasks. */

type ToolRef = NodeRef<typeof ToolInvocation>;

/** One use of a tool that touched code. */
export interface Touch {
  readonly tool: ToolRef;
  /** Null where the tool does not tell, and of an edit that failed. */
  readonly use: 'read' | 'write' | null;
  /** What is known of it: that it changed these symbols, that it touched their file, or that it changed others of that file. */
  readonly of: 'symbol' | 'file' | 'other symbols';
}

function isTool(node: NodeRef): node is ToolRef {
  return isA(node.archetype, ToolInvocation);
}

/** How a tool used its files; null for an edit that failed, which changed nothing. */
export function usedAs(tool: ToolRef): 'read' | 'write' | null {
  const usage = usageOf(tool.tool_name, toolUse(tool.params_json));
  return usage === 'write' && tool.success === false ? null : usage;
}

/**
 * What touched symbols and files, or the files that symbols stand in: each tool once, in the order of its edges.
 *
 * @param only Ids of the tools to look at. Default: all.
 */
export async function touchesOf(
  { q, entries, nodes }: ReadContext,
  ids: readonly string[],
  only: ReadonlySet<string> | null = null,
): Promise<Touch[]> {
  const found = new Map<string, Touch>();
  const toolsOf = async (some: readonly string[]) => {
    const loaded = await nodes([...new Set(some)].filter((id) => only?.has(id) ?? true));
    return loaded.filter((node) => node !== undefined).filter(isTool);
  };
  for (const tool of await toolsOf(await q(ids).in(ToolTouchesSymbol).ids()))
    found.set(tool.id, { tool, use: 'write', of: 'symbol' });
  const path = q([...new Set(ids.map((id) => fileId(parseId(id)?.path ?? '')))]).in(ToolTouchesFile);
  const edges = (await path.edges()).filter(({ from }) => !found.has(from));
  const tools = new Map((await toolsOf(edges.map(({ from }) => from))).map((tool) => [tool.id, tool]));
  const symbols = await entries(
    edges.map(({ from }) => from),
    'out',
    ToolTouchesSymbol,
  );
  for (const [at, { from, use }] of edges.entries()) {
    const tool = tools.get(from);
    const of = (symbols[at]?.length ?? 0) > 0 ? 'other symbols' : 'file';
    if (tool && found.get(from)?.use !== 'write') found.set(from, { tool, use: use ?? usedAs(tool), of });
  }
  return [...found.values()];
}

/** What failed in the tasks that these tools were used in: what a step of theirs resolved first, then the latest. */
export async function failuresAround({ q }: ReadContext, tools: readonly ToolRef[]) {
  const steps = await q(tools).in(StepInvokesTool).ids();
  if (steps.length === 0) return { errors: [], resolvedBy: new Map<string, string>() };
  const errors = await q(steps).in(TaskHasStep).out(TaskHasStep).out(StepHasError).of(TraceError);
  const resolved = await q(errors).out(ErrorResolvedByStep).edges();
  const resolvedBy = new Map(resolved.map(({ from, to }) => [from, to]));
  const here = new Set(steps);
  const isHere = ({ id }: { id: string }) => Number(here.has(resolvedBy.get(id) ?? ''));
  return { errors: errors.sort((a, b) => isHere(b) - isHere(a) || byLatest(a, b)), resolvedBy };
}
