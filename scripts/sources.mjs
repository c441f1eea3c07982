import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folders whose `.ts` files end up in `dist/`. */
export const ROOMS = [
  'cli',
  'cypher',
  'failures',
  'graphs',
  'hooks',
  'host',
  'mcp',
  'present',
  'runtime',
  'schema',
  'search',
  'source',
  'storage',
  'walkers',
  'web',
];

/** What else decides how `dist/` looks. */
const INPUTS = [
  'index.ts',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'scripts/build.mjs',
  'scripts/bundles.mjs',
  'scripts/declarations.mjs',
  'scripts/sources.mjs',
];

/** Root-relative paths of every source file, sorted. */
export function sourceFiles(root) {
  return ROOMS.flatMap((room) => filesUnder(root, room)).sort();
}

/** A hash over everything that `dist/` is made from: equal hashes, equal builds. */
export function sourceHash(root) {
  const hash = createHash('sha256').update(process.version);
  for (const path of [...sourceFiles(root), ...INPUTS]) {
    hash.update(`\0${path}\0`);
    hash.update(readOrNothing(join(root, path)));
  }
  return hash.digest('hex');
}

function filesUnder(root, folder) {
  let entries;
  try {
    entries = readdirSync(join(root, folder), { withFileTypes: true });
  } catch {
    return [];
  }
  return entries.flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesUnder(root, path) : [path];
  });
}

function readOrNothing(path) {
  try {
    return readFileSync(path);
  } catch {
    return '';
  }
}
