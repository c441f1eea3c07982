import { beforeAll, describe, expect, it } from 'vitest';
import { PreparedQueries, Watch } from '../../../cypher/index.js';
import { ask, graphOf, rowsOf } from '../ask.js';
import type { MemoryGraph } from '../memory-graph.js';

let graph: MemoryGraph;

beforeAll(async () => {
  graph = await graphOf(
    'UNWIND range(1, 60) AS i CREATE (:N {name: "n" + toString(i), i: i})',
    'MATCH (a:N), (b:N) WHERE a.i <> b.i AND (a.i + b.i) % 4 = 0 CREATE (a)-[:R]->(b)',
  );
});

/** A clock that is ten milliseconds further whenever it is looked at. */
function hasty(): () => number {
  let now = 0;
  return () => {
    now += 10;
    return now;
  };
}

describe('limits of a run', () => {
  it.each([
    'MATCH (a), (b), (c), (d), (e) RETURN count(*)',
    'UNWIND range(1, 1000000000000) AS x RETURN sum(x)',
    'MATCH p = (a)-[*]-(b) RETURN count(p)',
    'MATCH (a), (b), (c), (d) RETURN a ORDER BY b.i * c.i DESC LIMIT 3',
    'MATCH (a) WHERE EXISTS { MATCH (b), (c), (d), (e) WHERE b.i + c.i + d.i + e.i < 0 } RETURN a',
    'RETURN size([x IN range(1, 1000000) WHERE none(y IN range(1, 1000000) WHERE y = -x)])',
    'MATCH p = allShortestPaths((a)-[*]-(b)) WHERE length(p) > 40 RETURN p',
    "WITH reduce(t = 'ab', x IN range(1, 18) | t + t) AS t RETURN [x IN range(1, 400) | size(replace(t, 'a', 'bb'))]",
    'RETURN size(range(1, 4000000))',
    'WITH range(1, 100000) AS l RETURN [x IN range(1, 5000) | l = l]',
  ])('the deadline stops %s', async (text) => {
    const stopped = ask(graph, text, { deadlineMs: 2000, clock: hasty() });
    await expect(stopped).rejects.toMatchObject({
      code: 'QUERY_TIMEOUT',
      suggestion: expect.stringContaining('LIMIT'),
    });
  });

  it.each([
    'UNWIND range(1, 1000000) AS x RETURN collect(toString(x) + "...............................")',
    'UNWIND range(1, 1000000) AS x WITH toString(x) AS t ORDER BY t RETURN count(*)',
    'UNWIND range(1, 1000000) AS x WITH DISTINCT toString(x) AS t RETURN count(*)',
    'UNWIND range(1, 1000000) AS x RETURN toString(x), count(*)',
  ])('memory stops %s', async (text) => {
    await expect(ask(graph, text, { memory: 200_000 })).rejects.toMatchObject({
      code: 'CYPHER_RUNTIME',
      fault: { kind: 'Limit', detail: 'Memory' },
    });
  });

  it('the deadline holds for reading a text, too', () => {
    const clock = hasty();
    const watch = new Watch({ clock, started: 0, deadlineMs: 100, checkAborted: () => undefined });
    const text = `RETURN [${Array.from({ length: 20_000 }, (_, at) => at).join(',')}]`;
    expect(() => new PreparedQueries().of(text, watch)).toThrow('stopped after 100 ms');
  });

  it.each([
    'RETURN reduce(l = [1], x IN range(1, 200) | [l, l]) AS l',
    'RETURN reduce(m = {a: 1}, x IN range(1, 200) | {a: m, b: m}) AS m',
    'WITH reduce(l = [1], x IN range(1, 200) | [y IN [1, 2] | l]) AS l WHERE l = l RETURN 1',
  ])('what holds itself many times over is too large, however little it takes: %s', async (text) => {
    await expect(ask(graph, text)).rejects.toMatchObject({
      code: 'CYPHER_RUNTIME',
      fault: { kind: 'Limit' },
    });
  });

  it('rows beyond the limit are counted, as far as that is cheap', async () => {
    const all = await ask(graph, 'MATCH (n:N) RETURN n.i ORDER BY n.i', { limit: 2 });
    expect(all).toMatchObject({ rows: [[1], [2]], total: { count: 60, isExact: true } });
    const some = await ask(graph, 'UNWIND range(1, 1000000000) AS x RETURN x', { limit: 2, counted: 100 });
    expect(some).toMatchObject({ rows: [[1], [2]], total: { count: 102, isExact: false } });
    const none = await ask(graph, 'MATCH (n:N) RETURN n LIMIT 0', { limit: 2 });
    expect(none).toMatchObject({ rows: [], total: { count: 0, isExact: true } });
  });

  it('a LIMIT stops what is before it', async () => {
    expect(await rowsOf(graph, 'UNWIND range(1, 1000000000000) AS x RETURN x LIMIT 1')).toEqual([[1]]);
    expect(await rowsOf(graph, 'MATCH (a), (b), (c), (d), (e), (f) RETURN 1 AS one LIMIT 1')).toEqual([[1]]);
  });

  it('whoever asked can call it off', async () => {
    const stop = new AbortController();
    stop.abort(new Error('enough'));
    await expect(
      ask(graph, 'UNWIND range(1, 100000) AS n RETURN n', { signal: stop.signal }),
    ).rejects.toThrow('enough');
  });

  it('what is nested too deep is an error of the query', async () => {
    await expect(
      ask(graph, 'RETURN reduce(list = [], x IN range(1, 200000) | [list]) AS deep'),
    ).rejects.toMatchObject({ code: 'CYPHER_RUNTIME' });
  });
});

describe('answers', () => {
  it('hint at names that the graph does not have', async () => {
    const { hints, rows } = await ask(graph, 'MATCH (n:M)-[:Q]->(x {nmae: 1}) RETURN n.wholly_other');
    expect(rows).toEqual([]);
    expect(hints).toEqual([
      'there is no label M',
      'there is no relationship type Q',
      'there is no property nmae: did you mean name?',
      'there is no property wholly_other',
    ]);
    expect((await ask(graph, 'MATCH (n:N)-[:R]->({name: "x"}) RETURN n.i')).hints).toEqual([]);
  });

  it('say where in the query something went wrong while it ran', async () => {
    await expect(ask(graph, 'MATCH (n:N)\nRETURN n.i / 0')).rejects.toMatchObject({
      code: 'CYPHER_RUNTIME',
      message: expect.stringContaining('line 2, column 8'),
    });
    await expect(ask(graph, 'RETURN $missing')).rejects.toMatchObject({ code: 'CYPHER_RUNTIME' });
  });

  it('join columns of UNION by name', async () => {
    expect(await rowsOf(graph, 'RETURN 1 AS a, 2 AS b UNION ALL RETURN 3 AS a, 4 AS b')).toEqual([
      [1, 2],
      [3, 4],
    ]);
    await expect(rowsOf(graph, 'RETURN 1 AS a UNION RETURN 2 AS b')).rejects.toMatchObject({
      code: 'CYPHER_SYNTAX',
    });
    expect(await rowsOf(graph, 'RETURN 1 AS a UNION RETURN 1.0 AS a')).toEqual([[1]]);
  });

  it('take properties of patterns from parameters, one by one', async () => {
    const parameters = { wanted: new Map([['name', 'n7']]), i: 3n };
    expect(await rowsOf(graph, 'MATCH (n {name: $wanted.name}) RETURN n.i', parameters)).toEqual([[7]]);
    expect(await rowsOf(graph, 'MATCH (n:N {i: $i}) RETURN n.name', parameters)).toEqual([['n3']]);
    await expect(rowsOf(graph, 'MATCH (n $wanted) RETURN n', parameters)).rejects.toMatchObject({
      code: 'CYPHER_SYNTAX',
    });
  });
});

describe('a query of very many conditions', () => {
  it('is planned and run as one of few is', async () => {
    const many = 'n.i = 7 AND '.repeat(40_000);
    expect(await rowsOf(graph, `MATCH (n:N) WHERE ${many} n.name = "n7" RETURN n.i`)).toEqual([[7]]);
  });
});

describe('prepared queries', () => {
  it('are kept as far as their texts have room, the one at hand always', () => {
    const queries = new PreparedQueries(10, 30);
    const first = queries.of('RETURN 1 AS one');
    expect(queries.of('RETURN 1 AS one')).toBe(first);
    queries.of('RETURN 2 AS two, 3 AS three');
    expect(queries.of('RETURN 1 AS one')).not.toBe(first);
    const long = `RETURN '${'x'.repeat(50)}' AS long`;
    expect(queries.of(long).text).toBe(long);
  });

  it('are kept by their text, the last used ones', () => {
    const queries = new PreparedQueries(2);
    const first = queries.of('RETURN 1');
    queries.of('RETURN 2');
    expect(queries.of('RETURN 1')).toBe(first);
    queries.of('RETURN 3');
    expect(queries.of('RETURN 1')).toBe(first);
    queries.of('RETURN 4');
    queries.of('RETURN 5');
    expect(queries.of('RETURN 1')).not.toBe(first);
  });
});
