import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's folder. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * The rooms of the house from the ground up: imports only point to a lower floor. The `codewalk` command
 * stands above the other faces, since it starts them; the package's door is above everything.
 */
export const FLOORS: readonly (readonly string[])[] = [
  ['schema'],
  ['source'],
  ['storage'],
  ['runtime'],
  ['cypher', 'search', 'present'],
  ['failures'],
  ['graphs/code', 'graphs/trace', 'graphs/memory'],
  ['graphs/cypher'],
  ['walkers'],
  ['host'],
  ['hooks', 'mcp', 'web'],
  ['cli'],
  [''],
];

/** One TypeScript file of the house. */
export interface SourceFile {
  /** Root-relative, with `/`. */
  readonly path: string;
  /** The folder at the top that it is in; empty for a file at the root. */
  readonly room: string;
  readonly text: string;
  /** The text with comments blanked out, line by line. */
  readonly code: string;
  readonly imports: readonly string[];
}

/** The room of a file: its folder at the top; of the graphs, the folder of one of them. */
export function roomOf(path: string): string {
  const [first = '', second = '', ...more] = path.split('/');
  if (first === 'graphs' && more.length > 0) return `${first}/${second}`;
  return path.includes('/') ? first : '';
}

/** Every TypeScript file that ships, sorted by path. */
export function houseFiles(): SourceFile[] {
  const rooms = FLOORS.flat().filter((room) => room !== '');
  return [...rooms.flatMap(typescriptUnder), 'index.ts'].sort().flatMap(read);
}

/** Every TypeScript file of tests, sorted by path; fixtures are left out. */
export function testFiles(): SourceFile[] {
  return typescriptUnder('test')
    .filter((path) => !/\/fixtures\/|^test\/languages\/[^/]+\//u.test(path))
    .sort()
    .flatMap(read);
}

/** The floor of a room, counted from the ground. */
export function floorOf(room: string): number {
  return FLOORS.findIndex((floor) => floor.includes(room));
}

function typescriptUnder(folder: string): string[] {
  return entriesOf(folder).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return typescriptUnder(path);
    return path.endsWith('.ts') ? [path] : [];
  });
}

function entriesOf(folder: string) {
  try {
    return readdirSync(join(ROOT, folder), { withFileTypes: true });
  } catch {
    return [];
  }
}

function read(path: string): SourceFile[] {
  let text: string;
  try {
    text = readFileSync(join(ROOT, path), 'utf8');
  } catch {
    return [];
  }
  const code = withoutComments(text);
  const room = roomOf(path);
  return [{ path, room, text, code, imports: specifiersOf(code) }];
}

/** Comments that start a line or follow white space; one inside a string would need a parser, and is a rare sight. */
function withoutComments(text: string): string {
  return text
    .replace(/(^|\s)\/\*[\s\S]*?\*\//gu, (comment) => comment.replace(/[^\n]/gu, ' '))
    .replace(/(^|\s)\/\/.*$/gmu, '$1');
}

function specifiersOf(code: string): string[] {
  const statements = /^(?:import|export)\b[^;'"`]*?\bfrom\s+['"]([^'"]+)['"]|^import\s+['"]([^'"]+)['"]/gmu;
  const calls = /\bimport\(\s*['"]([^'"]+)['"]\s*\)/gu;
  return [...code.matchAll(statements), ...code.matchAll(calls)].map((match) => match[1] ?? match[2] ?? '');
}
