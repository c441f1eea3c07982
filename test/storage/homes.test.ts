import { mkdirSync, readdirSync, realpathSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { HOME_MARKER } from '../../schema/index.js';
import { graphsHome, historyPath } from '../../storage/home-paths.js';
import { markHome, openLevelStore, pathHash, projectHomes } from '../../storage/index.js';
import { memoryFileSystem } from '../source/trees.js';
import { scratchFolders } from './scratch.js';
import { codeOf } from './suite.js';

const scratch = scratchFolders();
const folder = () => realpathSync.native(scratch());

describe('the home of all graphs', () => {
  const home = (env: Record<string, string>, ...folders: string[]) =>
    graphsHome(env, '/u', (at) => folders.includes(at), path.posix);

  test('is where GRAPHS_HOME says, else ~/.graphs, else an existing ~/.qwen/graphs', () => {
    expect(home({ GRAPHS_HOME: '/elsewhere' }, '/u/.graphs')).toBe('/elsewhere');
    expect(home({ GRAPHS_HOME: '' })).toBe('/u/.graphs');
    expect(home({})).toBe('/u/.graphs');
    expect(home({}, '/u/.qwen/graphs')).toBe('/u/.qwen/graphs');
    expect(home({}, '/u/.qwen/graphs', '/u/.graphs')).toBe('/u/.graphs');
  });
});

describe('the path that names a history', () => {
  const linked = {
    '/main/.git/HEAD': '',
    '/main/.git/worktrees/wt/commondir': '../..\n',
    '/main/.git/worktrees/wt/gitdir': '/wt/.git\n',
    '/wt/.git': 'gitdir: /main/.git/worktrees/wt\n',
    '/wt/sub/x/a.ts': '',
  };
  const historyOf = (root: string, files: Readonly<Record<string, string>> = linked) =>
    historyPath(root, 'posix', memoryFileSystem('posix', files));

  test('of an ordinary checkout, of a part of one, and outside of git is the root itself', () => {
    expect(historyOf('/main')).toBe('/main');
    expect(historyOf('/main/sub')).toBe('/main/sub');
    expect(historyOf('/plain')).toBe('/plain');
  });

  test('of a linked worktree lies in the main one, at the same place inside', () => {
    expect(historyOf('/wt')).toBe('/main');
    expect(historyOf('/wt/sub/x')).toBe('/main/sub/x');
  });

  test('of a worktree of a bare repository is the repository, and of a submodule itself', () => {
    const bare = {
      '/wt/.git': 'gitdir: /r.git/worktrees/wt',
      '/r.git/worktrees/wt/commondir': '../..',
      '/r.git/worktrees/wt/gitdir': '../../../wt/.git',
    };
    expect(historyOf('/wt', bare)).toBe('/r.git');
    const module = {
      '/m/.git/modules/sub/config': '[core]\n\tworktree = ../../../sub\n',
      '/m/sub/.git': 'gitdir: ../.git/modules/sub',
    };
    expect(historyOf('/m/sub', module)).toBe('/m/sub');
  });

  test('is found on drives with backslashes too', () => {
    const files = {
      'D:\\wt\\.git': 'gitdir: C:/main/.git/worktrees/wt',
      'C:\\main\\.git\\worktrees\\wt\\commondir': '../..',
      'C:\\main\\.git\\worktrees\\wt\\gitdir': 'D:/wt/.git',
    };
    expect(historyPath('D:\\wt\\sub', 'win32', memoryFileSystem('win32', files))).toBe('C:\\main\\sub');
  });
});

describe('the homes of a project', () => {
  const repository = () => {
    const base = folder();
    const [main, worktree] = [path.join(base, 'main'), path.join(base, 'wt')];
    const git = path.join(main, '.git', 'worktrees', 'wt');
    for (const made of [git, path.join(main, 'sub'), path.join(worktree, 'sub')])
      mkdirSync(made, { recursive: true });
    writeFileSync(path.join(git, 'commondir'), '../..\n');
    writeFileSync(path.join(git, 'gitdir'), `${worktree}/.git\n`);
    writeFileSync(path.join(worktree, '.git'), `gitdir: ${git}\n`);
    return { main, worktree };
  };

  test('share the durable one between worktrees and nothing else', () => {
    const { main, worktree } = repository();
    const env = { GRAPHS_HOME: folder() };
    const [a, b] = [
      projectHomes(main, { env, userHome: '/u' }),
      projectHomes(worktree, { env, userHome: '/u' }),
    ];
    expect(a.durable).toBe(b.durable);
    expect(a.derived).not.toBe(b.derived);
    const [sub, otherSub] = [
      projectHomes(path.join(main, 'sub'), { env, userHome: '/u' }),
      projectHomes(path.join(worktree, 'sub'), { env, userHome: '/u' }),
    ];
    expect(sub.durable).toBe(otherSub.durable);
    expect(sub.durable).not.toBe(a.durable);
  });

  test('of an ordinary checkout lie in one folder named by both hashes', () => {
    const { main } = repository();
    const graphs = folder();
    const homes = projectHomes(main, { env: { GRAPHS_HOME: graphs }, userHome: '/u' });
    expect(homes.projectHash).toBe(homes.historyHash);
    expect(homes.projectHash).toMatch(/^[0-9a-f]{16}$/);
    expect([homes.derived, homes.durable, homes.root]).toEqual([
      path.join(graphs, homes.projectHash, 'derived'),
      path.join(graphs, homes.historyHash, 'durable'),
      main,
    ]);
  });

  test('are the same through a symbolic link, and for both spellings of an accent', () => {
    const { main } = repository();
    const link = path.join(folder(), 'link');
    symlinkSync(main, link);
    expect(projectHomes(link, { env: {}, userHome: '/u' }).projectHash).toBe(
      projectHomes(main, { env: {}, userHome: '/u' }).projectHash,
    );
    expect(pathHash('/caf\u00e9')).toBe(pathHash('/cafe\u0301'));
  });

  test('are made for the user alone, in a folder that discovery knows as ours', async () => {
    const root = folder();
    const homes = projectHomes(root, { env: { GRAPHS_HOME: path.join(root, 'graphs') }, userHome: '/u' });
    await (await openLevelStore(homes.derived)).close();
    markHome(homes.graphs);
    markHome(homes.graphs);
    expect(readdirSync(path.join(root, 'graphs')).sort()).toEqual([HOME_MARKER, homes.projectHash].sort());
    if (process.platform !== 'win32') expect(statSync(homes.derived).mode & 0o777).toBe(0o700);
  });

  test('of a root that is no folder are INVALID_ROOT', async () => {
    const file = path.join(folder(), 'file');
    writeFileSync(file, '');
    for (const root of [file, path.join(file, 'x'), path.join(folder(), 'missing')])
      expect(await codeOf(async () => projectHomes(root, { env: {}, userHome: '/u' }))).toBe('INVALID_ROOT');
  });
});
