import { posix } from 'node:path';
import type { CodeEdge, CodeNode } from '../../graphs/code/index.js';
import type { EdgeDraft, NodeDraft } from '../../runtime/index.js';
import {
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
import { languageOf } from '../../source/index.js';

/** The form that the id of each kind has (S2-05). */
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
export function storedNode(node: CodeNode): NodeDraft {
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
  const {
    class: cls,
    function: fn,
    method,
  } = { class: ClassSymbol, function: FunctionSymbol, method: MethodSymbol };
  return { class: cls, function: fn, method }[kind](symbol, { id });
}

/** What a library's node tells of its stored form; the rest of that are defaults. */
export function toldProps({ archetype, props }: NodeDraft): Readonly<Record<string, unknown>> {
  const more =
    archetype === File
      ? ['line_count', 'docstring']
      : archetype === Unresolved
        ? []
        : ['start_line', 'end_line', 'docstring'];
  const told = new Set(['name', 'qualified_name', ...more]);
  return Object.fromEntries(Object.entries(props).filter(([name]) => told.has(name)));
}

/** An edge of the library as links between stored nodes: of a symbol in a symbol, its file's too. */
export function storedLinks(edge: CodeEdge): { from: string; to: string; edge: EdgeDraft }[] {
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
