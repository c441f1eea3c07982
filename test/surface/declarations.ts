import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { Language, type Node, Parser } from 'web-tree-sitter';
import { startLibrary } from '../../source/tree-memory.js';

/** A name as one file declares it. */
interface Place {
  readonly file: string;
  readonly name: string;
}

/** What one `.d.ts` file says, without comments. */
interface DeclarationFile {
  /** What it declares, by name. */
  readonly own: ReadonlyMap<string, string>;
  /** What it takes from other files, by its name here. */
  readonly imports: ReadonlyMap<string, Place>;
  /** What it gives, by the name that it gives it. */
  readonly exports: ReadonlyMap<string, Place>;
  /** Files of which it gives everything. */
  readonly all: readonly string[];
}

/**
 * The public types of the package as one text: every name that `index.d.ts` gives, and every other name that the
 * declarations of these use, each with its declaration, by file and name.
 *
 * @param types The folder with `index.d.ts`.
 */
export async function publicSurface(types: string): Promise<string> {
  const files = new Files(await parser());
  const entry = join(types, 'index.d.ts');
  const given = new Map<string, string>();
  const queue: Place[] = [];
  for (const [name, place] of files.exportsOf(entry)) {
    given.set(keyOf(place), name);
    queue.push(place);
  }
  const found = new Map<string, Place>();
  for (let place = queue.pop(); place; place = queue.pop()) {
    const key = keyOf(place);
    if (found.has(key)) continue;
    found.set(key, place);
    if (isOurs(place)) queue.push(...files.usedBy(place));
  }
  const shown = [...found.values()].map((place) => ({
    where: isOurs(place) ? relative(types, place.file) : place.file,
    name: place.name,
    as: given.get(keyOf(place)),
    text: isOurs(place) ? (files.of(place.file).own.get(place.name) ?? '') : '',
  }));
  shown.sort((a, b) => order(a.where, b.where) || order(a.name, b.name));
  return shown
    .map(({ where, name, as, text }) => {
      const role =
        as === undefined ? 'used by the above and below' : as === name ? 'public' : `public as ${as}`;
      return `// ${where}: ${name} (${role})\n${text}\n`;
    })
    .join('\n');
}

/** Files as they are parsed, each once. */
class Files {
  readonly #parser: Parser;
  readonly #files = new Map<string, DeclarationFile>();

  constructor(parser: Parser) {
    this.#parser = parser;
  }

  of(path: string): DeclarationFile {
    const known = this.#files.get(path);
    if (known) return known;
    const tree = this.#parser.parse(readFileSync(path, 'utf8'));
    if (!tree) throw new Error(`${path} cannot be parsed`);
    const file = fileOf(path, tree.rootNode);
    tree.delete();
    this.#files.set(path, file);
    return file;
  }

  /** What a file gives, with where it is declared. */
  exportsOf(path: string): Map<string, Place> {
    const { exports, all } = this.of(path);
    const given = new Map<string, Place>();
    for (const other of all) for (const [name, place] of this.exportsOf(other)) given.set(name, place);
    for (const [name, place] of exports) given.set(name, this.#declared(place));
    return given;
  }

  /** The names that a declaration uses and that are declared in one of our files. */
  usedBy({ file, name }: Place): Place[] {
    const { own, imports } = this.of(file);
    const text = own.get(name) ?? '';
    const used = new Set(text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []);
    return [...used].flatMap((word) => {
      if (word === name) return [];
      if (own.has(word)) return [{ file, name: word }];
      const from = imports.get(word);
      return from ? [this.#declared(from)] : [];
    });
  }

  #declared(place: Place): Place {
    if (!isOurs(place)) return place;
    const { own, imports, all, exports } = this.of(place.file);
    if (own.has(place.name)) return place;
    const from = exports.get(place.name) ?? imports.get(place.name);
    if (from && keyOf(from) !== keyOf(place)) return this.#declared(from);
    for (const other of all) {
      const found = this.exportsOf(other).get(place.name);
      if (found) return found;
    }
    return place;
  }
}

function fileOf(path: string, root: Node): DeclarationFile {
  const own = new Map<string, string>();
  const imports = new Map<string, Place>();
  const exports = new Map<string, Place>();
  const all: string[] = [];
  for (const statement of root.namedChildren) {
    if (!statement || statement.type === 'comment') continue;
    const source = statement.childForFieldName('source')?.text.slice(1, -1);
    const from = source === undefined ? path : fileBehind(path, source);
    const specifiers = statement.descendantsOfType(['import_specifier', 'export_specifier']);
    if (statement.type === 'import_statement') {
      for (const one of specifiers) noteSpecifier(imports, one, from);
      continue;
    }
    const declaration = statement.childForFieldName('declaration') ?? statement;
    const text = withoutComments(statement);
    if (source !== undefined && specifiers.length === 0) all.push(from);
    else if (specifiers.length > 0 || /^export \{/u.test(text))
      for (const one of specifiers) noteSpecifier(exports, one, from);
    else
      for (const name of namesOf(declaration)) {
        own.set(name, own.has(name) ? `${own.get(name)}\n${text}` : text);
        if (statement.type === 'export_statement') exports.set(name, { file: path, name });
      }
  }
  return { own, imports, exports, all };
}

function noteSpecifier(to: Map<string, Place>, specifier: Node | null, file: string): void {
  const name = specifier?.childForFieldName('name')?.text;
  if (name === undefined) return;
  to.set(specifier?.childForFieldName('alias')?.text ?? name, { file, name });
}

/** What a declaration is called: `declare const a, b` has two names. */
function namesOf(declaration: Node): string[] {
  const name = declaration.childForFieldName('name')?.text;
  if (name !== undefined) return [name];
  return declaration.namedChildren.flatMap((child) =>
    child && /declaration|signature|declarator/u.test(child.type) ? namesOf(child) : [],
  );
}

function withoutComments(node: Node): string {
  const start = node.startIndex;
  let text = node.text;
  for (const comment of node.descendantsOfType('comment').reverse())
    if (comment) text = text.slice(0, comment.startIndex - start) + text.slice(comment.endIndex - start);
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .join('\n');
}

function fileBehind(path: string, source: string): string {
  return source.startsWith('.') ? resolve(dirname(path), source).replace(/\.js$/u, '.d.ts') : source;
}

async function parser(): Promise<Parser> {
  // As the product starts it: other tests of this process parse, too.
  await startLibrary();
  const grammars = dirname(createRequire(import.meta.url).resolve('@vscode/tree-sitter-wasm/package.json'));
  const parser = new Parser();
  parser.setLanguage(await Language.load(join(grammars, 'wasm/tree-sitter-typescript.wasm')));
  return parser;
}

/** Not another package's. */
function isOurs({ file }: Place): boolean {
  return file.endsWith('.d.ts');
}

function keyOf({ file, name }: Place): string {
  return `${file}\0${name}`;
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
