import type { Definition } from '../../../facts.js';
import type { Definitions } from '../definitions.js';
import { dottedPath, lastName } from '../expressions.js';
import type { Scope } from '../scopes.js';
import { endOf, type Syntax, startOf } from '../syntax.js';
import type { SourceText } from '../text.js';
import { type Given, givenTo, pathOf, textOf, textsOf } from './arguments.js';
import type { Decoration, Placed } from './found.js';
import { joined, type Router, type Routers } from './routers.js';

/** A registration before its routes are numbered; offsets are of the text. */
export interface Registration {
  readonly names: readonly string[];
  readonly start: number;
  readonly end: number;
  /** Where the path ends. */
  readonly head: number;
  /** First and last of the arguments behind the path; null for a decorator. */
  readonly body: readonly [start: number, end: number] | null;
  readonly handlers: readonly number[];
  /** The function that it names; null for a decorator, and for one that a call makes. */
  readonly named: Syntax | null;
}

const VERBS = new Set(['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace']);
/** Methods of routers whose HTTP methods are given beside. */
const LISTED = new Set(['route', 'api_route']);
/** Calls that register what they are given, by the argument that names the function. */
const ADDING = new Map([
  ['add_url_rule', 'view_func'],
  ['add_api_route', 'endpoint'],
]);

/** Reads the registrations of Flask and FastAPI. */
export class RegistrationReader {
  constructor(
    private readonly text: SourceText,
    private readonly routers: Routers,
    private readonly definitions: Definitions,
  ) {}

  /** `@app.route('/x', methods=['GET'])`, `@router.get('/x')` */
  ofDecoration({ node, scope, decorated }: Decoration): Registration | null {
    const called = this.#called(node);
    const handler = this.definitions.owners.get(decorated);
    if (called === null || handler === undefined) return null;
    const { object, method, given } = called;
    const isListed = LISTED.has(method);
    if (!isListed && !VERBS.has(method) && method !== 'websocket') return null;
    const router = this.routers.at(object, scope);
    const path = given.named.get('path') ?? given.named.get('rule') ?? given.passed[0];
    if (path === undefined) return null;
    if (router === null && !this.#mayRegister(object, path, scope)) return null;
    const verbs = decorated.kind === 'class_definition' ? this.#verbsOf(handler) : ['GET'];
    const methods = isListed ? (this.#methods(given) ?? verbs) : [method.toUpperCase()];
    const start = this.text.text.lastIndexOf('@', node.start);
    return {
      names: this.#names(methods, path, router),
      start,
      end: node.end,
      head: path.end,
      body: null,
      handlers: [handler],
      named: null,
    };
  }

  /** `app.add_url_rule('/x', view_func=view)`, `router.add_api_route('/x', endpoint)` */
  ofCall({ node, scope }: Placed): Registration | null {
    const called = this.#called(node);
    if (called === null) return null;
    const { object, method, given } = called;
    const named = ADDING.get(method);
    const [path] = given.passed;
    const last = given.all[given.all.length - 1];
    const first = given.all[1];
    if (named === undefined || path === undefined || first === undefined || last === undefined) return null;
    const view = given.named.get(named) ?? given.passed[method === 'add_url_rule' ? 2 : 1];
    const router = this.routers.at(object, scope);
    if (view === undefined || (router === null && !this.#mayRegister(object, path, scope))) return null;
    return {
      names: this.#names(this.#methods(given) ?? this.#viewMethods(view), path, router),
      start: node.start,
      end: node.end,
      head: path.end,
      body: [startOf(first), endOf(last)],
      handlers: [],
      named: isName(view) ? view : null,
    };
  }

  /** What another file makes is taken for a router where a path is written for it. */
  #mayRegister(object: Syntax, path: Syntax, scope: Scope): boolean {
    return (textOf(path, this.text)?.startsWith('/') ?? false) && this.routers.mayBe(object, scope);
  }

  #called(call: Syntax): { object: Syntax; method: string; given: Given } | null {
    const [callee] = call.children;
    const [object, name] = callee?.kind === 'attribute' ? callee.children : [];
    if (!object || !name) return null;
    return { object, method: this.text.of(name), given: givenTo(call, this.text) };
  }

  #names(methods: readonly string[], path: Syntax, router: Router | null): string[] {
    const { text, isOpen } = pathOf(path, this.text);
    const front = router === null || isOpen ? '' : this.routers.prefixOf(router);
    const full = joined(router?.framework ?? null, front, text) || '/';
    return [...new Set(methods.map((method) => `${method} ${full}`))];
  }

  /** Null where none are given. A list that is made elsewhere may hold any. */
  #methods({ named }: Given): string[] | null {
    const given = named.get('methods');
    if (given === undefined || given.kind === 'none') return null;
    const texts = textsOf(given, this.text);
    return texts === null || texts.length === 0 ? ['ALL'] : texts.map((one) => one.toUpperCase());
  }

  /** Of a function Flask's default; of a class, `View.as_view('name')`, the methods that it defines here. */
  #viewMethods(view: Syntax): readonly string[] {
    const path = view.kind === 'call' && view.children[0] ? dottedPath(view.children[0], this.text) : null;
    if (path === null || lastName(path) !== 'as_view') return ['GET'];
    const name = path.slice(0, -'.as_view'.length);
    const at = this.definitions.list.findIndex((one) => one.form === 'class' && one.qualname === name);
    return at < 0 ? ['ALL'] : this.#verbsOf(at);
  }

  #verbsOf(owner: number): string[] {
    const isVerb = ({ parent, name, form }: Definition) =>
      parent === owner && form === 'method' && VERBS.has(name);
    const verbs = this.definitions.list.filter(isVerb).map(({ name }) => name.toUpperCase());
    return verbs.length === 0 ? ['ALL'] : verbs;
  }
}

/** Whether an expression is a name, dots and all. */
export function isName({ kind }: Syntax): boolean {
  return kind === 'identifier' || kind === 'attribute';
}
