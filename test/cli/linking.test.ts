import { expect, onTestFinished, test } from 'vitest';
import { exportText, index, open, write } from '../walkers/project.js';
import { Scratch } from './scratch.js';

/** So many that a first index links them in threads of their own, where they are built and there are two cores. */
const FILES = 150;

test('A first index that links in threads makes the graph that one thread makes', {
  timeout: 120_000,
}, async () => {
  const own = new Scratch();
  onTestFinished(() => own.remove());
  const root = write(project());
  const indexed = await own.run(['index', root, '--embedded', '--json']);
  expect(indexed.code).toBe(0);
  const exported = await own.run(['export', root, '--embedded']);
  const graph = await open(root);
  const output = await index(graph);
  expect(exported.stdout).toBe(await exportText(graph));
  const { symbols_total, edges_total, calls, central_file, central_symbol } = output;
  expect(JSON.parse(indexed.stdout)).toMatchObject({
    symbols_total,
    edges_total,
    calls,
    central_file,
    central_symbol,
  });
  expect(central_symbol).toBe('shared');
});

/** Files that import each other, with classes, overrides, tests, packages and names that are nowhere. */
function project(): Record<string, string> {
  const files: Record<string, string> = {
    'package.json': '{ "name": "many" }',
    'src/shared.ts': 'export function shared(n: number): number {\n  return n;\n}\n',
  };
  for (let at = 0; at < FILES; at += 1) {
    const before = at === 0 ? '' : `import { Part${at - 1} } from './part${at - 1}.js';\n`;
    files[`src/part${at}.ts`] =
      `${before}import { shared } from './shared.js';\nimport { readFileSync } from 'node:fs';\n` +
      `/** Part ${at}. TODO: shorten it */\n` +
      `export class Part${at}${at === 0 ? '' : ` extends Part${at - 1}`} {\n` +
      `  run(): number {\n    readFileSync('x');\n    missing();\n    return shared(${at});\n  }\n}\n`;
  }
  files['test/part.test.ts'] =
    "import { test } from 'vitest';\nimport { Part7 } from '../src/part7.js';\n" +
    "test('runs', () => {\n  new Part7().run();\n});\n";
  return files;
}
