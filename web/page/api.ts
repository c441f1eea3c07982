import type { Answer, Failure, Part, ProjectInfo } from './answers.js';
import { joinChat, viewByChat } from './chat.js';

/** What the server, or a walker, refused. */
export class Refused extends Error {
  constructor(readonly failure: Failure) {
    super(failure.error);
  }
}

/** The server cannot be reached: it was stopped, or starts again. */
export class Unreachable extends Error {}

/** Answers that an exported page holds, by the paths of their views; null: this page asks a server. */
const EXPORTED = embedded<Readonly<Record<string, Answer>>>('answers');

/** Whether this is an exported page: it has its answers in it, and cannot change. */
export const isExport = EXPORTED !== null;
const CHAT = embedded<{ readonly version: string }>('mcp-app');
/** Whether the page can ask for views alone: it runs no walkers, changes nothing and hears of no changes. */
export const isFixed = isExport || CHAT !== null;

const TOKEN = tokenOfRun();
const HEADERS: Readonly<Record<string, string>> = TOKEN === null ? {} : { authorization: `Bearer ${TOKEN}` };

/** The project that the page shows. */
export async function askProject(): Promise<ProjectInfo> {
  if (CHAT) return { root: '', name: 'Codewalk', version: CHAT.version, walkers: [] };
  return embedded<ProjectInfo>('project') ?? ((await ask('api/project')) as ProjectInfo);
}

/** Whether the page can show a view: an exported one holds only some. */
export function isThere(path: string): boolean {
  return EXPORTED === null || exported(path) !== undefined;
}

/** The view that an exported page begins with; null: any other page begins at the start. */
export const firstView: string | null = Object.keys(EXPORTED ?? {})[0] ?? null;

/** Names may be percent-encoded or not, as who exported wrote them. */
function exported(path: string): Answer | undefined {
  return Object.entries(EXPORTED ?? {}).find(([key]) => plain(key) === plain(path))?.[1];
}

function plain(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/**
 * The answers of a view.
 *
 * @throws Refused, Unreachable
 */
export async function askView(path: string, signal: AbortSignal): Promise<Answer> {
  if (CHAT) return chatView(path, signal);
  if (EXPORTED === null) return servedView(path, signal);
  const answer = exported(path);
  if (answer) return answer;
  throw new Refused({
    error: 'this view is not in the file',
    error_code: 'NOT_EXPORTED',
    suggestion: 'The file holds what was exported. Start codewalk explore in the project to see the rest.',
  });
}

/** As a field of the query: of a path the browser would take the dots away, and show another view. */
async function servedView(path: string, signal: AbortSignal): Promise<Answer> {
  // What a query asks is asked of walkers: it may be too long for an address.
  const asked = path.startsWith('query?') ? 'query' : path;
  const answer = (await ask(`api/view?path=${encodeURIComponent(asked)}`, {
    signal,
  })) as Partial<Answer> | null;
  const [view] = path.split(/[/?]/u, 1);
  if (answer?.view === view && typeof answer?.parts === 'object') return answer as Answer;
  throw new Refused({
    error: 'the server answered for another view',
    error_code: 'PAGE',
    suggestion: 'Reload the page: Codewalk may have been updated.',
  });
}

/**
 * Runs a walker.
 *
 * @param options `isWrite`: whether it changes something: only then the header goes along that pages of others cannot send.
 * @throws Refused, Unreachable
 */
export async function askWalker<T>(
  name: string,
  input: object,
  { isWrite = false, signal }: { isWrite?: boolean; signal?: AbortSignal } = {},
): Promise<T> {
  if (isFixed)
    throw new Refused({
      error: 'this page cannot run walkers',
      error_code: 'NOT_EXPORTED',
      suggestion: 'Start codewalk explore in the project.',
    });
  const headers = { 'content-type': 'application/json', ...(isWrite ? { 'x-codewalk-write': 'yes' } : {}) };
  const part = (await ask(`api/walkers/${encodeURIComponent(name)}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(input),
    signal: signal ?? null,
  })) as Part<T>;
  if ('body' in part) return part.body;
  throw new Refused(typeof part.error === 'string' ? (part as unknown as Failure) : part.error);
}

/** Answers that the host of a chat gave unasked, by the paths of their views; null: none came yet. */
let given: Map<string, Answer> | null = null;

/** Lets a page inside a chat show what its host is given. @param show Gets the paths of views. */
export function followChat(show: (path: string) => void): void {
  if (CHAT === null) return;
  void joinChat(CHAT.version, (path, answer) => {
    given ??= new Map();
    given.set(path, answer);
    show(path);
  });
}

async function chatView(path: string, signal: AbortSignal): Promise<Answer> {
  // The page is loaded before the tool has answered: the start is not what it is for.
  if (given === null && path === '')
    return new Promise((_, fail) => signal.addEventListener('abort', () => fail(signal.reason)));
  const answer = given?.get(path);
  given?.delete(path);
  return answer ?? viewByChat(path);
}

/** Opens the stream of what changes. */
export function openEvents(): EventSource {
  return new EventSource(`api/events${TOKEN === null ? '' : `?token=${encodeURIComponent(TOKEN)}`}`);
}

/** What is shown of something that was thrown. */
export function failureOf(thrown: unknown): Failure {
  if (thrown instanceof Refused) return thrown.failure;
  return { error: thrown instanceof Error ? thrown.message : String(thrown), error_code: 'PAGE' };
}

async function ask(path: string, options: RequestInit = {}): Promise<unknown> {
  const headers = { ...HEADERS, ...options.headers };
  let response: Response;
  try {
    response = await fetch(path, { ...options, headers });
  } catch (thrown) {
    if (options.signal?.aborted) throw thrown;
    throw new Unreachable('the server does not answer');
  }
  const body: unknown = await response.json().catch(() => null);
  if (response.ok) return body;
  const failure = body as Partial<Failure> | null;
  throw new Refused({
    error: failure?.error ?? `the server answered ${response.status}`,
    error_code: failure?.error_code ?? String(response.status),
    suggestion: failure?.suggestion ?? '',
  });
}

function embedded<T>(id: string): T | null {
  const text = document.getElementById(id)?.textContent;
  return text ? (JSON.parse(text) as T) : null;
}

/** What the server asks for: in the address that it printed, and from then on stored where only pages of its port can read it. */
function tokenOfRun(): string | null {
  const given = new URLSearchParams(window.location.search).get('token');
  try {
    if (given !== null) window.localStorage.setItem('codewalk.token', given);
    return given ?? window.localStorage.getItem('codewalk.token');
  } catch {
    // A page in a frame or a file may store nothing.
    return given;
  }
}
