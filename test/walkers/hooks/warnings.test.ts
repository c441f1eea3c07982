import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { OpenGraph } from '../../../index.js';
import { CART, FAILURE, FIX, RUN, Sessions } from '../agent-sessions.js';
import { aged, index, open, write } from '../project.js';

let root: string;
let graph: OpenGraph;
let agents: Sessions;
beforeEach(async () => {
  root = aged(write(CART));
  graph = await open(root);
  agents = new Sessions(graph);
});

const BAD = {
  file_path: 'src/price.js',
  old_string: '  return total - total * pct;',
  new_string: '  return total - Math.round(pct);',
};
const BACK = { ...FIX, old_string: BAD.new_string };
const edit = ({ file_path, old_string, new_string }: typeof FIX) => ({
  file: file_path,
  old: old_string,
  now: new_string,
});

describe('before a command that failed the last time', () => {
  beforeEach(async () => {
    await index(graph);
    await agents.log('task_start', { user_prompt: 'Fix the discount' }, 's1');
    await agents.use('s1', RUN, FAILURE);
  });

  test('a warning is given where nothing was changed since, once', async () => {
    await agents.use('s1', { command: 'git diff | head -20 2>&1' });
    const text = await agents.answer('before_command', { ...RUN, tool_id: 'next' });
    expect(text).toMatch(/^Codewalk: this command failed the last time it was run here, \d+ minutes ago/u);
    expect(text).toContain('failed with: 10 percent discount: ');
    expect(await agents.answer('before_command', { ...RUN, tool_id: 'later' })).toBeNull();
  });

  const silent = async (command = RUN.command) =>
    expect(await agents.answer('before_command', { command, tool_id: 'next' })).toBeNull();

  test.each([
    ['an edit', FIX],
    ['a command that may write', { command: 'sed -i s/a/b/ src/price.js' }],
    ['a command whose output goes to a file', { command: 'cat a > b' }],
    ['a command that goes elsewhere', { command: 'cd web && ls' }],
    ['a run that passed', RUN],
  ])('nothing is said after %s', async (_what, params) => {
    await agents.use('s1', params);
    await silent();
  });

  test.each([
    ['a file', () => writeFileSync(join(root, 'src/price.js'), 'export const formatPrice = String;\n')],
    ['that a file came', () => writeFileSync(join(root, 'src/new.js'), '')],
    ['that a file went', () => rmSync(join(root, 'src/alone.js'))],
  ])('nothing is said where the disk changed since: %s', async (_what, change) => {
    change();
    await silent();
  });

  test('nothing is said where it is not known whether the disk changed', async () => {
    const others = new Sessions(await open(aged(write(CART))));
    await others.log('task_start', { user_prompt: 'Fix the discount' }, 's1');
    await others.use('s1', RUN, FAILURE);
    expect(await others.answer('before_command', { ...RUN, tool_id: 'next' })).toBeNull();
  });

  test('nothing is said of another command', () => silent('npm run lint'));
});

describe('after the same failure again', () => {
  beforeEach(() => index(graph));

  test('it is said that nothing was changed in between, once, however often it comes', async () => {
    await agents.log('task_start', { user_prompt: 'Fix the discount' }, 's1');
    await agents.use('s1', RUN, FAILURE, 'first');
    for (const [tool_id, said] of [
      ['second', /^Codewalk: this failed in the same way/u],
      ['third', /^$/u],
    ] as const) {
      await agents.use('s1', RUN, FAILURE, tool_id);
      const text = await agents.answer('failure', { ...RUN, output: FAILURE, tool_id }, 's1');
      expect(text ?? '').toMatch(said);
    }
  });

  test('nothing is said of the first one, of another one, or after an edit', async () => {
    await agents.log('task_start', { user_prompt: 'Fix the discount' }, 's1');
    await agents.use('s1', RUN, FAILURE, 'first');
    const other = FAILURE.replace('10 percent discount', 'formats a price');
    expect(await agents.answer('failure', { ...RUN, output: FAILURE, tool_id: 'first' }, 's1')).toBeNull();
    expect(await agents.answer('failure', { ...RUN, output: other, tool_id: 'second' }, 's1')).toBeNull();
    await agents.use('s1', BAD);
    expect(await agents.answer('failure', { ...RUN, output: FAILURE, tool_id: 'third' }, 's1')).toBeNull();
  });

  test('nothing is said where another session, or an edit of several places, changed something meanwhile', async () => {
    const asked = { ...RUN, output: FAILURE, tool_id: 'third' };
    await agents.log('task_start', { user_prompt: 'Fix the discount' }, 's1');
    await agents.log('task_start', { user_prompt: 'Something else' }, 's2');
    await agents.use('s1', RUN, FAILURE, 'first');
    await agents.use('s2', BAD);
    expect(await agents.answer('failure', asked, 's1')).toBeNull();
    await agents.use('s1', RUN, FAILURE, 'second');
    const { old_string, new_string } = BACK;
    await agents.use('s1', { file_path: BACK.file_path, edits: [{ old_string, new_string }] });
    expect(await agents.answer('failure', asked, 's1')).toBeNull();
  });

  test('a failed edit that is tried again as it was is warned of, too', async () => {
    const missing = { ...FIX, old_string: '  return total - (total * pct) / 1;' };
    const output = 'Failed to edit, 0 occurrences found for old_string.';
    await agents.log('task_start', { user_prompt: 'Fix the discount' }, 's1');
    await agents.use('s1', missing, output, 'first');
    const more = { output, tool_id: 'second', edit: edit(missing) };
    expect(await agents.answer('failure', more, 's1')).toContain('no change was recorded in between');
  });
});

describe('an edit that puts in what failed before', () => {
  beforeEach(async () => {
    await agents.log('task_start', { user_prompt: 'Round the discount' }, 's1');
    await agents.use('s1', BAD);
    await agents.use('s1', RUN, FAILURE);
  });

  test('is warned of where it was taken out again, once', async () => {
    await agents.use('s1', BACK);
    await agents.log('task_end', { status: 'success' }, 's1');
    const text = await agents.answer('before_edit', { edit: edit(BAD), file_paths: ['src/price.js'] });
    expect(text).toMatch(
      /^Codewalk: these lines were put in before, a failure followed, and they were taken out/u,
    );
    expect(text).toContain('  put into src/price.js: return total - Math.round(pct);\n');
    expect(text).toContain('  failed with: 10 percent discount: ');
    expect(text).toContain('  replaced by: return total - (total * pct) / 100;\n');
    expect((await agents.answer('edited', { edit: edit(BAD) })) ?? '').not.toContain('put in before');
  });

  test('is not warned of where it stayed, or came back for good', async () => {
    expect(await agents.answer('edited', { edit: edit(BAD) }, 's2')).toBeNull();
    await agents.use('s1', BACK);
    await agents.use('s1', { ...BAD, old_string: FIX.new_string });
    await agents.log('task_end', { status: 'success' }, 's1');
    expect(await agents.answer('edited', { edit: edit(BAD) }, 's3')).not.toContain('put in before');
  });

  test('is not warned of where it puts in something else', async () => {
    await agents.use('s1', BACK);
    const other = { ...edit(BAD), now: '  return Math.max(0, total - pct);' };
    expect(await agents.answer('edited', { edit: other })).toBeNull();
  });
});

describe('an edit that undoes a fix', () => {
  const undo = { file: FIX.file_path, old: FIX.new_string, now: FIX.old_string };
  const warned = async (more: Partial<typeof undo> = {}, session = 's2') =>
    (await agents.answer('before_edit', { edit: { ...undo, ...more } }, session)) ?? '';
  const UNDONE = 'this puts back what was replaced to fix a failing test.';

  test('is warned of with the test, its message and the fix, once a session, also in the session of the fix', async () => {
    await agents.fixesDiscount();
    for (const session of ['s1', 's2']) {
      const text = await warned({}, session);
      expect(text.startsWith(`Codewalk: ${UNDONE}`)).toBe(true);
      expect(text).toContain('- 10 percent discount: Error: Expected values');
      expect(text).toContain('  task of ');
      expect(text).toContain('  the fix in src/price.js was:\n    + return total - (total * pct) / 100;\n');
      expect(await warned({}, session)).not.toContain(UNDONE);
    }
  });

  test('is told of once: the history of the file does not say it again', async () => {
    await agents.fixesDiscount();
    const read = await agents.answer('read', { file_paths: [undo.file] }, 's3');
    expect(read).toContain('fixed here before');
    const text = await warned();
    expect(text).toContain(UNDONE);
    expect(text).not.toContain('fixed here before');
    expect(await warned({}, 's3')).toContain(UNDONE);
  });

  test('is warned of where it holds more than the fix did', async () => {
    await agents.fixesDiscount();
    const around = (line: string) => `export function applyDiscount(total, pct) {\n${line}\n}`;
    expect(await warned({ old: around(undo.old), now: around(undo.now) })).toContain(UNDONE);
  });

  test.each([
    ['that replaces the fix by something else', { now: '  return total - pct / 100 * total;' }],
    ['that puts the old lines elsewhere', { old: '  return 0;' }],
    ['of another file', { file: 'src/cart.js' }],
  ])('is not an edit %s', async (_what, more) => {
    await agents.fixesDiscount();
    expect(await warned(more)).not.toContain(UNDONE);
  });

  test('is not one of an edit after which the test failed still', async () => {
    await agents.log('task_start', { user_prompt: 'Fix the discount' }, 's1');
    await agents.use('s1', RUN, FAILURE);
    await agents.use('s1', FIX);
    await agents.use('s1', RUN, FAILURE);
    await agents.log('task_end', { status: 'failed' }, 's1');
    expect(await warned()).not.toContain(UNDONE);
  });
});
