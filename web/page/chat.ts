import type { Answer } from './answers.js';

/*
 * The page inside a chat: its host loads it into a frame, gives it what the tool answered, and asks the server for it (MCP
 * Apps, SEP-1865 of 2026-01-26: JSON-RPC by messages between the frame and its host).
 */

const PROTOCOL = '2026-01-26';
const TOOL = 'explore_view';

/** What the tool answers. */
interface ToolResult {
  readonly isError?: boolean;
  readonly content?: readonly { readonly text?: string }[];
  readonly structuredContent?: { readonly path?: string; readonly answer?: Answer };
}

interface Message {
  readonly jsonrpc?: unknown;
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: ToolResult;
  readonly result?: ToolResult;
  readonly error?: { readonly message?: string };
}

const waiting = new Map<number | string, (message: Message) => void>();
let requests = 0;

function post(message: object): void {
  // The host's origin is not known; nothing is sent that it did not give us, or may not know.
  window.parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
}

function request(method: string, params: object): Promise<Message> {
  const id = ++requests;
  return new Promise((done) => {
    waiting.set(id, done);
    post({ id, method, params });
  });
}

/**
 * Says to the host that the page is there. Call it once.
 *
 * @param show Called with each answer of the tool that the host passes on, and the path of its view.
 */
export async function joinChat(version: string, show: (path: string, answer: Answer) => void): Promise<void> {
  window.addEventListener('message', ({ source, data }: MessageEvent<Message | null>) => {
    if (source !== window.parent || data?.jsonrpc !== '2.0') return;
    const { id, method, params } = data;
    if (method === undefined) {
      if (id !== undefined) waiting.get(id)?.(data);
      if (id !== undefined) waiting.delete(id);
    } else if (id !== undefined) post({ id, result: {} });
    else if (method === 'ui/notifications/tool-result') {
      const { path, answer } = params?.structuredContent ?? {};
      if (path !== undefined && answer !== undefined) show(path, answer);
    }
  });
  await request('ui/initialize', {
    protocolVersion: PROTOCOL,
    appInfo: { name: 'codewalk-explorer', version },
    appCapabilities: {},
  });
  post({ method: 'ui/notifications/initialized' });
  new ResizeObserver(() => {
    const { scrollWidth: width, scrollHeight: height } = document.documentElement;
    post({ method: 'ui/notifications/size-changed', params: { width, height } });
  }).observe(document.body);
}

/** The answer of a view, by the host. @throws Error with what the host or the server says. */
export async function viewByChat(path: string): Promise<Answer> {
  const { result, error } = await request('tools/call', { name: TOOL, arguments: { view: path } });
  const { answer } = result?.structuredContent ?? {};
  if (answer !== undefined) return answer;
  throw new Error(error?.message ?? result?.content?.[0]?.text ?? 'the host gave no answer');
}
