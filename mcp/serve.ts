import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Server, type ServerOptions } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  RootsListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import {
  type Host,
  projectRootOf,
  type SpawnOptions,
  type SpawnRequest,
  userHome,
  type WalkerSignature,
} from '../host/index.js';
import { jsonText } from '../present/index.js';
import { type Profile, shortened, toCodewalkError, wrongInput } from '../schema/index.js';
import { checkRoot } from '../source/index.js';
import {
  APPS_EXTENSION,
  type McpApps,
  PAGE_RESOURCE,
  pageContents,
  VIEW_TOOL,
  ViewInput,
  viewText,
} from './apps.js';
import { StdioTransport } from './stdio-transport.js';
import { CallFields, type ListedTool, type ToolFormat, ToolSet, toolOf } from './tools.js';

/** What a call runs in. */
interface CallContext {
  readonly mcp: Server;
  readonly server: McpOptions;
  readonly tools: ToolSet;
  /** The client's workspace folders, as URIs, the first one first; empty when it names none. */
  readonly clientRoots: () => Promise<readonly string[]>;
  readonly options: SpawnOptions;
}

type Arguments = Readonly<Record<string, unknown>>;

const CALL_FIELDS = Object.keys(CallFields.shape);

/** Runs one tool. Never throws: whatever goes wrong is an answer with `isError`. */
async function callTool(name: string, given: Arguments, context: CallContext): Promise<CallToolResult> {
  const { host, own, format, force, cwd, deadlineMs, client, apps } = context.server;
  try {
    if (apps && name === VIEW_TOOL.name && showsPages(context.mcp))
      return await callView(apps, given, context);
    const tool = context.tools.get(name);
    const { project_root, response_format = format, ...input } = callFieldsOf(tool, given);
    const session = client?.session ?? null;
    const request: SpawnRequest = {
      walker: tool.name,
      root: await callRoot(project_root, context),
      input: withSession(input, tool, session),
      given,
      faceFields: CALL_FIELDS,
      forms: [...new Set([format, response_format])],
      force,
      limits: deadlineMs === null ? {} : { deadlineMs },
      caller: { directory: cwd, session },
      userWalkers: own.folders,
      detached: true,
    };
    const { body, markdown } = await host.spawn(request, context.options);
    // A format that a call names changes the text alone.
    const text = response_format === 'json' ? jsonText(body) : markdown;
    return { content: [{ type: 'text', text }], ...(format === 'json' ? { structuredContent: body } : {}) };
  } catch (thrown) {
    const body = { ...toCodewalkError(thrown).toBody(), provided_input: shortened(given) };
    return { isError: true, content: [{ type: 'text', text: jsonText(body) }] };
  }
}

/** Shows a view of the explorer. @throws CodewalkError */
async function callView(apps: McpApps, given: Arguments, context: CallContext): Promise<CallToolResult> {
  const parsed = ViewInput.safeParse(given);
  if (!parsed.success) throw wrongInput(VIEW_TOOL.name, parsed.error, Object.keys(ViewInput.shape), given);
  const { view: path } = parsed.data;
  const answer = await apps.view(await callRoot(undefined, context), path, context.options);
  return { content: [{ type: 'text', text: viewText(path, answer) }], structuredContent: { path, answer } };
}

/** An event that names neither a task nor a session belongs to the one that the server serves. */
function withSession(input: Arguments, { inputSchema }: ListedTool, session: string | null): Arguments {
  const takes = Object.hasOwn(inputSchema.properties ?? {}, 'session_id');
  const isNamed = (input.task_id ?? input.session_id ?? null) !== null;
  return session === null || !takes || isNamed ? input : { ...input, session_id: session };
}

function callFieldsOf({ name, inputSchema }: ListedTool, given: Arguments) {
  const parsed = CallFields.loose().safeParse(given);
  if (parsed.success) return parsed.data;
  const fields = Object.keys(inputSchema.properties ?? {});
  throw wrongInput(name, parsed.error, fields, given);
}

/**
 * The root of a call, checked: what the call says, else `--root`, else the project of the client's first root, else that
 * of the working directory.
 *
 * @param given `project_root`: must be absolute, since the client's working directory is not ours.
 * @throws CodewalkError `INVALID_ROOT`, `ROOT_REFUSED`.
 */
async function callRoot(
  given: string | undefined,
  { server: { root, cwd, home, force }, clientRoots }: CallContext,
): Promise<string> {
  const surrounding = async () => {
    const [first] = (await clientRoots()).flatMap(pathsOfUri);
    return projectRootOf(first ?? cwd, { home });
  };
  const path = given ?? root ?? (await surrounding());
  return checkRoot(path, { mustBeAbsolute: true, force, cwd, home: userHome() });
}

function pathsOfUri(uri: string): string[] {
  try {
    return [fileURLToPath(uri)];
  } catch {
    // A workspace that is not on this machine.
    return [];
  }
}

/** One progress notification of MCP, without its token. */
export interface ProgressNote {
  /** Only ever grows, over all phases of a run. */
  readonly progress: number;
  readonly total?: number;
  readonly message: string;
}

/** Milliseconds between two notes. */
const INTERVAL = 100;

/**
 * Progress of a run, phase by phase, as MCP wants it: growing, and not more often than somebody can read.
 *
 * @param clock milliseconds
 */
export function steadyProgress(
  send: (note: ProgressNote) => void,
  clock: () => number,
): NonNullable<SpawnOptions['onProgress']> {
  let phaseNow = '';
  let before = 0;
  // The beginning of the first phase is reported: a short run may report nothing else.
  let last = -1;
  let sent = Number.NEGATIVE_INFINITY;
  return ({ phase, done, total, item }) => {
    if (phase !== phaseNow) before = Math.max(last, 0);
    const isNew = phase !== phaseNow;
    phaseNow = phase;
    const progress = before + done;
    if (progress <= last || (clock() - sent < INTERVAL && !isNew)) return;
    last = progress;
    sent = clock();
    send({
      progress,
      ...(total === null ? {} : { total: before + total }),
      message: item === undefined ? phase : `${phase}: ${item}`,
    });
  };
}

/** Milliseconds that a client has to tell its roots. */
const ROOTS_DEADLINE_MS = 2000;

/** What a server needs to know. */
export interface McpOptions {
  readonly version: string;
  /** Not asked for anything before the first call. */
  readonly host: Host;
  /** The user's own walkers, and the absolute folders that they are in. */
  readonly own: { readonly folders: readonly string[]; readonly signatures: readonly WalkerSignature[] };
  readonly profiles: readonly Profile[];
  readonly format: ToolFormat;
  /** The agent whose hooks record what it does, and its session where it is known; null: only callers record. */
  readonly client: { readonly session: string | null } | null;
  /** The root of calls that name none; absolute. */
  readonly root: string | null;
  readonly cwd: string;
  readonly home: string | undefined;
  readonly force: boolean;
  /** Of each call; null: the host's own. */
  readonly deadlineMs: number | null;
  /** Shows pages inside the chat; null: it does not. */
  readonly apps: McpApps | null;
  /** Ends the server. */
  readonly signal: AbortSignal;
  /** The real stdout. */
  readonly write: (text: string) => void;
  /** Ends the process, whatever still runs in it. */
  readonly leave: () => void;
}

/** Milliseconds that what still runs gets to end when the client has gone. */
const CLOSING_MS = 1500;

/**
 * We ask a client for nothing that a schema describes. The build leaves the validator out that the library would load
 * and make: a tenth of the time to an answer.
 */
const NO_VALIDATOR: NonNullable<ServerOptions['jsonSchemaValidator']> = {
  getValidator: () => () => ({ valid: false, data: undefined, errorMessage: 'nothing is validated here' }),
};

const ABOUT =
  'Code graph of the project: symbols, calls, imports, inheritance. The first question makes it, and it is kept up to date by itself. Ask graph_context_for_files before you edit files.';
const ATTEMPTS =
  'Ask etg_query_similar_attempts when something fails or before you try a fix: it knows what was tried before.';
const LOG =
  'Log your work with etg_log_event (task_start, step, tool_start, tool_end, error, task_end): nobody else does.';

/**
 * Serves MCP over stdio until stdin ends or `signal` aborts. `initialize` and `tools/list` are answered from what the
 * build wrote down: they wait neither for a host nor for a graph.
 */
export async function serveStdio(options: McpOptions): Promise<void> {
  const { host, own, format, signal, apps } = options;
  const server = new Server(
    { name: 'codewalk', version: options.version },
    {
      capabilities: {
        tools: {},
        ...(apps
          ? { resources: {}, extensions: { [APPS_EXTENSION]: { mimeTypes: [PAGE_RESOURCE.mimeType] } } }
          : {}),
      },
      instructions: [ABOUT, ATTEMPTS, ...(options.client ? [] : [LOG])].join(' '),
      jsonSchemaValidator: NO_VALIDATOR,
    },
  );
  const tools = new ToolSet([...builtInTools(), ...own.signatures.map(toolOf)], options.profiles);
  const ending = new AbortController();
  const clientRoots = clientRootsOf(server);

  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [...tools.listed, ...(apps && showsPages(server) ? [VIEW_TOOL] : [])].map((tool) =>
      format === 'json' ? tool : { ...tool, outputSchema: undefined },
    ),
  }));
  if (apps) servePage(server, apps);
  server.setRequestHandler(CallToolRequestSchema, ({ params }, extra) =>
    callTool(params.name, params.arguments ?? {}, {
      mcp: server,
      server: options,
      tools,
      clientRoots,
      options: {
        signal: AbortSignal.any([extra.signal, ending.signal]),
        onPrint: (text) => void process.stderr.write(text),
        ...progressOf(params._meta?.progressToken, (params) => {
          // A client that has gone needs no progress.
          extra.sendNotification({ method: 'notifications/progress', params }).catch(() => undefined);
        }),
      },
    }),
  );

  const over = untilOver(signal);
  await server.connect(new StdioTransport(process.stdin, options.write));
  await over;
  ending.abort();
  const late = setTimeout(options.leave, CLOSING_MS);
  await host.close();
  await server.close();
  clearTimeout(late);
}

/** Whether the client shows pages: one that does not would only read a large answer. */
function showsPages(server: Server): boolean {
  return server.getClientCapabilities()?.extensions?.[APPS_EXTENSION] !== undefined;
}

function servePage(server: Server, apps: McpApps): void {
  server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: [PAGE_RESOURCE] }));
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }) => {
    if (uri !== PAGE_RESOURCE.uri) throw new McpError(ErrorCode.InvalidParams, `there is no resource ${uri}`);
    return { contents: [await pageContents(apps)] };
  });
}

function progressOf(
  progressToken: string | number | undefined,
  send: (params: ProgressNote & { progressToken: string | number }) => void,
): Pick<SpawnOptions, 'onProgress'> {
  if (progressToken === undefined) return {};
  return {
    onProgress: steadyProgress(
      (note) => send({ ...note, progressToken }),
      () => performance.now(),
    ),
  };
}

/** Resolves when the client closes stdin, or the process is asked to end. */
function untilOver(signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const over = () => done();
    process.stdin.once('end', over);
    process.stdin.once('close', over);
    signal.addEventListener('abort', over, { once: true });
  });
}

/** The URIs of the client's workspace folders, asked for once and again after they changed; empty when it has none. */
function clientRootsOf(server: Server): () => Promise<readonly string[]> {
  let known: Promise<readonly string[]> | null = null;
  server.setNotificationHandler(RootsListChangedNotificationSchema, () => {
    known = null;
  });
  const ask = async () => {
    if (!server.getClientCapabilities()?.roots) return [];
    try {
      const { roots } = await server.listRoots(undefined, { timeout: ROOTS_DEADLINE_MS });
      return roots.map(({ uri }) => uri);
    } catch {
      // A client that promises roots and does not name them: the working directory is next.
      return [];
    }
  };
  return () => {
    known ??= ask();
    return known;
  };
}

/** The tools of the built-in walkers, in the order of their registry, as the build wrote them down. */
function builtInTools(): readonly ListedTool[] {
  // Next to the bundle that this code is in.
  return JSON.parse(readFileSync(new URL('./tools.json', import.meta.url), 'utf8'));
}
