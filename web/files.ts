import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** A file of the page as it is sent. */
export interface PageFile {
  readonly type: string;
  readonly bytes: Buffer;
  readonly zipped: Buffer;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/**
 * The files of the built page by their path: `/` is the page itself. They are few and small, and are held in memory: what is
 * not among them is not served.
 *
 * @param folder Where the build put the page.
 */
export function pageFiles(folder: string): ReadonlyMap<string, PageFile> {
  const names = readdirSync(folder).filter((name) => Object.hasOwn(TYPES, extname(name)));
  return new Map(
    names.map((name) => {
      const bytes = readFileSync(join(folder, name));
      const type = TYPES[extname(name)] ?? '';
      return [name === 'index.html' ? '/' : `/${name}`, { type, bytes, zipped: gzipSync(bytes) }];
    }),
  );
}
