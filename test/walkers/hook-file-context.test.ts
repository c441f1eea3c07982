import { expect, test } from 'vitest';
import { FAILURE, RUN, Sessions } from './agent-sessions.js';
import { index, open, write } from './project.js';

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
const MEND = {
  file_path: 'src/core.js',
  old_string: "return start === '*';",
  new_string: "return start === '*' || start === '?';",
};

async function sessions(): Promise<Sessions> {
  const graph = await open(write(PROJECT));
  await index(graph);
  return new Sessions(graph);
}

/** What is told, each line shortened to what it begins with. */
function order(text: string | null): string[] {
  const known = [
    'it failed',
    'mended by',
    'tested by',
    'is called by',
    'more of its symbols',
    'changed ',
    'todo:',
  ];
  return (text ?? '').split('\n').flatMap((line) => known.filter((part) => line.includes(part)).slice(0, 1));
}

test('what failed in a file stands first, then its tests, then callers; its TODOs stand last', async () => {
  const agents = await sessions();
  for (const session of ['s1', 's0']) {
    await agents.log('task_start', { user_prompt: 'Match question marks' }, session);
    await agents.use(session, RUN, FAILURE);
    await agents.use(session, MEND);
    await agents.use(session, RUN);
    await agents.log('task_end', { status: 'success' }, session);
  }
  const text = (await agents.told('read', { file_paths: ['src/core.js'] })) ?? '';
  expect(order(text)).toEqual([
    'changed ',
    'it failed',
    'mended by',
    'tested by',
    ...['is called by', 'is called by'],
    'more of its symbols',
    'todo:',
  ]);
  expect(text).toContain('it failed (and 1 other time) with: not ok 1 - 10 percent discount');
  expect(text).toContain('tested by test/core.test.js (a pattern of stars, a popular thing and 1 more)');
  expect(text).toMatch(/popular is called by .*part00\/user\.js\), .*part01\/user\.js\), .* and 9 more\n/u);
  expect(text.length).toBeLessThanOrEqual(1000);
});

test('callers and tests of the symbol whose line is edited come first, before the edit and after it', async () => {
  const agents = await sessions();
  const before = await agents.told('before_edit', { edit: LINE, file_paths: ['src/core.js'] });
  expect(before).toContain('before it is changed');
  expect(before).toMatch(/about src\/core\.js\n- tested by test\/core\.test\.js \(a pattern of stars/u);
  expect(before).toMatch(/tested by .*\n- Pattern\.match is called by pattern0 /u);
});

test('of a file that was changed it is not said that it is about to be', async () => {
  const root = write({ ...PROJECT, 'src/core.js': CORE.replace(LINE.old, LINE.now) });
  const graph = await open(root);
  await index(graph);
  const text = await new Sessions(graph).told('edited', { edit: LINE, file_paths: ['src/core.js'] });
  expect(text).toContain('now that it was changed.');
  expect(text).not.toContain('before it is changed');
  expect(text).toMatch(/tested by .*\n- Pattern\.match is called by pattern0 /u);
  expect(text?.length).toBeLessThanOrEqual(1000);
});

test('what the prompt at work names comes first among what is called', async () => {
  const agents = await sessions();
  await agents.log('task_start', { user_prompt: 'What does other4 return?' }, 's2');
  const text = await agents.told('read', { file_paths: ['src/core.js'] });
  expect(text).toMatch(
    /tested by .*\n- other4 is called by calls4 \(src\/others\.js\)\n- popular is called by/u,
  );
});
