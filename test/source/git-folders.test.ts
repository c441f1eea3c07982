import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openGraph } from '../../index.js';
import { gitFolders } from '../../source/git-folder.js';
import { runGit } from '../../source/history/run-git.js';
import { diskFileSystem, gitHead, historyMark } from '../../source/index.js';
import { historyPath } from '../../storage/home-paths.js';

/** Whose configuration git runs with in a root: what `who.owns` says. */
const ownerSeenIn = (root: string) =>
  runGit(
    root,
    ['config', 'who.owns'],
    { signal: new AbortController().signal, surroundings: process.env },
    (_, stdout) => stdout.trim(),
  );

let base = '';
const at = (...parts: string[]) => join(base, ...parts);
const git = (where: string, ...args: string[]) =>
  execFileSync(
    'git',
    ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'protocol.file.allow=always', ...args],
    {
      cwd: at(where),
      encoding: 'utf8',
      stdio: 'pipe',
    },
  );
const put = (path: string, text: string) => {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text);
};

beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'codewalk-folders-')));
  put('main/a.txt', 'a');
  git('main', 'init', '-q', '-b', 'trunk');
  git('main', 'config', 'who.owns', 'main');
  git('main', 'add', '.');
  git('main', 'commit', '-qm', 'secret of main');
  git('main', 'worktree', 'add', '-q', at('wt'));
  git('main', 'worktree', 'add', '-q', at('moved'));
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

describe('a folder that leads to the git folder of another project', () => {
  // Each makes a folder `evil` of what anybody can pack into an archive.
  const lies: readonly (readonly [what: string, make: () => void])[] = [
    ['names its .git', () => put('evil/.git', `gitdir: ${at('main/.git')}\n`)],
    ['names it by a way of its own', () => put('evil/.git', 'gitdir: ../evil/../main/./.git\n')],
    ['names that of its work tree', () => put('evil/.git', `gitdir: ${at('main/.git/worktrees/wt')}\n`)],
    [
      'has one of its own that shares its',
      () => {
        put('evil/.git', 'gitdir: fake\n');
        put('evil/fake/HEAD', 'ref: refs/heads/trunk\n');
        put('evil/fake/commondir', `${at('main/.git')}\n`);
        put('evil/fake/gitdir', `${at('evil/.git')}\n`);
      },
    ],
    [
      'has one in a list of its own that shares its',
      () => {
        put('evil/.git', 'gitdir: own/worktrees/x\n');
        put('evil/own/worktrees/x/HEAD', 'ref: refs/heads/trunk\n');
        put('evil/own/worktrees/x/commondir', '../../../../main/.git\n');
        put('evil/own/worktrees/x/gitdir', `${at('evil/.git')}\n`);
      },
    ],
    [
      'has a .git folder that shares its',
      () => {
        put('evil/.git/HEAD', 'ref: refs/heads/trunk\n');
        put('evil/.git/commondir', `${at('main/.git')}\n`);
        put('evil/.git/gitdir', `${at('evil/.git')}\n`);
      },
    ],
    ['has a link to its .git', () => symlinkSync(at('main/.git'), at('evil/.git'))],
    [
      'has a link on the way to it',
      () => {
        symlinkSync(at('main/.git'), at('evil/fake'));
        put('evil/.git', 'gitdir: fake\n');
      },
    ],
    [
      'lies beneath one that does, and has an empty .git',
      () => {
        put('evil/.git', `gitdir: ${at('main/.git')}\n`);
        mkdirSync(at('evil/sub/.git'));
      },
    ],
    [
      'looks like a repository without a work tree that shares its',
      () => {
        put('evil/HEAD', 'ref: refs/heads/trunk\n');
        put('evil/commondir', `${at('main/.git')}\n`);
        for (const name of ['objects', 'refs']) mkdirSync(at('evil', name));
      },
    ],
    [
      'names one that lies apart, and has a link to the files of its work tree',
      () => {
        git('.', 'init', '-q', '--separate-git-dir', at('linked.git'), 'linked');
        put('linked/src/b.txt', 'b');
        git('linked', 'add', '.');
        git('linked', 'commit', '-qm', 'secret of linked');
        put('evil/.git', `gitdir: ${at('linked.git')}\n`);
        symlinkSync(at('linked/src'), at('evil/src'));
      },
    ],
    [
      'names that of a checkout inside of it',
      () => {
        cpSync(at('main'), at('evil/vendor'), { recursive: true });
        put('evil/.git', 'gitdir: vendor/.git\n');
      },
    ],
  ];

  test.each(lies)('has no part in it: it %s', async (_, make) => {
    rmSync(at('evil'), { recursive: true, force: true });
    mkdirSync(at('evil/sub'), { recursive: true });
    make();
    for (const root of [at('evil'), at('evil/sub')]) {
      expect(historyPath(root)).toBe(root);
      expect(gitHead(root).commit).toBeNull();
      expect(historyMark(root)).toBeNull();
      expect(await ownerSeenIn(root)).toBe('');
    }
  });

  test('neither reads its memories nor adds to them', async () => {
    const home = at('graphs');
    const titles = async (root: string) => {
      await using graph = await openGraph(root, { home });
      return (await graph.spawn('memory_export', null, {})).reports.flatMap((one) => Object(one).title ?? []);
    };
    const store = async (root: string, title: string) => {
      await using graph = await openGraph(root, { home });
      await graph.spawn('memory_store', null, { type: 'fix', title, content: title, anyway: true });
    };
    rmSync(at('evil'), { recursive: true, force: true });
    put('evil/.git', `gitdir: ${at('main/.git/worktrees/wt')}\n`);
    await store(at('main'), 'of main');
    await store(at('evil'), 'of evil');
    expect(await titles(at('evil'))).toEqual(['of evil']);
    expect((await titles(at('wt'))).sort()).toEqual(['of main']);
  });
});

describe('a work tree whose repository knows it', () => {
  const foldersOf = (root: string) => gitFolders(root, 'posix', diskFileSystem);

  test('shares its history, by absolute and relative names, and through a link', async () => {
    expect(historyPath(at('wt'))).toBe(at('main'));
    expect(await ownerSeenIn(at('wt'))).toBe('main');
    const list = at('main/.git/worktrees/wt');
    writeFileSync(join(list, 'gitdir'), '../../../../wt/.git\n');
    writeFileSync(at('wt/.git'), 'gitdir: ../main/.git/worktrees/wt\n');
    symlinkSync(base, `${base}-link`);
    expect(foldersOf(join(`${base}-link`, 'wt'))).toEqual({ own: list, common: at('main/.git') });
    rmSync(`${base}-link`);
    expect(gitHead(at('wt'))).toEqual({ commit: git('main', 'rev-parse', 'HEAD').trim(), branch: 'wt' });
  });

  test('that was moved has one of its own until git has repaired the link back', async () => {
    renameSync(at('moved'), at('elsewhere'));
    expect(historyPath(at('elsewhere'))).toBe(at('elsewhere'));
    expect(await ownerSeenIn(at('elsewhere'))).toBe('');
    git('elsewhere', 'worktree', 'repair');
    expect(historyPath(at('elsewhere'))).toBe(at('main'));
    expect(await ownerSeenIn(at('elsewhere'))).toBe('main');
  });

  test('has one of its own as a submodule, and keeps its commits', async () => {
    git('main', 'submodule', '--quiet', 'add', at('wt'), 'sub');
    git('main/sub', 'config', 'who.owns', 'sub');
    expect(historyPath(at('main/sub'))).toBe(at('main/sub'));
    expect(await ownerSeenIn(at('main/sub'))).toBe('sub');
    expect(gitHead(at('main/sub')).branch).toBe('wt');
    put('evil2/.git', `gitdir: ${at('main/.git/modules/sub')}\n`);
    expect(await ownerSeenIn(at('evil2'))).toBe('');
  });

  test('keeps its commits where the git folder lies elsewhere, which no other folder does', async () => {
    git('.', 'clone', '-q', '--separate-git-dir', at('apart.git'), at('main'), 'apart');
    git('apart', 'config', 'who.owns', 'apart');
    expect(await ownerSeenIn(at('apart'))).toBe('apart');
    expect(historyPath(at('apart'))).toBe(at('apart'));
    cpSync(at('apart'), at('copy'), { recursive: true });
    expect(await ownerSeenIn(at('copy'))).toBe('');
    git('.', '--git-dir', at('apart.git'), 'config', 'core.worktree', at('copy'));
    expect(await ownerSeenIn(at('copy'))).toBe('apart');
    expect(await ownerSeenIn(at('apart'))).toBe('');
  });

  test('is found where a repository without one lies inside of it', async () => {
    git('.', 'clone', '-q', '--bare', at('main'), 'box/.bare');
    put('box/.git', 'gitdir: ./.bare\n');
    git('box', 'worktree', 'add', '-q', 'one');
    git('box', 'config', 'who.owns', 'box');
    expect(await ownerSeenIn(at('box'))).toBe('box');
    expect(historyPath(at('box/one'))).toBe(at('box/.bare'));
    expect(await ownerSeenIn(at('box/one'))).toBe('box');
  });
});
