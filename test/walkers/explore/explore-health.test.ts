import { expect, test } from 'vitest';
import type { ExploreHealthOutput } from '../../../walkers/index.js';
import { indexed, log, write } from '../project.js';
import { asked } from '../query/shops.js';

const FILES = {
  'package.json': '{"name": "shop"}',
  '.env': 'TOKEN=nothing\n',
  'README.md': '# Shop\n',
  'src/app.ts':
    "import chalk from 'chalk';\nexport function app(box: any) {\n  chalk.bold('a');\n  chalk.bold('b');\n  box.open();\n  missing();\n}\nexport function again(box: any) {\n  box.open();\n}\n",
  'src/broken.ts': 'export function broken( {\n  return ;;; }}\n',
  'src/small.min.js': `var a=${'1+'.repeat(30_000)}1\n`,
  'tools/run.sh': 'run() {\n  echo 1\n}\nrun\n',
  'node_modules/chalk/index.js': 'export default {};\n',
  'src/both.py': `class A:\n    def cents(self):\n        return 1\n\n\nclass B:\n    def cents(self):\n        return 2\n\n\ndef both(flag):\n    thing = A() if flag else B()\n    return thing.cents()\n`,
};

test('the health of a project is what is not resolved, by cause, how its languages are read, and what was left out', async () => {
  const { graph, root } = await indexed(FILES);
  const health = async () => (await asked<ExploreHealthOutput>(graph, 'explore_health', {})).body;
  const body = await health();
  const shown = body.unresolved.map(({ cause, calls, names }) => [
    ...[cause, calls],
    names.map((one) => `${one.calls} ${one.name}`).join(', '),
  ]);
  expect(shown).toEqual([
    ['the type of its receiver is not known', 3, '2 open, 1 cents'],
    ['one of several that it may call', 2, ''],
    ['what it calls is of a package outside of the project', 2, '1 chalk.bold, 1 shell.echo'],
    ['where the name comes from is not known', 1, '1 missing'],
  ]);
  const tiers = Object.fromEntries(
    body.languages.map(({ language, files, tier }) => [language, `${files} ${tier}`]),
  );
  expect(tiers).toEqual({
    typescript: '2 T3',
    python: '1 T3',
    shell: '1 T1',
    javascript: '1 T3',
    json: '1 keys',
    markdown: '1 text',
  });
  expect(body.syntax_errors).toEqual([
    { path: 'src/broken.ts', lines: expect.arrayContaining([expect.any(Number)]) },
  ]);
  expect(body.not_extracted).toEqual([{ path: 'src/small.min.js', reason: 'minified' }]);
  expect(body.skipped).toEqual([
    { reason: 'secret', means: expect.stringContaining('never read'), count: 1 },
    { reason: 'vendored', means: expect.any(String), count: 1 },
  ]);
  expect([body.complete, body.masked]).toEqual([true, []]);
  expect(Date.parse(body.indexed_at ?? '')).toBeGreaterThan(0);

  // What is recorded later shows, and so does what is indexed later.
  const { task_id } = await log(graph, 'task_start', {
    user_prompt: 'The password is password=hunter22x and so on',
  });
  await log(graph, 'task_end', { status: 'success' }, { task_id });
  expect((await health()).masked).toEqual([{ kind: 'password', times: expect.any(Number) }]);
  write({ 'src/app.ts': 'export const app = 1;\n' }, root);
  await graph.spawn('graph_index_project', null, {});
  expect((await health()).unresolved.map(({ calls }) => calls)).toEqual([2, 1, 1]);
});
