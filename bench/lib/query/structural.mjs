// The structural questions, warm, about many different symbols: in this process, as an MCP client sees them, and beside
// them the same questions to another server where it has such a tool.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { Asked } from './asked.mjs';

/** Subjects of each kind, from all over the project. */
const SUBJECTS = 40;
/** Milliseconds at p50. */
const BOUNDS = { here: 1, mcp: 3 };

/** The questions, the same ones for the same project. `peer`: the nearest that the other server can be asked. */
export async function structuralQuestions(graph) {
  const { reports } = await graph.spawn('graph_export');
  const edges = reports.filter(({ type }) => type === 'edge');
  const nodes = new Map(reports.filter(({ type }) => type === 'node').map((node) => [node.id, node]));
  const ends = (kind, end) =>
    spread([...new Set(edges.filter((edge) => edge.kind === kind).map((edge) => edge[end]))])
      .map((id) => nodes.get(id))
      .filter((node) => node?.qualified_name && node.path);
  const files = spread([...nodes.values()].filter(({ kind, extracted }) => kind === 'file' && extracted));
  const callers = ends('CALLS', 'from');
  const names = (kind, walker, of, input) =>
    of.map((node) => ({ kind, walker, input: input(node), peer: PEER_TOOLS[kind]?.(node) }));
  return [
    ...names('callers', 'query_callers', ends('CALLS', 'to'), ({ qualified_name }) => ({
      function_name: qualified_name,
    })),
    ...names('call graph, depth 3', 'query_call_graph', callers, ({ qualified_name }) => ({
      entry_point: qualified_name,
      max_depth: 3,
    })),
    ...names('hierarchy', 'query_hierarchy', ends('INHERITS', 'from'), ({ qualified_name }) => ({
      class_name: qualified_name,
    })),
    ...names('dependencies', 'query_dependencies', [...callers, ...files], (node) => ({
      target: node.path && node.extracted ? node.path : node.qualified_name,
    })),
    ...names('file context', 'graph_context_for_files', files, ({ path }) => ({ file_paths: [path] })),
  ];
}

/** What the other server is asked; its call graph goes one call far. */
const PEER_TOOLS = {
  callers: ({ name }) => ({ name: 'codegraph_callers', arguments: { symbol: name } }),
  'call graph, depth 3': ({ name }) => ({ name: 'codegraph_callees', arguments: { symbol: name } }),
};

/**
 * Asks every question in each way in turn, so that all ways have the same minute.
 *
 * @param here `({ walker, input }) => answer` in this process.
 * @param ours How our server is started; `peer` the same of the other one, or null: `{ command, args, cwd, env }`.
 */
export async function structuralFigures({ questions, here, ours, peer, rounds }) {
  const clients = [await connected(ours), peer && (await connected(peer))];
  const [direct, mcp, other] = [new Asked(), new Asked(), new Asked()];
  const call = (client, params) => client.callTool(params);
  const ways = ({ walker, input, peer: asked }) => [
    [direct, () => here({ walker, input })],
    [mcp, () => call(clients[0], { name: walker, arguments: input })],
    ...(clients[1] && asked ? [[other, () => call(clients[1], asked)]] : []),
  ];
  for (const question of questions) for (const [, how] of ways(question)) checked(await how());
  for (let round = 0; round < rounds; round += 1)
    for (const question of questions)
      for (const [asked, how] of ways(question)) await asked.time(question, how);
  for (const client of clients) await client?.close();
  const rows = direct.kinds().map((kind) => ({
    kind,
    here: direct.at(0.5, kind),
    mcp: mcp.at(0.5, kind),
    mcpP95: mcp.at(0.95, kind),
    peer: other.at(0.5, kind),
  }));
  return {
    held: rows.every((one) => one.here <= BOUNDS.here && one.mcp <= BOUNDS.mcp),
    bounds: BOUNDS,
    rows,
  };
}

async function connected({ command, args, cwd, env }) {
  const transport = new StdioClientTransport({ command, args, cwd, env, stderr: 'ignore' });
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(transport);
  return client;
}

/** A question that is refused would be quick. */
function checked(answer) {
  if (answer.isError) throw new Error(answer.content[0].text);
}

function spread(items) {
  const step = Math.max(1, Math.floor(items.length / SUBJECTS));
  return items.filter((_, at) => at % step === 0).slice(0, SUBJECTS);
}
