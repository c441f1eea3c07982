import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { FileSystem } from '../../source/file-system.js';
import { type Platform, pathsOf } from '../../source/paths.js';

/** What a test tree holds at a path: text, bytes, or a symbolic link. A path that ends in `/` is an empty folder. */
export type TreeContent = string | Uint8Array | { readonly link: string };

/** A real temporary folder with these files; gone when the test ends. Its real path. */
export function tree(content: Readonly<Record<string, TreeContent>>): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'codewalk-source-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, what] of Object.entries(content)) {
    const at = join(root, path);
    mkdirSync(path.endsWith('/') ? at : dirname(at), { recursive: true });
    if (path.endsWith('/')) continue;
    if (typeof what === 'string' || what instanceof Uint8Array) writeFileSync(at, what);
    else symlinkSync(what.link, at);
  }
  return root;
}

/** An error as the file system throws it. */
export function systemError(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code });
}

/**
 * A file system of another platform, in memory: absolute paths → text. On `win32`, names are found in any case and
 * `realPath` answers in the case given here.
 */
export function memoryFileSystem(platform: Platform, content: Readonly<Record<string, string>>): FileSystem {
  const paths = pathsOf(platform);
  const fold = (path: string) => (platform === 'win32' ? path.toLowerCase() : path);
  const entries = new Map<string, { path: string; text: string | null }>();
  for (const [path, text] of Object.entries(content)) {
    entries.set(fold(path), { path, text });
    for (let at = paths.dirname(path); !entries.has(fold(at)); at = paths.dirname(at)) {
      entries.set(fold(at), { path: at, text: null });
    }
  }
  const find = (path: string) => {
    const entry = entries.get(fold(paths.resolve(path)));
    if (entry === undefined) throw systemError('ENOENT', path);
    return entry;
  };
  const kindOf = (text: string | null) => (text === null ? 'directory' : 'file');
  return {
    readDirectory: (path) => {
      const parent = find(path);
      if (parent.text !== null) throw systemError('ENOTDIR', path);
      return [...entries.values()]
        .filter((entry) => entry !== parent && paths.dirname(entry.path) === parent.path)
        .map((entry) => ({ name: paths.basename(entry.path), kind: kindOf(entry.text) }));
    },
    status: (path) => {
      const { text } = find(path);
      return { kind: kindOf(text), size: text?.length ?? 0, mtimeMs: 0, ctimeMs: 0, inode: 0 };
    },
    readBytes: (path, maxBytes) => new TextEncoder().encode(find(path).text ?? '').subarray(0, maxBytes),
    realPath: (path) => find(path).path,
    readLink: (path) => {
      throw systemError('EINVAL', path);
    },
  };
}
