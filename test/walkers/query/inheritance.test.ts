import { describe, expect, test } from 'vitest';
import { answer, type OpenGraph } from '../../../host/index.js';
import type { HierarchyOutput } from '../../../walkers/query/query-hierarchy.js';
import type { ImplementationsOutput } from '../../../walkers/query/query-implementations.js';
import { type Files, indexed } from '../project.js';
import { figures } from './shops.js';

const ZOO: Files = {
  'pyproject.toml': '[project]\nname = "zoo"\n',
  'zoo/__init__.py': '',
  'zoo/base.py':
    'import abc\n\n\nclass Animal(abc.ABC):\n    def name(self): ...\n\n\nclass Walks(Animal):\n    def walk(self): ...\n\n\nclass Swims(Animal):\n    def swim(self): ...\n',
  'zoo/birds.py':
    'from .base import Swims, Walks\n\n\nclass Duck(Walks, Swims):\n    def quack(self): ...\n\n\nclass Mallard(Duck):\n    pass\n\n\nclass Lost(Nowhere):\n    pass\n',
  'zoo/errors.py': 'class ZooError(Exception):\n    pass\n\n\nclass Escaped(ZooError):\n    pass\n',
  'other/base.py': 'class Animal:\n    pass\n\n\nclass Toy(Animal):\n    pass\n',
};
const SHAPES: Files = {
  'src/shapes.ts':
    'export interface Named { name: string }\nexport interface Shape extends Named { area(): number }\nexport abstract class Base implements Shape {\n  name = "base";\n  abstract area(): number;\n}\nexport class Square extends Base {\n  area() { return 1; }\n}\nexport class Dot implements Shape, Named {\n  name = "dot";\n  area() { return 0; }\n}\n',
  'src/view.tsx':
    "import { Component } from 'react';\nexport class Picture extends Component {}\nexport class Frame extends Picture {}\n",
};
const KNOT: Files = {
  'knot.py':
    'class A(C):\n    pass\n\n\nclass B(A):\n    pass\n\n\nclass C(B):\n    pass\n\n\nclass Below(A):\n    pass\n',
};

type Answered<T> = T & { state: { cut: string[]; unresolved: number } };

async function hierarchy(graph: OpenGraph, class_name: string, input: object = {}) {
  const { body, markdown } = await answer(graph, 'query_hierarchy', { class_name, ...input });
  const output = body as unknown as Answered<HierarchyOutput>;
  return { ...output, ...output.results, markdown };
}

async function implementations(graph: OpenGraph, interface_name: string, input: object = {}) {
  const { body, markdown } = await answer(graph, 'query_implementations', { interface_name, ...input });
  const output = body as unknown as Answered<ImplementationsOutput>;
  return { ...output, ...output.results, markdown };
}

const rows = (list: HierarchyOutput['results']['ancestors']) =>
  list.map(({ qualified_name, depth, relation }) => `${depth} ${relation} ${qualified_name}`);

describe('query_hierarchy', () => {
  test('tells ancestors and descendants, nearest first, each once where two ways lead there', async () => {
    const { graph } = await indexed(ZOO);
    const { query, ancestors, descendants, metadata } = await hierarchy(graph, 'zoo.birds.Duck');
    expect(rows(ancestors)).toEqual([
      '1 extends zoo.base.Swims',
      '1 extends zoo.base.Walks',
      '2 extends zoo.base.Animal',
    ]);
    expect(rows(descendants)).toEqual(['1 extends zoo.birds.Mallard']);
    expect(ancestors[0]).toEqual({
      id: 'cls:zoo/base.py:Swims',
      kind: 'class',
      qualified_name: 'zoo.base.Swims',
      name: 'Swims',
      file_path: 'zoo/base.py',
      line_start: 12,
      line_end: 13,
      base_classes: ['Animal'],
      depth: 1,
      relation: 'extends',
    });
    expect(query).toBe('Hierarchy of zoo.birds.Duck');
    expect(metadata).toEqual(figures(4, 10));
  });

  test('is a tree, in which a diamond stands under both and unfolds once, and what is outside is a leaf', async () => {
    const { graph } = await indexed(ZOO);
    const { hierarchy_tree } = await hierarchy(graph, 'Mallard', { direction: 'up' });
    const up = { direction: 'up', relation: 'extends' };
    expect(hierarchy_tree).toEqual({
      name: 'zoo.birds.Mallard',
      depth: 0,
      children: [
        {
          ...up,
          name: 'zoo.birds.Duck',
          depth: 1,
          children: [
            {
              ...up,
              name: 'zoo.base.Swims',
              depth: 2,
              children: [
                {
                  ...up,
                  name: 'zoo.base.Animal',
                  depth: 3,
                  children: [{ ...up, name: 'abc.ABC', depth: 4, external: true, children: [] }],
                },
              ],
            },
            {
              ...up,
              name: 'zoo.base.Walks',
              depth: 2,
              children: [{ ...up, name: 'zoo.base.Animal', depth: 3, repeated: true, children: [] }],
            },
          ],
        },
      ],
    });
  });

  test('goes one way where it is told to, and as deep', async () => {
    const { graph } = await indexed(ZOO);
    const up = await hierarchy(graph, 'Duck', { direction: 'up', max_depth: 1 });
    expect([rows(up.results.ancestors), up.results.descendants]).toEqual([
      ['1 extends zoo.base.Swims', '1 extends zoo.base.Walks'],
      [],
    ]);
    expect(up.metadata.max_depth).toBe(1);
    const down = await hierarchy(graph, 'zoo.base.Animal', { direction: 'down', max_depth: 2 });
    expect([down.results.ancestors, rows(down.results.descendants)]).toEqual([
      [],
      ['1 extends zoo.base.Swims', '1 extends zoo.base.Walks', '2 extends zoo.birds.Duck'],
    ]);
  });

  test('follows interfaces, and says by which relation', async () => {
    const { graph } = await indexed(SHAPES);
    const { ancestors, markdown } = await hierarchy(graph, 'Square');
    expect(rows(ancestors).map((row) => row.replace(/ \S*\.(?=\w+$)/, ' '))).toEqual([
      '1 extends Base',
      '2 implements Shape',
      '3 extends Named',
    ]);
    expect(ancestors.map(({ kind }) => kind)).toEqual(['class', 'interface', 'interface']);
    expect(markdown).toContain('  - `Shape`, src/shapes.ts:2 (implemented)');
  });

  test('ends in a circle, which is told once in the list and once in words', async () => {
    const { graph } = await indexed(KNOT);
    const { ancestors, descendants, circular_dependencies, warnings, hierarchy_tree } = await hierarchy(
      graph,
      'A',
    );
    expect(rows(ancestors)).toEqual(['1 extends knot.C', '2 extends knot.B']);
    expect(rows(descendants)).toEqual(['1 extends knot.B', '1 extends knot.Below', '2 extends knot.C']);
    expect(circular_dependencies).toEqual([
      { cycle_type: 'inheritance', cycle_path: ['knot.A', 'knot.C', 'knot.B', 'knot.A'], cycle_length: 3 },
    ]);
    expect(warnings).toEqual(['Circular inheritance: knot.A -> knot.C -> knot.B -> knot.A.']);
    const [first] = hierarchy_tree.children;
    expect(first?.children[0]?.children).toEqual([
      { name: 'knot.A', depth: 3, direction: 'up', relation: 'extends', repeated: true, children: [] },
    ]);
  });

  test('knows a base outside of the project by its name', async () => {
    const { graph } = await indexed({ ...ZOO, ...SHAPES });
    const errors = await hierarchy(graph, 'Exception');
    expect(rows(errors.results.descendants)).toEqual([
      '1 extends zoo.errors.ZooError',
      '2 extends zoo.errors.Escaped',
    ]);
    expect(errors.results.ancestors).toEqual([]);
    for (const name of ['react.Component', 'Component'])
      expect((await hierarchy(graph, name)).results.descendants.map((row) => row.name)).toEqual([
        'Picture',
        'Frame',
      ]);
  });

  test('a name of several classes leads to all of them, and the answer says so', async () => {
    const { graph } = await indexed(ZOO);
    const { descendants, hierarchy_tree, state, markdown } = await hierarchy(graph, 'Animal', {
      max_depth: 1,
    });
    expect(descendants.map(({ name }) => name)).toEqual(['Toy', 'Swims', 'Walks']);
    expect(hierarchy_tree.children.map(({ name, depth }) => `${depth} ${name}`)).toEqual([
      '0 other.base.Animal',
      '0 zoo.base.Animal',
    ]);
    expect(state.cut.join()).toContain("'Animal' leads to 2");
    expect(markdown).toContain('- `other.base.Animal`\n  - `Toy`, other/base.py:5');
  });

  test('keeps to a scope, and shows what lies between', async () => {
    const { graph } = await indexed(ZOO);
    const { descendants, hierarchy_tree, state } = await hierarchy(graph, 'zoo.base.Animal', {
      scope: 'zoo/birds.py',
    });
    expect(descendants.map(({ name }) => name)).toEqual(['Duck', 'Mallard']);
    expect(hierarchy_tree.children.map(({ name }) => name)).toEqual(['zoo.base.Swims', 'zoo.base.Walks']);
    expect(state.cut).toEqual(['2 more classes are outside of the scope.']);
  });

  test('a class that nothing is known above says how many of its bases lead nowhere', async () => {
    const { graph } = await indexed(ZOO);
    const { ancestors, state, markdown } = await hierarchy(graph, 'Lost');
    expect([ancestors, state.unresolved]).toEqual([[], 1]);
    expect(markdown).toContain('1 base of classes here is neither defined nor imported');
    expect(markdown).toContain('`Nowhere` (outside of the project)');
  });

  test('shows at most 100 rows, ancestors first, and says how many there are', async () => {
    const heirs = Array.from(
      { length: 120 },
      (_, at) => `class H${String(at).padStart(3, '0')}(Base):\n    pass\n`,
    );
    const { graph } = await indexed({
      'many.py': `class Root:\n    pass\nclass Base(Root):\n    pass\n${heirs.join('')}`,
    });
    const all = await hierarchy(graph, 'Base', { max_tokens: 20_000 });
    expect([all.results.ancestors.length, all.results.descendants.length]).toEqual([1, 99]);
    expect(all.metadata).toMatchObject({ row_count: 100, total_count: 121, truncated: true });
    expect(all.results.hierarchy_tree.children).toHaveLength(100);
    expect(all.state.cut.join()).toContain('The first 100 of 121 classes are shown');
    const { cursor } = all.state;
    const rest = await hierarchy(graph, 'Base', { max_tokens: 20_000, cursor });
    expect([rest.results.ancestors.length, rest.results.descendants.length]).toEqual([0, 21]);
    const few = await hierarchy(graph, 'Base', { max_tokens: 400 });
    const { ancestors, descendants } = few.results;
    expect(few.metadata.row_count).toBe(ancestors.length + descendants.length);
    expect(few.metadata.row_count).toBeLessThan(10);
    expect(JSON.stringify([few.results, few.state, few.markdown]).length).toBeLessThan(3300);
  });

  test('draws what it answers', async () => {
    const { graph } = await indexed(ZOO);
    const { diagram, markdown } = await hierarchy(graph, 'Duck', { direction: 'up', format: 'mermaid' });
    expect(diagram).toBe(
      [
        'flowchart LR',
        '  n0["zoo.birds.Duck"]',
        '  n1["zoo.base.Swims"]',
        '  n2["zoo.base.Walks"]',
        '  n3["zoo.base.Animal"]',
        '  n4["abc.ABC"]',
        '  n0 -->|"extends"| n1',
        '  n0 -->|"extends"| n2',
        '  n1 -->|"extends"| n3',
        '  n2 -->|"extends"| n3',
        '  n3 -->|"extends"| n4',
        '',
      ].join('\n'),
    );
    expect(markdown).toContain('```mermaid\nflowchart LR');
  });

  test('says of a name that is nowhere how names are written', async () => {
    const { graph } = await indexed(ZOO);
    for (const class_name of ['Anmal', 'zoo.birds.Goose', 'quack', 'duck'])
      await expect(hierarchy(graph, class_name)).rejects.toMatchObject({
        code: 'NODE_NOT_FOUND',
        suggestion: expect.stringContaining('qualified'),
      });
  });
});

describe('query_implementations', () => {
  test('lists who implements an interface or extends it, the direct ones, with their depth', async () => {
    const { graph } = await indexed(SHAPES);
    const { implementations: found, inheritance_depth, metadata } = await implementations(graph, 'Shape');
    expect(rows(found).map((row) => row.replace(/ \S*\.(?=\w+$)/, ' '))).toEqual([
      '1 implements Base',
      '1 implements Dot',
    ]);
    expect(Object.values(inheritance_depth)).toEqual([1, 1]);
    expect(Object.keys(inheritance_depth)).toEqual(found.map(({ qualified_name }) => qualified_name));
    expect(metadata).toMatchObject({ row_count: 2, total_count: 2, truncated: false, max_depth: null });
  });

  test('with the indirect ones goes to the end, and tells how far', async () => {
    const { graph } = await indexed({ ...SHAPES, ...ZOO });
    const shapes = await implementations(graph, 'Named', { include_indirect: true });
    expect(shapes.results.implementations.map(({ name, depth }) => `${depth} ${name}`)).toEqual([
      '1 Dot',
      '1 Shape',
      '2 Base',
      '3 Square',
    ]);
    const errors = await implementations(graph, 'Exception', { include_indirect: true });
    expect(errors.results.inheritance_depth).toEqual({ 'zoo.errors.ZooError': 1, 'zoo.errors.Escaped': 2 });
    const duck = await implementations(graph, 'Swims', { include_indirect: true, scope: 'zoo/birds.py' });
    expect(duck.results.inheritance_depth).toEqual({ 'zoo.birds.Duck': 1, 'zoo.birds.Mallard': 2 });
  });

  test('ends in a circle, in which nobody implements itself', async () => {
    const { graph } = await indexed(KNOT);
    const { inheritance_depth } = await implementations(graph, 'A', { include_indirect: true });
    expect(inheritance_depth).toEqual({ 'knot.B': 1, 'knot.Below': 1, 'knot.C': 2 });
  });

  test('says of none how many bases of that name lead nowhere known', async () => {
    const { graph } = await indexed({
      'a.py': 'class Nowhere:\n    pass\n',
      'b.py': 'from missing_module import *\nclass Lost(Nowhere):\n    pass\n',
    });
    const { results, state, markdown } = await implementations(graph, 'a.Nowhere');
    expect([results.implementations, state.unresolved]).toEqual([[], 1]);
    expect(markdown).toContain('none are known. 1 more have a base of that name that leads nowhere known.');
  });

  test('leads from no method', async () => {
    const { graph } = await indexed(SHAPES);
    await expect(implementations(graph, 'area')).rejects.toMatchObject({ code: 'NODE_NOT_FOUND' });
  });
});
