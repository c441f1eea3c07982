import { beforeAll, describe, expect, it } from 'vitest';
import type { DescribedPlan } from '../../../cypher/index.js';
import { ask, graphOf } from '../ask.js';
import type { MemoryGraph } from '../memory-graph.js';

/** One File has a hundred functions, of which one is rare; they call each other in a ring. */
let graph: MemoryGraph;

beforeAll(async () => {
  graph = await graphOf(
    'CREATE (:File {name: "file"})',
    'UNWIND range(0, 99) AS i WITH i WHERE i <> 7 CREATE (:Fn {name: "f" + toString(i), i: i})',
    'CREATE (:Fn:Rare {name: "f7", i: 7})',
    'MATCH (f:File), (n:Fn) CREATE (f)-[:HAS]->(n)',
    'MATCH (a:Fn), (b:Fn) WHERE b.i = (a.i + 1) % 100 CREATE (a)-[:CALLS]->(b)',
  );
});

/** Operators with their details, in the order in which rows go through them. */
async function steps(text: string): Promise<string[]> {
  const { plan } = await ask(graph, text);
  const listed = (step: DescribedPlan): string[] => [
    ...step.inputs.flatMap(listed),
    `${step.operator} ${step.details}`.trim(),
  ];
  return plan === null ? [] : listed(plan);
}

const explained = (text: string) => steps(`EXPLAIN ${text}`);

describe('plans', () => {
  it('start at the rarest label and walk from there, against the arrow too', async () => {
    expect(await explained('MATCH (a:Fn)-[r:CALLS]->(b:Rare) RETURN a')).toEqual([
      'argument',
      'label scan (b:Rare)',
      'expand (b)<-[r:CALLS]-(a) where a:Fn',
      'project a',
    ]);
    expect((await explained('MATCH (n:Fn)<-[:HAS]-(f:File) RETURN n'))[1]).toBe('label scan (f:File)');
  });

  it('start at what is bound', async () => {
    expect((await explained('MATCH (f:File) MATCH (x)<-[:HAS]-(f) RETURN x')).slice(1, 3)).toEqual([
      'label scan (f:File)',
      'expand (f)-[:HAS]->(x)',
    ]);
  });

  it('check conditions as soon as their names are bound', async () => {
    const plan = await explained(
      'MATCH (a:Rare)-[:CALLS]->(b)-[:CALLS]->(c) WHERE a.i > 1 AND c.i > b.i RETURN c',
    );
    expect(plan[1]).toBe('label scan (a:Rare) where a.i > 1');
    expect(plan[2]).toBe('expand (a)-[:CALLS]->(b)');
    expect(plan[3]).toBe('expand (b)-[:CALLS]->(c) where c.i > b.i');
  });

  it('only look whether two bound nodes are joined', async () => {
    const plan = await explained('MATCH (a:Rare), (b:File) MATCH (b)-[:HAS]->(a) RETURN a');
    expect(plan.some((step) => step.startsWith('expand into'))).toBe(true);
  });

  it('keep only the first rows of an order with a limit', async () => {
    expect(await explained('MATCH (n:Fn) RETURN n.i ORDER BY n.i DESC LIMIT 3')).toContain('top n.i DESC');
    expect(await explained('MATCH (n:Fn) RETURN n.i ORDER BY n.i DESC')).toContain('sort n.i DESC');
  });

  it('are told with what every step did', async () => {
    const { plan, rows } = await ask(
      graph,
      'PROFILE MATCH (f:File)-[:HAS]->(n) WHERE n.i < 10 RETURN count(*) AS c',
    );
    expect(rows).toEqual([[10]]);
    const figures: (readonly [string, number | undefined])[] = [];
    const list = (step: DescribedPlan): void => {
      step.inputs.forEach(list);
      figures.push([step.operator, step.figures?.rows]);
    };
    if (plan !== null) list(plan);
    expect(figures).toEqual([
      ['argument', 1],
      ['label scan', 1],
      ['expand', 10],
      ['aggregate', 1],
      ['project', 1],
    ]);
  });
});
