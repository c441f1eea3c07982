import { append } from './module-table.js';
import type { Program } from './program.js';

/** The files behind a file's stars by the names they offer themselves, each once, in the order of the stars. */
export class StarNames extends Map<string, string[]> {
  /** How many stars lie behind each other. */
  height = 0;
}

/** A file that a star names, and the names that it offers itself. */
export interface StarredFile {
  readonly file: string;
  readonly own: ReadonlySet<string>;
}

/** The files that a file's stars name, in their order. */
export type Starred = (path: string) => readonly StarredFile[];

/** Files whose stars lead from each to each other, and what is behind them all: of each name who offers it itself. */
export interface StarCircle {
  readonly files: ReadonlySet<string>;
  readonly names: ReadonlyMap<string, readonly string[]>;
}

/**
 * The files that a name can come from through `export *` or `import *`, however many stars lie between. A name that
 * a file on the way offers itself hides those behind it.
 *
 * @param starred Asked once for each file.
 */
export function starFiles(program: Program, starred: Starred, path: string, name: string): string[] {
  const names = starNames(program, starred, path, new Set());
  if (names) return [...(names.get(name) ?? [])];
  const { lookups, caches } = program;
  const key = `${path}\0${name}`;
  const search = () => {
    if (isInRow(program, starred, path)) return searched(program, starred, path, name);
    const offering = starCircle(program, starred, path).names.get(name) ?? [];
    const found = offering.filter((file) => file !== path);
    // Who alone offers a name is hidden by nobody.
    return found.length < 2 ? found : searched(program, starred, path, name);
  };
  return [...lookups.remembered(caches.starFiles, key, search)];
}

/** Whether a file's one star leads to another of one: then no index is worth its making. */
function isInRow(program: Program, starred: Starred, path: string): boolean {
  const [star, ...others] = starsOf(program, starred, path);
  return star !== undefined && others.length === 0 && starsOf(program, starred, star.file).length === 1;
}

/** Stars behind more stars are not collected: each would hold all names of the next, and the stack is finite. */
const DEEPEST = 200;

/** All that a file's stars offer; null where they lead to a circle or too far: then each name is searched by itself. */
function starNames(program: Program, starred: Starred, path: string, open: Set<string>): StarNames | null {
  if (open.size >= DEEPEST) return null;
  return program.lookups.remembered(program.caches.stars, path, () => {
    open.add(path);
    const names = collected(program, starred, path, open);
    open.delete(path);
    return names;
  });
}

function collected(program: Program, starred: Starred, path: string, open: Set<string>): StarNames | null {
  const names = new StarNames();
  for (const { file, own } of starsOf(program, starred, path)) {
    const inner = open.has(file) ? null : starNames(program, starred, file, open);
    if (inner === null || inner.height >= DEEPEST) return null;
    names.height = Math.max(names.height, inner.height + 1);
    for (const name of own) offer(names, name, file);
    for (const [name, files] of inner) if (!own.has(name)) for (const one of files) offer(names, name, one);
  }
  return names;
}

/**
 * The circle that the stars of a file lead to. All files of it have what is behind them in common; only the last circle
 * is cached: each may lie behind many others.
 */
function starCircle(program: Program, starred: Starred, path: string): StarCircle {
  const { lookups, caches } = program;
  const stars = starsOf(program, starred, path);
  const leadsTo = (files: ReadonlySet<string> = new Set()) =>
    files.has(path) || (files.size > 1 && stars.every(({ file }) => files.has(file)));
  // Of a file that only leads to a circle, the next one may be in it.
  for (const start of [stars[0]?.file ?? path, path]) {
    if (leadsTo(caches.starCircle.get('last')?.value.files)) break;
    caches.starCircle.clear();
    lookups.remembered(caches.starCircle, 'last', () => circleFrom(program, starred, start));
  }
  return lookups.remembered(caches.starCircle, 'last', () => circleFrom(program, starred, path));
}

function circleFrom(program: Program, starred: Starred, path: string): StarCircle {
  const names = new Map<string, string[]>();
  const naming = new Map<string, string[]>();
  const behind = new Set<string>();
  const open = [path];
  for (let from = open.pop(); from !== undefined; from = open.pop())
    for (const { file, own } of starsOf(program, starred, from)) {
      append(naming, file, from);
      if (behind.has(file)) continue;
      behind.add(file);
      open.push(file);
      for (const name of own) append(names, name, file);
    }
  const files = new Set([path]);
  for (const file of files) for (const from of naming.get(file) ?? []) files.add(from);
  return { files, names };
}

/** The files behind a file's stars that offer a name, each looked at once. */
function searched(program: Program, starred: Starred, path: string, name: string): readonly string[] {
  const found: string[] = [];
  const seen = new Set([path]);
  const open = [...starsOf(program, starred, path)].reverse();
  for (let next = open.pop(); next; next = open.pop()) {
    const { file, own } = next;
    if (seen.has(file)) continue;
    seen.add(file);
    if (own.has(name)) found.push(file);
    else open.push(...[...starsOf(program, starred, file)].reverse());
  }
  return found;
}

function starsOf(program: Program, starred: Starred, path: string): readonly StarredFile[] {
  return program.lookups.remembered(program.caches.starsOf, path, () => starred(path));
}

function offer(names: Map<string, string[]>, name: string, file: string): void {
  const files = names.get(name);
  if (!files) names.set(name, [file]);
  else if (!files.includes(file)) files.push(file);
}
