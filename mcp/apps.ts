import * as z from 'zod';
import type { SpawnOptions } from '../host/index.js';
import { inputSchema, type ListedTool } from './tools.js';

/** The name under which clients and servers agree on pages inside a chat, and the type of such a page (MCP Apps, SEP-1865). */
export const APPS_EXTENSION = 'io.modelcontextprotocol/ui';
const PAGE_TYPE = 'text/html;profile=mcp-app';
const PAGE_URI = 'ui://codewalk/explorer';

/** What shows pages inside a chat: `codewalk mcp --apps` brings the explorer. */
export interface McpApps {
  /** The page as one HTML file. */
  page(): Promise<string>;
  /** The answer of a view: see the explorer's API. @throws CodewalkError */
  view(root: string, path: string, options: SpawnOptions): Promise<ShownView>;
}

/** The answer of a view, as the page gets it. */
export interface ShownView {
  readonly view: string;
  readonly parts: Readonly<Record<string, object>>;
}

/** What the tool takes. */
export const ViewInput = z.object({
  view: z
    .string()
    .max(5000)
    .describe(
      'symbol/NAME, file/PATH, path/FROM/TO, task/ID, error/ID, memory/ID, map, tasks, errors, memories, health',
    ),
});

/** The tool that shows a view of the explorer in the chat; the page calls it too, for what its reader follows. */
export const VIEW_TOOL: ListedTool = {
  name: 'explore_view',
  description:
    'Show the person a page: a symbol with its callers and source, a file, a task as a timeline, errors, memories, the map. Use it when they want to look; ask the other tools what you need to know yourself.',
  inputSchema: inputSchema(z.toJSONSchema(ViewInput, { io: 'input' })),
  annotations: { readOnlyHint: true },
  _meta: { ui: { resourceUri: PAGE_URI, visibility: ['model', 'app'] } },
};

/** The page as clients list it. */
export const PAGE_RESOURCE = {
  uri: PAGE_URI,
  name: 'explorer',
  title: 'Codewalk explorer',
  description: 'Shows a view of the graph: code, tasks, errors, memories.',
  mimeType: PAGE_TYPE,
};

/** The page as clients read it: it needs nothing from any host. */
export async function pageContents(apps: McpApps) {
  return {
    uri: PAGE_URI,
    mimeType: PAGE_TYPE,
    text: await apps.page(),
    _meta: { ui: { prefersBorder: true } },
  };
}

/** What the model is told of a view that the person sees: which it is, and what could not be shown. */
export function viewText(path: string, { parts }: ShownView): string {
  const failures = Object.values(parts).flatMap((part) =>
    'error' in part && typeof part.error === 'object' && part.error !== null && 'error' in part.error
      ? [String(part.error.error)]
      : [],
  );
  return [`The person sees ${path}.`, ...failures].join('\n');
}
