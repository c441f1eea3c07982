import { expect, it } from 'vitest';
import { defineWalker, Root, z } from '../../index.js';
import { exportText, type Files, freshExport, index, open, scratch, write } from './project.js';

const FILES: Files = {
  'go.mod': 'module example.com/m\n',
  'a.ts': 'export function a() { return 1; }\n',
  'b.ts': "import { a } from './a';\nexport const b = () => a();\n",
  'p/__init__.py': '',
  'p/a.py': 'def a():\n    return 1\n',
  'p/b.py': 'from p.a import a\n\n\ndef b():\n    return a()\n',
  'a.go': 'package m\n\nfunc a() int { return 1 }\n',
  'b.go': 'package m\n\nfunc b() int { return a() }\n',
  'A.java': 'class A { static int a() { return 1; } }\n',
  'B.java': 'class B { int b() { return A.a(); } }\n',
};
const SOURCES = Object.keys(FILES).filter((path) => /\.(?:ts|go|java)$|[ab]\.py$/.test(path));

/** Cuts off what is stored of a file. */
const Truncate = defineWalker('truncate', {
  access: 'write',
  input: { path: z.string(), share: z.number() },
  on: (w) => [
    w.entry(Root, async (_here, context) => {
      const { path, share } = context.state;
      const name = `facts/${path}`;
      const [bytes = new Uint8Array()] = await context.blobs([name]);
      context.putBlob(name, bytes.slice(0, Math.floor(bytes.length * share)));
    }),
  ],
});

it.each([0, 0.1, 0.5, 0.95])(
  'what is stored of a file, cut off after %d of it, is made again when it is needed, and nothing is guessed until then',
  async (share) => {
    const [root, home] = [write(FILES), scratch()];
    let graph = await open(root, home);
    await index(graph);
    for (const path of SOURCES) await graph.spawn(Truncate, null, { path, share });
    await graph.close();
    graph = await open(root, home);
    // Each file that others name gets another interface: what names it is resolved again.
    const edited = {
      ...FILES,
      'a.ts': `${FILES['a.ts']}export const more = 1;\n`,
      'p/a.py': `${FILES['p/a.py']}\n\ndef more():\n    pass\n`,
      'a.go': `${FILES['a.go']}\nfunc more() {}\n`,
      'A.java': 'class A { static int a() { return 1; } static void more() {} }\n',
    };
    write(edited, root);
    await index(graph, { mode: 'incremental' });
    await index(graph, { mode: 'incremental' });
    expect(await exportText(graph)).toBe(await freshExport(edited));
  },
);
