import { diskFileSystem, type FileSystem } from '../file-system.js';

/**
 * What stays the same as long as nobody writes a file: its size, its times and which file it is. Null where no file
 * is to be read. Much cheaper than reading it.
 */
export function contentMark(diskPath: string, fs: FileSystem = diskFileSystem): string | null {
  try {
    const { kind, size, mtimeMs, ctimeMs, inode } = fs.status(diskPath);
    return kind === 'file' ? `${size} ${mtimeMs} ${ctimeMs} ${inode}` : null;
  } catch {
    return null;
  }
}
