import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERROR_CODES } from '../../schema/index.js';
import { writeProject } from './project.js';
import type { Json } from './random.js';
import { brief, demand, demandNoStack, Fault, type Place } from './target.js';

/** An answer, as it came. */
export interface Reply {
  readonly id?: Json;
  readonly result?: { readonly isError?: boolean; readonly content?: readonly { readonly text?: string }[] };
  readonly error?: { readonly code?: Json; readonly message?: Json };
  readonly method?: string;
}

/** A tool as it is listed. */
export interface ToolSchema {
  readonly name: string;
  readonly inputSchema: { readonly [key: string]: Json };
}

/** The tools of the build. */
export function toolsIn({ dist }: Place): ToolSchema[] {
  return JSON.parse(readFileSync(join(dist, 'tools.json'), 'utf8'));
}

/** A server in a process of its own, with a project that is indexed, spoken to line by line. */
export class McpServer {
  readonly root: string;
  readonly #child: ChildProcess;
  readonly #waiting = new Map<string, { left: number; readonly done: (reply: Reply) => void }>();
  readonly #counts = new Map<string, number>();
  #stderr = '';
  #gone: string | null = null;
  #rest = '';
  #fault: Fault | null = null;
  #pings = 0;

  private constructor({ scratch, dist }: Place) {
    this.root = writeProject(join(scratch, 'shop'));
    const home = join(scratch, 'graphs');
    mkdirSync(home, { recursive: true });
    // A deadline of its own: that of a query is longer than what counts as a hang.
    const args = [
      join(dist, 'cli.js'),
      'mcp',
      '--embedded',
      '--deadline',
      '3',
      '--profile',
      'all',
      '--home',
      home,
    ];
    this.#child = spawn(process.execPath, args, { cwd: this.root, stdio: 'pipe' });
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => this.#read(text));
    this.#child.stderr?.on('data', (text: Buffer) => {
      this.#stderr = (this.#stderr + text).slice(-4000);
    });
    this.#child.stdin?.on('error', () => undefined);
    this.#child.on('exit', (code, signal) => {
      this.#gone = `the server ended with ${signal ?? `code ${code}`}: ${this.#stderr}`;
      for (const { done } of this.#waiting.values()) done({});
    });
  }

  static async start(place: Place): Promise<McpServer> {
    const server = new McpServer(place);
    const client = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'fuzz', version: '1' },
    };
    await server.request('initialize', client);
    server.write(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
    await server.request('tools/call', { name: 'graph_index_project', arguments: {} });
    return server;
  }

  /** Writes a line. */
  write(line: string): void {
    this.#child.stdin?.write(`${line}\n`);
  }

  /** The last of so many answers that come for an id; nothing where the server ends. */
  expect(id: Json, count = 1): Promise<Reply> {
    return new Promise((done) => this.#waiting.set(JSON.stringify(id), { left: count, done }));
  }

  /** Asks and waits for the answer. */
  async request(method: string, params: Json): Promise<Reply> {
    const id = `own-${this.#pings++}`;
    const reply = this.expect(id);
    this.write(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    return reply;
  }

  /** Whether it still answers; and that nothing was wrong with what came. @throws Fault */
  async check(): Promise<void> {
    const reply = await this.request('ping', {});
    if (this.#gone !== null) throw new Fault('no-crash', this.#gone);
    demand(reply.result !== undefined, 'answers-ping', () => brief(reply));
    demandNoStack(this.#stderr);
    this.#stderr = '';
    const fault = this.#fault;
    this.#fault = null;
    if (fault) throw fault;
  }

  /** How many answers came for an id since it was asked last. */
  takeCount(id: Json): number {
    const key = JSON.stringify(id);
    const count = this.#counts.get(key) ?? 0;
    this.#counts.delete(key);
    return count;
  }

  close(): void {
    this.#child.kill('SIGKILL');
  }

  #read(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      try {
        this.#take(JSON.parse(line));
      } catch (thrown) {
        this.#fault ??= thrown instanceof Fault ? thrown : new Fault('json-lines', brief(line));
      }
    }
  }

  #take(reply: Reply): void {
    if (reply.method !== undefined) return;
    const key = JSON.stringify(reply.id ?? null);
    if (key.startsWith('"own-') && !this.#waiting.has(key))
      throw new Fault('one-answer', `another for ${key}`);
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    const waiting = this.#waiting.get(key);
    if (waiting && --waiting.left === 0) {
      this.#waiting.delete(key);
      waiting.done(reply);
    }
    demandCoded(reply);
    demandNoStack(JSON.stringify(reply).replaceAll('\\n', '\n'));
  }
}

/** @throws Fault where an error has no stable code, no message, or is one of the product's own. */
export function demandCoded({ error, result }: Reply): void {
  if (error !== undefined) {
    const isError = Number.isInteger(error.code) && typeof error.message === 'string' && error.message !== '';
    demand(isError, 'coded', () => brief(error as Json));
    demand(error.code !== -32603, 'no-internal', () => brief(error as Json));
  }
  if (result?.isError !== true) return;
  const text = result.content?.map((part) => part.text ?? '').join('\n') ?? '';
  const body = bodyOf(text);
  const { error_code: code, error: message, suggestion } = body;
  demand(typeof code === 'string' && Object.hasOwn(ERROR_CODES, code), 'coded', () => brief(text));
  demand(typeof message === 'string' && message !== '', 'coded', () => brief(text));
  demand(typeof suggestion === 'string', 'coded', () => brief(text));
  demand(code !== 'INTERNAL', 'no-internal', () => brief(text, 600));
  demand(code !== 'WALKER_KILLED' && code !== 'WALKER_FAILED', 'no-killed', () => brief(text, 600));
}

function bodyOf(text: string): { readonly [key: string]: Json } {
  try {
    return JSON.parse(text);
  } catch {
    throw new Fault('coded', `an error that is no JSON: ${brief(text)}`);
  }
}
