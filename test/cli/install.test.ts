import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { CLIENTS } from '../../hooks/index.js';
import { treeOf } from '../hooks/install/homes.js';
import { CLI, Scratch } from './scratch.js';

const scratch = new Scratch();
/** A home whose path a shell could stumble over, and the graphs in it. */
const HOME = scratch.write("a user's home", { '.claude/settings.json': '{ "theme": "dark" }\n' });
/** A project of which events are taken in. */
const PROJECT = scratch.write('made', { 'package.json': '{}\n' });
const env = { PATH: scratch.env.PATH, HOME, GRAPHS_HOME: '' };
afterAll(() => scratch.run(['stop', '--quiet'], { env }).then(() => scratch.remove()));

const run = (...args: string[]) => scratch.run(args, { env });
const told = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout);

/** Runs the hooks that are in a file as a client does. */
function runHook(file: string, event: string, payload: object) {
  const { hooks } = JSON.parse(readFileSync(join(HOME, file), 'utf8'));
  const { command } = hooks[event][0].hooks[0];
  const options = { input: JSON.stringify(payload), cwd: PROJECT, env, encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], options);
  return { status, stdout, stderr };
}

describe('codewalk install and uninstall', () => {
  it('know the clients that there are', async () => {
    const { stdout } = await run('install', '--help');
    for (const { name } of CLIENTS) expect(stdout).toContain(`"${name}"`);
    expect((await run('install', 'emacs')).code).toBe(2);
    expect((await run('install')).code).toBe(2);
    expect((await run('install', 'qwen', '--detect')).code).toBe(2);
    expect((await run('uninstall')).code).toBe(2);
    expect((await run('uninstall', 'qwen', '--purge')).code).toBe(2);
  });

  it('show the plan first, in lines that a terminal holds, and write nothing', async () => {
    const before = treeOf(HOME);
    const { stdout } = await run('install', 'claude', '--dry-run');
    expect(stdout).toMatch(
      /^Would install for Claude Code, in all projects:\n {2}~ ~\/\.claude\/settings\.json\n {6}\+ hooks\./,
    );
    for (const line of stdout.split('\n'))
      expect(
        line.includes(scratch.folder) ||
          line.includes('/record.sh') ||
          line.includes(CLI) ||
          line.length <= 80,
      ).toBe(true);
    expect(treeOf(HOME)).toEqual(before);
  });

  it('show the commands that a client would run, and say where it is not to be found', async () => {
    const { stdout } = await run('install', 'qwen', '--dry-run');
    expect(stdout).toMatch(/\nServer {3}.* mcp --format markdown --client qwen\n/);
    expect(stdout).toMatch(/\n {2}\S*Stop.*\n {6}sh '.*record\.sh' --client qwen --quiet .*\n/);
    const { hooks, server } = (await told('install', 'qwen', '--dry-run')).commands;
    expect(hooks).toContainEqual(expect.objectContaining({ event: 'Stop', matcher: null }));
    expect(server.slice(-2)).toEqual(['--client', 'qwen']);
    const bin = scratch.write('bin', { qwen: '#!/bin/sh\n' });
    const at = async (PATH: string) =>
      (await scratch.run(['install', 'qwen', '--dry-run'], { env: { ...env, PATH } })).stdout;
    expect(await at(bin)).toContain('qwen is not on the PATH: Qwen Code is not installed, or elsewhere.');
    chmodSync(join(bin, 'qwen'), 0o755);
    expect(await at(bin)).not.toContain('not on the PATH');
  });

  it('say which clients are on this machine, and what would be done for them', async () => {
    const found = scratch.write('found', {
      'bin/cursor': '#!/bin/sh\n',
      'home/.codex/config.toml': 'mcp_servers = 1\n',
      'home/.gemini/settings.json': '{}\n',
    });
    chmodSync(join(found, 'bin/cursor'), 0o755);
    const there = { PATH: `${join(found, 'bin')}:${env.PATH}`, HOME: join(found, 'home'), GRAPHS_HOME: '' };
    const detect = (...args: string[]) => scratch.run(['install', '--detect', ...args], { env: there });
    await scratch.run(['install', 'gemini'], { env: there });
    const before = treeOf(there.HOME);
    const { clients, not_found } = JSON.parse((await detect('--json')).stdout);
    expect(clients).toMatchObject([
      { client: 'codex', hooks: true, installed: false, files: [], refused: expect.stringMatching(/safely/) },
      { client: 'cursor', hooks: false, program_found: true, folder: null, files: [{ change: 'create' }] },
      { client: 'gemini', installed: true, files: [], refused: null },
    ]);
    expect(not_found).toContain('zed');
    const { stdout } = await detect();
    expect(stdout).toMatch(/^ {2}Cursor +codewalk install cursor +tools: ~\/\.cursor\/mcp\.json$/mu);
    expect(stdout).toMatch(/^ {2}Gemini CLI +installed +hooks and tools$/mu);
    expect(treeOf(there.HOME)).toEqual(before);
    await scratch.run(['uninstall', '--all', '--purge'], { env: there });
    expect(readdirSync(there.HOME).sort()).toEqual(['.codex', '.gemini']);
  });

  it('give a client without hooks the tools, which doctor tries', async () => {
    const before = treeOf(HOME);
    const { stdout } = await run('install', 'goose');
    expect(stdout).toMatch(
      /^Installed for Goose, in all projects:\n {2}\+ ~\/\.config\/goose\/config\.yaml\n {6}\+ extensions\.codewalk\n/,
    );
    expect(stdout).not.toMatch(/^Hooks/mu);
    expect((await told('install', 'goose', '--profile', 'query')).profiles).toEqual(['query']);
    const { checks } = await told('doctor');
    const ours = checks.filter(({ name }: { name: string }) => name.startsWith('goose '));
    expect(ours).toMatchObject([
      { name: 'goose files', ok: true },
      {
        name: 'goose server',
        ok: true,
        found: expect.stringMatching(/^codewalk \S+ answers .*, profile query$/),
      },
    ]);
    await run('uninstall', '--all', '--purge');
    expect(treeOf(HOME)).toEqual(before);
  });

  it('refuse a project in which nothing would be recorded, unless they are forced', async () => {
    const bare = scratch.write('bare', { 'notes.txt': 'none' });
    const install = (...args: string[]) =>
      scratch.run(['install', 'qwen', '--scope', 'project', '--json', ...args], { env, cwd: bare });
    const { code, stdout } = await install();
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      error_code: 'INSTALL_REFUSED',
      error: expect.stringMatching(
        /bare is neither a git work tree nor has a manifest .* nothing is recorded/,
      ),
      suggestion: expect.stringContaining('--force'),
    });
    expect(readdirSync(bare)).toEqual(['notes.txt']);
    expect((await install('--force', '--dry-run')).code).toBe(0);
  });

  it('leave no home behind a look at what there is', async () => {
    const before = treeOf(HOME);
    const { checks } = await told('doctor');
    expect(checks).toContainEqual(expect.objectContaining({ name: 'home', ok: true, note: true }));
    expect(treeOf(HOME)).toEqual(before);
  });

  it('tell of a pause, of another project that they are for alone, and of hooks that are too late', async () => {
    const inProject = { env, cwd: PROJECT };
    const note = async (name: string, from = PROJECT) => {
      const { stdout } = await scratch.run(['doctor'], { env, cwd: from });
      return (
        new RegExp(`^(?:note|ok {2}|FAIL) {2}${name} .*(?:\\n {6}.*)?`, 'mu').exec(stdout)?.[0] ?? stdout
      );
    };
    await scratch.run(['install', 'qwen', '--scope', 'project'], inProject);
    expect(await note('recording')).toMatch(/^ok/);
    expect(await note('qwen files', scratch.project)).toMatch(
      /^note.* 1 file has our entries, .*, for .*made alone\n {6}Not for .*shop: there .*--scope project/,
    );
    await run('pause', '--all');
    expect(await note('recording')).toMatch(/^note.* paused in all projects\n {6}'codewalk resume --all'/);
    await run('resume', '--all');
    await scratch.run(['pause'], inProject);
    expect(await note('recording')).toMatch(/^note.* paused in .*made\n {6}'codewalk resume \/.*made'/);
    await scratch.run(['resume'], inProject);
    mkdirSync(join(HOME, '.graphs', 'journal'), { recursive: true });
    const clients = { qwen: { last: '2026-05-01T10:00:00.000Z', payloads: 90 } };
    const counted = (late: number) => {
      const hooks = { qwen: { answered: 12, silent: 28 - late, late, failed: 0 } };
      writeFileSync(join(HOME, '.graphs', 'journal', 'counters.json'), JSON.stringify({ clients, hooks }));
    };
    counted(3);
    expect(await note('qwen hooks')).toMatch(/^ok.*90 in all; answered 12, too late 3 of 40 that asked$/m);
    counted(9);
    expect(await note('qwen hooks')).toMatch(
      /^note.*too late 9 of 40 that asked\n {6}.*busy.*config set hooks\.deadline 2500/,
    );
    await run('uninstall', '--all', '--purge');
    expect(readdirSync(PROJECT)).toEqual(['package.json']);
  });

  it('leave a home as it was, whatever happened between them', async () => {
    const before = treeOf(HOME);
    await run('install', 'qwen');
    expect(await told('install', 'claude')).toMatchObject({
      scope: 'user',
      files: [{ change: 'change' }, { change: 'create' }],
    });
    expect((await run('install', 'qwen')).stdout).toMatch(/nothing to change/);
    const common = { session_id: 's', cwd: PROJECT, transcript_path: '' };
    const stop = { ...common, hook_event_name: 'Stop', last_assistant_message: 'Done.' };
    const silent = { status: 0, stdout: '', stderr: '' };
    expect(runHook('.claude/settings.json', 'Stop', stop)).toEqual(silent);
    const hooks = '.qwen/extensions/codewalk/hooks/hooks.json';
    const empty = { ...common, hook_event_name: 'UserPromptSubmit', prompt: '' };
    expect(runHook(hooks, 'UserPromptSubmit', empty)).toEqual(silent);
    expect(readdirSync(join(HOME, '.graphs', 'journal', 'new'))).toHaveLength(1);
    const { checks } = await told('doctor');
    expect(checks.filter(({ ok }: { ok: boolean }) => !ok)).toEqual([]);
    const found = (name: string) => checks.find((check: { name: string }) => check.name === name).found;
    expect(found('claude files')).toBe('2 files have our entries, and what they name is there');
    expect(checks).toContainEqual(expect.objectContaining({ name: 'recording', ok: true }));
    expect(found('qwen server')).toMatch(/^codewalk \S+ answers in \d+ ms, profile core$/);
    expect(found('claude hooks')).toMatch(/^last heard of \S+Z, 1 in all$/);
    const { stdout } = await run('uninstall', '--all', '--purge');
    expect(stdout).toMatch(
      /\nThe daemon \(process \d+\) has ended\.\nRemoving all of .*\.graphs:\n {2}code graphs of 1 project +\d.*\n(?: {2}.*\n){3}Removed .*\.graphs \(\d.*\): graphs/,
    );
    expect(treeOf(HOME)).toEqual(before);
  });

  it('keep the profile that an agent was given until another one is asked for', async () => {
    const install = (...args: string[]) => told('install', 'claude', ...args);
    expect(await install('--profile', 'query', '--dry-run')).toMatchObject({ profiles: ['query'] });
    expect(await install('--profile', 'memory,query')).toMatchObject({ profiles: ['memory', 'query'] });
    expect(await install()).toMatchObject({
      profiles: ['memory', 'query'],
      files: [{ change: 'none' }, { change: 'none' }],
    });
    const server = async () =>
      (await told('doctor')).checks.find(({ name }: { name: string }) => name === 'claude server');
    expect((await server()).found).toMatch(/, profile memory,query$/);
    const settings = join(HOME, '.claude.json');
    writeFileSync(settings, readFileSync(settings, 'utf8').replace('memory,query', 'some'));
    expect(await server()).toMatchObject({
      ok: false,
      found: expect.stringContaining("'some'"),
      suggestion: 'Profiles are core, query, memory, all: codewalk install claude --profile core.',
    });
    const { code, stderr } = await run('install', 'claude', '--profile', 'everything');
    expect([code, stderr]).toEqual([2, expect.stringContaining('Profiles are core, query, memory, all.')]);
    expect((await run('install', 'claude', '--profile', 'core')).stdout).toMatch(/\nTools {4}profile core\n/);
    expect(readFileSync(settings, 'utf8')).not.toContain('--profile');
    await run('uninstall', '--all', '--purge');
  });

  it('keep what was recorded unless they are told to purge it, and a folder that holds other things', async () => {
    await run('install', 'qwen');
    mkdirSync(join(HOME, '.graphs', 'journal'), { recursive: true });
    writeFileSync(join(HOME, '.graphs', 'journal', 'counters.json'), '{}');
    expect((await run('uninstall', '--all')).stdout).toMatch(
      /stay in .*\.graphs \(2 B\):\n'codewalk uninstall --all --purge'/,
    );
    writeFileSync(join(HOME, '.graphs', 'novel.txt'), 'It was a dark and stormy night.');
    expect(await told('uninstall', '--all', '--purge')).toMatchObject({ error_code: 'INVALID_INPUT' });
    writeFileSync(join(HOME, '.graphs', '.codewalk-home'), '');
    expect(await told('uninstall', '--all', '--purge')).toMatchObject({ purged: true, left: ['novel.txt'] });
    expect(readdirSync(join(HOME, '.graphs'))).toEqual(['novel.txt']);
  });
});

describe('an installed hook', () => {
  it('ends well and in silence when the package has gone', () => {
    scratch.write("a user's home", {
      'gone.json': JSON.stringify({
        hooks: {
          Stop: [{ hooks: [{ command: "sh '/nowhere/record.sh' --client qwen --quiet 2>/dev/null || :" }] }],
        },
      }),
    });
    expect(runHook('gone.json', 'Stop', {})).toEqual({ status: 0, stdout: '', stderr: '' });
  });
});
