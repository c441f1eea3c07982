import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Scratch } from '../cli/scratch.js';
import { connect, textOf } from './client.js';

type Server = Awaited<ReturnType<typeof connect>>;
type Json = Record<string, unknown>;

/** As many of everything as makes small budgets bite and no tool reach a cut of its own by default. */
const MANY = 30;
/** Characters that a token takes, about. */
const CHARACTERS = 4;
/** What an answer takes that shows nothing: its keys, figures, state. */
const BARE = 3000;

const LONG = 'cookie jar '.repeat(50_000);
/** Longer than any answer here without one: fields that repeat what was asked are cut, too. */
const MOST_FOR_LONG = 40_000;

const scratch = new Scratch();
const project = scratch.write('many', files());
let server: Server;
/** Input of every tool with a budget, and the names in it that are misspelt by the last test. */
let inputs: Record<string, { input: Json; misspelt?: Json; right?: string }>;

beforeAll(async () => {
  server = await connect(scratch, ['--root', project, '--profile', 'all']);
  await call('graph_index_project', {});
  let task = '';
  for (let at = 0; at < MANY; at++) task = await recordTask(at);
  const ids: string[] = [];
  for (let at = 0; at < MANY; at++) ids.push(await storeMemory(at));
  for (const to of ids.slice(1))
    await call('memory_link', { from_memory_id: ids[0], to_memory_id: to, relationship_type: 'RELATED_TO' });
  const memory_id = String(ids[0]);
  inputs = {
    graph_context_for_files: {
      input: { file_paths: ['src/target.ts'] },
      misspelt: { file_paths: ['src/targt.ts'] },
      right: 'src/target.ts',
    },
    etg_query_similar_attempts: { input: { query: 'Mend the discount of orders', limit: MANY } },
    query_callers: named('function_name', 'target'),
    query_references: named('name', 'target'),
    query_call_graph: named('entry_point', 'everything'),
    query_dependencies: named('target', 'everything'),
    query_hierarchy: named('class_name', 'Shape'),
    query_implementations: named('interface_name', 'Shape'),
    query_exports: {
      input: { module_name: 'src/shapes.ts' },
      misspelt: { module_name: 'src/shpaes.ts' },
      right: 'shapes',
    },
    query_cycles: { input: { cycle_type: 'calls' } },
    query_cypher: { input: { query: 'MATCH (f:Function) RETURN f' } },
    graph_node: named('id', 'target'),
    trace_impact: { input: { from: task } },
    query_impact: named('name', 'target'),
    query_tests: named('name', 'target'),
    search_code: { input: { query: 'discount of an order', limit: MANY } },
    query_codebase: { input: { q: 'discount of an order' } },
    pack_snippets: { input: { q: 'discount of an order' } },
    memory_search: { input: { query: 'discount', limit: MANY } },
    memory_recall: { input: { query: 'how are discounts rounded' } },
    memory_related: named('memory_id', memory_id),
    memory_activity: { input: {} },
    memory_get: named('memory_id', memory_id),
    memory_contextual_search: { input: { memory_id, query: 'discount' } },
    memory_history: { input: { memory_id } },
    memory_as_of: { input: { time: '2100-01-01T00:00:00.000Z', query: 'discount' } },
  };
});
afterAll(async () => {
  await server.close();
  await scratch.remove();
});

/** Asks for a name, and with two of its letters in the other order. */
function named(field: string, name: string) {
  const misspelt = name.replace(/(.)(.)$/u, '$2$1');
  return { input: { [field]: name }, misspelt: { [field]: misspelt }, right: name };
}

/** Many functions that call one, many classes under one, and much to say of each. */
function files(): Record<string, string> {
  const all: Record<string, string> = {
    'src/target.ts':
      '/** What everybody calls. */\nexport function target(order: number) {\n  return order;\n}\n',
  };
  const imports: string[] = [];
  const calls: string[] = [];
  for (let at = 0; at < MANY; at++) {
    const about = `/** Works out the discount of an order of kind ${at}, which is rounded up to whole cents. */\n`;
    all[`src/orders/order${at}.ts`] =
      `import { target } from '../target.js';\n${about}export function discount${at}(order: number, ` +
      `rate: number): number {\n  const first = target(order);\n  return Math.ceil(first * rate * ${at});\n}\n`;
    imports.push(`import { discount${at} } from './orders/order${at}.js';`);
    calls.push(`  discount${at}(1, 2);`);
  }
  all['src/everything.ts'] =
    `${imports.join('\n')}\nexport function everything() {\n${calls.join('\n')}\n  everything();\n}\n`;
  const shapes = Array.from(
    { length: MANY },
    (_, at) => `/** A shape. */\nexport class Shape${at} extends Shape {}\n`,
  );
  all['src/shapes.ts'] = `/** What all shapes are. */\nexport class Shape {}\n${shapes.join('')}`;
  return all;
}

async function call(name: string, input: Json): Promise<Json> {
  const answer = await server.callTool({ name, arguments: input });
  const body = JSON.parse(textOf(answer)) as Json;
  if (answer.isError) throw new Error(`${name}: ${JSON.stringify(body)}`);
  return body;
}

async function recordTask(at: number): Promise<string> {
  const log = (kind: string, payload: Json, task_id?: unknown) =>
    call('etg_log_event', { kind, payload, ...(task_id === undefined ? {} : { task_id }) });
  const { task_id } = await log('task_start', { user_prompt: `Mend the discount of orders, number ${at}` });
  const touched = { tool_name: 'edit', files_touched: [`src/orders/order${at}.ts`, 'src/target.ts'] };
  await log('tool_start', touched, task_id);
  await log('tool_end', { tool_name: 'edit', success: true }, task_id);
  await log('task_end', { status: 'success' }, task_id);
  return String(task_id);
}

async function storeMemory(at: number): Promise<string> {
  const { memory_id } = await call('memory_store', {
    type: 'solution',
    title: `Discount ${at}: ${['cents', 'rates', 'orders', 'taxes', 'shops'][at % 5]} ${at * 7919}`,
    content: `The discount of kind ${at} is rounded up; word${at * 31} word${at * 17} and word${at * 13} say why.`,
  });
  return String(memory_id);
}

/** The lists of rows in an answer, by where they are: what has an id, a path or a score. */
function rowsOf(value: unknown, at = ''): Record<string, number> {
  if (Array.isArray(value)) return value.some(isRow) ? { [at]: value.length } : {};
  if (typeof value !== 'object' || value === null) return {};
  return Object.assign(
    {},
    ...Object.entries(value).map(([key, inner]) => (key === 'state' ? {} : rowsOf(inner, `${at}/${key}`))),
  );
}

/** Lists of objects anywhere in an answer, as JSON. */
function listsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(listsOf);
  const text = Array.isArray(value) && typeof value[0] === 'object' ? JSON.stringify(value) : '';
  return text.length > 60 && value !== null && Array.isArray(value) && value.length > 1
    ? [text, ...inner]
    : inner;
}

function isRow(value: unknown): boolean {
  return (
    typeof value === 'object' && value !== null && ['id', 'name', 'path', 'score'].some((key) => key in value)
  );
}

interface Field {
  readonly type?: string;
  readonly enum?: readonly unknown[];
}

/** A value of a field, with a long text in it where it takes any. */
function long({ type, enum: values }: Field): unknown {
  if (values) return values[0];
  if (type === 'array') return [LONG];
  if (type === 'object') return { text: LONG };
  if (type === 'boolean') return true;
  return type === 'integer' || type === 'number' ? 1 : LONG;
}

const budgeted = async () =>
  (await server.listTools()).tools
    .filter(({ inputSchema }) => 'max_tokens' in (inputSchema.properties ?? {}))
    .map(({ name }) => name);

describe('every tool that lists or shows texts', () => {
  it('has a budget, or answers with so little that it needs none', async () => {
    const { tools } = await server.listTools();
    const small = tools.map(({ name }) => name).filter((name) => !(name in inputs));
    expect(small.sort()).toEqual([
      'etg_log_event',
      'graph_add_concept',
      'graph_index_project',
      'graph_stats',
      'graph_update_files',
      'memory_delete',
      'memory_link',
      'memory_outcome',
      'memory_path',
      'memory_stats',
      'memory_store',
      'memory_update',
    ]);
    expect((await budgeted()).sort()).toEqual(Object.keys(inputs).sort());
  });

  it('holds its budget, default or given, in JSON and in Markdown each by itself', async () => {
    for (const { name, inputSchema } of (await server.listTools()).tools) {
      const field = inputSchema.properties?.max_tokens as { description?: string } | undefined;
      if (field === undefined) continue;
      const usual = Number(/Default (\d+)/u.exec(field.description ?? '')?.[1]);
      for (const max_tokens of [undefined, 500, 20_000])
        for (const response_format of ['json', 'markdown']) {
          const input = { ...inputs[name]?.input, response_format, ...(max_tokens ? { max_tokens } : {}) };
          const answer = await server.callTool({ name, arguments: input });
          expect(answer.isError, `${name}: ${textOf(answer).slice(0, 200)}`).toBeFalsy();
          const tokens = textOf(answer).length / CHARACTERS;
          expect(tokens, `${name} ${max_tokens} ${response_format}`).toBeLessThanOrEqual(
            1.1 * (max_tokens ?? usual),
          );
        }
      const refused = await server.callTool({
        name,
        arguments: { ...inputs[name]?.input, max_tokens: 20_001 },
      });
      expect(refused.isError, name).toBe(true);
    }
  });

  it('says what a small budget left out and how to get it, and no list twice', async () => {
    for (const name of await budgeted()) {
      const { input } = inputs[name] ?? { input: {} };
      const whole = await call(name, input);
      const lists = listsOf(whole);
      expect(new Set(lists).size, name).toBe(lists.length);
      const most = Object.values(rowsOf(whole)).reduce((sum, rows) => sum + rows, 0);
      const answer = await call(name, { ...input, max_tokens: 1 });
      expect(JSON.stringify(answer).length, name).toBeLessThan(BARE);
      if (most > 1) expect(JSON.stringify((answer.state as Json).cut), name).toMatch(/max_tokens/);
    }
  });

  it('answers a misspelt name with the one that is there as a suggestion, never with its rows', async () => {
    for (const [name, { misspelt, right }] of Object.entries(inputs)) {
      if (misspelt === undefined || right === undefined) continue;
      const answer = await server.callTool({ name, arguments: misspelt });
      const text = textOf(answer);
      expect(text, name).toContain(right);
      if (answer.isError) expect(JSON.parse(text).error_code, name).toBe('NODE_NOT_FOUND');
      else expect(Object.values(rowsOf(JSON.parse(text))), name).toEqual([]);
    }
  });

  it('answers a text of half a megabyte, in little: found by its beginning, or refused', async () => {
    const { tools } = await server.listTools();
    let asked = 0;
    for (const { name, inputSchema } of tools) {
      const { required = [], properties = {} } = inputSchema;
      if (required.length === 0) continue;
      const fields = properties as Record<string, Field>;
      const input = Object.fromEntries(required.map((field) => [field, long(fields[field] ?? {})]));
      const text = textOf(await server.callTool({ name, arguments: input }));
      expect(text.length, `${name}: ${text.slice(0, 300)}`).toBeLessThan(MOST_FOR_LONG);
      asked++;
    }
    expect(asked).toBeGreaterThan(20);
  });
});
