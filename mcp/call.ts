import { fileURLToPath } from 'node:url';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import {
  type Answer,
  type Host,
  projectRootOf,
  type SpawnOptions,
  type SpawnRequest,
  userHome,
  wrongInput,
} from '../host/index.js';
import { jsonText } from '../present/index.js';
import { issuesText, shortened, toCodewalkError } from '../schema/index.js';
import { checkRoot } from '../source/index.js';
import { CallFields, type ListedTool, type ToolFormat } from './tool.js';
import type { ToolSet } from './tool-set.js';

/** What decides which project a call is about. */
interface RootSources {
  /** Of `--root`; null: none. */
  readonly root: string | null;
  /** The client's workspace folders, as URIs, the first one first; empty when it tells none. */
  readonly clientRoots: () => Promise<readonly string[]>;
  /** The server's own working directory. */
  readonly cwd: string;
  readonly home: string | undefined;
  readonly force: boolean;
}

/** What a call runs in. */
export interface CallContext {
  readonly tools: ToolSet;
  readonly host: Pick<Host, 'spawn'>;
  /** What the server was started with. */
  readonly format: ToolFormat;
  readonly roots: RootSources;
  /** Milliseconds; null: the host's own. */
  readonly deadlineMs: number | null;
  /** Absolute folders of the user's own walkers. */
  readonly userWalkers: readonly string[];
  /** The client's session, for events that name none; null: not known. */
  readonly session: string | null;
  readonly options: SpawnOptions;
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
    const tool = context.tools.get(name);
    const { project_root, response_format, ...input } = callFieldsOf(tool, given);
    const { force } = context.roots;
    const root = await callRoot(project_root, context.roots);
    const request: SpawnRequest = {
      walker: tool.name,
      root,
      input: inSession(input, tool, context.session),
      given,
      faceFields: FACE_FIELDS,
      forms: [...new Set([context.format, response_format ?? context.format])],
      force,
      limits: context.deadlineMs === null ? {} : { deadlineMs: context.deadlineMs },
      caller: { directory: context.roots.cwd, session: context.session },
      userWalkers: context.userWalkers,
      detached: true,
    };
    const answer = await context.host.spawn(request, context.options);
    return resultOf(answer, context.format, response_format ?? context.format);
  } catch (thrown) {
    const body = { ...toCodewalkError(thrown).toBody(), provided_input: shortened(given) };
    return { isError: true, content: [{ type: 'text', text: jsonText(body) }] };
  }
}

/** An event that names neither a task nor a session belongs to the one that the server serves (C-10). */
function inSession(input: Arguments, { inputSchema }: ListedTool, session: string | null): Arguments {
  const takes = Object.hasOwn(inputSchema.properties ?? {}, 'session_id');
  const isNamed = (input.task_id ?? input.session_id ?? null) !== null;
  return session === null || !takes || isNamed ? input : { ...input, session_id: session };
}

function callFieldsOf({ name, inputSchema }: ListedTool, given: Arguments) {
  const parsed = CallFields.loose().safeParse(given);
  if (parsed.success) return parsed.data;
  const fields = Object.keys(inputSchema.properties ?? {});
  throw wrongInput(name, issuesText(parsed.error, given), fields, given);
}

/** Ruling X-29: a format asked for in a call changes the text alone. */
function resultOf({ body, markdown }: Answer, mode: ToolFormat, text: ToolFormat): CallToolResult {
  const content: CallToolResult['content'] = [
    { type: 'text', text: text === 'json' ? jsonText(body) : markdown },
  ];
  return mode === 'json' ? { content, structuredContent: body } : { content };
}

/**
 * The root of a call (ruling X-33), checked: what the call says, else `--root`, else the project of the client's first
 * root, else that of the working directory.
 *
 * @param given `project_root`: must be absolute, since the client's working directory is not ours.
 * @throws CodewalkError `INVALID_ROOT`, `ROOT_REFUSED`.
 */
async function callRoot(given: string | undefined, sources: RootSources): Promise<string> {
  const path = given ?? sources.root ?? (await surroundingRoot(sources));
  return checkRoot(path, {
    mustBeAbsolute: true,
    force: sources.force,
    cwd: sources.cwd,
    home: userHome(),
  });
}

async function surroundingRoot({ clientRoots, cwd, home }: RootSources): Promise<string> {
  const [first] = (await clientRoots()).flatMap(pathsOfUri);
  return projectRootOf(first ?? cwd, { home });
}

function pathsOfUri(uri: string): string[] {
  try {
    return [fileURLToPath(uri)];
  } catch {
    // A workspace that is not on this machine.
    return [];
  }
}
