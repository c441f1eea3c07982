import { McpServer, type ToolSchema, toolsIn } from '../mcp-server.js';
import { anyJson, INTRUDERS, mutatedJson, mutatedText, NUMBERS } from '../mutate.js';
import type { Json, Random } from '../random.js';
import { brief, demand, type Target } from '../target.js';
import { argumentsBy } from './tools.js';

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
            () => `${count} requests of the id ${id}, ${answers} answers: ${brief(written)}`,
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
