import { describe, expect, test } from 'vitest';
import { indexed } from '../project.js';
import { LIBRARY, search } from './library.js';

const LOGIN = 'm:src/auth.ts:Authenticator.login';
const everything = { limit: 50, max_tokens: 20_000 };

describe('the questions of S1-26', () => {
  test('all callers of X', async () => {
    const { graph } = await indexed(LIBRARY);
    const { ids, body } = await search(graph, 'hash a password', {
      ...everything,
      structure_filter: 'MATCH (caller)-[:CALLS]->(f:Function {name: $name}) RETURN caller',
      parameters: { name: 'hash' },
    });
    expect(ids).toEqual([LOGIN]);
    expect(body.candidates).toBe(1);
  });

  test('all methods of classes that extend B', async () => {
    const { graph } = await indexed(LIBRARY);
    const { ids } = await search(graph, 'find a name or compress the archive', {
      ...everything,
      structure_filter:
        "MATCH (c:Class)-[:EXTENDS]->(:Class {name: 'Store'}), (c)-[:HAS_METHOD]->(m) RETURN m",
    });
    expect(ids.toSorted()).toEqual(['m:src/database.ts:Archive.compress', 'm:src/database.ts:Database.find']);
  });

  test('dependency chains: only files that something depends on in the end', async () => {
    const { graph } = await indexed(LIBRARY);
    const { ids } = await search(graph, 'hash the text with salt', {
      ...everything,
      structure_filter: "MATCH (:File {path: 'src/session.ts'})-[:IMPORTS*1..3]->(f:File) RETURN DISTINCT f",
    });
    expect(ids[0]).toBe('file:src/crypto.ts');
    expect(ids).not.toContain('file:src/session.ts');
  });

  test('circular dependencies: only files that lead back to themselves', async () => {
    const { graph } = await indexed({
      'src/a.ts': "import './b';\nexport const ping = 1;\n",
      'src/b.ts': "import './a';\nexport const ping = 2;\n",
      'src/c.ts': "import './a';\nexport const ping = 3;\n",
    });
    const { ids } = await search(graph, 'ping', {
      structure_filter: 'MATCH (f:File)-[:IMPORTS]->(:File)-[:IMPORTS]->(f) RETURN DISTINCT f',
    });
    expect(ids.toSorted()).toEqual(['file:src/a.ts', 'file:src/b.ts']);
  });

  test("functions about 'authentication' that call database methods", async () => {
    const { graph } = await indexed(LIBRARY);
    const { ids } = await search(graph, 'authentication', {
      structure_filter:
        "MATCH (f)-[:CALLS]->(m:Method) WHERE m.class_name ENDS WITH 'Database' RETURN DISTINCT f",
    });
    expect(ids).toEqual([LOGIN]);
  });
});

describe('a structure filter', () => {
  test('selects first: what it leaves out is not found, however well it fits', async () => {
    const { graph } = await indexed(LIBRARY);
    const { body } = await search(graph, 'login of a session', {
      structure_filter: 'MATCH (c:Class) RETURN c',
    });
    expect(new Set(body.hits.map(({ kind }) => kind))).toEqual(new Set(['class']));
    expect(body).toMatchObject({ candidates: 4 });
  });

  test('that selects nothing gives an empty answer, never everything', async () => {
    const { graph } = await indexed(LIBRARY);
    const { body } = await search(graph, 'session', {
      structure_filter: "MATCH (f:Function {name: 'nobody'}) RETURN f",
    });
    expect(body).toMatchObject({ hits: [], files: [], candidates: 0 });
  });

  test('finds classes and files by all that stands in them', async () => {
    const { graph } = await indexed(LIBRARY);
    const { ids } = await search(graph, 'password', { structure_filter: 'MATCH (c:Class) RETURN c' });
    expect(ids[0]).toBe('cls:src/auth.ts:Authenticator');
  });

  test('gets parameters; those of the caller win over what is given along', async () => {
    const { graph } = await indexed(LIBRARY);
    const named = async (parameters: object) =>
      (
        await search(graph, 'session', {
          structure_filter: 'MATCH (f:Function) WHERE $project = f.project OR $query = f.name RETURN f',
          parameters,
        })
      ).body.candidates;
    expect(await named({})).toBeGreaterThan(3);
    expect(await named({ project: 'another' })).toBe(0);
    expect(await named({ project: 'another', query: 'hash' })).toBe(1);
  });

  test('must be a query that reads and whose first column holds nodes', async () => {
    const { graph } = await indexed(LIBRARY);
    const filtered = (structure_filter: string) => search(graph, 'session', { structure_filter });
    await expect(filtered('MATCH (f:Function) RETURN f.name')).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
    await expect(filtered('MATCH (f) DELETE f')).rejects.toMatchObject({
      code: expect.stringMatching(/^CYPHER_/),
    });
    await expect(filtered('no query')).rejects.toMatchObject({ code: 'CYPHER_SYNTAX' });
    await expect(filtered(' ')).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  test('says what it names and the graph does not have', async () => {
    const { graph } = await indexed(LIBRARY);
    const { body } = await search(graph, 'session', { structure_filter: 'MATCH (f:Funktion) RETURN f' });
    expect(body.hits).toEqual([]);
    expect(body.notes.join('\n')).toContain('Funktion');
  });
});
