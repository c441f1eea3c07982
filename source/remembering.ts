import { diskFileSystem, type FileSystem } from './file-system.js';

/**
 * A file system that reads each directory and follows each path only once: for many paths at one moment. Not to be
 * kept, for it sees no change.
 */
export function remembering(fs: FileSystem = diskFileSystem): FileSystem {
  return {
    ...fs,
    readDirectory: once((path) => fs.readDirectory(path)),
    realPath: once((path) => fs.realPath(path)),
  };
}

/** What throws is asked again. */
function once<T>(read: (path: string) => T): (path: string) => T {
  const known = new Map<string, T>();
  return (path) => {
    const before = known.get(path);
    if (before !== undefined) return before;
    const value = read(path);
    known.set(path, value);
    return value;
  };
}
