import { createHash } from 'node:crypto';
import { rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { diskFileSystem, type FileSystem } from '../../source/file-system.js';
import { changeOnDisk } from '../../source/index.js';
import { tree } from './trees.js';

/** A file that was read, and what was known of it then. */
function read(text = 'one\n') {
  const path = join(tree({ 'a.ts': text }), 'a.ts');
  const { size, mtimeMs } = statSync(path);
  const hash = createHash('sha256').update(text).digest('hex');
  return { path, known: { size, modified: new Date(mtimeMs).toISOString(), hash } };
}

describe('a file since it was read', () => {
  it('is as it was when size and time are, which takes no reading', () => {
    const { path, known } = read();
    const fs: FileSystem = {
      ...diskFileSystem,
      readBytes: () => {
        throw new Error('read');
      },
    };
    expect(changeOnDisk(path, known, fs)).toBeNull();
  });

  it('is as it was when it was only touched', () => {
    const { path, known } = read();
    utimesSync(path, 1, 1);
    expect(changeOnDisk(path, known)).toBeNull();
  });

  it('has changed when its content has, of the same size too', () => {
    const { path, known } = read();
    writeFileSync(path, 'two\n');
    utimesSync(path, 1, 1);
    expect(changeOnDisk(path, known)).toBe('changed');
  });

  it('has changed when it is no text or no file any more', () => {
    const { path, known } = read();
    writeFileSync(path, '\0');
    expect(changeOnDisk(path, known)).toBe('changed');
    rmSync(path);
    symlinkSync('b.ts', path);
    expect(changeOnDisk(path, known)).toBe('changed');
  });

  it('is deleted when nothing stands there, also while it is looked at', () => {
    const { path, known } = read();
    const fs: FileSystem = { ...diskFileSystem, status: (at) => ({ ...diskFileSystem.status(at), size: 0 }) };
    const vanishing: FileSystem = {
      ...fs,
      readBytes: (at, most) => {
        rmSync(at);
        return diskFileSystem.readBytes(at, most);
      },
    };
    expect(changeOnDisk(path, known, vanishing)).toBe('deleted');
    expect(changeOnDisk(path, known)).toBe('deleted');
  });
});
