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
  inputs = {
    graph_context_for_files: {
      input: { file_paths: ['src/target.ts'] },
      misspelt: { file_paths: ['src/targt.ts'] },
      right: 'src/target.ts',
    },
    etg_query_similar_attempts: { input: { query: 'Mend the discount of orders', limit: MANY } },
    query_callers: {
      input: { function_name: 'target' },
      misspelt: { function_name: 'targte' },
      right: 'target',
    },
    query_references: { input: { name: 'target' }, misspelt: { name: 'targte' }, right: 'target' },
    query_call_graph: {
      input: { entry_point: 'everything' },
      misspelt: { entry_point: 'everythign' },
      right: 'everything',
    },
    query_dependencies: {
      input: { target: 'everything' },
      misspelt: { target: 'everythign' },
      right: 'everything',
    },
    query_hierarchy: { input: { class_name: 'Shape' }, misspelt: { class_name: 'Shpae' }, right: 'Shape' },
    query_implementations: {
      input: { interface_name: 'Shape' },
      misspelt: { interface_name: 'Shpae' },
      right: 'Shape',
    },
    query_exports: {
      input: { module_name: 'src/shapes.ts' },
      misspelt: { module_name: 'src/shpaes.ts' },
      right: 'shapes',
    },
    query_cycles: { input: { cycle_type: 'calls' } },
    query_cypher: { input: { query: 'MATCH (f:Function) RETURN f' } },
    graph_node: { input: { id: 'target' }, misspelt: { id: 'targte' }, right: 'target' },
    trace_impact: { input: { from: task } },
    query_impact: { input: { name: 'target' }, misspelt: { name: 'targte' }, right: 'target' },
    query_tests: { input: { name: 'target' }, misspelt: { name: 'targte' }, right: 'target' },
    search_code: { input: { query: 'discount of an order', limit: MANY } },
    query_codebase: { input: { q: 'discount of an order' } },
    pack_snippets: { input: { q: 'discount of an order' } },
    memory_search: { input: { query: 'discount', limit: MANY } },
    memory_recall: { input: { query: 'how are discounts rounded' } },
    memory_related: {
      input: { memory_id: ids[0] },
      misspelt: { memory_id: `${ids[0]}x` },
      right: String(ids[0]),
    },
    memory_activity: { input: {} },
    memory_get: {
      input: { memory_id: ids[0] },
      misspelt: { memory_id: `${ids[0]}x` },
      right: String(ids[0]),
    },
    memory_contextual_search: { input: { memory_id: ids[0], query: 'discount' } },
    memory_history: { input: { memory_id: ids[0] } },
    memory_as_of: { input: { time: '2100-01-01T00:00:00.000Z', query: 'discount' } },
  };
}, 120_000);
afterAll(async () => {
  await server.close();
  scratch.remove();
});

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
});
