import { pathToFileURL } from 'node:url';
import { compareText, type ReadContext } from '../../../runtime/index.js';
import {
  type Evidence,
  parseId,
  SymbolCallsSymbol,
  SymbolContainsSymbol,
  SymbolExtendsSymbol,
  SymbolImplementsSymbol,
  SymbolOverridesSymbol,
  SymbolReferencesSymbol,
} from '../../../schema/index.js';
import type { StoredEdge, StoredNode } from '../../../storage/index.js';
import { SourceTexts } from '../source-texts.js';
import {
  type Descriptor,
  documentBytes,
  metadataBytes,
  ROLE,
  type ScipOccurrence,
  type ScipSymbol,
  scipSymbol,
} from './format.js';

/** What a definition is in a symbol's name, by what its id begins with; others have no symbol. */
const DESCRIPTOR_KINDS: Readonly<Record<string, Descriptor['kind']>> = {
  cls: 'type',
  type: 'type',
  fn: 'method',
  m: 'method',
  var: 'term',
};

/** Edges whose places are occurrences of what they lead to. */
const USES: ReadonlySet<string> = new Set(
  [SymbolCallsSymbol, SymbolReferencesSymbol, SymbolExtendsSymbol, SymbolImplementsSymbol].map(
    ({ name }) => name,
  ),
);
/** Edges that say what a symbol implements. */
const BEHIND: ReadonlySet<string> = new Set(
  [SymbolExtendsSymbol, SymbolImplementsSymbol, SymbolOverridesSymbol].map(({ name }) => name),
);

/** Characters by which an expression is found again on its line, whose white space is folded. */
const RECOGNISED = 16;

/** A definition that has a symbol. */
interface Exported {
  readonly id: string;
  readonly path: string;
  readonly name: string;
  readonly symbol: string;
  readonly node: StoredNode;
}

/**
 * The code graph as a SCIP index: its metadata, then a document for every file with symbols, by path, each in bytes that follow
 * one another in the index. Columns are found in the files: of one that changed since it was indexed there is no document.
 */
export async function* scipIndex(
  context: Pick<ReadContext, 'find' | 'projectRoot' | 'cached'>,
  { nodes, edges }: { readonly nodes: readonly StoredNode[]; readonly edges: readonly StoredEdge[] },
): AsyncGenerator<Uint8Array> {
  yield metadataBytes({ tool: 'codewalk', root: rootUrl(context.projectRoot) });
  const exported = exportedOf(nodes, edges);
  const files = new Map<string, Exported[]>();
  for (const one of exported.values()) files.set(one.path, [...(files.get(one.path) ?? []), one]);
  const uses = new Map<string, StoredEdge[]>();
  const behind = new Map<string, string[]>();
  for (const edge of edges) {
    const [to, path] = [exported.get(edge.to), parseId(edge.from)?.path];
    if (!to || !path) continue;
    if (USES.has(edge.type)) append(uses, path, edge);
    if (BEHIND.has(edge.type)) append(behind, edge.from, to.symbol);
  }
  const texts = new SourceTexts(context);
  for (const path of [...new Set([...files.keys(), ...uses.keys()])].sort(compareText)) {
    const lines = await texts.linesOf(path);
    if (!lines) continue;
    const own = files.get(path) ?? [];
    const places = new Places(lines);
    for (const { node, name, symbol } of own) {
      const line = Number(node.props.name_line ?? 0);
      places.add({ line, name, symbol, roles: ROLE.definition, expression: '' });
    }
    for (const { to, props } of uses.get(path) ?? []) {
      const { name, symbol } = exported.get(to) ?? {};
      const evidence = Array.isArray(props.evidence) ? (props.evidence as Evidence[]) : [];
      for (const { line, expression, use } of name && symbol ? evidence : [])
        places.add({
          line,
          name: name ?? '',
          symbol: symbol ?? '',
          roles: use === 'write' ? ROLE.write : 0,
          expression,
        });
    }
    const symbols = own.map(
      ({ id, symbol, node }): ScipSymbol => ({
        symbol,
        documentation: [node.props.signature, node.props.docstring].filter(isText),
        implemented: behind.get(id) ?? [],
      }),
    );
    const language = String(own[0]?.node.props.language ?? '');
    yield documentBytes({ path, language, occurrences: places.sorted() }, symbols);
  }
  await texts.close();
}

function append<T>(lists: Map<string, T[]>, key: string, one: T): void {
  const list = lists.get(key);
  if (list) list.push(one);
  else lists.set(key, [one]);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function rootUrl(root: string | null): string {
  return root === null ? '' : pathToFileURL(root).href;
}

/** The definitions of a graph with their symbols, by id. */
function exportedOf(nodes: readonly StoredNode[], edges: readonly StoredEdge[]): Map<string, Exported> {
  const parents = new Map(
    edges.flatMap(({ type, from, to }) => (type === SymbolContainsSymbol.name ? [[to, from]] : [])),
  );
  const known = new Map<string, StoredNode>();
  for (const node of nodes) if (DESCRIPTOR_KINDS[formOf(node.id)]) known.set(node.id, node);
  const exported = new Map<string, Exported>();
  for (const [id, node] of known) {
    const path = parseId(id)?.path;
    if (!path) continue;
    const inFile: (Descriptor & { ordinal: number })[] = [];
    for (let at: string | undefined = id; at !== undefined; at = parents.get(at)) {
      const { name } = known.get(at)?.props ?? {};
      const kind = DESCRIPTOR_KINDS[formOf(at)];
      if (isText(name) && kind) inFile.unshift({ name, kind, ordinal: parseId(at)?.ordinal ?? 1 });
    }
    const folders = path.split('/').map((name) => ({ name, kind: 'namespace' as const, ordinal: 1 }));
    const name = inFile.at(-1)?.name ?? '';
    const symbol = scipSymbol([...folders, ...inFile]);
    exported.set(id, { id, path, name, symbol, node });
  }
  return exported;
}

function formOf(id: string): string {
  return id.slice(0, id.indexOf(':'));
}

/** A name that stands on a line. */
interface Use {
  /** From 1. */
  readonly line: number;
  readonly name: string;
  readonly symbol: string;
  readonly roles: number;
  /** What is written there, white space folded; '' for a definition. */
  readonly expression: string;
}

/** The occurrences of one document: names are looked for on their lines. */
class Places {
  readonly #found = new Map<string, ScipOccurrence>();
  /** Where the names of each line begin, by line and name. */
  readonly #starts = new Map<string, number[]>();

  constructor(private readonly lines: readonly string[]) {}

  add({ line, name, symbol, roles, expression }: Use): void {
    // A constructor is called by its class's name, and what was imported under another name by that.
    const called = /([\p{L}_$][\p{L}\p{N}_$]*)[^\p{L}\p{N}_$]*$/u.exec(expression.split('(')[0] ?? '')?.[1];
    for (const written of new Set([name, called ?? name])) {
      const starts = this.#startsOf(line, written);
      const free = starts.filter((column) => !this.#found.has(`${line}:${column}`));
      const from = expression === '' ? 0 : this.#text(line).indexOf(expression.slice(0, RECOGNISED));
      const column = free.find((one) => one >= from) ?? free[0];
      if (column === undefined) continue;
      const place = { line: line - 1, column, end_column: column + written.length, symbol, roles };
      this.#found.set(`${line}:${column}`, place);
      return;
    }
  }

  sorted(): ScipOccurrence[] {
    return [...this.#found.values()].sort((a, b) => a.line - b.line || a.column - b.column);
  }

  #text(line: number): string {
    return this.lines[line - 1] ?? '';
  }

  #startsOf(line: number, name: string): readonly number[] {
    const key = `${line}:${name}`;
    const known = this.#starts.get(key);
    if (known) return known;
    const text = this.#text(line);
    const starts: number[] = [];
    for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1))
      if (!isPart(text[at - 1]) && !isPart(text[at + name.length])) starts.push(at);
    this.#starts.set(key, starts);
    return starts;
  }
}

/** Whether a character is one of a name. */
function isPart(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_$]/u.test(character);
}
