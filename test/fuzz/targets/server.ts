import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mutations } from '../../../bench/lib/cypher/mutations.mjs';
import { randomQueries } from '../../../bench/lib/cypher/random-queries.mjs';
import { ERROR_CODES } from '../../../schema/index.js';
import {
  brief,
  demand,
  demandNoStack,
  Fault,
  type Json,
  type Place,
  type Random,
  type Target,
  textsBeneath,
} from '../lib.js';
import { anyJson, INTRUDERS, mutatedJson, mutatedText, NUMBERS } from '../mutate.js';
import { NAMES, writeProject } from '../project.js';

export interface Reply {
  readonly id?: Json;
  readonly result?: { readonly isError?: boolean; readonly content?: readonly { readonly text?: string }[] };
  readonly error?: { readonly code?: Json; readonly message?: Json };
  readonly method?: string;
}

export interface ToolSchema {
  readonly name: string;
  readonly inputSchema: { readonly [key: string]: Json };
}

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
    // Shorter than what counts as a hang, and longer than a busy machine gives the server nothing to do.
    const args = [
      join(dist, 'cli.js'),
      'mcp',
      '--embedded',
      '--deadline',
      '20',
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

  write(line: string): void {
    this.#child.stdin?.write(`${line}\n`);
  }

  /** The last of so many answers that come for an id; nothing where the server ends. */
  expect(id: Json, count = 1): Promise<Reply> {
    return new Promise((done) => this.#waiting.set(JSON.stringify(id), { left: count, done }));
  }

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

const METHODS = 'ping tools/list tools/call initialize resources/list logging/setLevel nonsense '.split(' ');
const NOTIFICATIONS = [
  ...['cancelled', 'progress', 'roots/list_changed'].map((name) => `notifications/${name}`),
  'nonsense',
];

/** Messages of the protocol, whole and broken: the server goes on, and answers each request once. */
export const mcp: Target = {
  name: 'mcp',
  weight: 3,
  async open(place) {
    const server = await McpServer.start(place);
    const tools = toolsIn(place);
    let nth = 0;
    return {
      generate: (random) => random.times(random.between(1, 5), () => lineBy(random, tools)),
      async run(input) {
        const lines = (Array.isArray(input) ? input : []).filter((line) => typeof line === 'string');
        // Ids of this input alone, so that a late answer to another is not taken for one of these.
        const run = `r${nth++}-`;
        const written = lines.map((line) => asWritten(line.replaceAll('ID-', run)));
        const asked = new Map<string, number>();
        const cancelled = new Set<string>();
        for (const line of written) note(line, asked, cancelled);
        const replies = [...asked]
          .filter(([id]) => !cancelled.has(id))
          .map(([id, count]) => server.expect(JSON.parse(id), count));
        for (const line of written) server.write(line);
        // Whoever waits longer than its time is given up from outside.
        await Promise.all([...replies, server.check()]);
        await server.check();
        for (const [id, count] of asked) {
          // Made by chance in earlier inputs, too.
          if (!id.includes(run)) continue;
          const answers = server.takeCount(JSON.parse(id));
          const holds = answers === count || (cancelled.has(id) && answers < count);
          demand(
            holds,
            'one-answer',
            `${count} requests of the id ${id}, ${answers} answers: ${brief(written)}`,
          );
        }
      },
      close: () => server.close(),
    };
  },
};

/** One line, as UTF-8 can say it: half of a pair becomes another character on its way. */
function asWritten(line: string): string {
  return Buffer.from(line.replaceAll('\n', ' ')).toString();
}

/** What a line asks for: the ids of its requests, those of a batch too. */
function note(line: string, asked: Map<string, number>, cancelled: Set<string>): void {
  const message = parsed(line);
  for (const one of Array.isArray(message) ? message : [message]) {
    if (typeof one !== 'object' || one === null || Array.isArray(one)) continue;
    const { id, method, params } = one;
    if (method === 'notifications/cancelled' && typeof params === 'object' && params !== null)
      cancelled.add(JSON.stringify((params as { requestId?: Json }).requestId ?? null));
    const isId = typeof id === 'string' || (typeof id === 'number' && Number.isSafeInteger(id));
    if (!isId || !Object.hasOwn(one, 'method')) continue;
    const key = JSON.stringify(id);
    asked.set(key, (asked.get(key) ?? 0) + 1);
  }
}

function parsed(line: string): Json {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function lineBy(random: Random, tools: readonly ToolSchema[]): string {
  const message = messageBy(random, tools);
  switch (random.below(8)) {
    case 0:
      return mutatedText(random, JSON.stringify(message)).slice(0, 100_000);
    case 1:
      return JSON.stringify(mutatedJson(random, message));
    case 2:
      return JSON.stringify(random.times(random.below(4), () => messageBy(random, tools)));
    case 3:
      return random.oneIn(2) ? JSON.stringify(anyJson(random)) : random.oneOf(INTRUDERS);
    case 4:
      return `${'['.repeat(random.oneOf([3, 1000, 100_000]))}`;
    default:
      return JSON.stringify(message);
  }
}

function messageBy(random: Random, tools: readonly ToolSchema[]): Json {
  const id = random.oneIn(8)
    ? random.oneOf<Json>([...NUMBERS, null, '', 'ID-', [], {}])
    : `ID-${random.below(4)}`;
  if (random.oneIn(5)) {
    const method = random.oneOf(NOTIFICATIONS);
    return { jsonrpc: '2.0', method, params: { requestId: id, reason: 'x', progressToken: id, progress: 1 } };
  }
  const method = random.oneIn(2) ? 'tools/call' : random.oneOf(METHODS);
  // What takes long or writes is the other target's.
  const quick = tools.filter(({ name }) =>
    /^query_|^graph_node|^memory_(?:get|search)|^search_code/u.test(name),
  );
  const tool = random.oneOf(quick);
  const called: Json = {
    name: random.oneIn(5) ? random.oneOf(INTRUDERS) : tool.name,
    arguments: random.oneIn(5) ? anyJson(random) : argumentsBy(random, tool),
    ...(random.oneIn(4) ? { _meta: { progressToken: random.oneIn(2) ? id : anyJson(random) } } : {}),
  };
  const params = method === 'tools/call' ? called : random.oneOf<Json>([{}, null, anyJson(random)]);
  return random.oneIn(6) ? { jsonrpc: '2.0', id, method } : { jsonrpc: '2.0', id, method, params };
}

type Schema = { readonly [key: string]: Json };

const ROOTS = ['', '.', 'relative', '/nonexistent/project', '/', '~', '\0', 'file:///x', '//', 'C:\\x'];
const WORDS = ['tax', 'price is undefined', 'round the total', 'MATCH (n) RETURN n', ...NAMES, ...INTRUDERS];
const QUERY = {
  labels: ['Function', 'File', 'Symbol', 'Memory'],
  types: ['CALLS', 'IMPORTS', 'CONTAINS'],
  properties: ['name', 'id', 'path', 'num'],
  parameters: ['p', 'limit'],
};

/** Inputs of every tool, made from its schema: those it takes, at its bounds, and those that it refuses. */
export const tools: Target = {
  name: 'tools',
  weight: 4,
  async open(place) {
    const server = await McpServer.start(place);
    const all = toolsIn(place);
    const outputs = textsBeneath(join(place.root, 'test/failures/outputs'), ['.txt']).map(({ text }) => text);
    return {
      generate(random) {
        const tool = random.oneOf(all);
        const given = argumentsBy(random, tool, outputs);
        return { name: tool.name, arguments: random.oneIn(4) ? mutatedJson(random, given, WORDS) : given };
      },
      async run(input) {
        const { name } =
          typeof input === 'object' && input !== null && 'name' in input ? input : { name: null };
        if (typeof name !== 'string' || leavesProject(input, server.root)) return;
        const reply = await server.request('tools/call', input);
        await server.check();
        const isAnswer = reply.result !== undefined || reply.error !== undefined;
        demand(isAnswer, 'one-answer', () => brief(reply));
      },
      close: () => server.close(),
    };
  },
};

/** Another project of this machine is not to be indexed. */
function leavesProject(input: Json, root: string): boolean {
  const given = (input as { arguments?: { project_root?: Json } }).arguments?.project_root;
  return typeof given === 'string' && given !== root && !ROOTS.includes(given);
}

/** Arguments of a tool: most of them valid. */
export function argumentsBy(
  random: Random,
  { inputSchema }: ToolSchema,
  texts: readonly string[] = [],
): Json {
  const { properties = {}, required = [] } = inputSchema;
  const names = Array.isArray(required) ? required : [];
  const made: Record<string, Json> = {};
  for (const [key, schema] of Object.entries(properties as Schema)) {
    if (!names.includes(key) && !random.oneIn(3)) continue;
    if (key === 'project_root') {
      if (random.oneIn(10)) made[key] = random.oneOf(ROOTS);
    } else made[key] = valueBy(random, schema as Schema, { key, texts });
  }
  if (random.oneIn(10)) made[random.oneOf(INTRUDERS) || 'more'] = anyJson(random);
  return made;
}

interface About {
  readonly key: string;
  readonly texts: readonly string[];
  readonly depth?: number;
}

function valueBy(random: Random, schema: Schema, about: About): Json {
  if (random.oneIn(15)) return anyJson(random);
  const { depth = 0 } = about;
  const deeper = { ...about, depth: depth + 1 };
  const { anyOf, oneOf, type, items, properties, required, minimum, maximum, const: fixed } = schema;
  const choices = schema.enum;
  if (fixed !== undefined) return fixed;
  if (Array.isArray(choices) && choices.length > 0) return random.oneOf(choices);
  const ways = Array.isArray(anyOf) ? anyOf : oneOf;
  if (Array.isArray(ways)) return valueBy(random, random.oneOf(ways) as Schema, deeper);
  switch (Array.isArray(type) ? random.oneOf(type) : type) {
    case 'null':
      return null;
    case 'boolean':
      return random.oneIn(2);
    case 'integer':
    case 'number': {
      const [low, high] = [Number(minimum ?? 0), Number(maximum ?? 100)];
      return random.oneIn(4)
        ? random.oneOf([low - 1, low, high, high + 1, 0.5, ...NUMBERS])
        : random.between(low, high);
    }
    case 'array': {
      const count = random.oneOf([0, 1, 1, 2, 3, random.oneIn(10) ? 1001 : 4]);
      return random.times(count, () => valueBy(random, (items ?? { type: 'string' }) as Schema, deeper));
    }
    case 'object': {
      const fields = Object.entries((properties ?? {}) as Schema);
      const names = Array.isArray(required) ? required : [];
      const kept = fields.filter(([key]) => names.includes(key) || random.oneIn(2));
      const made = kept.map(([key, one]) => [key, valueBy(random, one as Schema, { ...deeper, key })]);
      const free =
        fields.length === 0 ? random.times(random.below(4), () => [random.oneOf(FREE), anyJson(random)]) : [];
      return Object.fromEntries([...made, ...free]);
    }
    default:
      return textBy(random, about);
  }
}

/** Fields of the payloads of events and of contexts of memories, which have no schema of their own here. */
const FREE = [
  ...'user_prompt tool_name params success error_type message status name order files_touched stdout'.split(
    ' ',
  ),
  ...'stderr exit_code duration_ms failing_tests project_path files_involved checkpoint_file summary'.split(
    ' ',
  ),
  ...['p', 'limit'],
];

function textBy(random: Random, { key, texts }: About): string {
  if (key === 'query' && random.oneIn(2)) {
    const query = randomQueries(random.seed(), QUERY).query();
    return random.oneIn(3) ? mutations(random.seed()).mutated(query) : query;
  }
  switch (random.below(6)) {
    case 0:
      return random.oneOf(INTRUDERS);
    case 1:
      return random
        .oneOf(WORDS)
        .repeat(random.oneOf([1, 2, 1000]))
        .slice(0, 60_000);
    case 2:
      return texts.length > 0 ? mutatedText(random, random.oneOf(texts)) : random.oneOf(WORDS);
    case 3:
      return mutatedText(random, random.oneOf(WORDS), WORDS).slice(0, 5000);
    default:
      return random.oneOf(NAMES);
  }
}
