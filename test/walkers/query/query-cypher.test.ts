import { describe, expect, test } from 'vitest';
import { answer, type OpenGraph } from '../../../host/index.js';
import { CodewalkError, Step } from '../../../schema/index.js';
import type { CypherOutput } from '../../../walkers/query/query-cypher.js';
import { type Files, indexed } from '../project.js';
import { asked as askedOf, PYTHON } from './shops.js';

const AUTH: Files = {
  'pyproject.toml': '[project]\nname = "auth"\n',
  'auth/__init__.py': '',
  'auth/hash.py': 'def digest(text):\n    return text\n',
  'auth/services.py':
    'from auth.hash import digest\n\n\nclass Service:\n    """Logs people in."""\n\n    def login(self, name):\n        return digest(name)\n\n\ndef login_page(request):\n    return Service().login(request)\n\n\ndef logout():\n    pass\n',
};

type Asked = { body: CypherOutput; markdown: string; state: { cut: string[]; cursor?: string | undefined } };

async function asked(graph: OpenGraph, query: string, input: object = {}): Promise<Asked> {
  const { body, markdown } = await answer(graph, 'query_cypher', { query, ...input });
  return { body: body as unknown as CypherOutput, markdown, state: body.state };
}

async function refused(graph: OpenGraph, input: Record<string, unknown>): Promise<CodewalkError> {
  try {
    await answer(graph, 'query_cypher', input);
  } catch (thrown) {
    if (thrown instanceof CodewalkError) return thrown;
    throw thrown;
  }
  throw new Error('it was not refused');
}

const nodeOf = (value: unknown) => value as Record<string, unknown>;

describe('query_cypher', () => {
  test('runs the sample with its parameters unchanged', async () => {
    const { graph } = await indexed(AUTH);
    const { body } = await asked(graph, 'MATCH (f:Function) WHERE f.name CONTAINS $pattern RETURN f', {
      parameters: { pattern: 'login' },
    });
    expect(body.results.columns).toEqual(['f']);
    expect(body.results.rows).toHaveLength(1);
    expect(nodeOf(body.results.rows[0]?.f)).toMatchObject({
      id: 'fn:auth/services.py:login_page',
      labels: ['Symbol', 'Function'],
      name: 'login_page',
      qualified_name: 'auth.services.login_page',
      file_path: 'auth/services.py',
      line_start: 11,
      line_end: 12,
    });
    expect(body).toMatchObject({
      results: { row_count: 1, truncated: false, hints: [], plan: null },
    });
    expect(body.metadata).toMatchObject({ row_count: 1, total_count: 1, truncated: false, max_depth: null });
    expect(Object.keys(body.metadata)).toHaveLength(6);
  });

  test('runs the generated form: callers up to two calls away', async () => {
    const { graph } = await indexed(AUTH);
    const { body } = await asked(
      graph,
      'MATCH (caller)-[:CALLS*1..2]->(target {qualified_name: "auth.hash.digest"}) RETURN caller',
    );
    expect(body.results.rows.map(({ caller }) => nodeOf(caller).qualified_name).sort()).toEqual([
      'auth.services.Service.login',
      'auth.services.login_page',
    ]);
  });

  test('takes labels of which one is enough', async () => {
    const { graph } = await indexed(AUTH);
    const { body } = await asked(
      graph,
      'MATCH (a:Function|Method)-[:CALLS]->(b:Function|Method) RETURN a.name AS a, b.name AS b ORDER BY a, b',
    );
    expect(body.results.rows).toEqual([
      { a: 'login', b: 'digest' },
      { a: 'login_page', b: 'login' },
    ]);
  });

  test('finds the same under every vocabulary', async () => {
    const { graph } = await indexed(AUTH);
    const names = async (query: string) =>
      (await asked(graph, `${query} RETURN x.name AS name ORDER BY name`)).body.results.rows;
    expect(await names("MATCH (x:Symbol {kind: 'function'})")).toEqual(await names('MATCH (x:Function)'));
    expect(await names('MATCH (:Class {name: "Service"})-[:HAS_METHOD]->(x)')).toEqual([{ name: 'login' }]);
    expect(await names('MATCH (x)-[:DEFINED_IN]->(:Module {name: "hash.py"})')).toEqual([{ name: 'digest' }]);
    expect(await names('MATCH (:Project)-[:CONTAINS]->(x:Function)')).toHaveLength(3);
  });

  test('joins what agents did with the code in one query', async () => {
    const { graph } = await indexed(AUTH);
    const event = async (kind: string, payload: object, more: object = {}) =>
      answer(graph, 'etg_log_event', { session_id: 's', kind, payload, ...more });
    await event('task_start', { user_prompt: 'mend the hash' });
    await event('step', { order: 1, role: 'editing' });
    await event('tool_start', { tool_name: 'edit', files_touched: ['auth/hash.py'] }, { tool_id: 't1' });
    await event('tool_end', { tool_name: 'edit', success: true }, { tool_id: 't1' });
    const { body } = await asked(
      graph,
      `MATCH (t:Task)-[:HAS_STEP]->(s:Step)-[:INVOKES_TOOL]->(i:ToolInvocation)-[:TOUCHES_FILE]->(f:File)
       MATCH (f)-[:DEFINES]->(x:Symbol)<-[:CALLS]-(caller)
       RETURN t.user_prompt AS task, s.role AS role, i.tool_name AS tool, f.path AS file, x.name AS symbol, caller.name AS caller`,
    );
    expect(body.results.rows).toEqual([
      {
        task: 'mend the hash',
        role: 'editing',
        tool: 'edit',
        file: 'auth/hash.py',
        symbol: 'digest',
        caller: 'login',
      },
    ]);
  });

  test('shows so many rows and says how many there are', async () => {
    const { graph } = await indexed(AUTH);
    const { body, markdown, state } = await asked(graph, 'UNWIND range(1, 120) AS n RETURN n');
    expect(body.results).toMatchObject({ row_count: 50, truncated: true });
    expect(body.metadata).toMatchObject({ row_count: 50, total_count: 120, truncated: true });
    expect(state.cut.join(' ')).toContain('The first 50 of 120 rows');
    expect(markdown).toContain('50 of 120 rows');
    const { cursor } = state;
    const next = await asked(graph, 'UNWIND range(1, 120) AS n RETURN n', { cursor });
    expect(next.body.results.rows.slice(0, 1)).toEqual([{ n: 51 }]);
    const all = await asked(graph, 'UNWIND range(1, 120) AS n RETURN n', { limit: 1000 });
    expect(all.body.results).toMatchObject({ row_count: 120, truncated: false });
  });

  test('keeps rows where nodes have no room, and what a query asked for by name', async () => {
    const { graph } = await indexed(AUTH);
    const query = 'UNWIND range(1, 40) AS n MATCH (c:Class) RETURN n, c, c.docstring AS doc';
    const { body, state } = await asked(graph, query);
    expect(body.results.row_count).toBeGreaterThan(20);
    expect(nodeOf(body.results.rows[0]?.c)).not.toHaveProperty('docstring');
    expect(nodeOf(body.results.rows[0]?.c)).toHaveProperty('qualified_name');
    expect(body.results.rows[0]?.doc).toBe('Logs people in.');
    expect(state.cut.join(' ')).toContain('Properties of nodes');
    const few = await asked(graph, query, { max_tokens: 300 });
    expect(few.body.results.row_count).toBeLessThan(40);
    expect(few.body.results.truncated).toBe(true);
    expect(few.state.cut.join(' ')).toMatch(/The first \d+ of 40 rows are shown/);
  });

  test('shows a row that is too large by itself as far as it goes', async () => {
    const { graph } = await indexed({ 'a.py': 'x = 1\n' });
    const query =
      'RETURN range(1, 100000) AS many, reduce(t = "", n IN range(1, 2000) | t + "abcabcabcabcabcabcabc") AS long, 7 AS seven';
    const { body, state } = await asked(graph, query);
    expect(body.results).toMatchObject({ row_count: 1, truncated: false });
    expect(body.results.rows[0]?.seven).toBe(7);
    expect(body.results.rows[0]?.many).toEqual(expect.arrayContaining([1, 2, 3]));
    expect(String(body.results.rows[0]?.long)).toMatch(/^abcabc.*…$/);
    expect(state.cut.join(' ')).toContain('slice them');
  });

  test('takes what stands in a list of records for no unknown property', async () => {
    const { graph } = await indexed(AUTH);
    const query =
      "MATCH ()-[c:CALLS]->() WHERE any(e IN c.evidence WHERE e.expression CONTAINS 'digest') RETURN count(*) AS n";
    expect((await asked(graph, query)).body).toMatchObject({ results: { rows: [{ n: 1 }], hints: [] } });
  });

  test('names what the graph does not have, with what may have been meant', async () => {
    const { graph } = await indexed(AUTH);
    const { body, markdown } = await asked(graph, 'MATCH (f:Functn)-[:CALL]->() RETURN f');
    expect(body.results.rows).toEqual([]);
    expect(body.results.hints.join(' ')).toMatch(
      /Functn: did you mean Function\?.*CALL: did you mean CALLS\?/,
    );
    expect(markdown).toContain('did you mean');
  });

  test('shows the plan with explain and what each step took with profile', async () => {
    const { graph } = await indexed(AUTH);
    const query = 'MATCH (f {qualified_name: "auth.hash.digest"})<-[:CALLS]-(c) RETURN c.name AS name';
    const explained = await asked(graph, query, { explain: true });
    expect(explained.body.results.rows).toEqual([]);
    expect(explained.body.results.plan).toMatch(/seek.*qualified_name/);
    const profiled = await asked(graph, query, { profile: true });
    expect(profiled.body.results.rows).toEqual([{ name: 'login' }]);
    expect(profiled.body.results.plan).toMatch(/1 rows, .* ms/);
  });

  test('refuses what writes, what does not parse and what is not given', async () => {
    const { graph } = await indexed(AUTH);
    const code = async (query: string) => (await refused(graph, { query })).code;
    for (const query of [
      'CREATE (n:Function)',
      'MATCH (n) SET n.name = 1',
      'MATCH (n) DETACH DELETE n',
      'MERGE (n)',
    ])
      expect(await code(query)).toBe('CYPHER_UNSUPPORTED');
    const syntax = await refused(graph, { query: 'MATCH (n:Function)\nWHERE n.name = \nRETURN n' });
    expect(syntax.code).toBe('CYPHER_SYNTAX');
    expect(syntax.message).toMatch(/line 3, column \d+/);
    expect(syntax.message).toContain('^');
    expect(await code('RETURN $missing')).toBe('CYPHER_RUNTIME');
    expect(await code('RETURN 1 / 0')).toBe('CYPHER_RUNTIME');
  });

  test.each([
    { query: '' },
    { query: '  \n' },
    {},
    { query: 'RETURN 1', limit: 0 },
    { query: 'RETURN 1', limit: 1001 },
    { query: 'RETURN 1', limit: 1.5 },
    { query: 'RETURN 1', limit: '2' },
    { query: 'RETURN 1', parameters: [] },
    { query: 'RETURN 1', parameters: 'x' },
    { query: 'RETURN 1', unknown: true },
  ])('refuses %j', async (input) => {
    const { graph } = await indexed({ 'a.py': 'x = 1\n' });
    expect((await refused(graph, input)).code).toBe('INVALID_INPUT');
  });

  test('gives numbers as they are, and one that JSON cannot hold as a text', async () => {
    const { graph } = await indexed({ 'a.py': 'x = 1\n' });
    const { body } = await asked(
      graph,
      'RETURN 1 AS one, 0.5 AS half, 9007199254740993 AS large, 0.0 / 0.0 AS none, $given AS given',
      { parameters: { given: { list: [1, 'two', null] } } },
    );
    expect(body.results.rows).toEqual([
      { one: 1, half: 0.5, large: '9007199254740993', none: 'NaN', given: { list: [1, 'two', null] } },
    ]);
  });

  test('matches an edge once, however many of its names are asked for', async () => {
    const { graph } = await indexed({
      'a.ts': 'class A {\n  run() {}\n}\nclass B extends A {\n  go() {\n    this.run();\n  }\n}\n',
    });
    const count = async (types: string) =>
      (await asked(graph, `MATCH (a)-[:${types}]->(b) RETURN count(*) AS edges`)).body.results.rows[0]?.edges;
    expect(await count('INHERITS|EXTENDS')).toBe(1);
    expect(await count('CALLS|symbol_calls_symbol')).toBe(1);
    expect(await count('HAS_METHOD')).toBe(2);
    expect(await count('HAS_METHOD|CONTAINS')).toBe(await count('CONTAINS'));
    const { body } = await asked(
      graph,
      'MATCH (:Class {name: "B"})-[r:EXTENDS|INHERITS]-(b) RETURN type(r) AS type',
    );
    expect(body.results.rows).toEqual([{ type: 'EXTENDS' }]);
  });

  test('matches an edge without a direction once from either end', async () => {
    const { graph } = await indexed(AUTH);
    await graph.write(async (tx) => {
      // Steps that touched the same files are similar: that is computed when it is asked for.
      const both = { ended_at: '2026-01-05T00:00:00.000Z', files_touched: ['src/auth.ts'] };
      await tx.create(Step({ order: 1, ...both }));
      await tx.create(Step({ order: 2, ...both }));
    });
    for (const pattern of ['(a)-[r:SIMILAR_STEP]-(b)', '(a:Step)-[r:SIMILAR_STEP]-(b:Step)']) {
      const { body } = await asked(
        graph,
        `MATCH ${pattern} RETURN count(r) AS rows, count(DISTINCT r) AS edges`,
      );
      expect([pattern, body.results.rows]).toEqual([pattern, [{ rows: 2, edges: 1 }]]);
    }
  });

  test('knows nothing of names that every object has', async () => {
    const { graph } = await indexed(AUTH);
    const { body } = await asked(
      graph,
      'MATCH (p:Project) OPTIONAL MATCH (p)-[r:constructor|toString|__proto__]-() RETURN r, p.constructor, p.__proto__, p.toString',
    );
    expect(body.results.rows).toEqual([
      { r: null, 'p.constructor': null, 'p.__proto__': null, 'p.toString': null },
    ]);
  });

  test('rejects parameters that are nested deeper than a query may be', async () => {
    const { graph } = await indexed({ 'a.py': '' });
    const nested = (levels: number) => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
    expect(
      (await asked(graph, 'RETURN size($p) AS n', { parameters: { p: nested(100) } })).body.results.rows,
    ).toEqual([{ n: 1 }]);
    const fault = await refused(graph, { query: 'RETURN $p', parameters: { p: nested(3000) } });
    expect(fault).toMatchObject({ code: 'INVALID_INPUT' });
    expect(fault.message).toContain('at most 200 levels deep');
  });
});

describe('a name in a query', () => {
  test('that nothing is called there is a hint of what it leads to, and module ids have two spellings', async () => {
    const { graph } = await indexed(PYTHON);
    const hints = async (query: string, parameters = {}) =>
      (await askedOf<CypherOutput>(graph, 'query_cypher', { query, parameters })).body.results;
    for (const [query, meant] of [
      [
        "MATCH (f {name: 'auth.UserService'}) RETURN f",
        "'UserService' (cls:src/auth/services.py:UserService)",
      ],
      ["MATCH (m:Method) WHERE m.class_name = 'UserService' RETURN m", "'auth.services.UserService'"],
      ["MATCH (m {qualified_name: 'auth.UserService'}) RETURN count(m)", "'auth.services.UserService'"],
      ["MATCH (f:Function) WHERE f.name = 'hash_pasword' RETURN f", "'hash_password'"],
    ] as const)
      expect((await hints(query)).hints.join(), query).toContain(meant);
    expect((await hints('MATCH (f {name: $n}) RETURN f', { n: 'MAKE' })).hints.join()).toContain("'make'");
    expect((await hints("MATCH (f {name: 'make'}) RETURN f")).hints).toEqual([]);
    for (const [query, parameters] of [
      ["MATCH (f {id: 'mod:src/auth/utils.py'}) RETURN f", {}],
      ['MATCH (f) WHERE f.id = $id RETURN f', { id: 'mod:src/auth/utils.py' }],
    ] as const)
      expect(await hints(query, parameters), query).toMatchObject({ row_count: 1, hints: [] });
  });
});
