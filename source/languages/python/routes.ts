import { append } from '../../../schema/index.js';
import type { FileFacts, RouteFact } from '../../facts.js';
import { type Lowering, NONE, type NodeId, type Scope } from '../../lower/index.js';
import { type Given, givenTo, joined, pathOf, type Router, Routers, textOf, textsOf } from './routers.js';
import { dottedPath, lastName, type SeenNode, stateOf, unwrapped } from './state.js';

/** A registration before its routes are numbered; offsets are of the text. */
interface Registration {
  readonly names: readonly string[];
  readonly start: number;
  readonly end: number;
  /** Where the path ends. */
  readonly head: number;
  /** First and last of the arguments behind the path; null for a decorator. */
  readonly body: readonly [start: number, end: number] | null;
  readonly handlers: readonly number[];
  /** The function that it names; none for a decorator, and for one that a call makes. */
  readonly named: NodeId;
}

/** The routes that a file registers with Flask, FastAPI or Django, in the order of the text. */
export function routesOf(to: Lowering, facts: FileFacts): RouteFact[] {
  const { seen } = stateOf(to);
  if (!seen) return [];
  const reader = new RegistrationReader(to, new Routers(to, seen, facts), facts);
  const found = [
    ...seen.decorations.map((one) => reader.ofDecoration(one)),
    ...seen.calls.map((one) => reader.ofCall(one)),
    ...new PatternReader(to, facts).registrations(),
  ];
  const ordinals = new Map<string, number>();
  const { text, tree } = to;
  return found
    .filter((one) => one !== null)
    .sort((a, b) => a.start - b.start)
    .map(({ names, start, end, head, body, handlers, named }) => ({
      routes: names.map((name) => {
        const ordinal = (ordinals.get(name) ?? 0) + 1;
        ordinals.set(name, ordinal);
        return { name, ordinal };
      }),
      signature: `${text.signature(start, head)})`,
      span: text.span(start, end),
      body: body && text.span(...body),
      handlers: [...handlers],
      named: named === NONE ? [] : [text.span(tree.start(named), tree.end(named))],
    }));
}

const VERBS = new Set(['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace']);
/** Methods of routers whose HTTP methods are given beside. */
const LISTED = new Set(['route', 'api_route']);
/** Calls that register what they are given, by the argument that names the function, and its position. */
const ADDING = new Map([
  ['add_url_rule', { name: 'view_func', at: 2 }],
  ['add_api_route', { name: 'endpoint', at: 1 }],
]);

/** Reads the registrations of Flask and FastAPI. */
class RegistrationReader {
  constructor(
    private readonly to: Lowering,
    private readonly routers: Routers,
    private readonly facts: FileFacts,
  ) {}

  /** `@app.route('/x', methods=['GET'])`, `@router.get('/x')`; what it decorates is the target. */
  ofDecoration({ node, target: handler, scope }: SeenNode): Registration | null {
    const { tree } = this.to;
    const { object, method, given } = this.#called(node);
    const isListed = LISTED.has(method);
    if (!isListed && !VERBS.has(method) && method !== 'websocket') return null;
    const path = given.named.get('path') ?? given.named.get('rule') ?? given.passed[0];
    const router = this.#routerOf(object, path, scope);
    if (router === undefined || path === undefined) return null;
    const verbs = this.facts.definitions[handler]?.form === 'class' ? this.#verbsOf(handler) : ['GET'];
    const methods = isListed ? (this.#methods(given) ?? verbs) : [method.toUpperCase()];
    return {
      names: this.#names(methods, path, router),
      start: tree.text.lastIndexOf('@', tree.start(node)),
      end: tree.end(node),
      head: tree.end(path),
      body: null,
      handlers: [handler],
      named: NONE,
    };
  }

  /** `app.add_url_rule('/x', view_func=view)`, `router.add_api_route('/x', endpoint)` */
  ofCall({ node, scope }: SeenNode): Registration | null {
    const { tree } = this.to;
    const { object, method, given } = this.#called(node);
    const adding = ADDING.get(method);
    const [path] = given.passed;
    const view = adding && (given.named.get(adding.name) ?? given.passed[adding.at]);
    const [, first] = given.all;
    const last = given.all.at(-1);
    if (view === undefined || path === undefined || first === undefined || last === undefined) return null;
    const router = this.#routerOf(object, path, scope);
    if (router === undefined) return null;
    return {
      names: this.#names(this.#methods(given) ?? this.#viewMethods(view), path, router),
      start: tree.start(node),
      end: tree.end(node),
      head: tree.end(path),
      body: [tree.start(first), tree.end(last)],
      handlers: [],
      named: isName(this.to, view) ? view : NONE,
    };
  }

  /** Undefined for what is no router. What another file makes is taken for one, null, where a path is written for it. */
  #routerOf(object: NodeId, path: NodeId | undefined, scope: Scope): Router | null | undefined {
    const router = object === NONE ? null : this.routers.at(object, scope);
    if (router !== null || object === NONE) return router ?? undefined;
    const isPath = textOf(this.to, path)?.startsWith('/') ?? false;
    return isPath && this.routers.mayBe(object, scope) ? null : undefined;
  }

  #called(call: NodeId): { object: NodeId; method: string; given: Given } {
    const callee = this.to.part(call, 'function');
    const method = this.to.tree.textOf(this.to.part(callee, 'attribute'));
    return { object: this.to.part(callee, 'object'), method, given: givenTo(this.to, call) };
  }

  #names(methods: readonly string[], path: NodeId, router: Router | null): string[] {
    const { text, isOpen } = pathOf(this.to, path);
    const front = router === null || isOpen ? '' : this.routers.prefixOf(router);
    const full = joined(router?.framework ?? null, front, text) || '/';
    return [...new Set(methods.map((method) => `${method} ${full}`))];
  }

  /** Null where none are given. A list that is made elsewhere may hold any. */
  #methods({ named }: Given): string[] | null {
    const given = named.get('methods');
    const kind = this.to.tree.kind(given ?? NONE);
    if (given === undefined || kind === 'none') return null;
    const texts = /^(?:list|tuple|set)$/.test(kind) ? textsOf(this.to, given) : null;
    return texts === null || texts.length === 0 ? ['ALL'] : texts.map((one) => one.toUpperCase());
  }

  /** Of a function Flask's default; of a class, `View.as_view('name')`, the methods that it defines here. */
  #viewMethods(view: NodeId): readonly string[] {
    const isCall = this.to.tree.kind(view) === 'call';
    const path = isCall ? dottedPath(this.to, this.to.part(view, 'function')) : null;
    if (path === null || lastName(path) !== 'as_view') return ['GET'];
    const name = path.slice(0, -'.as_view'.length);
    const at = this.facts.definitions.findIndex((one) => one.form === 'class' && one.qualname === name);
    return at < 0 ? ['ALL'] : this.#verbsOf(at);
  }

  #verbsOf(owner: number): string[] {
    const verbs = this.facts.definitions
      .filter(({ parent, name, form }) => parent === owner && form === 'method' && VERBS.has(name))
      .map(({ name }) => name.toUpperCase());
    return verbs.length === 0 ? ['ALL'] : verbs;
  }
}

/** Whether an expression is a name, dots and all. */
function isName({ tree }: Lowering, node: NodeId): boolean {
  return /^(?:identifier|attribute)$/.test(tree.kind(node));
}

/** Where a pattern stands: under the path of an `include`, or in the list that a name stands for. */
type Around = { readonly in: Around | null; readonly path: string } | { readonly list: string } | null;

const PATTERNS = new Set(['path', 're_path', 'url']);
/** Includes in includes are followed no further. */
const DEEPEST = 50;
/** The patterns of an application that is mounted: `admin.site.urls`, `router.urls`. */
const MOUNTED = /^[\w.]+\.urls$/;

/**
 * Django's URL patterns: each call of `path`, `re_path` or `url` with a view. It takes requests of every method. What
 * stands in front of an included list is told where this file includes it once.
 */
class PatternReader {
  /** Names that Django's functions have here. */
  readonly #functions = new Map<string, string>();
  readonly #included = new Map<string, Around[]>();
  readonly #patterns: { readonly call: NodeId; readonly around: Around }[] = [];

  constructor(
    private readonly to: Lowering,
    { imports }: FileFacts,
  ) {
    for (const { module, names } of imports)
      if (/^django\.(?:urls|conf\.urls)$/.test(module))
        for (const { imported, local } of names) if (local !== null) this.#functions.set(local, imported);
    if (this.#functions.size > 0) for (const one of to.tree.children(0)) this.#visit(one, null);
  }

  /** In the order of the text. */
  registrations(): Registration[] {
    const { tree } = this.to;
    return this.#patterns.flatMap(({ call, around }) => {
      const { all, passed, named } = givenTo(this.to, call);
      const [path, view = named.get('view')] = passed;
      const [, first] = all;
      const last = all.at(-1);
      if (path === undefined || first === undefined || last === undefined) return [];
      const { text, isOpen } = pathOf(this.to, path);
      return {
        names: [`ALL ${isOpen ? text : this.#full(around, text)}`],
        start: tree.start(call),
        end: tree.end(call),
        head: tree.end(path),
        body: [tree.start(first), tree.end(last)],
        handlers: [],
        named: view !== undefined && isName(this.to, view) ? view : NONE,
      };
    });
  }

  #visit(node: NodeId, around: Around): void {
    const { tree } = this.to;
    const kind = tree.kind(node);
    const name = kind === 'call' ? this.#function(node) : null;
    if (kind === 'assignment') this.#assignment(node);
    else if (name !== null && PATTERNS.has(name)) this.#pattern(name, node, around);
    else for (const one of tree.children(node)) this.#visit(one, around);
  }

  #assignment(node: NodeId): void {
    const target = this.to.part(node, 'left');
    let value = node;
    while (this.to.tree.kind(value) === 'assignment') value = this.to.part(value, 'right');
    const isList = this.to.tree.kind(target) === 'identifier';
    if (value !== NONE) this.#visit(value, isList ? { list: this.to.tree.textOf(target) } : null);
  }

  #pattern(name: string, call: NodeId, around: Around): void {
    const { passed, named } = givenTo(this.to, call);
    const [path, second] = passed;
    const view = second ?? named.get('view');
    const { tree } = this.to;
    // Only the oldest of them takes the name of a view.
    if (path === undefined || view === undefined || (tree.kind(view) === 'string' && name !== 'url')) return;
    if (tree.kind(view) === 'call' && this.#function(view) === 'include') {
      const { text } = pathOf(this.to, path);
      this.#include(givenTo(this.to, view).passed[0], { in: around, path: text });
    } else if (!MOUNTED.test(tree.textOf(view))) this.#patterns.push({ call, around });
  }

  /** `include('shop.urls')`, `include(patterns)`, `include((patterns, 'name'))`, `include([path(…)])` */
  #include(node: NodeId | undefined, around: Around): void {
    const { tree } = this.to;
    const given = node === undefined ? NONE : unwrapped(this.to, node);
    const list = tree.kind(given) === 'tuple' ? tree.first(given) : given;
    if (tree.kind(list) === 'identifier') append(this.#included, tree.textOf(list), around);
    else if (list !== NONE) this.#visit(list, around);
  }

  #function(call: NodeId): string | null {
    const path = dottedPath(this.to, this.to.part(call, 'function'));
    if (path === null) return null;
    // `from django import urls` is not read: `urls.path` is rare.
    return this.#functions.get(path) ?? (this.#functions.has('*') ? lastName(path) : null);
  }

  #full(around: Around, text: string): string {
    const front = this.#front(around);
    const path = front === '' ? text : front + text.replace(/^\^/, '');
    return path.startsWith('/') || path.startsWith('^') ? path : `/${path}`;
  }

  #front(around: Around, depth = 0): string {
    if (around === null || depth > DEEPEST) return '';
    if ('path' in around) {
      const outer = this.#front(around.in, depth + 1);
      return outer === '' ? around.path : outer + around.path.replace(/^\^/, '');
    }
    const [only, ...others] = this.#included.get(around.list) ?? [];
    return only === undefined || others.length > 0 ? '' : this.#front(only, depth + 1);
  }
}
