import { posix } from 'node:path';
import { z } from 'zod';
import {
  CODE_TEXT,
  CodeEdge,
  CodeNode,
  CountedWords,
  clearTexts,
  codeNode,
  PROGRESS_MARK,
  readProgress,
  TEXT_MARK,
  TEXT_MARK_NOW,
  toBytes,
  turn,
  WRITTEN_MARK,
} from '../../graphs/code/index.js';
import { defineWalker, type EdgeDraft, type NodeDraft, type StepsContext } from '../../runtime/index.js';
import {
  append,
  ClassSymbol,
  CodewalkError,
  File,
  FileContainsSymbol,
  FileImports,
  FunctionSymbol,
  fileId,
  formatId,
  type IdForm,
  MethodSymbol,
  type PackKind,
  parseId,
  SymbolCallsSymbol,
  SymbolContainsSymbol,
  SymbolExtendsSymbol,
  SymbolImports,
  Unresolved,
} from '../../schema/index.js';
import { madeDocuments, Words, writeIndex } from '../../search/index.js';
import { languageOf } from '../../source/index.js';

/** Nodes, edges or names of bytes of one commit. */
const AT_ONCE = 512;

/**
 * Deletes the code graph with the states of its files and its indexes of words and vectors; traces and memories stay.
 * Bytes go first, so that an interrupted run leaves what reads as never indexed; of them the index of words, half of
 * which would read as a whole one.
 */
async function clearCode(context: StepsContext): Promise<void> {
  const { headerName } = writeIndex(context, CODE_TEXT);
  context.putBlob(TEXT_MARK, undefined);
  await clearTexts(context);
  const names: string[] = [];
  for await (const page of context.blobsUnder(''))
    for (const { name } of page) if (name !== headerName) names.push(name);
  for (let at = 0; at < names.length; at += AT_ONCE) {
    for (const name of names.slice(at, at + AT_ONCE)) context.putBlob(name, undefined);
    await context.commit();
    await turn(context);
  }
  const ids: string[] = [];
  for await (const page of context.storedNodes('derived')) for (const { id } of page) ids.push(id);
  await context.commit();
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const nodes = await context.nodes(ids.slice(at, at + AT_ONCE));
    await context.del(nodes.filter((node) => node !== undefined));
    await context.commit({ forget: true });
    await turn(context);
  }
}

const count = z.number().int();

/** Nodes and edges from outside into the code graph (S2-15): an upsert, by ids. */
export const LibraryWrite = defineWalker('library_write', {
  description:
    'Write nodes and edges into the code graph, as an upsert; wipe empties it first: for the library.',
  access: 'steps',
  input: {
    nodes: z.array(CodeNode).default([]),
    edges: z.array(CodeEdge).default([]),
    wipe: z.boolean().default(false),
  },
  output: z.object({
    nodes: count,
    edges: count,
    /** Edges of which an end is not in the graph: they were left out. */
    left_out: count,
  }),
  run: async (_here, context) => {
    const { nodes, edges, wipe } = context.state;
    const written = { nodes: nodes.length, edges: 0, left_out: 0 };
    const drafts = nodes.map(storedNode);
    const links = edges.map(storedLinks);
    if (wipe) await clearCode(context);
    if (drafts.length + links.length > 0) context.putBlob(WRITTEN_MARK, toBytes(true));
    for (let at = 0; at < drafts.length; at += AT_ONCE) {
      const some = drafts.slice(at, at + AT_ONCE);
      const known = await context.nodes(some.map(({ id }) => id ?? ''));
      for (const [i, draft] of some.entries()) {
        const node = known[i];
        // What else an index knows of it stays.
        if (node && !node.gone && node.archetype === draft.archetype) context.set(node, givenProps(draft));
        else await context.create(draft);
      }
      await context.commit();
    }
    for (let at = 0; at < links.length; at += AT_ONCE) {
      const some = links.slice(at, at + AT_ONCE);
      const ends = [...new Set(some.flat().flatMap(({ from, to }) => [from, to]))];
      const there = new Set(
        (await context.nodes(ends)).flatMap((node) => (node && !node.gone ? [node.id] : [])),
      );
      for (const group of some) {
        const fit = group.filter(({ from, to }) => there.has(from) && there.has(to));
        await context.linkAll(fit);
        if (fit[0] === group[0]) written.edges++;
        else written.left_out++;
      }
      await context.commit();
    }
    const [mark] = await context.blobs([PROGRESS_MARK]);
    const isIndexed = (readProgress(mark)?.generation ?? 0) > 0;
    if (isIndexed) await addTexts(context, nodes);
    else await writeTexts(context);
    return written;
  },
});

/** Makes a graph that no index run ever wrote searchable, by what its nodes say (S2-20). */
async function writeTexts(context: StepsContext): Promise<void> {
  const documents = new Map<string, CountedWords[]>();
  for await (const page of context.storedNodes('derived'))
    for (const [path, some] of documentsOf(page.flatMap((record) => codeNode(record) ?? [])))
      for (const document of some) append(documents, path, document);
  if (documents.size === 0) return;
  const index = writeIndex(context, CODE_TEXT);
  for (const [path, ofFile] of documents) index.putGroup(path, madeDocuments(ofFile));
  await index.flush();
  context.putBlob(TEXT_MARK, toBytes(TEXT_MARK_NOW));
  context.putBlob(PROGRESS_MARK, toBytes({ generation: 0, complete: true, pending: 0 }));
  await context.commit();
}

/** What a document is made of here; an index run knows more of a symbol: its signature, its text. */
const FIELDS = ['name', 'owner', 'path', 'doc'] as const;

/**
 * Makes nodes searchable in a graph that index runs write, too: beside what these say of the same file, until it is
 * indexed again.
 */
async function addTexts(context: StepsContext, nodes: readonly CodeNode[]): Promise<void> {
  const index = writeIndex(context, CODE_TEXT);
  for (const [path, some] of documentsOf(nodes)) {
    await index.putInGroup(path, some, FIELDS);
    await turn(context);
  }
  await index.flush();
  await context.commit();
}

/** The documents of nodes, by the paths of their files. */
function documentsOf(nodes: readonly CodeNode[]): Map<string, CountedWords[]> {
  const words = new Words();
  const documents = new Map<string, CountedWords[]>();
  for (const node of nodes) {
    if (node.module_path === null) continue;
    const document = new CountedWords(node.id, words);
    document.count('name', node.name);
    document.count('owner', node.qualname.slice(0, -node.name.length));
    document.count('path', node.module_path);
    document.count('doc', node.docstring ?? '');
    append(documents, node.module_path, document);
  }
  return documents;
}

/** The form that the id of each kind has. */
const FORM_OF_KIND: Readonly<Record<PackKind, IdForm>> = {
  module: 'file',
  class: 'cls',
  function: 'fn',
  method: 'm',
  symbol: 'sym',
};

/**
 * A node of the library as it is stored.
 *
 * @throws CodewalkError `INVALID_INPUT` for an id that is not of its kind.
 */
function storedNode(node: CodeNode): NodeDraft {
  const { kind, name, qualname, docstring } = node;
  const parsed = parseId(node.id);
  if (parsed?.form !== FORM_OF_KIND[kind])
    throw new CodewalkError('INVALID_INPUT', `'${node.id}' is no id of a ${kind}`, {
      input: node,
      suggestion: `The id of a ${kind} begins with '${FORM_OF_KIND[kind]}:'.`,
    });
  const id = formatId(parsed);
  if (kind === 'symbol') return Unresolved({ name, qualified_name: qualname }, { id });
  const path = parsed.path ?? '';
  const language = languageOf(path)?.name ?? 'unknown';
  if (kind === 'module')
    return File(
      {
        path,
        name: posix.basename(path),
        qualified_name: qualname,
        language,
        extension: posix.extname(path),
        line_count: node.end_lineno,
        extracted: true,
        is_module: true,
        docstring,
      },
      { id },
    );
  const symbol = {
    name,
    qualified_name: qualname,
    path,
    language,
    start_line: node.lineno ?? 1,
    end_line: node.end_lineno ?? node.lineno ?? 1,
    top_level: !(parsed.name ?? '').includes('.'),
    docstring,
  };
  return { class: ClassSymbol, function: FunctionSymbol, method: MethodSymbol }[kind](symbol, { id });
}

/** The properties that a library's node gives; the others are defaults. */
function givenProps({ archetype, props }: NodeDraft): Readonly<Record<string, unknown>> {
  const more =
    archetype === File
      ? ['line_count', 'docstring']
      : archetype === Unresolved
        ? []
        : ['start_line', 'end_line', 'docstring'];
  const given = new Set(['name', 'qualified_name', ...more]);
  return Object.fromEntries(Object.entries(props).filter(([name]) => given.has(name)));
}

/** An edge of the library as links between stored nodes: of a symbol in a symbol, its file's too. */
function storedLinks(edge: CodeEdge): { from: string; to: string; edge: EdgeDraft }[] {
  const [src, dst] = [parseId(edge.src), parseId(edge.dst)];
  if (!src || !dst)
    throw new CodewalkError('INVALID_INPUT', `'${src ? edge.dst : edge.src}' is no id of a node of code`, {
      input: edge,
    });
  const [from, to] = [formatId(src), formatId(dst)];
  const { lineno, expr } = edge.evidence;
  const placed = { line: lineno };
  const referred = { ...placed, evidence: expr === '' ? [] : [{ line: lineno, expression: expr }] };
  const isModule = src.form === 'file';
  switch (edge.rel) {
    case 'CONTAINS':
      if (isModule) return [{ from, to, edge: FileContainsSymbol({ ...placed, top_level: true }) }];
      return [
        { from, to, edge: SymbolContainsSymbol(placed) },
        {
          from: fileId(dst.path ?? ''),
          to,
          edge: FileContainsSymbol({ ...placed, top_level: false }),
        },
      ];
    case 'CALLS':
      return [{ from, to, edge: SymbolCallsSymbol(referred) }];
    case 'IMPORTS':
      return [{ from, to, edge: isModule ? FileImports(placed) : SymbolImports(placed) }];
    case 'INHERITS':
      return [{ from, to, edge: SymbolExtendsSymbol(referred) }];
  }
}
