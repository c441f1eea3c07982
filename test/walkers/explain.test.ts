import { describe, expect, test } from 'vitest';
import { answer, type OpenGraph } from '../../host/index.js';
import type { ExplainOutput } from '../../walkers/code/explain.js';
import { type Files, indexed, sharedGraph, write } from './project.js';

const MAIL: Files = {
  'src/mail.ts':
    "import { post } from 'wire';\nexport class Mail {\n  send(text: string) {\n    return post(text);\n  }\n}\nexport function open() {\n  return new Mail();\n}\n",
  'src/app.ts':
    "import { Mail, open } from './mail.js';\nexport function start(box) {\n  box.send('hello');\n}\nexport function welcome() {\n  const mail = new Mail();\n  mail.send('welcome');\n  return mail.send('again');\n}\nexport function idle() {\n  return 1;\n}\nexport function twice() {\n  welcome();\n}\n",
  'src/other.ts': 'export function alone() {\n  return 2;\n}\n',
};

const mail = sharedGraph(MAIL);

type State = { cut: string[]; pending: number; pending_files?: string[]; unresolved: number };

async function explained(graph: OpenGraph, from: string, to: string, input: object = {}) {
  const { body, markdown } = await answer(graph, 'explain', { from, to, ...input });
  const { state, ...output } = body as unknown as ExplainOutput & { state: State };
  return { body: output as ExplainOutput, markdown, state };
}

describe('an edge that exists', () => {
  test('is explained by how it was resolved and the lines that it rests on', async () => {
    const { body, markdown } = await explained(mail(), 'welcome', 'Mail.send');
    expect(body).toMatchObject({ exists: true, why_not: [], path: null });
    const call = body.edges.find(({ kind }) => kind === 'CALLS');
    expect(call).toMatchObject({
      from: 'fn:src/app.ts:welcome',
      to: 'm:src/mail.ts:Mail.send',
      call_type: 'method',
    });
    expect(call?.resolution).not.toBeNull();
    expect(call?.places).toEqual([
      { path: 'src/app.ts', line: 7, expression: "mail.send('welcome')", text: "mail.send('welcome');" },
      { path: 'src/app.ts', line: 8, expression: "mail.send('again')", text: "return mail.send('again');" },
    ]);
    expect(markdown).toContain("src/app.ts:7 `mail.send('welcome');`");
  });

  test('is found from a file, a class and a line as well, for what stands in them', async () => {
    for (const [from, to] of [
      ['src/app.ts', 'Mail'],
      ['src/app.ts:7', 'src/mail.ts:3'],
      ['welcome', 'src/mail.ts'],
    ] as const) {
      const { body } = await explained(mail(), from, to);
      expect(body.edges.map((edge) => `${edge.from} ${edge.kind} ${edge.to}`)).toContain(
        'fn:src/app.ts:welcome CALLS m:src/mail.ts:Mail.send',
      );
    }
    const { body } = await explained(mail(), 'src/app.ts', 'src/mail.ts');
    expect(body.edges.map(({ kind }) => kind)).toContain('IMPORTS');
  });

  test('is told without the text of its lines once the file is another', async () => {
    const { root, graph } = await indexed(MAIL);
    write({ 'src/app.ts': '// new\n' }, root);
    const { body, markdown, state } = await explained(graph, 'welcome', 'Mail.send');
    expect(body.edges[0]?.places[0]).toMatchObject({
      line: 7,
      expression: "mail.send('welcome')",
      text: null,
    });
    expect(state).toMatchObject({ pending: 1, pending_files: ['src/app.ts'] });
    expect(markdown).toContain('1 file changed since: src/app.ts.');
  });
});

describe('an edge that does not exist', () => {
  test('is explained by the call of that name whose receiver is not known', async () => {
    const { body, markdown, state } = await explained(mail(), 'start', 'Mail.send');
    expect(body).toMatchObject({ exists: false, edges: [] });
    expect(body.path).toMatchObject([{ kind: 'IMPORTS', from: 'file:src/app.ts', to: 'file:src/mail.ts' }]);
    expect([...body.why_not, ...body.candidates.map(({ places }) => places[0]?.expression)].join()).toContain(
      'box.send',
    );
    expect(markdown).toContain('box.send');
    expect(markdown).toContain('No edge leads from start to Mail.send.');
    expect(state.unresolved).toBeGreaterThanOrEqual(0);
  });

  test('is explained by the shortest way, where calls lead there over others', async () => {
    const { body } = await explained(mail(), 'twice', 'Mail.send');
    expect(body.exists).toBe(false);
    expect(body.path?.map(({ from, to, line }) => [from, to, line])).toEqual([
      ['fn:src/app.ts:twice', 'fn:src/app.ts:welcome', 14],
      ['fn:src/app.ts:welcome', 'm:src/mail.ts:Mail.send', 7],
    ]);
    const short = await explained(mail(), 'twice', 'src/other.ts', { max_depth: 1 });
    expect(short.body.path).toBeNull();
    expect(short.state.cut).toEqual([
      'No path of 1 steps or fewer was found; max_depth up to 12 looks farther.',
    ]);
  });

  test('is told from one to a package, and what is imported without being used', async () => {
    const { body } = await explained(mail(), 'idle', 'open');
    expect(body.why_not).toEqual(['src/app.ts imports src/mail.ts at line 1, but idle does not use open.']);
    const used = await explained(mail(), 'idle', 'Mail');
    expect(used.body.why_not).toEqual([
      'src/app.ts imports src/mail.ts at line 1, but idle does not use Mail; in that file it is used by welcome (line 6).',
    ]);
    const packaged = await explained(mail(), 'Mail.send', 'wire.post');
    expect(packaged.body.edges[0]).toMatchObject({ to: 'sym:wire.post', confidence: 0 });
  });

  test('is never a bare zero', async () => {
    const { body } = await explained(mail(), 'alone', 'welcome');
    expect(body).toMatchObject({ exists: false, path: null });
    expect(body.why_not).toEqual([
      'alone has 0 calls, 0 of them to nothing known in the project; none is of that name.',
    ]);
  });
});

describe('names', () => {
  test('that are ambiguous lead to all that they may mean', async () => {
    const { graph } = await indexed({
      'a.ts': 'export function run() { return help(); }\nfunction help() { return 1; }\n',
      'b.ts': 'export function run() { return 2; }\n',
    });
    const { body, markdown } = await explained(graph, 'run', 'help');
    expect(body.from.map(({ id }) => id)).toEqual(['fn:a.ts:run', 'fn:b.ts:run']);
    expect(body.exists).toBe(true);
    expect(markdown).toContain('- `b.run` function, b.ts:1');
  });

  test('are never guessed, and other case is only suggested', async () => {
    expect((await explained(mail(), 'fn:src/app.ts:welcome', 'Mail::send')).body.exists).toBe(true);
    await expect(explained(mail(), 'WELCOME', 'Mail.send')).rejects.toMatchObject({
      suggestion: expect.stringContaining("'welcome'"),
    });
    await expect(explained(mail(), 'welcom', 'Mail.send')).rejects.toMatchObject({
      code: 'NODE_NOT_FOUND',
      message: "nothing in the graph is called 'welcom'",
      suggestion: expect.stringContaining("'welcome'"),
    });
    await expect(explained(mail(), 'src/ap.ts', 'Mail.send')).rejects.toMatchObject({
      suggestion: expect.stringContaining("'src/app.ts'"),
    });
  });
});
