import { type Lowering, NONE, type NodeId } from '../../lower/index.js';

/** A table that is as good as a class: what it is called leads to its members. */
export interface Table {
  readonly definition: number;
  /** The scope that holds its members. */
  readonly scope: number;
  readonly fields: Set<string>;
}

/** What is known of a file before it is lowered, and while it is. */
export interface LuaFile {
  /** Names that have functions as members, or are returned. */
  readonly holders: Set<string>;
  /** Where names are assigned besides their declaration; and members by the last one: `.name`. */
  readonly assigned: Map<string, number[]>;
  /** Names that a statement makes functions. */
  readonly functions: Set<string>;
  /** Names that are declared before they are given a function. */
  readonly forward: Set<string>;
  /** The table whose method is lowered. */
  self: Table | undefined;
  /** Its parameter that is the table, where it is written. */
  selfParameter: NodeId;
  /** What the file returns. */
  returned: string | null;
  /** What names in tables are looked up in, by the name of the table that is set as a metatable. */
  readonly indexed: Map<string, NodeId>;
  readonly tables: Map<string, Table>;
  /** The definition of what the file returns; -1 for none. */
  exported: number;
}

/** What is known of the file that is lowered. */
export function fileOf(to: Lowering): LuaFile {
  to.own ??= surveyed(to);
  return to.own as LuaFile;
}

/** Looks through a file once: a name that is assigned anywhere holds what nobody knows. */
function surveyed(to: Lowering): LuaFile {
  const { tree } = to;
  const file: LuaFile = {
    ...{ holders: new Set(), assigned: new Map(), functions: new Set(), forward: new Set(), returned: null },
    ...{ indexed: new Map(), tables: new Map(), exported: -1, self: undefined, selfParameter: NONE },
  };
  const [last = NONE] = tree.children(0).slice(-1);
  if (tree.kind(last) === 'return_statement') {
    const value = tree.first(tree.first(last));
    file.returned = nameIn(to, value);
    if (file.returned !== null) file.holders.add(file.returned);
  }
  const end = tree.next(0);
  let declared = 0;
  for (let node = 1; node < end; node += 1) {
    const kind = tree.kind(node);
    if (kind === 'variable_declaration') declared = tree.next(node);
    else if (kind === 'function_declaration') {
      const name = to.part(node, 'name');
      if (tree.kind(name) === 'identifier') file.functions.add(tree.textOf(name));
      else file.holders.add(tree.textOf(to.part(name, 'table')));
    } else if (kind === 'assignment_statement' && node >= declared) assigned(to, file, node);
    else if (kind === 'field') {
      const name = tree.textOf(to.part(node, 'name'));
      append(file.assigned, `.${name}`, tree.start(node));
    }
  }
  return file;
}

function assigned(to: Lowering, file: LuaFile, node: NodeId): void {
  const { tree } = to;
  const names = tree.children(to.part(node, ':variable_list'));
  const values = tree.children(to.part(node, ':expression_list'));
  for (const [at, name] of names.entries()) {
    const isFunction = tree.kind(values[at] ?? NONE) === 'function_definition';
    const text = tree.textOf(name);
    if (tree.kind(name) === 'identifier' && isFunction && !file.functions.has(text)) file.functions.add(text);
    else if (tree.kind(name) === 'identifier') append(file.assigned, text, tree.start(node));
    else {
      const field = tree.textOf(to.part(name, 'field'));
      const table = tree.textOf(to.part(name, 'table'));
      append(file.assigned, `.${field}`, tree.start(node));
      if (isFunction || field === '__index') file.holders.add(table);
      if (field === '__index') file.indexed.set(table, values[at] ?? NONE);
    }
  }
}

/** How often a name is assigned in a part of the text besides its declaration, a member anywhere: 2 stands for more. */
export function assignments(to: Lowering, name: string, from = 0, until = Infinity): number {
  const places = fileOf(to).assigned.get(name) ?? [];
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle] ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  return places.slice(low, low + 2).filter((at) => at < until).length;
}

function append(to: Map<string, number[]>, name: string, at: number): void {
  const places = to.get(name);
  if (places) places.push(at);
  else to.set(name, [at]);
}

/** The name that an expression is, or that `setmetatable` is given first; null for any other. */
function nameIn(to: Lowering, node: NodeId): string | null {
  const { tree } = to;
  if (tree.kind(node) === 'identifier') return tree.textOf(node);
  const made = metatabled(to, node);
  return made === null ? null : nameIn(to, made.of);
}

/** What `setmetatable` is given; null where something else is called. */
export function metatabled(to: Lowering, node: NodeId): { readonly of: NodeId; readonly by: NodeId } | null {
  const { tree } = to;
  if (tree.kind(node) !== 'function_call' || tree.textOf(to.part(node, 'name')) !== 'setmetatable')
    return null;
  const [of = NONE, by = NONE] = tree.children(to.part(node, 'arguments'));
  return { of, by };
}

/** What names are looked up in that a table with such a metatable lacks. */
export function indexOf(to: Lowering, by: NodeId): NodeId {
  const { tree } = to;
  if (tree.kind(by) === 'identifier') {
    const index = fileOf(to).indexed.get(tree.textOf(by)) ?? NONE;
    return index === NONE && fileOf(to).tables.has(tree.textOf(by)) ? by : index;
  }
  if (tree.kind(by) !== 'table_constructor') return NONE;
  const field = tree.children(by).find((one) => tree.textOf(to.part(one, 'name')) === '__index');
  return field === undefined ? NONE : to.part(field, 'value');
}

/** The type of a name or a path of names; -1 for anything else. */
export function typeOfPath(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const kind = tree.kind(node);
  if (kind !== 'identifier' && kind !== 'dot_index_expression') return -1;
  const base = kind === 'identifier' ? -1 : typeOfPath(to, to.part(node, 'table'));
  if (kind !== 'identifier' && base < 0) return -1;
  const name = kind === 'identifier' ? node : to.part(node, 'field');
  return to.addType({ kind: 'name', name: tree.textOf(name), base, at: tree.start(name) });
}
