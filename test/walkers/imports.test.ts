import { expect, test } from 'vitest';
import { exported, indexed } from './project.js';

test('a function that imports something leads to the import and to what it names', async () => {
  const { graph } = await indexed({
    'a.py': 'def run():\n    import os\n    from b import helper\n    return helper(os)\n',
    'b.py': 'def helper(x):\n    return x\n',
  });
  const lines = await exported(graph);
  const edges = lines.filter(({ kind }) => kind === 'SYMBOL_IMPORTS').map(({ to }) => to);
  expect(edges).toEqual(['file:b.py', 'import:a.py:b', 'import:a.py:os', 'pkg:os']);
});

test('a re-exported name leads to its definition, not only to the file in between', async () => {
  const { graph } = await indexed({
    'use.ts': "import { made } from './barrel';\nmade();\n",
    'barrel.ts': "export { make as made } from './make';\n",
    'make.ts': 'export function make() {}\n',
  });
  const lines = await exported(graph);
  const leads = lines.filter(({ kind, from }) => kind === 'RESOLVES_TO' && from === 'import:use.ts:./barrel');
  expect(leads.map(({ to }) => to)).toEqual(['file:barrel.ts', 'fn:make.ts:make']);
});

test('what two files miss under one relative name are two stubs', async () => {
  const { graph } = await indexed({ 'p.ts': "import './missing';\n", 's/p.ts': "import './missing';\n" });
  const stubs = (await exported(graph)).filter(({ kind }) => kind === 'unresolved');
  expect(stubs.map(({ id }) => id)).toEqual(['sym:missing', 'sym:s/missing']);
});

test('the file that most others use is named', async () => {
  const { graph } = await indexed({
    'a.ts': "import { c } from './c';\nc();\n",
    'b.ts': "import { c } from './c';\nc();\n",
    'c.ts': 'export const c = () => 1;\n',
  });
  const { output } = await graph.spawn('graph_index_project');
  expect(output).toMatchObject({ central_file: 'c.ts' });
});
