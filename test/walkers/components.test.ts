import { beforeAll, describe, expect, test } from 'vitest';
import { labelsOf } from '../../schema/index.js';
import { freshLook, type Look } from './project.js';

describe('a React component', () => {
  let graph: Look;
  beforeAll(async () => {
    graph = await freshLook({
      'package.json': '{"name": "shop"}',
      'src/card.tsx': `import { Component, forwardRef, memo } from 'react';
export function Card() { return <b />; }
export const Field = forwardRef((props, ref) => <input ref={ref} />);
export const Kept = memo(Card);
export class Boundary extends Component { render() { return null; } }
export function price() { return 1; }
export default memo(Boundary);
`,
      'src/page.tsx': `import Guard, { Card, Field, Kept } from './card';
export const Page = () => <Guard><Card /><Field /><Kept /></Guard>;
`,
    });
  });

  test('is of the kind component, whose id and callable_kind say what it is made of', () => {
    const made = graph.nodes
      .filter(({ kind }) => kind === 'component')
      .map(({ id, callable_kind }) => [id, callable_kind]);
    expect(made).toEqual([
      ['cls:src/card.tsx:Boundary', 'class'],
      ['fn:src/card.tsx:Card', 'function'],
      ['fn:src/card.tsx:Field', 'function'],
      ['fn:src/page.tsx:Page', 'function'],
      ['var:src/card.tsx:Kept', 'function'],
    ]);
    expect(graph.node('fn:src/card.tsx:price')).toMatchObject({ kind: 'function' });
  });

  test('has the labels of both, so that who asks for functions and classes finds it', () => {
    const props = { callable_kind: 'function', subkind: null };
    expect(labelsOf({ type: 'Component', props })).toEqual(['Symbol', 'Component', 'Function']);
  });

  test('is called by what renders it, through what it is wrapped in', () => {
    const page = 'fn:src/page.tsx:Page';
    expect(graph.edge('CALLS', page, 'cls:src/card.tsx:Boundary')).toMatchObject({ line: 2 });
    expect(graph.edge('CALLS', page, 'fn:src/card.tsx:Card')).toMatchObject({ resolution: 'import' });
    expect(graph.edge('CALLS', page, 'fn:src/card.tsx:Field')).toMatchObject({ line: 2 });
    expect(graph.edge('CALLS', page, 'var:src/card.tsx:Kept')).toMatchObject({ line: 2 });
  });
});
