import { join } from 'node:path';
import { mutations } from '../../../bench/lib/cypher/mutations.mjs';
import { randomQueries } from '../../../bench/lib/cypher/random-queries.mjs';
import { textsBeneath } from '../corpus.js';
import { McpServer, type ToolSchema, toolsIn } from '../mcp-server.js';
import { anyJson, INTRUDERS, mutatedJson, mutatedText, NUMBERS } from '../mutate.js';
import { NAMES } from '../project.js';
import type { Json, Random } from '../random.js';
import { brief, demand, type Target } from '../target.js';

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
