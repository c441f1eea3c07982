import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { CLI, type Scratch } from '../cli/scratch.js';

const PAGE_TYPE = 'text/html;profile=mcp-app';

/** How a client connects. */
export interface ConnectOptions {
  readonly cwd?: string;
  /** The client's workspace folders, as URIs. Default: the client knows no roots. */
  readonly roots?: readonly string[];
  /** Whether the client shows pages (MCP Apps). */
  readonly showsPages?: boolean;
  /** What the client tells its servers in their environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A client of a server that was started as `codewalk mcp …`. */
export async function connect(scratch: Scratch, args: readonly string[], options: ConnectOptions = {}) {
  const client = new Client(
    { name: 'test', version: '1' },
    {
      capabilities: {
        ...(options.roots ? { roots: {} } : {}),
        ...(options.showsPages
          ? { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: [PAGE_TYPE] } } }
          : {}),
      },
    },
  );
  const { roots } = options;
  if (roots)
    client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: roots.map((uri) => ({ uri })) }));
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [CLI, 'mcp', ...args],
    cwd: options.cwd ?? scratch.project,
    env: { ...scratch.env, ...options.env },
    stderr: 'pipe',
  });
  await client.connect(transport);
  return client;
}

/** The text of an answer. */
export function textOf({ content }: Awaited<ReturnType<Client['callTool']>>): string {
  return (content as { text: string }[]).map(({ text }) => text).join('\n');
}

/** The error of an answer, as `CODE: message`. */
export function errorOf(answer: Awaited<ReturnType<Client['callTool']>>): string {
  if (answer.isError !== true) throw new Error(`this is no error: ${textOf(answer)}`);
  const { error, error_code } = JSON.parse(textOf(answer));
  return `${error_code}: ${error}`;
}
