import { AssignedNames, type Lowering, NONE, type NodeId } from '../../lower/index.js';

/** What is known of a PHP file while it is lowered. */
export interface PhpFile {
  readonly locals: AssignedNames;
  namespace: string;
  /** What `use` calls types in the file, in lower case, by their full names. */
  readonly types: Map<string, string>;
  /** The class around the place. */
  class: PhpClass | null;
  /** What the comment above the function around the place says. */
  doc: Doc;
  /** Parameters that are properties, with their types. */
  promoted: { readonly node: NodeId; readonly type: number }[];
}

/** What is known of a class while it is lowered. */
export interface PhpClass {
  /** The name of what it extends, as written; empty without any. */
  readonly parent: string;
  /** The definitions of properties without a type, and what is assigned to them. */
  /** The comment above it. */
  readonly comment: { readonly text: string; readonly start: number };
  readonly doc: Doc;
  /** Whether its type parameters are bound. */
  isOpen: boolean;
  readonly open: Map<string, { readonly definition: number; readonly values: number[] }>;
}

/** What is known of a file: made when it is asked for first. */
export function fileOf(to: Lowering): PhpFile {
  const known = to.own as PhpFile | undefined;
  if (known) return known;
  const made: PhpFile = {
    locals: new AssignedNames(to),
    namespace: '',
    types: new Map(),
    class: null,
    doc: NO_DOC,
    promoted: [],
  };
  to.own = made;
  return made;
}

/** What a comment says of types, as written. */
export interface Doc {
  readonly params: ReadonlyMap<string, string>;
  readonly vars: ReadonlyMap<string, string>;
  readonly returns: string;
  /** What a class derives from, with type arguments, by the name without them. */
  readonly bases: ReadonlyMap<string, string>;
  /** Type parameters, and what they are at least. */
  readonly templates: ReadonlyMap<string, string>;
}

/** What no comment says. */
export const NO_DOC: Doc = {
  params: new Map(),
  vars: new Map(),
  returns: '',
  bases: new Map(),
  templates: new Map(),
};

/** Types that are no classes. */
const BUILTIN = new Set(
  'array bool boolean callable false float double int integer iterable never null resource scalar string true void numeric closed-resource array-key'.split(
    ' ',
  ),
);
const UNKNOWN = new Set(['mixed', 'object', '']);

/** Namespace and last name of a type as the file means it, without a look at any other file. */
export function fullTypeName(
  file: PhpFile,
  written: string,
): { readonly namespace: string; readonly name: string } {
  let full = written;
  if (written.startsWith('\\')) full = written.slice(1);
  else if (/^namespace\\/i.test(written)) full = joined(file.namespace, written.slice(10));
  else {
    const [first = ''] = written.split('\\', 1);
    const used = file.types.get(first.toLowerCase());
    full = used === undefined ? joined(file.namespace, written) : used + written.slice(first.length);
  }
  const cut = full.lastIndexOf('\\');
  return { namespace: full.slice(0, Math.max(0, cut)), name: full.slice(cut + 1) };
}

function joined(namespace: string, name: string): string {
  return namespace === '' ? name : `${namespace}\\${name}`;
}

/** The row of the type that a name means; -1 of what says nothing. @param called Whether what a method is called on stays open. */
export function typeNamed(
  to: Lowering,
  file: PhpFile,
  written: string,
  at: number,
  parts: readonly number[] = [],
  called = true,
): number {
  const lower = written.toLowerCase();
  if (lower === 'static' && called) return to.addType({ kind: 'self', at });
  if (lower === 'self' || lower === 'static') return to.addType({ kind: 'this', at });
  if (lower === 'parent')
    return file.class?.parent
      ? typeNamed(to, file, file.class.parent, at)
      : to.addType({ kind: 'unknown', at });
  if (BUILTIN.has(lower)) return to.addType({ kind: 'literal', name: lower, at });
  if (UNKNOWN.has(lower)) return -1;
  if (to.scopes.find(written)?.known === 'type parameter')
    return to.addType({ kind: 'name', name: written, at });
  const { namespace, name } = fullTypeName(file, written);
  const base = to.addType({ kind: 'package', name: namespace, at });
  return to.addType({ kind: 'name', name, base, parts, at });
}

/** The comment that ends right in front of a node, and where its text begins; empty without any. */
export function commentAt(to: Lowering, node: NodeId): { readonly text: string; readonly start: number } {
  const none = { text: '', start: 0 };
  const { text } = to.tree;
  let at = to.tree.start(node) - 1;
  while (at >= 0 && ' \t\r\n'.includes(text.charAt(at))) at -= 1;
  if (at < 1 || text.charAt(at) !== '/' || text.charAt(at - 1) !== '*') return none;
  const start = text.lastIndexOf('/**', at);
  return start < 0 ? none : { text: text.slice(start + 3, at - 1), start: start + 3 };
}

/** The text of the comment that ends right in front of a node. */
export function commentAbove(to: Lowering, node: NodeId): string {
  return commentAt(to, node).text;
}

const TAG =
  /@(?:phpstan-|psalm-)?(param|return|var|template|extends|implements|use)(?:-covariant|-contravariant)?\s+/g;

/** What a comment says of types. */
export function readDoc(comment: string): Doc {
  if (!comment.includes('@')) return NO_DOC;
  const text = comment.replace(/^[ \t]*\*+ ?/gm, '');
  const params = new Map<string, string>();
  const vars = new Map<string, string>();
  const templates = new Map<string, string>();
  const bases = new Map<string, string>();
  let returns = '';
  for (const { 0: whole, 1: tag, index } of text.matchAll(TAG)) {
    const type = typeText(text, index + whole.length);
    const name = /^\s+(?:&\s*)?(?:\.{3}\s*)?(\$\w+)/.exec(
      text.slice(index + whole.length + type.length),
    )?.[1];
    if (tag === 'template') {
      const bound = /^\s+(?:of|as)\s+(\S+)/.exec(text.slice(index + whole.length + type.length))?.[1];
      templates.set(type, bound ?? '');
    } else if (tag === 'extends' || tag === 'implements' || tag === 'use') {
      if (type.includes('<')) bases.set(type.replace(/<.*$/s, ''), type);
    } else if (tag === 'return') returns ||= type;
    else if (tag === 'var') vars.set(name ?? '', type);
    else if (name !== undefined && !params.has(name)) params.set(name, type);
  }
  return { params, vars, returns, bases, templates };
}

/** The type that begins at an offset: up to a blank that is in no brackets. */
function typeText(text: string, from: number): string {
  let depth = 0;
  let at = from;
  for (; at < text.length && at < from + 2000; at += 1) {
    const mark = text.charAt(at);
    if ('<({['.includes(mark)) depth += 1;
    else if ('>)}]'.includes(mark)) depth -= 1;
    else if (
      /\s/.test(mark) &&
      depth <= 0 &&
      !/[|&:]\s*$/.test(text.slice(from, at)) &&
      !/^\s*[|&]/.test(text.slice(at))
    )
      break;
  }
  return text.slice(from, at);
}

/** Types whose last argument is what iterating over them gives. */
const LISTS = new Set(
  'array list iterable non-empty-array non-empty-list traversable iterator generator iteratoraggregate'.split(
    ' ',
  ),
);

/** The row of a type as comments write it; -1 where it says nothing. */
export function documentedType(to: Lowering, file: PhpFile, text: string, at: number): number {
  const tokens = text.match(/\$?[\w\\-]+|\[\]|\S/g) ?? [];
  let next = 0;
  const take = (token: string) => tokens[next] === token && next++ >= 0;
  const list = (end: string): number[] => {
    const rows: number[] = [];
    while (next < tokens.length && !take(end)) if (!take(',')) rows.push(either());
    return rows;
  };
  const skipTo = (open: string, close: string) => {
    for (let depth = 1; next < tokens.length && depth > 0; next += 1)
      depth += tokens[next] === open ? 1 : tokens[next] === close ? -1 : 0;
  };
  const one = (): number => {
    if (take('?')) return one();
    let row: number;
    if (take('(')) {
      row = either();
      take(')');
    } else {
      const name = tokens[next++] ?? '';
      const lower = name.toLowerCase();
      const args = take('<') ? list('>') : [];
      if (take('{')) skipTo('{', '}');
      if (lower === 'callable' || lower === '\\closure' || lower === 'closure') {
        if (take('(')) {
          const parts = list(')');
          row = to.addType({ kind: 'function', parts, base: take(':') ? one() : -1, at });
        } else row = typeNamed(to, file, name, at);
      } else if (LISTS.has(lower.replace(/^\\/, '')) && args.length > 0) {
        const of = args[lower.endsWith('generator') ? Math.min(1, args.length - 1) : args.length - 1] ?? -1;
        row = of < 0 ? -1 : to.addType({ kind: 'list', base: of, at });
      } else if (lower === '$this') row = to.addType({ kind: 'self', at });
      else if (lower === 'class-string' && args.length === 1 && args[0] !== -1)
        row = classString(to, args, at);
      else if (!/^\\?[a-z_]\w*(?:\\\w+)*$/i.test(name))
        row = /^(?:class-string|\S+-string)$/.test(lower)
          ? to.addType({ kind: 'literal', name: 'string', at })
          : -1;
      else row = typeNamed(to, file, name, at, args.includes(-1) ? [] : args);
    }
    while (take('[]')) row = row < 0 ? -1 : to.addType({ kind: 'list', base: row, at });
    return row;
  };
  const either = (): number => {
    const rows = [one()];
    let isBoth = false;
    while (tokens[next] === '|' || tokens[next] === '&') {
      isBoth ||= tokens[next++] === '&';
      rows.push(one());
    }
    const [first = -1] = rows;
    if (rows.length === 1) return first;
    if (rows.includes(-1)) return -1;
    return to.addType({ kind: isBoth ? 'union' : 'either', parts: rows, at });
  };
  return text === '' ? -1 : either();
}

/** The type of a string that is the name of a class: a type of the library. */
export function classString(to: Lowering, parts: readonly number[], at: number): number {
  const base = to.addType({ kind: 'package', name: '', at });
  return to.addType({ kind: 'name', name: 'ClassString$', base, parts, at });
}

/** Binds the type parameters that a comment names, in the innermost scope. */
export function bindTemplates(to: Lowering, file: PhpFile, doc: Doc, at: number): void {
  for (const name of doc.templates.keys()) to.note(name, 'type parameter');
  for (const [name, bound] of doc.templates)
    to.scopes.bind('type parameter', name, { type: documentedType(to, file, bound, at) });
}

/** The node of the last name of a qualified one. */
export function lastOf(to: Lowering, node: NodeId): NodeId {
  return to.tree.kind(node) === 'name'
    ? node
    : (to.tree.children(node).findLast((one) => to.tree.kind(one) === 'name') ?? NONE);
}
