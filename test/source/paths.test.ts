import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { comparePaths, contains, insideRoot, toGraphPath } from '../../source/paths.js';
import { memoryFileSystem, tree } from './trees.js';

const NFC = 'caf\u00e9.ts';
const NFD = 'cafe\u0301.ts';

describe('a graph path', () => {
  it('is relative to the root, with / between its parts, on every platform', () => {
    expect(toGraphPath('/repo', '/repo/src/a.ts', 'posix')).toBe('src/a.ts');
    expect(toGraphPath('C:\\repo', 'C:\\repo\\src\\a.ts', 'win32')).toBe('src/a.ts');
    expect(toGraphPath('C:\\repo', 'C:/repo/src\\a.ts', 'win32')).toBe('src/a.ts');
    expect(toGraphPath('\\\\host\\share\\repo', '\\\\host\\share\\repo\\a.ts', 'win32')).toBe('a.ts');
  });

  it('takes a path that is relative already, and folds . and .. that stay inside', () => {
    expect(toGraphPath('/repo', './src//x/../a.ts', 'posix')).toBe('src/a.ts');
    expect(toGraphPath('C:\\repo', '.\\src\\x\\..\\a.ts', 'win32')).toBe('src/a.ts');
    expect(toGraphPath('/repo', 'src/', 'posix')).toBe('src');
  });

  it('is empty for the root itself', () => {
    expect(toGraphPath('/repo', '/repo/', 'posix')).toBe('');
    expect(toGraphPath('C:\\repo', '.', 'win32')).toBe('');
  });

  it('compares drive letters and folders above the root without case, and keeps the case below it', () => {
    expect(toGraphPath('C:\\Repo', 'c:\\repo\\Src\\A.ts', 'win32')).toBe('Src/A.ts');
    expect(toGraphPath('C:\\repo', '\\\\?\\C:\\repo\\a.ts', 'win32')).toBe('a.ts');
    expect(toGraphPath('\\\\host\\share', '\\\\?\\UNC\\host\\share\\a.ts', 'win32')).toBe('a.ts');
  });

  it('is composed (NFC) whatever the name on disk is', () => {
    expect(toGraphPath('/repo', `/repo/${NFD}`, 'posix')).toBe(NFC);
  });

  it('keeps a backslash that is part of a POSIX name', () => {
    expect(toGraphPath('/repo', 'a\\b.ts', 'posix')).toBe('a\\b.ts');
  });

  it('may begin with two dots that are part of a name', () => {
    expect(toGraphPath('/repo', '..config/a', 'posix')).toBe('..config/a');
    expect(contains('/repo', '/repo/..config', 'posix')).toBe(true);
  });

  it.each([
    ['/repo', '../other/a.ts', 'posix'],
    ['/repo', 'src/../../a.ts', 'posix'],
    ['/repo', '/etc/passwd', 'posix'],
    ['/repo', '/repository/a.ts', 'posix'],
    ['C:\\repo', '..\\a.ts', 'win32'],
    ['C:\\repo', '../a.ts', 'win32'],
    ['C:\\repo', 'D:\\repo\\a.ts', 'win32'],
    ['C:\\repo', 'D:a.ts', 'win32'],
    ['C:\\repo', 'C:a.ts', 'win32'],
    ['C:\\repo', '\\windows\\a.ts', 'win32'],
    ['C:\\repo', '\\\\host\\share\\a.ts', 'win32'],
    ['C:\\repo', 'a.ts:stream', 'win32'],
  ] as const)('of root %s refuses %s (%s), which leaves it', (root, path, platform) => {
    expect(() => toGraphPath(root, path, platform)).toThrow(
      expect.objectContaining({ code: 'PATH_OUTSIDE_ROOT', providedInput: path }),
    );
  });

  it('refuses a NUL character and a root that is not absolute', () => {
    expect(() => toGraphPath('/repo', 'a\0b', 'posix')).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT' }),
    );
    expect(() => toGraphPath('repo', 'a', 'posix')).toThrow(
      expect.objectContaining({ code: 'INVALID_ROOT' }),
    );
  });
});

describe('the order of paths', () => {
  it('is that of their UTF-8 bytes, also beyond U+FFFF', () => {
    const paths = ['b', 'a/b', 'a', 'a.b', 'B', '\u{1f600}', '\uff5e', '\u00e9', ''];
    const byBytes = [...paths].sort((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)));
    expect([...paths].sort(comparePaths)).toEqual(byBytes);
  });
});

describe('finding a given path inside the root', () => {
  it('gives both spellings, and says whether it is there', () => {
    const root = tree({ 'src/a.ts': '' });
    expect(insideRoot(root, 'src/a.ts')).toEqual({
      path: 'src/a.ts',
      diskPath: join(root, 'src/a.ts'),
      exists: true,
    });
    expect(insideRoot(root, 'src/b/c.ts')).toEqual({
      path: 'src/b/c.ts',
      diskPath: join(root, 'src/b/c.ts'),
      exists: false,
    });
    expect(insideRoot(root, join(root, 'src')).path).toBe('src');
  });

  it('finds a decomposed name on disk under its composed path', () => {
    const fs = memoryFileSystem('posix', { [`/repo/${NFD}`]: '' });
    expect(insideRoot('/repo', NFC, { fs, platform: 'posix' })).toEqual({
      path: NFC,
      diskPath: `/repo/${NFD}`,
      exists: true,
    });
  });

  it('answers in the case on disk where the file system does not tell cases apart', () => {
    const fs = memoryFileSystem('win32', { 'C:\\Repo\\Src\\A.ts': '' });
    expect(insideRoot('C:\\Repo', 'c:\\repo\\src\\a.ts', { fs, platform: 'win32' })).toEqual({
      path: 'Src/A.ts',
      diskPath: 'C:\\Repo\\Src\\A.ts',
      exists: true,
    });
  });

  it('keeps two names apart that differ by case where the file system does', () => {
    const fs = memoryFileSystem('posix', { '/repo/a.ts': '', '/repo/A.ts': '' });
    expect(insideRoot('/repo', 'A.ts', { fs, platform: 'posix' }).path).toBe('A.ts');
    expect(insideRoot('/repo', 'a.ts', { fs, platform: 'posix' }).path).toBe('a.ts');
  });

  it('takes an absolute path that reaches the root through a link', () => {
    const root = tree({ 'repo/a.ts': '', door: { link: 'repo' } });
    const found = insideRoot(join(root, 'repo'), join(root, 'door/a.ts'));
    expect(found.path).toBe('a.ts');
    expect(insideRoot(join(root, 'repo'), join(root, 'door/new/b.ts')).path).toBe('new/b.ts');
  });

  it.each(['../secret', 'out/secret', 'way/out/secret', 'key', '/etc/passwd'])(
    'refuses %s, which leaves the root by its spelling or through a link',
    (path) => {
      const top = tree({
        secret: '',
        'repo/a.ts': '',
        'repo/out': { link: '..' },
        'repo/way': { link: '.' },
        'repo/key': { link: '../secret' },
      });
      expect(() => insideRoot(join(top, 'repo'), path)).toThrow(
        expect.objectContaining({ code: 'PATH_OUTSIDE_ROOT', providedInput: path }),
      );
    },
  );

  it('does not run in circles', () => {
    const root = tree({ loop: { link: 'loop' } });
    expect(insideRoot(root, 'loop').path).toBe('loop');
  });
});
