import { expect, test } from 'vitest';
import { MemoryStore } from '../../../walkers/memory/memory-store.js';
import { FAILURE, RUN, Sessions } from '../agent-sessions.js';
import { index, open, write } from '../project.js';

const users = Array.from({ length: 12 }, (_, at) => [
  `src/part${String(at).padStart(2, '0')}/user.js`,
  `import { popular, Pattern } from '../core.js';
export function readsSomethingFromThePart${at}() {
  return popular() + popular(${at});
}
${at < 2 ? `export const pattern${at} = () => new Pattern().match('${at}');\n` : ''}`,
]);
const CORE = `// TODO: split this file
export function popular(n) {
  return n;
}

export class Pattern {
  match(text) {
    const start = text[0];
    return start === '*';
  }
}

${Array.from({ length: 6 }, (_, at) => `export function other${at}() {\n  return ${at};\n}\n`).join('\n')}`;
const PROJECT = {
  'package.json': '{"name": "core", "type": "module"}',
  'src/core.js': CORE,
  'src/others.js': `import { ${Array.from({ length: 6 }, (_, at) => `other${at}`).join(', ')} } from './core.js';
${Array.from({ length: 6 }, (_, at) => `export const calls${at} = () => other${at}() + 1;`).join('\n')}
`,
  'test/core.test.js': `import test from 'node:test';
import { popular, Pattern } from '../src/core.js';

test('a popular thing', () => {
  popular(1);
});

test('a pattern of stars', () => {
  new Pattern().match('*');
});

test('another popular thing', () => {
  popular(2);
});
`,
  ...Object.fromEntries(users),
};
const LINE = { file: 'src/core.js', old: '    const start = text[0];', now: '    const start = text.at(0);' };
const FIX = {
  file_path: 'src/core.js',
  old_string: "return start === '*';",
  new_string: "return start === '*' || start === '?';",
};

async function sessions(): Promise<Sessions> {
  const graph = await open(write(PROJECT));
  await index(graph);
  return new Sessions(graph);
}

/** What is answered, each line shortened to what it begins with. */
function order(text: string | null): string[] {
  const known = [
    'fixed here before',
    'changed in the task',
    'tested by',
    'is called by',
    'more of its symbols',
    'is implemented or overridden by',
    'todo:',
  ];
  return (text ?? '').split('\n').flatMap((line) => known.filter((part) => line.includes(part)).slice(0, 1));
}

const CODE = ['is called by', 'is called by', 'is called by', 'more of its symbols', 'tested by'];

async function fixesPattern(agents: Sessions): Promise<void> {
  for (const session of ['s0', 's1']) {
    await agents.log('task_start', { user_prompt: 'Match question marks' }, session);
    await agents.use(session, RUN, FAILURE);
    await agents.use(session, FIX);
    await agents.use(session, RUN);
    await agents.log('task_end', { status: 'success' }, session);
  }
  await agents.log('task_start', { user_prompt: 'Rename the stars' }, 's3');
  await agents.use('s3', { ...FIX, old_string: 'const start = 1;', new_string: 'const star = 1;' });
  await agents.log('task_end', { status: 'success' }, 's3');
}

test('before an edit callers and tests come first, then the history, a line each; on a read the history does', async () => {
  const agents = await sessions();
  await fixesPattern(agents);
  const ask = async (moment: string) =>
    (await agents.answer(moment, { file_paths: ['src/core.js'] }, moment)) ?? '';
  const past = ['fixed here before', 'changed in the task'];
  const [before, read] = [await ask('before_edit'), await ask('read')];
  expect(order(before)).toEqual([...CODE, ...past, 'todo:']);
  expect(order(read)).toEqual([...past, ...CODE, 'todo:']);
  for (const text of [before, read]) {
    expect(text).toContain('- tested by test/core.test.js (');
    expect(text).toMatch(/popular is called by .*part00\/user\.js\), .*part01\/user\.js\), .* and 9 more\n/u);
    expect(text).toContain("by: return start === '*' || start === '?'; (task of ");
    expect(text).toContain('; now: const star = 1;\n');
    expect(text.length).toBeLessThanOrEqual(1000);
  }
});

test('callers and tests never fall out of the text for what is recorded of the file', async () => {
  const graph = await open(write(PROJECT));
  await index(graph);
  const agents = new Sessions(graph);
  for (const title of ['First', 'Second', 'Third'])
    await graph.spawn(MemoryStore, null, {
      type: 'fix',
      title: `${title} ${'very '.repeat(30)}long`,
      content: `${title}: ${'all of it '.repeat(60)}`,
      about: ['src/core.js'],
    } as never);
  await fixesPattern(agents);
  const text = await agents.answer('before_edit', { edit: LINE, file_paths: ['src/core.js'] });
  expect(order(text).slice(0, CODE.length)).toEqual(CODE);
  expect(text?.length).toBeLessThanOrEqual(1000);
});

test('callers and tests of the symbol whose line is edited come first, before the edit and after it', async () => {
  const agents = await sessions();
  const before = await agents.answer('before_edit', { edit: LINE, file_paths: ['src/core.js'] });
  expect(before).toMatch(/about src\/core\.js: .*\n```text\n- Pattern\.match is called by pattern0 /u);
  expect(before).toContain('- tested by test/core.test.js (a pattern of stars');
  const done = write({ ...PROJECT, 'src/core.js': CORE.replace(LINE.old, LINE.now) });
  const graph = await open(done);
  await index(graph);
  const after = await new Sessions(graph).answer('edited', { edit: LINE, file_paths: ['src/core.js'] });
  expect(after).toBe(before);
});

test('what the prompt at work names comes first among what is called', async () => {
  const agents = await sessions();
  await agents.log('task_start', { user_prompt: 'What does other4 return?' }, 's2');
  const text = await agents.answer('read', { file_paths: ['src/core.js'] });
  expect(text).toMatch(/```text\n- other4 is called by calls4 \(src\/others\.js\)\n- popular is called by/u);
});

test('what everything calls leaves nothing else out', async () => {
  const callers = Array.from({ length: 301 }, (_, at) => `export const calls${at} = () => popular(${at});`);
  const graph = await open(
    write({
      'core.js': 'export function popular(n) {\n  return n;\n}\n\nexport function rare() {\n  return 0;\n}\n',
      'many.js': `import { popular } from './core.js';\n${callers.join('\n')}\n`,
      'one.js': "import { rare } from './core.js';\nexport const once = () => rare();\n",
    }),
  );
  await index(graph);
  const agents = new Sessions(graph);
  await agents.log('task_start', { user_prompt: 'What does popular return?' }, 's2');
  const text = await agents.answer('read', { file_paths: ['core.js'] });
  expect(text).toContain('rare is called by once');
});

test('before an interface or a base class is edited its implementers are named', async () => {
  const implementers = Array.from({ length: 5 }, (_, at) => [
    `src/store${at}.ts`,
    `import type { Store } from './store.js';\nimport { Base } from './base.js';
export class Store${at} extends Base implements Store {\n  load(): number { return ${at}; }\n}\n`,
  ]);
  const graph = await open(
    write({
      'src/store.ts': 'export interface Store {\n  load(): number;\n}\n',
      'src/base.ts': 'export class Base {\n  load(): number { return 0; }\n}\n',
      ...Object.fromEntries(implementers),
    }),
  );
  await index(graph);
  const agents = new Sessions(graph);
  const old = '  load(): number;';
  const edit = { file: 'src/store.ts', old, now: '  load(key: string): number;' };
  expect(await agents.answer('before_edit', { edit, file_paths: ['src/store.ts'] })).toMatch(
    /- Store(?:\.load)? is implemented or overridden by .*\(src\/store0\.ts\), .* and 2 more\n/u,
  );
  const base = { ...edit, file: 'src/base.ts', old: '  load(): number { return 0; }' };
  expect(await agents.answer('before_edit', { edit: base, file_paths: ['src/base.ts'] })).toMatch(
    /- Base(?:\.load)? is implemented or overridden by .*\(src\/store0\.ts\), .* and 2 more\n/u,
  );
});
