import type { Definition } from '../../facts.js';
import { classHead } from './classes.js';
import {
  type Assignment,
  aliasName,
  assignmentsOf,
  calleeOf,
  child,
  eachTarget,
  isUpperCase,
  lastName,
  looksLikeClass,
  unwrapped,
} from './expressions.js';
import { functionHead } from './functions.js';
import { bodyOf, type PublicNames, visibilityOf } from './names.js';
import { eachParameterName, parameterFacts } from './parameters.js';
import { branching, compound } from './statements.js';
import { endOf, type Syntax, startOf } from './syntax.js';
import type { SourceText } from './text.js';

/** The definitions of a file, in the order of the text, and which nodes they come from. */
export interface Definitions {
  readonly list: readonly Definition[];
  /** Indexes of functions, classes and named lambdas by their own node: what stands inside belongs to them. */
  readonly owners: ReadonlyMap<Syntax, number>;
  /** Indexes of variables by the target that defines them. */
  readonly targets: ReadonlyMap<Syntax, number>;
}

/** Finds every definition; `listed` are the names of `__all__`, `stub` says whether the file is a `.pyi`. */
export function definitionsOf(
  root: Syntax,
  text: SourceText,
  listed: PublicNames,
  stub: boolean,
): Definitions {
  const reader = new DefinitionReader(text, listed, stub);
  reader.readBlock(root, {
    owner: null,
    kind: 'module',
    prefix: '',
    self: null,
    members: new Set(),
    known: new Names(null),
    branch: null,
  });
  return reader;
}

/** Names that variables of this statement list or an outer one of the same scope define already. */
class Names {
  #own: Set<string> | null = null;

  constructor(readonly outer: Names | null) {}

  has(name: string): boolean {
    return this.#own?.has(name) || (this.outer?.has(name) ?? false);
  }

  add(name: string): void {
    this.#own ??= new Set();
    this.#own.add(name);
  }
}

/** Where a statement stands. */
interface Place {
  readonly owner: number | null;
  readonly kind: 'module' | 'class' | 'function';
  /** Of qualnames: `Auth.`. */
  readonly prefix: string;
  /** Inside a method: the name of its first parameter and the place of its class. */
  readonly self: { readonly name: string; readonly place: Place } | null;
  /** Of a class: names that its body binds, and instance attributes found so far. */
  readonly members: Set<string>;
  readonly known: Names;
  /** The innermost branch of the scope; null where everything is run. */
  readonly branch: Syntax | null;
}

class DefinitionReader implements Definitions {
  readonly list: Definition[] = [];
  readonly owners = new Map<Syntax, number>();
  readonly targets = new Map<Syntax, number>();
  readonly #counts = new Map<string, number>();
  readonly #classes = new Set<string>();

  constructor(
    private readonly text: SourceText,
    private readonly listed: PublicNames,
    private readonly stub: boolean,
  ) {}

  readBlock(block: Syntax, place: Place): void {
    for (const statement of block.children) this.#readStatement(statement, place);
  }

  #readStatement(node: Syntax, place: Place): void {
    switch (node.kind) {
      case 'decorated_definition': {
        const definition = node.children[node.children.length - 1];
        const decorators = node.children.filter((one) => one.kind === 'decorator');
        if (definition?.kind === 'function_definition')
          this.#readFunction(definition, place, node, decorators);
        else if (definition?.kind === 'class_definition')
          this.#readClass(definition, place, node, decorators);
        return;
      }
      case 'function_definition':
        this.#readFunction(node, place, node, []);
        return;
      case 'class_definition':
        this.#readClass(node, place, node, []);
        return;
      case 'assignment':
        this.#readAssignment(node, place);
        return;
      case 'type_alias_statement':
        this.#readTypeAlias(node, place);
        return;
      default:
        if (compound.has(node.kind)) this.#readCompound(node, place);
    }
  }

  /** A block knows what outer ones define, not the other way round; functions define no variables. */
  #readCompound(node: Syntax, place: Place): void {
    const isBranching = branching.has(node.kind);
    const known = place.kind === 'function' ? place.known : null;
    for (const one of node.children)
      if (one.kind !== 'block') this.#readStatement(one, place);
      else
        this.readBlock(one, {
          ...place,
          known: known ?? new Names(place.known),
          branch: isBranching ? one : place.branch,
        });
  }

  #readFunction(node: Syntax, place: Place, whole: Syntax, decorators: Syntax[]): void {
    const name = child(node, 'identifier');
    if (!name || name.start === name.end) return;
    const head = functionHead(node, decorators, this.text, this.stub);
    const method = place.kind === 'class';
    const index = this.#add(name, place, whole, {
      form: method ? 'method' : 'function',
      ...head,
      branch: place.branch ? this.#lines(place.branch) : undefined,
    });
    this.owners.set(node, index);
    const body = bodyOf(node);
    if (!body) return;
    let first: string | null = null;
    const names = new Set<string>();
    eachParameterName(child(node, 'parameters'), (each) => {
      first ??= this.text.of(each);
      names.add(this.text.of(each));
    });
    const self = method
      ? first !== null && !head.decorators.includes('staticmethod')
        ? { name: first, place }
        : null
      : place.self && !names.has(place.self.name)
        ? place.self
        : null;
    this.readBlock(body, this.#inside(index, 'function', self));
  }

  #readClass(node: Syntax, place: Place, whole: Syntax, decorators: Syntax[]): void {
    const name = child(node, 'identifier');
    if (!name || name.start === name.end) return;
    if (place.kind === 'module') this.#classes.add(this.text.of(name));
    const head = classHead(node, decorators, this.text);
    const index = this.#add(name, place, whole, { form: 'class', ...head });
    this.owners.set(node, index);
    const body = bodyOf(node);
    if (!body) return;
    const inside = this.#inside(index, 'class', null);
    this.#collectMembers(body, inside.members);
    this.readBlock(body, inside);
  }

  #inside(owner: number, kind: Place['kind'], self: Place['self']): Place {
    const prefix = `${this.list[owner]?.qualname}.`;
    return { owner, kind, prefix, self, members: new Set(), known: new Names(null), branch: null };
  }

  /** What the class body binds: `self.x = …` of such a name sets a member and defines no new one. */
  #collectMembers(block: Syntax, members: Set<string>): void {
    for (const node of block.children) {
      const inner = node.kind === 'decorated_definition' ? node.children[node.children.length - 1] : node;
      if (inner?.kind === 'function_definition' || inner?.kind === 'class_definition') {
        const name = child(inner, 'identifier');
        if (name) members.add(this.text.of(name));
      } else if (node.kind === 'assignment') {
        for (const { target } of assignmentsOf(node))
          eachTarget(target, (leaf) => leaf.kind === 'identifier' && members.add(this.text.of(leaf)));
      } else if (compound.has(node.kind)) this.#collectMembers(node, members);
    }
  }

  #readAssignment(node: Syntax, place: Place): void {
    if (place.kind === 'function' && !mayDefine(node)) return;
    const assignments = assignmentsOf(node);
    for (const assignment of assignments) {
      const lambda = assignment.value && unwrapped(assignment.value);
      if (lambda?.kind === 'lambda' && assignment.target.kind === 'identifier')
        this.#readLambda(lambda, assignment, place, node);
      else eachTarget(assignment.target, (leaf) => this.#readTarget(leaf, assignment, place, node));
    }
  }

  #readLambda(lambda: Syntax, { target, type }: Assignment, place: Place, whole: Syntax): void {
    const list = child(lambda, 'lambda_parameters');
    const index = this.#add(target, place, whole, {
      form: place.kind === 'class' ? 'method' : 'function',
      signature: this.text.signature(whole.start, list?.end ?? lambda.start + 'lambda'.length),
      parameters: parameterFacts(list, this.text),
      value_type: type && this.text.of(type),
    });
    // A chain `f = g = lambda: 0` is one body: it belongs to the first name.
    if (!this.owners.has(lambda)) this.owners.set(lambda, index);
    this.targets.set(target, index);
  }

  #readTarget(leaf: Syntax, assignment: Assignment, place: Place, whole: Syntax): void {
    const single = leaf === assignment.target;
    if (leaf.kind === 'identifier') {
      if (place.kind === 'function') return;
      const name = this.text.of(leaf);
      if (place.known.has(name) || name === '') return;
      place.known.add(name);
      if (assignment.type && /(^|\.)TypeAlias$/.test(this.text.of(assignment.type)))
        this.#addType(leaf, place, whole);
      else this.#addVariable(leaf, place, whole, place.kind, single ? assignment : null);
    } else if (leaf.kind === 'attribute' && place.self) {
      const [object, name] = leaf.children;
      if (object?.kind !== 'identifier' || name?.kind !== 'identifier') return;
      if (this.text.of(object) !== place.self.name) return;
      const owner = place.self.place;
      const attribute = this.text.of(name);
      if (owner.members.has(attribute)) return;
      owner.members.add(attribute);
      this.#addVariable(name, owner, whole, 'class', single ? assignment : null, leaf);
    }
  }

  #readTypeAlias(node: Syntax, place: Place): void {
    const name = aliasName(node);
    if (name && place.kind !== 'function') this.#addType(name, place, node);
  }

  #addType(name: Syntax, place: Place, whole: Syntax): void {
    const index = this.#add(name, place, whole, {
      form: 'type',
      signature: this.text.signature(whole.start, whole.end),
    });
    this.targets.set(name, index);
  }

  #addVariable(
    name: Syntax,
    place: Place,
    whole: Syntax,
    scope: Definition['scope'],
    assignment: Assignment | null,
    target = name,
  ): void {
    const annotation = assignment?.type ? this.text.of(assignment.type) : null;
    const index = this.#add(name, place, whole, {
      form: 'variable',
      signature: this.text.signature(whole.start, whole.end),
      value_type: annotation ?? (assignment && this.#constructed(assignment.value)),
      scope,
      is_constant: isUpperCase(this.text.of(name)) || /^([\w.]*\.)?Final\b/.test(annotation ?? ''),
      is_property: target !== name,
    });
    this.targets.set(target, index);
  }

  #constructed(value: Syntax | null): string | null {
    const callee = calleeOf(value, this.text);
    return callee !== null && (looksLikeClass(lastName(callee)) || this.#classes.has(callee)) ? callee : null;
  }

  #lines(block: Syntax): [number, number] {
    return [this.text.line(startOf(block)), this.text.line(Math.max(0, endOf(block) - 1))];
  }

  #add(
    name: Syntax,
    place: Place,
    whole: Syntax,
    own: Partial<Definition> & Pick<Definition, 'form'>,
  ): number {
    const text = this.text;
    const simple = text.of(name);
    const qualname = place.prefix + simple;
    const key = `${own.form} ${qualname}`;
    const ordinal = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, ordinal);
    return (
      this.list.push({
        form: own.form,
        subkind: own.subkind ?? null,
        name: simple,
        qualname,
        ordinal,
        parent: place.owner,
        block: null,
        is_property: own.is_property ?? false,
        branch: own.branch,
        span: text.span(whole.start, text.codeEnd(whole)),
        name_line: text.line(name.start),
        signature: own.signature ?? '',
        docstring: own.docstring ?? null,
        decorators: own.decorators ?? [],
        is_async: own.is_async ?? false,
        is_generator: own.is_generator ?? false,
        is_static: own.is_static ?? false,
        is_abstract: own.is_abstract ?? false,
        visibility: visibilityOf(simple),
        exported:
          place.kind === 'module' && (this.listed ? this.listed.has(simple) : !simple.startsWith('_')),
        declaration_only: own.declaration_only ?? false,
        bases: own.bases ?? [],
        parameters: own.parameters ?? [],
        return_type: own.return_type ?? null,
        type_parameters: undefined,
        value_type: own.value_type ?? null,
        scope: own.scope ?? null,
        is_constant: own.is_constant ?? false,
      }) - 1
    );
  }
}

/** Whether an assignment in a function can define more than a local: most cannot, and are told by two looks. */
function mayDefine(assignment: Syntax): boolean {
  const [target] = assignment.children;
  const value = assignment.children[assignment.children.length - 1];
  return target?.kind !== 'identifier' || (value !== undefined && holdsBody.has(value.kind));
}

const holdsBody = new Set(['lambda', 'parenthesized_expression', 'assignment']);
