import { describe, expect, test } from 'vitest';
import { type Files, freshLook, index, indexed, lookAt, replace } from './project.js';

/** What files offer of what they import: `file as names: target`. */
async function passedOn(files: Files): Promise<string[]> {
  const { edges } = await freshLook(files);
  return edges.flatMap(({ kind, from, to, exported_as }) =>
    kind === 'RESOLVES_TO' && Array.isArray(exported_as) && exported_as.length > 0
      ? [`${String(from).replace(/^import:([^:]*):.*$/, '$1')} as ${exported_as}: ${to}`]
      : [],
  );
}

/** The names under which a file offers its own, where they are others. */
async function aliases(files: Files): Promise<string[]> {
  const { nodes } = await freshLook(files);
  return nodes.flatMap(({ id, exported_as }) =>
    Array.isArray(exported_as) && exported_as.length > 0 ? [`${id} as ${exported_as}`] : [],
  );
}

describe('an import knows under which names its file passes on what it leads to', () => {
  test('in TypeScript: re-exports, aliases, namespaces, stars, defaults', async () => {
    const files = {
      'a.ts':
        'export function one() {}\nexport class Two {}\nexport default function three() {}\nexport interface Four {}\n',
      'far.ts': "export { one as uno } from './a.js';\nexport * from 'zod';\n",
      'index.ts': [
        "export { one, Two as Zwei } from './a.js';",
        "export { default as drei } from './a.js';",
        "export type { Four } from './a.js';",
        "export * from './far.js';",
        "export * as all from './a.js';",
        "export { uno as again } from './far.js';",
        "export { z } from 'zod';",
        "import three, { Two } from './a.js';",
        "import { one as hidden } from './a.js';",
        'export { Two };',
        'export default three;',
        'hidden();',
      ].join('\n'),
    };
    expect(await passedOn(files)).toEqual([
      'far.ts as uno: fn:a.ts:one',
      'far.ts as *: pkg:zod',
      'index.ts as Zwei: cls:a.ts:Two',
      'index.ts as one: fn:a.ts:one',
      'index.ts as drei: fn:a.ts:three',
      'index.ts as Four: cls:a.ts:Four',
      'index.ts as all: file:a.ts',
      'index.ts as Two: cls:a.ts:Two',
      'index.ts as default: fn:a.ts:three',
      'index.ts as *: file:far.ts',
      'index.ts as again: fn:a.ts:one',
      'index.ts as z: pkg:zod',
    ]);
  });

  test('in Python: what `__init__` imports, `__all__`, names imported as themselves, stars', async () => {
    const files = {
      'pkg/__init__.py':
        'from .core import run, _hidden\nfrom . import tools\nfrom .core import Base as Base, stop as halt\nimport os\n',
      'pkg/core.py': 'def run(): pass\ndef stop(): pass\ndef _hidden(): pass\nclass Base: pass\n',
      'pkg/tools.py': 'from .core import run\nfrom .core import Base as Base\nfrom os import path\n',
      'pkg/listed.py':
        "from .core import *\nfrom .core import stop, Base\n__all__ = ['run', 'stop', '_own']\ndef _own(): pass\n",
      'pkg/stars.py': 'from .core import *\n',
    };
    expect(await passedOn(files)).toEqual([
      'pkg/__init__.py as tools: file:pkg/tools.py',
      'pkg/__init__.py as run: fn:pkg/core.py:run',
      'pkg/__init__.py as Base: cls:pkg/core.py:Base',
      'pkg/__init__.py as halt: fn:pkg/core.py:stop',
      'pkg/listed.py as run: fn:pkg/core.py:run',
      'pkg/listed.py as stop: fn:pkg/core.py:stop',
      'pkg/stars.py as *: file:pkg/core.py',
      'pkg/tools.py as Base: cls:pkg/core.py:Base',
    ]);
  });

  test('in CommonJS: what is required and assigned', async () => {
    const files = {
      'a.js': 'module.exports = { one, two() {} };\nfunction one() {}\n',
      'b.js': "module.exports = require('./a');\n",
      'c.js': "exports.a = require('./a');\nconst { one } = require('./a');\nexports.uno = one;\n",
    };
    expect(await passedOn(files)).toEqual([
      'b.js as *,default: file:a.js',
      'c.js as a: file:a.js',
      'c.js as uno: fn:a.js:one',
    ]);
  });

  test('its own definitions keep their other names', async () => {
    const files = {
      'a.ts':
        'function one() {}\nclass Two {}\nconst three = 3;\nexport { one as uno, one, three };\nexport default Two;\nexport const four = 4;\n',
      'b.js': 'module.exports = { eins: one };\nfunction one() {}\n',
    };
    expect(await aliases(files)).toEqual([
      'cls:a.ts:Two as default',
      'fn:a.ts:one as one,uno',
      'fn:b.js:one as eins',
    ]);
  });

  test('and an update that changes the other file leaves what a fresh index does', async () => {
    const before = {
      'a.ts': 'export const one = 1;\n',
      'b.ts': "export { one } from './a.js';\n",
      'c.ts': "export { one as uno } from './b.js';\n",
    };
    const after = { ...before, 'a.ts': 'export function one() {}\n' };
    const { root, graph } = await indexed(before);
    replace(root, after);
    await index(graph, { mode: 'incremental' });
    expect((await lookAt(graph)).edges).toEqual((await freshLook(after)).edges);
  });
});
