import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cookiesOf } from '../../host/surroundings.js';
import { Scratch } from './scratch.js';

const scratch = new Scratch();
afterAll(() => scratch.remove());
beforeAll(() => scratch.run(['index', '.', '--quiet']));

/** What a command answers as JSON. */
async function told(...args: string[]) {
  const { code, stdout } = await scratch.run([...args, '--json']);
  return { code, ...JSON.parse(stdout) };
}

const log = (session: string, prompt: string) =>
  told('log', 'task_start', '--payload', JSON.stringify({ user_prompt: prompt }), '--session-id', session);

describe('the commands about what is kept', () => {
  it('back up what is remembered, list backups, restore one, and rebuild', async () => {
    await log('backed-up', 'Back it up');
    const made = await told('backup');
    expect(made).toMatchObject({ code: 0, events: expect.any(Number) });
    await log('after', 'After the backup');
    expect(await told('restore', '--list')).toMatchObject({
      backups: [{ path: made.path, bytes: made.bytes }],
    });
    expect((await scratch.run(['restore', '--list'])).stdout).toContain(made.path);
    expect((await scratch.run(['restore', 'latest'])).stdout).toMatch(
      /^Restored \d+ events? and \d+ other records? from .*\nThe state before it is in .*\n$/,
    );
    const prompts = async () => (await told('tasks')).tasks.map((task: { prompt: string }) => task.prompt);
    expect(await prompts()).toEqual(['Back it up']);
    expect(await told('rebuild', '--durable')).toMatchObject({
      old_store: true,
      sources: [{ from: 'store' }],
    });
    expect((await scratch.run(['rebuild', '--durable'])).stdout).toMatch(
      /^Rebuilt from \d+ event.* from the store /s,
    );
    expect(await told('restore', 'nowhere')).toMatchObject({ code: 1, error_code: 'BACKUP_INVALID' });
    expect(await told('restore', fileURLToPath(import.meta.url))).toMatchObject({
      error_code: 'BACKUP_INVALID',
    });
    expect(await told('restore')).toMatchObject({ error_code: 'INVALID_INPUT' });
    for (const session of ['backed-up', 'after']) await told('forget', '--session', session);
    expect((await scratch.run(['status'])).stdout).toContain('BACKUPS');
  });

  it('list projects, pause one, and go on', async () => {
    expect(await told('projects')).toMatchObject({ projects: [{ root: scratch.project, paused: false }] });
    expect(await told('pause')).toMatchObject({ root: scratch.project, paused: 'project' });
    expect((await scratch.run(['projects'])).stdout).toMatch(/shop +project .* paused\n/);
    expect(await told('resume', '.')).toMatchObject({ paused: null });
    const indexed = (await told('projects')).projects[0].revision;
    await log('three', 'Look at it');
    const [{ files, revision }] = (await told('projects')).projects;
    expect(revision).toBeGreaterThan(indexed);
    expect(await told('status')).toMatchObject({ projects: [{ files, revision }] });
    await told('forget', '--session', 'three');
    for (const verb of ['pause', 'resume'])
      expect((await scratch.run([verb, '/nope'])).stderr).toContain(
        'INVALID_ROOT: The root "/nope" does not',
      );
    expect((await scratch.run(['pause', '--all'])).stdout).toBe('Nothing is recorded in any project.\n');
    expect(existsSync(join(scratch.env.GRAPHS_HOME, 'paused'))).toBe(true);
    expect(await told('resume', '--all')).toMatchObject({ root: null, paused: null });
  });

  it.runIf(process.platform === 'linux')(
    'show how many files a watcher saw change, and why it watches none',
    async () => {
      // A watcher is trusted some questions later, and tells of a change a moment later.
      const shown = async (expected: RegExp, edits = false) => {
        let stdout = '';
        for (let tries = 0; tries < 30 && !expected.test(stdout); tries++) {
          await told('stats');
          if (edits) scratch.write('shop', { 'src/money.ts': `// ${tries}\n` });
          ({ stdout } = await scratch.run(['status']));
        }
        expect(stdout).toMatch(expected);
      };
      await shown(/shop +open +\d+ +\d+ +0 /);
      await shown(/shop +open +\d+ +\d+ +1 /, true);
      await scratch.run(['stop']);
      const fence = cookiesOf(scratch.project, { home: scratch.env.GRAPHS_HOME });
      rmSync(fence, { recursive: true });
      writeFileSync(fence, 'in the way');
      await shown(
        /\n\S+shop is not watched: watching failed \(EEXIST\); every question looks at its files\.\n$/,
      );
      expect(await told('status')).toMatchObject({
        projects: [{ pending: null, not_watched: 'watching failed (EEXIST)' }],
      });
      rmSync(fence);
      await scratch.run(['stop']);
    },
  );

  it('forget what was recorded, and say so before', async () => {
    await log('one', 'Mend the axolotl');
    await log('two', 'Keep this');
    expect(await told('forget')).toMatchObject({ code: 2, error_code: 'INVALID_INPUT' });
    expect(await told('forget', '--all', '--task', 'x')).toMatchObject({ code: 2 });
    const dry = await scratch.run(['forget', '--session', 'one', '--dry-run']);
    expect(dry.stdout).toBe(`Would forget 1 event of ${scratch.project}: 1 task.\n`);
    const unknown = await told('forget', '--session', 'nine');
    expect(unknown).toMatchObject({ code: 1, error_code: 'NODE_NOT_FOUND' });
    expect(unknown.suggestion).toContain('codewalk tasks');
    expect(await told('forget', '--session', 'on')).toMatchObject({ code: 0, forgotten: [{ events: 1 }] });
    const { tasks } = await told('tasks');
    expect(tasks).toMatchObject([{ prompt: 'Keep this' }]);
  });

  it('collect, remove and adopt, and refuse what they cannot', async () => {
    expect(await told('gc', '--dry-run')).toMatchObject({ code: 0, dry_run: true, dropped: [] });
    const other = scratch.write('other', { 'a.ts': 'export const a = 1;\n' });
    expect(await told('adopt', scratch.project, other)).toMatchObject({
      code: 1,
      error_code: 'HISTORY_REFUSED',
    });
    expect(await told('remove', '.', '--dry-run')).toMatchObject({ dry_run: true, root: scratch.project });
    expect((await scratch.run(['remove', '.'])).stdout).toMatch(/^Removed of .*: code graph \d/);
    expect(await told('remove', other)).toMatchObject({ code: 1, error_code: 'PROJECT_NOT_INDEXED' });
  });

  it('change settings; walkers that they name are commands of every run, and can be taken out when they are broken', async () => {
    const own = (name: string) =>
      `import { defineWalker } from 'codewalk';\nexport default defineWalker('${name}', { start: () => null, on: () => [], finish: () => ({ hello: 1 }) });`;
    const folder = scratch.write('mine', { 'greet.mjs': own('greet') });
    expect(await told('config', 'set', 'walkers', folder)).toMatchObject({ key: 'walkers', value: [folder] });
    expect(await told('greet')).toMatchObject({ code: 0, hello: 1 });
    scratch.write('mine', { 'greet.mjs': 'export default' });
    expect(await told('tasks')).toMatchObject({ code: 1, error_code: 'WALKER_INVALID' });
    expect(await told('config', 'unset', 'walkers')).toMatchObject({ code: 0, value: [], source: 'default' });
    expect(await told('tasks')).toMatchObject({ code: 0 });
    expect((await scratch.run(['config', 'list'])).stdout).toContain('max_file_bytes = 2097152\n');
    expect(await told('config', 'get', 'wakers')).toMatchObject({ code: 2, error_code: 'INVALID_INPUT' });
    const nowhere = ['auto_index', 'false', '--project', `${folder}/nowhere`];
    expect(await told('config', 'set', ...nowhere)).toMatchObject({ code: 1, error_code: 'INVALID_ROOT' });
    expect((await scratch.run(['config', 'list', '--json'])).stdout).not.toContain('nowhere');
  });
});
