import type { Base, ClassSubkind, Definition, ExportFact, FileFacts, ImportFact } from '../../facts.js';
import { type Lowering, NONE, type NodeId } from '../../lower/index.js';
import { routesOf } from './routes.js';
import { stateOf } from './state.js';
import { docstringOf, stringValue } from './text.js';

/** What is known of a module when all of it is lowered: what it offers, what its classes are. */
export function finish(to: Lowering, facts: FileFacts): void {
  facts.docstring = docstringOf(to, 0);
  const listed = publicNames(to);
  for (const [index, { parent, name }] of listed ? facts.definitions.entries() : [])
    if (parent === null) to.setExported(index, listed?.has(name) ?? false);
  tellSubkinds(facts.definitions, facts.imports);
  facts.exports = exportsOf(to, facts, listed);
  facts.routes = routesOf(to, facts);
}

/** What `__all__` lists, in order, each name once, with its line; null when it is not written as plain strings. */
type PublicNames = ReadonlyMap<string, number> | null;

/** Reads `__all__ = […]`, `+= […]`, `.extend([…])` and `.append('…')` at the top of the module. */
function publicNames(to: Lowering): PublicNames {
  let names: Map<string, number> | null = null;
  for (const statement of to.tree.children(0)) {
    const change = changeOfAll(to, statement);
    if (!change) continue;
    const listed = literalNames(to, change.value);
    if (change.replaces) names = listed && new Map();
    for (const [name, line] of listed ?? []) if (!names?.has(name)) names?.set(name, line);
  }
  return names;
}

function changeOfAll(to: Lowering, statement: NodeId): { value: NodeId; replaces: boolean } | null {
  const { tree } = to;
  const kind = tree.kind(statement);
  if (!/^(?:assignment|augmented_assignment|call)$/.test(kind)) return null;
  const target = to.part(statement, '#0');
  const value = to.part(statement, '#-1');
  if (target === NONE || value === target) return null;
  if (kind !== 'call')
    return tree.textOf(target) === '__all__' ? { value, replaces: kind === 'assignment' } : null;
  return /^__all__\.(?:extend|append)$/.test(tree.textOf(target)) ? { value, replaces: false } : null;
}

function literalNames(to: Lowering, value: NodeId): [string, number][] | null {
  const { tree } = to;
  const list = tree.kind(value) === 'argument_list' ? tree.first(value) : value;
  if (!/^(string|list|tuple|expression_list|parenthesized_expression)$/.test(tree.kind(list))) return null;
  const names: [string, number][] = [];
  for (const item of tree.kind(list) === 'string' ? [list] : tree.children(list)) {
    const name = tree.kind(item) === 'string' ? stringValue(tree.textOf(item)) : null;
    if (name === null) return null;
    names.push([name, to.text.line(tree.start(item))]);
  }
  return names;
}

/**
 * What a module offers: its public definitions; imported names that it passes on, that is those in `__all__`, those
 * that an `__init__.py` imports from its own package, and `import x as x` (PEP 484); `*` for `from m import *`,
 * where no `__all__` says which of its names are meant.
 */
function exportsOf(to: Lowering, { definitions, imports }: FileFacts, listed: PublicNames): ExportFact[] {
  const { path } = to;
  const { redundant } = stateOf(to);
  const found = new Map<string, ExportFact>();
  for (const { name, exported, name_line } of definitions)
    if (exported && !found.has(name)) found.set(name, { name, local: name, module: null, line: name_line });
  const stars: ExportFact[] = [];
  const isPackage = /(^|\/)__init__\.pyi?$/.test(path);
  for (const one of imports) {
    if (one.from !== null || one.kind !== 'import') continue;
    for (const { imported, local } of one.names) {
      if (local === null) {
        if (!listed) stars.push({ name: '*', local: null, module: one.module, line: one.line });
        continue;
      }
      const isOwn = isPackage && imported !== '*' && !one.type_only && isWithin(path, one.module);
      const given = isOwn || redundant.has(local);
      const passedOn = listed ? listed.has(local) : given && !local.startsWith('_');
      if (passedOn && one.module !== '__future__' && !found.has(local))
        found.set(local, { name: local, local, module: one.module, line: one.line });
    }
  }
  // A submodule, or a name that another way puts into the module: offered all the same.
  for (const [name, line] of listed ?? [])
    if (!found.has(name)) found.set(name, { name, local: name, module: null, line });
  return [...found.values(), ...stars].sort((a, b) => a.line - b.line);
}

/** Whether a module is within the package of an `__init__.py`: `.core`, or `shop.core` where the folder is `src/shop`. */
function isWithin(path: string, module: string): boolean {
  if (module.startsWith('.')) return !module.startsWith('..');
  const folders = path.split('/').slice(0, -1);
  const parts = module.split('.');
  return parts.some((_, at) => parts.slice(0, at + 1).join('/') === folders.slice(-at - 1).join('/'));
}

/** What of a module a base is: `Protocol` of `typing`. */
interface Origin {
  /** Null where a star may bring it, or nothing says whence it comes. */
  readonly module: string | null;
  readonly name: string;
}

const ENUMS = /^(?:(?:Int|Str)?Enum|(?:Int)?Flag|ReprEnum)$/;
const CHOICES = /^(?:Text|Integer)?Choices$/;

/** Where typing's own names come from; a module of the project passes them on to older versions of the language. */
const TYPING = /^(?:typing|typing_extensions|\..*)$/;
const ENUM = /^(?:enum|aenum|strenum|backports\.strenum|\..*)$/;

/**
 * Says of classes that they are enums or protocols: by what their bases are imported as, since `asyncio.Protocol` and
 * SQLAlchemy's `Enum` are neither. What extends an enum of the file is one; what extends a protocol is a class, unless
 * it says `Protocol` again. TypedDict, NamedTuple and abstract classes stay classes.
 */
function tellSubkinds(definitions: readonly Definition[], imports: readonly ImportFact[]): void {
  const enums = new Set<string>();
  for (const one of definitions) {
    if (one.form !== 'class') continue;
    one.subkind = subkindOf(one.bases, imports, enums);
    if (one.subkind === 'enum' && one.parent === null) enums.add(one.name);
  }
}

function subkindOf(
  bases: readonly Base[],
  imports: readonly ImportFact[],
  enums: ReadonlySet<string>,
): ClassSubkind | null {
  const origins = bases.flatMap(({ name }) => originOf(name, imports) ?? []);
  const isFrom = (names: RegExp, modules: RegExp) =>
    origins.some(({ module, name }) => names.test(name) && (module === null || modules.test(module)));
  if (isFrom(/^Protocol$/, TYPING)) return 'protocol';
  if (isFrom(ENUMS, ENUM) || isFrom(CHOICES, /^django\.db\.models$/)) return 'enum';
  return bases.some(({ name }) => enums.has(name)) ? 'enum' : null;
}

function originOf(written: string, imports: readonly ImportFact[]): Origin | null {
  const parts = written.split('.');
  const name = parts.pop() ?? '';
  const root = parts[0] ?? name;
  for (const { module, names } of imports) {
    const bound = names.find(({ local }) => local === root);
    if (bound === undefined) continue;
    if (parts.length === 0) return bound.imported === '*' ? null : { module, name: bound.imported };
    // `import a.b` binds `a`; `from django.db import models` binds a module.
    const isFirst = root === module.split('.')[0];
    const start = bound.imported === '*' ? (isFirst ? root : module) : `${module}.${bound.imported}`;
    return { module: [start, ...parts.slice(1)].join('.'), name };
  }
  const hasStar = imports.some(({ names }) => names.some(({ local }) => local === null));
  return parts.length === 0 && hasStar ? { module: null, name } : null;
}
