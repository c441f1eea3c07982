import type {
  Definition,
  DefinitionForm,
  ExportFact,
  FileFacts,
  ImportFact,
  Reference,
  RouteFact,
} from '../facts.js';
import {
  BINDING_FLAGS,
  EXPRESSION_KINDS,
  FLOW_KINDS,
  SYMBOL_FLAGS,
  SYMBOL_KINDS,
  type SymbolKind,
  type TableRows,
  TYPE_KINDS,
  UnitBuilder,
} from '../ir/index.js';
import { isInTestFolder } from '../languages/test-folder.js';
import { Comments } from './comments.js';
import { EXPRESSION, endOf, LateReferences, startOf } from './late-references.js';
import { routesOf, type SeenDecorator } from './routes.js';
import type {
  Extent,
  LoweredCall,
  Lowering,
  LoweringRules,
  NewDefinition,
  NewExpression,
  NewExtension,
  NewFlow,
  NewImport,
  NewReference,
  NewType,
} from './rules.js';
import { type Scope, Scopes } from './scopes.js';
import { SourceText } from './source-text.js';
import { NONE, type NodeId, type SyntaxTree } from './syntax-tree.js';
import { testsOf } from './tests.js';
import { WatchedCalls } from './watched-calls.js';

/** A row of a table for every 64 characters or more, as a shift. */
const PER_ROW = 6;

/** What is found in one file: its facts, and in step with them the rows of its unit. */
export class Records {
  readonly text: SourceText;
  readonly definitions: Definition[] = [];
  owner: number | null = null;
  own: unknown;
  /** What goes in front of the names of definitions at the top: of the module around them. */
  namespace = '';
  /** The type that the innermost extension is of, and what members of it are qualified with. */
  extended: NewExtension | null = null;

  readonly scopes: Scopes;
  /** The innermost branch and the outermost loop around the place. */
  branch: Extent | null = null;
  protected loop: Extent | null = null;
  protected readonly unit: UnitBuilder;
  /** The statement that declares what begins at an offset. */
  protected declaredIn: {
    readonly of: number;
    readonly before: string;
    readonly alone: { readonly start: number; readonly end: number } | null;
  } | null = null;

  /** The tables that most rows are added to. */
  readonly #rows: Readonly<Record<'types' | 'expressions' | 'items' | 'names', TableRows>>;
  readonly #comments: Comments;
  readonly #decorators: SeenDecorator[] = [];
  readonly #calls: WatchedCalls;
  /** Rows of types of the bases of each definition. */
  readonly #bases: { definition: number; type: number; relation: 'extends' | 'implements' }[] = [];
  readonly #references: Reference[] = [];
  /** Of each reference where its name begins, its expression and its type. */
  readonly #places: { readonly at: number; readonly expression: number; readonly type: number }[] = [];
  readonly #late: LateReferences | null;
  readonly #flows: {
    readonly flow: NewFlow;
    readonly symbol: number;
    branch: Extent | null;
    loop: Extent | null;
  }[] = [];
  readonly #imports: ImportFact[] = [];
  /** Definitions in modules of the file. */
  readonly #inner = new Set<Definition>();
  readonly #ordinals = new Map<string, number>();
  /** What an expression is about, the nodes of its name and of its receiver, by its row. */
  readonly #baseOf: number[] = [];
  readonly #kindOf: NewExpression['kind'][] = [];
  readonly #nameNodes: NodeId[] = [];
  readonly #ofNodes: NodeId[] = [];
  readonly #localRows = new Set<number>();
  readonly #literals = new Map<string, number>();
  /** Decorators that stand in front of what is lowered next. */
  #preceding: { readonly start: number; readonly end: number; readonly text: string }[] = [];
  #unknown = -1;
  #package = '';
  #fileDoc: string | null = null;

  constructor(
    readonly path: string,
    readonly tree: SyntaxTree,
    readonly rules: LoweringRules,
  ) {
    this.text = new SourceText(tree.text, rules.lines ?? null);
    this.own = rules.own?.();
    this.unit = new UnitBuilder(tree.text.length >> PER_ROW);
    const rows = this.unit.rows.bind(this.unit);
    this.#rows = {
      types: rows('types'),
      expressions: rows('expressions'),
      items: rows('items'),
      names: rows('names'),
    };
    this.scopes = new Scopes(this.unit, tree.text.length, rules.flows !== undefined);
    this.#comments = new Comments(this.text, tree.comments, rules.docs);
    const { unit, scopes, definitions, text } = this;
    const isInside = (node: NodeId) => rules.expressions[tree.kind(node)] === 'inside';
    const hasStar = () => this.#hasStar();
    this.#late = rules.flows
      ? new LateReferences({ tree, text, unit, scopes, rules: rules.flows, hasStar, isInside })
      : null;
    const nameOf = (row: number) => tree.textOf(this.#nameNodes[row] ?? NONE);
    const moduleOf = (index: number) => this.#imports[index]?.module;
    this.#calls = new WatchedCalls({ tree, unit, scopes, definitions, nameOf, moduleOf }, rules);
  }

  /** All that was found. Nothing can be added afterwards. */
  facts(to: Lowering): FileFacts {
    this.#joinMembers();
    const build = this.rules.buildOf?.(this.tree.text, this.path) ?? 0;
    this.unit.add('file', { package: this.#package, build });
    this.#addFlows();
    for (const { definition, type, relation } of this.#bases.sort((a, b) => a.definition - b.definition))
      this.unit.add('bases', { symbol: definition, type, relation: relation === 'extends' ? 0 : 1 });
    const { definitions } = this;
    const facts: FileFacts = {
      language: this.rules.language,
      docstring: this.#fileDoc,
      lines: this.text.lines,
      definitions,
      references: this.#sorted(),
      imports: this.#imports,
      exports: exportsOf(definitions, this.#inner),
      types: [],
      flows: [],
      comments: this.#comments.tags(definitions),
      tests: this.rules.tests
        ? testsOf(this.path, this.text, definitions, this.#calls.tests, this.rules.tests)
        : [],
      routes: this.#routes(),
      keys: [],
      syntax_errors: [...new Set(this.tree.errors.map((offset) => this.text.line(offset)))].slice(0, 20),
    };
    this.rules.finish?.(to, facts);
    facts.unit = this.unit.take();
    return facts;
  }

  /** The flows as rows: whose name a target begins with is known now. */
  #addFlows(): void {
    const flows = this.unit.rows('flows');
    for (const { flow, symbol, branch, loop } of this.#flows.sort((a, b) => a.flow.start - b.flow.start)) {
      const scope = this.#scopeOf(flow.target);
      const isIn = scope?.kind === 'comprehension' && flow.within === undefined;
      // In the order of the fields of the table.
      flows.push(
        FLOW_KINDS.indexOf(flow.kind),
        flow.target,
        flow.value,
        scope?.row ?? -1,
        symbol,
        flow.at,
        this.#rowOf(branch),
        this.#rowOf(loop),
        isIn ? this.extent(scope.start, scope.end) : (flow.within ?? -1),
      );
    }
  }

  /** The scope that binds the name that a target begins with; null for none. */
  #scopeOf(target: number): Scope | null {
    let root = target;
    while (root >= 0 && this.#kindOf[root] !== 'name') root = this.#baseOf[root] ?? -1;
    if (root < 0) return null;
    const { expressions } = this.#rows;
    const from = this.scopes.at(expressions.get(6, root));
    return this.scopes.find(this.unit.textOf(expressions.get(1, root)), from)?.scope ?? null;
  }

  #rowOf(extent: Extent | null): number {
    if (extent === null) return -1;
    if (extent.row < 0) extent.row = this.extent(extent.start, extent.end);
    return extent.row;
  }

  codeEnd(node: NodeId): number {
    return this.#comments.codeEnd(this.tree.start(node), this.tree.end(node));
  }

  extent(start: number, end: number): number {
    return this.unit.rows('extents').push(start, end);
  }

  flow(flow: NewFlow): void {
    const { branch, loop } = this;
    this.#flows.push({ flow, symbol: this.owner ?? -1, branch, loop });
  }

  itemsOf(expression: number): number[] {
    const { expressions, items } = this.#rows;
    const first = expressions.get(3, expression);
    return Array.from({ length: expressions.get(4, expression) }, (_, at) => items.get(0, first + at));
  }

  inBranch(node: NodeId, run: () => void): void {
    const around = this.branch;
    this.branch = { start: this.tree.start(node), end: this.codeEnd(node), row: -1 };
    run();
    this.branch = around;
  }

  inLoop(node: NodeId, run: () => void): void {
    const around = this.loop;
    this.loop ??= { start: this.tree.start(node), end: this.codeEnd(node), row: -1 };
    run();
    this.loop = around;
  }

  addDecorator(definition: number, expression: number): void {
    this.unit.rows('decorators').push(definition, expression);
  }

  /** Whether an import brings names that are not listed. */
  #hasStar(): boolean {
    return this.#imports.some(
      ({ kind, names }) => kind === 'import' && names.some(({ local }) => local === null),
    );
  }

  /** A test's own application is part of the test. */
  #routes(): RouteFact[] {
    const { rules, path, text, definitions } = this;
    const { tests } = rules;
    if (!rules.routes || tests?.path?.test(path) || tests?.files?.test(path) || isInTestFolder(path))
      return [];
    const modules = this.#imports.map(({ module }) => module);
    const sources = { text, definitions, modules, calls: this.#calls.routes, decorators: this.#decorators };
    return routesOf(sources, rules.routes);
  }

  isWatched(name: string): boolean {
    return this.#calls.isWatched(name);
  }

  called(call: Omit<LoweredCall, 'from'>): void {
    this.#calls.see({ ...call, from: this.owner });
  }

  define(given: NewDefinition): number {
    const { tree, text } = this;
    const { kind } = given;
    const { branch, namespace } = this;
    const index = this.definitions.length;
    const name = given.called ?? tree.textOf(given.name);
    const form = FORMS[kind];
    const parent = this.owner;
    const around = parent === null ? undefined : this.definitions[parent];
    const extended = this.scopes.current.kind === 'extension' ? this.extended : null;
    const owner = given.owner ?? extended?.name;
    const path = namespace + this.scopes.namespaces;
    const qualname = owner ? `${path}${owner}.${name}` : around ? `${around.qualname}.${name}` : path + name;
    const before = this.preceding(given.start);
    for (const one of before) this.#decorators.push({ ...one, definition: index });
    const said = this.#said(given.modifiers ?? NONE, around, kind);
    const access = given.access ?? said?.access ?? this.rules.access(name);
    const flags = (given.flags ?? 0) | (said?.flags ?? 0);
    const { modifiers = NONE } = given;
    const isWithin = modifiers !== NONE && given.start <= tree.start(modifiers);
    const block = this.scopes.block;
    const isMember = around?.form === 'class';
    const isCallable = form === 'function' || form === 'method';
    const statement = this.declaredIn?.of === given.start ? this.declaredIn : null;
    const { start, end } = statement?.alone ?? given;
    const extent = { start: before[0]?.start ?? start, end };
    this.definitions.push({
      form,
      subkind: given.subkind ?? null,
      name,
      qualname,
      ordinal: this.#ordinal(`${form} ${qualname}`),
      parent,
      block: block && parent !== null ? text.span(block.start, block.end) : undefined,
      span: text.span(extent.start, extent.end),
      name_line: text.line(given.nameAt ?? tree.start(given.name)),
      signature: text.signature(
        said && isWithin ? said.head : (given.headStart ?? given.start),
        given.headEnd ?? given.end,
        given.before ?? statement?.before,
      ),
      docstring:
        given.docstring !== undefined
          ? given.docstring
          : (this.#comments.above(extent.start) ??
            (form === 'variable' ? this.#comments.behind(given.end) : null)),
      decorators: [...before.map((one) => one.text), ...(said?.decorators ?? given.decorators ?? [])],
      is_async: (flags & SYMBOL_FLAGS.async) !== 0,
      is_generator: (flags & SYMBOL_FLAGS.generator) !== 0,
      is_static: (flags & SYMBOL_FLAGS.static) !== 0,
      is_abstract: (flags & SYMBOL_FLAGS.abstract) !== 0,
      visibility: access.visibility,
      exported: access.exported,
      declaration_only: given.isDeclaration ?? false,
      bases: [],
      parameters: [],
      return_type: null,
      value_type: given.valueType ?? null,
      scope: form === 'variable' ? (isMember || extended ? 'class' : around ? 'function' : 'module') : null,
      is_constant: form === 'variable' && ((given.isConstant || said?.isConstant) ?? false),
      is_property: flags & SYMBOL_FLAGS.assigned ? true : undefined,
      branch: branch && isCallable ? this.#lines(branch) : undefined,
    });
    const made = this.definitions[index];
    if (namespace !== '' && made) this.#inner.add(made);
    // In the order of the fields of the table.
    this.unit
      .rows('symbols')
      .push(
        this.unit.text(given.found ?? name),
        SYMBOL_KINDS.indexOf(kind),
        given.scope ?? this.scopes.ownRow(),
        given.from ?? (block ? tree.start(given.name) : 0),
        -1,
        -1,
        -1,
        -1,
        flags |
          (access.exported ? SYMBOL_FLAGS.exported : 0) |
          (said && access.visibility === 'private' && !this.rules.modifiers?.privateToModule
            ? SYMBOL_FLAGS.private
            : 0),
        this.unit.text(given.labels ?? ''),
      );
    if (extended) this.setSymbol(index, 'receiver', extended.type);
    // A member declared elsewhere is no name of the file.
    if (!owner && given.scope === undefined) this.scopes.note(given.found ?? name, 'symbol', index);
    return index;
  }

  /** Takes note of a decorator that stands in front of what it decorates. */
  protected precede(node: NodeId): void {
    const { tree, text } = this;
    const [start, end] = [tree.start(node), tree.end(node)];
    const shown = text.folded(start, end, 300).replace(/^[#@!]*(?:\[(.*)\]$)?/s, '$1');
    this.#preceding.push({ start, end, text: shown });
  }

  preceding(
    start: number,
  ): readonly { readonly start: number; readonly end: number; readonly text: string }[] {
    const all = this.#preceding;
    if (all.length === 0) return all;
    this.#preceding = [];
    let from = all.length;
    for (let at = start; from > 0; from -= 1) {
      const one = all[from - 1];
      if (!one || !BETWEEN.test(this.tree.text.slice(one.end, at))) break;
      at = one.start;
    }
    return all.slice(from);
  }

  #lines({ start, end }: Extent): [first: number, last: number] {
    return [this.text.line(start), this.text.line(Math.max(0, end - 1))];
  }

  /** What the words in front of a declaration say; null where its language has none. */
  #said(modifiers: NodeId, around: Definition | undefined, kind: SymbolKind) {
    const { tree, text } = this;
    const rules = this.rules.modifiers;
    if (!rules) return null;
    const inInterface = around?.subkind === 'interface' ? rules.inInterface : undefined;
    const ofField = kind === 'field' ? inInterface?.fields : undefined;
    const said = {
      access: inInterface?.access,
      flags: ofField?.flags ?? 0,
      isConstant: ofField?.isConstant ?? false,
      decorators: [] as string[],
      head: modifiers === NONE ? 0 : tree.start(modifiers),
    };
    if (modifiers === NONE) return said;
    let words = '';
    let at = said.head;
    let last = rules.kinds ? at : tree.end(modifiers);
    for (const one of tree.children(modifiers)) {
      const [start, end] = [tree.start(one), tree.end(one)];
      if (!rules.decorators.includes(tree.kind(one))) {
        if (rules.kinds && !rules.kinds.includes(tree.kind(one))) break;
        if (rules.kinds) last = end;
        continue;
      }
      const before = text.text.slice(at, start);
      for (const each of rules.decorator ? this.#within(one, rules.decorator) : [one]) {
        const shown = text.folded(tree.start(each) + (rules.decorator ? 0 : 1), tree.end(each), 300);
        said.decorators.push(shown);
        const place = { start: tree.start(each), end: tree.end(each) };
        this.#decorators.push({ ...place, text: shown, definition: this.definitions.length });
      }
      words += ` ${before}`;
      if (words.trim() === '') said.head = end;
      at = end;
    }
    words += ` ${text.text.slice(at, Math.max(at, last))}`;
    for (const word of words.match(/[\w-]+/g) ?? []) {
      const one = Object.hasOwn(rules.words, word) ? rules.words[word] : undefined;
      said.access = one?.access ?? said.access;
      said.flags |= one?.flags ?? 0;
      said.isConstant ||= one?.isConstant ?? false;
    }
    return said;
  }

  /** The nodes of a type that are in another one. */
  #within(node: NodeId, kind: string): NodeId[] {
    const { tree } = this;
    return tree.children(node).flatMap((one) => (tree.kind(one) === kind ? [one] : this.#within(one, kind)));
  }

  setSymbol(definition: number, field: 'type' | 'value' | 'receiver', row: number): void {
    if (definition >= 0) this.unit.set('symbols', field, definition, row);
  }

  symbol(definition: number, field: 'type' | 'value' | 'receiver'): number {
    return this.unit.get('symbols', field, definition);
  }

  setExported(definition: number, isExported: boolean): void {
    const one = this.definitions[definition];
    if (!one) return;
    one.exported = isExported;
    const flags = this.unit.get('symbols', 'flags', definition) & ~SYMBOL_FLAGS.exported;
    this.unit.set('symbols', 'flags', definition, flags | (isExported ? SYMBOL_FLAGS.exported : 0));
  }

  addFlag(definition: number, flag: number): void {
    const flags = this.unit.get('symbols', 'flags', definition);
    this.unit.set('symbols', 'flags', definition, flags | flag);
  }

  addBase(
    definition: number,
    type: number,
    node: NodeId,
    relation: 'extends' | 'implements',
    called?: string,
  ): void {
    const { tree, text } = this;
    const name = called ?? text.bare(tree.start(node), tree.end(node), 300).replace(/^\*|[[<].*$/gs, '');
    this.definitions[definition]?.bases.push({ name, relation, line: text.line(tree.start(node)) });
    this.#bases.push({ definition, type, relation });
  }

  /** Gives members that are declared elsewhere in the file to the type that they name. */
  #joinMembers(): void {
    const types = new Map<string, number>();
    for (const [index, { form, qualname }] of this.definitions.entries())
      if ((form === 'class' || form === 'type') && !types.has(qualname)) types.set(qualname, index);
    for (const [index, one] of this.definitions.entries()) {
      const isElsewhere = one.form === 'method' || this.symbol(index, 'receiver') >= 0;
      const dot = isElsewhere && one.parent === null ? one.qualname.lastIndexOf('.') : -1;
      if (dot > 0) one.parent = types.get(one.qualname.slice(0, dot)) ?? null;
    }
  }

  #ordinal(key: string): number {
    const ordinal = (this.#ordinals.get(key) ?? 0) + 1;
    this.#ordinals.set(key, ordinal);
    return ordinal;
  }

  // Imports and references

  setPackage(name: string): void {
    this.#package = name;
  }

  documentFile(node: NodeId): void {
    this.#fileDoc = this.#comments.above(this.tree.start(node));
  }

  import({ node, module, names, flags = 0, kind = 'import', typeOnly = false, isBound }: NewImport): number {
    const { tree, text } = this;
    const line = text.line(tree.start(node));
    const index = this.#imports.length;
    this.#imports.push({
      module,
      kind,
      type_only: typeOnly,
      names: names.map(({ imported, local }) => ({ imported, local })),
      from: this.owner,
      line,
      column: text.column(tree.start(node), line),
    });
    const isStar = (flags & BINDING_FLAGS.star) !== 0;
    // Of names behind a star those are listed that it does not bring.
    for (const { imported, local } of isBound ? [] : names)
      if (local !== null || (isStar && (imported === '*' || names.length === 1)))
        this.scopes.bind('import', local ?? '', { import: index, flags });
    return index;
  }

  refer(given: NewReference): void {
    if (this.#late) {
      this.#late.add(given, this.owner);
      return;
    }
    const { tree, text } = this;
    const { name, whole, receiver = NONE } = given;
    const start = startOf(tree, name);
    const written = tree.text.slice(start, endOf(tree, name));
    // Where the grammar misses a name it makes up an empty one.
    if (written === '') return;
    const line = text.line(start);
    const hasReceiver = receiver !== NONE;
    const root = hasReceiver ? this.#root(given.receiverRow ?? -1) : null;
    const isValue = this.rules.namesApart === true ? !NOT_VALUES.has(given.kind) : given.kind !== 'type';
    const local = hasReceiver
      ? root !== null && this.#localRows.has(root)
      : isValue && this.#isLocal(written);
    this.#references.push({
      kind: given.kind,
      name: written,
      receiver: hasReceiver ? text.bare(startOf(tree, receiver), endOf(tree, receiver), EXPRESSION) : null,
      receiver_form: hasReceiver ? this.#form(given) : 'none',
      from: this.owner,
      line,
      column: text.column(start, line),
      expression: text.folded(startOf(tree, whole), endOf(tree, whole), EXPRESSION),
      local,
      arguments: given.arguments ?? null,
    });
    this.#places.push({ at: start, expression: given.expression ?? -1, type: given.type ?? -1 });
  }

  #isLocal(name: string): boolean {
    const known = this.scopes.lookup(name);
    return known !== undefined && known !== 'symbol' && known !== 'import';
  }

  /** The expression that a path of members begins with. */
  #root(row: number): number | null {
    let at = row;
    while (at >= 0 && this.#kindOf[at] === 'member') at = this.#baseOf[at] ?? -1;
    return at < 0 ? null : at;
  }

  #form({ receiverRow, type }: NewReference): Reference['receiver_form'] {
    if (type !== undefined && type >= 0) return 'path';
    const root = this.#root(receiverRow ?? -1);
    const kind = root === null ? undefined : this.#kindOf[root];
    if (kind === 'name' || kind === 'type') return 'path';
    if (kind === 'this' || kind === 'super' || kind === 'literal') return kind;
    return kind === 'call' || kind === 'new' ? 'call' : 'other';
  }

  kindOf(row: number): NewExpression['kind'] {
    return this.#kindOf[row] ?? 'unknown';
  }

  addReturn(value: number): void {
    if (this.owner !== null) this.unit.add('returns', { symbol: this.owner, value });
  }

  writtenAt(row: number): { name: NodeId; of: NodeId } {
    return { name: this.#nameNodes[row] ?? NONE, of: this.#ofNodes[row] ?? NONE };
  }

  baseOf(row: number): number {
    return this.#baseOf[row] ?? -1;
  }

  /** The references in the order of the text, and their rows. */
  #sorted(): Reference[] {
    if (this.#late)
      return this.#late.take().map(({ reference, given: { expression = -1, type = -1 } }) => {
        this.#rows.names.push(expression, type);
        return reference;
      });
    const order = this.#places.map((_, index) => index);
    order.sort((a, b) => (this.#places[a]?.at ?? 0) - (this.#places[b]?.at ?? 0) || a - b);
    return order.map((index) => {
      const { expression = -1, type = -1 } = this.#places[index] ?? {};
      this.#rows.names.push(expression, type);
      return this.#references[index] as Reference;
    });
  }

  // Rows

  addType({ kind, name = '', base = -1, parts = NO_PARTS, scope, at }: NewType): number {
    const first = this.#parts(parts);
    // In the order of the fields of the table.
    return this.#rows.types.push(
      TYPE_NUMBERS.get(kind) ?? 0,
      this.unit.text(name),
      base,
      first,
      parts.length,
      scope ?? this.scopes.row,
      at,
    );
  }

  addExpression(given: NewExpression): number {
    const { kind, name = '', base = -1, parts = NO_PARTS, type = -1, at } = given;
    // Where a literal stands says nothing: one row does for all of a type.
    const known = kind === 'literal' ? this.#literals.get(name) : undefined;
    if (known !== undefined) return known;
    const first = this.#parts(parts);
    const scope = given.scope ?? this.scopes.row;
    const text = this.unit.text(name);
    // In the order of the fields of the table.
    const row = this.#rows.expressions.push(
      EXPRESSION_NUMBERS.get(kind) ?? 0,
      text,
      base,
      first,
      parts.length,
      type,
      scope,
      at,
    );
    this.#kindOf.push(kind);
    this.#baseOf.push(base);
    this.#nameNodes.push(given.nameNode ?? NONE);
    this.#ofNodes.push(given.ofNode ?? NONE);
    if (kind === 'name' && this.#late === null && this.#isLocal(name)) this.#localRows.add(row);
    else if (kind === 'literal') this.#literals.set(name, row);
    return row;
  }

  ownType(at: number): number {
    return this.extended ? this.extended.type : this.addType({ kind: 'this', at });
  }

  typeAt(type: number): { kind: NewType['kind']; element: number } {
    const { types, items } = this.#rows;
    const kind = TYPE_KINDS[types.get(0, type)] ?? 'unknown';
    if (kind === 'map') return { kind, element: items.get(0, types.get(3, type) + 1) };
    return { kind, element: kind === 'list' ? types.get(2, type) : -1 };
  }

  /** Adds a list of rows. @returns where it begins. */
  #parts(parts: readonly number[]): number {
    if (parts.length === 0) return 0;
    const { items } = this.#rows;
    const first = items.length;
    for (const row of parts) items.push(row);
    return first;
  }

  get unknown(): number {
    if (this.#unknown < 0) this.#unknown = this.addExpression({ kind: 'unknown', at: 0 });
    return this.#unknown;
  }
}

const NO_PARTS: readonly number[] = [];

/** What may stand between a decorator and what it decorates: blanks and comments. */
const BETWEEN = /^(?:\s|\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*\*\/)*$/;

/** References that name no value, where names live apart. */
const NOT_VALUES: ReadonlySet<string> = new Set(['type', 'call', 'new', 'decorator']);
const TYPE_NUMBERS = new Map(TYPE_KINDS.map((kind, number) => [kind, number]));
const EXPRESSION_NUMBERS = new Map(EXPRESSION_KINDS.map((kind, number) => [kind, number]));

/** What a symbol is to those who read facts. */
const FORMS: Readonly<Record<SymbolKind, DefinitionForm>> = {
  function: 'function',
  method: 'method',
  constructor: 'method',
  class: 'class',
  interface: 'class',
  enum: 'class',
  type: 'type',
  variable: 'variable',
  field: 'variable',
  constant: 'variable',
};

/** What other files see by a name of its own. */
function exportsOf(definitions: readonly Definition[], inner: ReadonlySet<Definition>): ExportFact[] {
  return definitions.flatMap((one) => {
    const { exported, parent, form, name, name_line: line } = one;
    return exported && parent === null && form !== 'method' && !inner.has(one)
      ? [{ name, local: name, module: null, line }]
      : [];
  });
}
