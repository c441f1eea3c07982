import { pathToFileURL } from 'node:url';
import { ProgressNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Scratch } from '../cli/scratch.js';
import { connect, errorOf, textOf } from './client.js';

const scratch = new Scratch();
const context = { name: 'graph_context_for_files', arguments: { file_paths: ['src/shop.ts'] } };
let json: Awaited<ReturnType<typeof connect>>;
let markdown: Awaited<ReturnType<typeof connect>>;

beforeAll(async () => {
  json = await connect(scratch, ['--root', scratch.project]);
  // From here on the client holds every answer against the listed output schema.
  await json.listTools();
});
afterAll(async () => {
  await json.close();
  await scratch.remove();
});

describe('a call about a project that has no graph', () => {
  it('finds nothing recorded, and hides nothing that is recorded beside it', async () => {
    const project_root = scratch.write('fresh', {});
    const ask = async () => {
      const given = { project_root, query: 'the login' };
      const { structuredContent } = await json.callTool({
        name: 'etg_query_similar_attempts',
        arguments: given,
      });
      return structuredContent;
    };
    const payload = { user_prompt: 'Fix the login' };
    const [first] = await Promise.all([
      ask(),
      json.callTool({
        name: 'etg_log_event',
        arguments: { project_root, kind: 'task_start', payload },
      }),
    ]);
    expect(first).toMatchObject({ results: [], state: { root: project_root } });
    expect(await ask()).toMatchObject({ results: [{ status: 'running' }] });
  });
});

describe("a call in an agent's session", () => {
  it('records an event that names no session in the one that the agent told of', async () => {
    const project_root = scratch.write('session', {});
    const client = await connect(scratch, ['--root', project_root, '--client', 'qwen', '--profile', 'core'], {
      env: { QWEN_CODE_SESSION_ID: 'of-the-agent' },
    });
    const log = async (more: object) => {
      const told = { kind: 'task_start', payload: { user_prompt: 'Mend it' }, ...more };
      const { structuredContent } = await client.callTool({ name: 'etg_log_event', arguments: told });
      return (structuredContent as { task_id: string }).task_id;
    };
    const [given, other] = [await log({}), await log({ session_id: 'another' })];
    await client.close();
    const { stdout } = await scratch.run(['tasks', '--json', '--root', project_root]);
    expect(JSON.parse(stdout).tasks).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ task_id: given, session_id: 'of-the-agent' }),
        expect.objectContaining({ task_id: other, session_id: 'another' }),
      ]),
    );
  });
});

describe('a call in JSON mode', () => {
  it('indexes, and reports progress to a client that asks for it', async () => {
    const notes: number[] = [];
    // In place of the SDK's own handler, which passes over what arrives in one chunk with the answer.
    json.setNotificationHandler(ProgressNotificationSchema, ({ params }) => {
      notes.push(params.progress);
    });
    const answer = await json.callTool({
      name: 'graph_index_project',
      arguments: {},
      _meta: { progressToken: 'index' },
    });
    expect(answer.structuredContent).toMatchObject({ symbols_total: 3, state: { root: scratch.project } });
    expect(notes.length).toBeGreaterThan(0);
    expect(notes).toEqual([...new Set(notes)].sort((a, b) => a - b));
  });

  it('answers structured content, and one text that parses to the same', async () => {
    const answer = await json.callTool(context);
    expect(answer.content).toHaveLength(1);
    expect(JSON.parse(textOf(answer))).toEqual(answer.structuredContent);
    expect(answer.structuredContent).toHaveProperty('context_pack.symbols');
  });

  it('answers Markdown as the text where the call asks for it', async () => {
    const given = { ...context.arguments, response_format: 'markdown' };
    const answer = await json.callTool({ ...context, arguments: given });
    expect(textOf(answer)).toContain('### src/shop.ts');
    expect(answer.structuredContent).toHaveProperty('state.root', scratch.project);
  });

  it('may be one of several at once', async () => {
    const answers = await Promise.all(
      ['src/shop.ts', 'src/money.ts', 'README.md'].map((path) =>
        json.callTool({ ...context, arguments: { file_paths: [path], radius: 0 } }),
      ),
    );
    expect(answers.map(({ isError }) => isError ?? false)).toEqual([false, false, false]);
  });

  it('leaves the graph to whoever asks for it in another process', async () => {
    const { code, stdout } = await scratch.run(['stats', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ state: { root: scratch.project } });
  });
});

describe('a call in Markdown mode', () => {
  const project = scratch.write('other', { 'main.py': 'def main():\n    pass\n' });
  beforeAll(async () => {
    markdown = await connect(scratch, ['--root', project, '--format', 'markdown']);
  });
  afterAll(() => markdown.close());

  it('answers text alone, or JSON text where the call asks for it', async () => {
    const answer = await markdown.callTool({ name: 'graph_index_project', arguments: {} });
    expect(textOf(answer)).toContain('python');
    expect(answer.structuredContent).toBeUndefined();
    const again = {
      name: 'graph_index_project',
      arguments: { mode: 'incremental', response_format: 'json' },
    };
    expect(JSON.parse(textOf(await markdown.callTool(again)))).toMatchObject({ files_indexed: 0 });
  });
});

describe('a wrong call', () => {
  it('to a tool that is not there gets the nearest name', async () => {
    const answer = await json.callTool({ name: 'graph_context_for_file', arguments: {} });
    expect(errorOf(answer)).toBe("WALKER_NOT_FOUND: there is no tool 'graph_context_for_file' here");
    expect(JSON.parse(textOf(answer)).suggestion).toBe("Did you mean 'graph_context_for_files'?");
  });

  it('to a tool of another profile gets that profile', async () => {
    const answer = await json.callTool({ name: 'graph_stats', arguments: {} });
    expect(JSON.parse(textOf(answer)).suggestion).toContain('--profile query');
  });

  it('names the argument that nobody knows, and shows what was given', async () => {
    const given = { file_paths: ['src/shop.ts'], depth: 2 };
    const answer = await json.callTool({ ...context, arguments: given });
    expect(errorOf(answer)).toMatch(/^INVALID_INPUT: graph_context_for_files: .*'depth'/);
    expect(JSON.parse(textOf(answer)).provided_input).toEqual(given);
  });

  it('names the argument that is missing or has the wrong type', async () => {
    expect(errorOf(await json.callTool({ ...context, arguments: {} }))).toContain('file_paths');
    const format = { ...context.arguments, response_format: 'xml' };
    expect(errorOf(await json.callTool({ ...context, arguments: format }))).toContain('response_format');
  });

  const roots: readonly (readonly [string, string, string])[] = [
    ['relative', 'shop', 'INVALID_ROOT: The root "shop" is not absolute.'],
    ['missing', '/no/such/folder', 'INVALID_ROOT: The root "/no/such/folder" does not exist.'],
    ['the whole disk', '/', 'ROOT_REFUSED: The root "/" is a whole disk or a home directory.'],
    [
      'the home directory',
      scratch.home,
      `ROOT_REFUSED: The root "${scratch.home}" is a whole disk or a home directory.`,
    ],
  ];
  for (const [what, project_root, error] of roots)
    it(`about a root that is ${what} is refused`, async () => {
      const answer = await json.callTool({ name: 'graph_index_project', arguments: { project_root } });
      expect(errorOf(answer)).toBe(error);
    });
});

describe('the root of a call that names none', () => {
  const inner = scratch.write('repository/packages/inner', { 'a.ts': 'export const a = 1;\n' });
  const top = scratch.write('repository', { '.git/HEAD': 'ref: refs/heads/main\n' });

  async function rootOfCall(args: readonly string[], options: Parameters<typeof connect>[2]) {
    const client = await connect(scratch, args, options);
    const answer = await client.callTool({ name: 'graph_index_project', arguments: {} });
    await client.close();
    return (answer.structuredContent as { state: { root: string } }).state.root;
  }

  it("is the project of the client's first workspace folder", async () => {
    const roots = [pathToFileURL(inner).href];
    expect(await rootOfCall([], { cwd: scratch.home, roots })).toBe(top);
  });

  it('is the project of the working directory where the client tells no folders', async () => {
    expect(await rootOfCall([], { cwd: inner })).toBe(top);
  });

  it('is --root before both, as it was given', async () => {
    expect(await rootOfCall(['--root', 'packages/inner'], { cwd: top })).toBe(inner);
  });

  it('is the deepest folder that has a graph, once it has one', async () => {
    expect(await rootOfCall([], { cwd: inner })).toBe(inner);
  });
});
