import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkRoot, defaultRoot } from '../../source/roots.js';
import { memoryFileSystem, systemError, tree } from './trees.js';

const here = { cwd: '/', home: '/home/me' };
const code = (expected: string) => expect.objectContaining({ code: expected });

describe('a root that somebody gives', () => {
  it('is answered with its real path', () => {
    const top = tree({ 'repo/a.ts': '', door: { link: 'repo' } });
    expect(checkRoot(join(top, 'door'), here)).toBe(join(top, 'repo'));
    expect(checkRoot('repo/../repo/', { ...here, cwd: top })).toBe(join(top, 'repo'));
  });

  it('must exist, be a directory, and be readable', () => {
    const top = tree({ 'a.ts': '', loop: { link: 'loop' } });
    for (const path of ['nothing', 'a.ts', 'a.ts/x', 'loop', '', 'a\0b']) {
      expect(() => checkRoot(path, { ...here, cwd: top }), path).toThrow(code('INVALID_ROOT'));
    }
    const fs = {
      ...memoryFileSystem('posix', { '/repo/a': '' }),
      realPath: (path: string) => {
        throw systemError('EACCES', path);
      },
    };
    expect(() => checkRoot('/repo', { ...here, fs, platform: 'posix' })).toThrow(/EACCES/);
  });

  it('must be absolute where the caller has another working directory', () => {
    const top = tree({ 'repo/a.ts': '' });
    const options = { ...here, cwd: top, mustBeAbsolute: true };
    expect(() => checkRoot('repo', options)).toThrow(code('INVALID_ROOT'));
    expect(checkRoot(join(top, 'repo'), options)).toBe(join(top, 'repo'));
  });

  it('on Windows is absolute only with its drive', () => {
    const fs = memoryFileSystem('win32', { 'C:\\repo\\a.ts': '' });
    const options = {
      fs,
      platform: 'win32',
      cwd: 'C:\\',
      home: 'C:\\Users\\me',
      mustBeAbsolute: true,
    } as const;
    expect(checkRoot('c:/REPO', options)).toBe('C:\\repo');
    expect(() => checkRoot('\\repo', options)).toThrow(code('INVALID_ROOT'));
    expect(() => checkRoot('C:repo', options)).toThrow(code('INVALID_ROOT'));
  });

  it('is refused when it is / or a home directory, also through a link, unless forced', () => {
    const home = tree({ 'repo/a.ts': '', me: { link: '.' } });
    for (const path of ['/', home, join(home, 'me')]) {
      expect(() => checkRoot(path, { ...here, home }), path).toThrow(code('ROOT_REFUSED'));
    }
    expect(checkRoot(home, { ...here, home, force: true })).toBe(home);
    expect(checkRoot(join(home, 'repo'), { ...here, home })).toBe(join(home, 'repo'));
  });

  it('is refused when it is a drive root or where all homes are', () => {
    const fs = memoryFileSystem('win32', { 'C:\\Users\\Me\\repo\\a.ts': '' });
    const options = { fs, platform: 'win32', cwd: 'C:\\', home: 'C:\\Users\\me' } as const;
    for (const path of ['C:\\', 'c:/', 'C:\\Users', 'c:\\users\\me']) {
      expect(() => checkRoot(path, options), path).toThrow(code('ROOT_REFUSED'));
    }
    expect(checkRoot('C:\\Users\\Me\\repo', options)).toBe('C:\\Users\\Me\\repo');
    const posix = memoryFileSystem('posix', { '/home/me/repo/a': '' });
    expect(() => checkRoot('/home', { ...here, fs: posix, platform: 'posix' })).toThrow(code('ROOT_REFUSED'));
  });

  it('may hold the home directory, as test set-ups have it', () => {
    const top = tree({ 'repo/home/x': '' });
    expect(checkRoot(join(top, 'repo'), { ...here, home: join(top, 'repo/home') })).toBe(join(top, 'repo'));
  });
});

describe('the root where none is given', () => {
  const nested = () => tree({ 'repo/.git/HEAD': '', 'repo/packages/app/src/a.ts': '', 'plain/src/a.ts': '' });

  it('is the deepest indexed root that contains the path', () => {
    const top = nested();
    const indexedRoots = [
      top,
      join(top, 'repo/packages/app'),
      join(top, 'repo'),
      join(top, 'repo/packages/ap'),
    ];
    expect(defaultRoot(join(top, 'repo/packages/app/src'), { indexedRoots })).toBe(
      join(top, 'repo/packages/app'),
    );
  });

  it('is else the git top level, of a file too', () => {
    const top = nested();
    expect(defaultRoot(join(top, 'repo/packages/app/src/a.ts'), { indexedRoots: [] })).toBe(
      join(top, 'repo'),
    );
  });

  it('is the work tree itself where .git is a file', () => {
    const top = tree({
      '.git/HEAD': '',
      'tree/.git': 'gitdir: ../.git/worktrees/tree\n',
      'tree/src/a.ts': '',
    });
    expect(defaultRoot(join(top, 'tree/src'), { indexedRoots: [] })).toBe(join(top, 'tree'));
  });

  it('is else the path itself, or what is left of it', () => {
    const fs = memoryFileSystem('posix', { '/plain/src/a.ts': '' });
    const options = { indexedRoots: [], fs, platform: 'posix' } as const;
    expect(defaultRoot('/plain/src', options)).toBe('/plain/src');
    expect(defaultRoot('/plain/src/gone/deeper', options)).toBe('/plain/src');
  });
});
