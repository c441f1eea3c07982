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

/** An index as git writes it, of version 2 or 4. What has no dot in its name is a submodule. */
export function gitIndex(version: 2 | 4, paths: readonly string[]): Uint8Array {
  const head = Buffer.alloc(12);
  head.write('DIRC');
  head.writeUInt32BE(version, 4);
  head.writeUInt32BE(paths.length, 8);
  const entries = paths.map((path, at) => {
    const before = paths[at - 1] ?? '';
    const same = version === 4 ? [...path].findIndex((letter, index) => letter !== before[index]) : 0;
    const fixed = Buffer.alloc(62);
    fixed.writeUInt32BE(path.includes('.') ? 0o100644 : 0o160000, 24);
    fixed.writeUInt16BE(Buffer.byteLength(path), 60);
    const name = Buffer.from(path.slice(same));
    if (version === 4)
      return Buffer.concat([fixed, Buffer.from([before.length - same]), name, Buffer.alloc(1)]);
    return Buffer.concat([fixed, name, Buffer.alloc(8 - ((62 + name.length) % 8))]);
  });
  return Buffer.concat([head, ...entries, Buffer.alloc(20)]);
}
