import type { FileFacts, RouteFact } from '../../facts.js';
import { type Lowering, NONE, type NodeId } from '../../lower/index.js';
import { textIn } from './calls.js';
import { argumentsIn, TEST_FILES, writtenName } from './state.js';

const SINATRA_VERBS = /^(?:get|post|put|patch|delete|options|head|link|unlink)$/;
const RAILS_VERBS = /^(?:get|post|put|patch|delete|match|root)$/;

/** What `resources` routes, by the action: method, and whether it is about one of them. */
const ACTIONS: readonly (readonly [action: string, method: string, path: string])[] = [
  ['index', 'GET', ''],
  ['create', 'POST', ''],
  ['new', 'GET', '/new'],
  ['edit', 'GET', '/:id/edit'],
  ['show', 'GET', '/:id'],
  ['update', 'PATCH', '/:id'],
  ['destroy', 'DELETE', '/:id'],
];

/** The routes that a file registers: with Sinatra anywhere outside of methods, with Rails in its file of routes. */
export function findRoutes(to: Lowering, facts: FileFacts): void {
  const { path, tree } = to;
  if (TEST_FILES.test(path)) return;
  const isRails = /(?:^|\/)config\/routes(?:\.rb$|\/)/.test(path);
  const isSinatra =
    facts.imports.some(({ module }) => /^sinatra(?:\/|$)/.test(module)) ||
    /<\s*Sinatra::(?:Base|Application)\b/.test(tree.text);
  if (isRails || isSinatra) new Routes(to, facts, isRails).within(0, '');
}

class Routes {
  readonly #ordinals = new Map<string, number>();

  constructor(
    private readonly to: Lowering,
    private readonly facts: FileFacts,
    private readonly isRails: boolean,
  ) {}

  /** Looks through what stands in a node. @param front What is in front of its paths. */
  within(node: NodeId, front: string): void {
    const { tree } = this.to;
    for (const one of tree.children(node)) {
      const kind = tree.kind(one);
      if (kind === 'method' || kind === 'singleton_method') continue;
      if (kind === 'call') this.#call(one, front);
      else this.within(one, front);
    }
  }

  #call(node: NodeId, front: string): void {
    const { tree } = this.to;
    const word = tree.textOf(this.to.part(node, 'method'));
    const block = this.to.part(node, 'block');
    const isBare = this.to.part(node, 'receiver') === NONE;
    const [first = NONE, ...rest] = argumentsIn(this.to, node);
    if (isBare && this.isRails && this.#rails(node, word, front, first, rest)) return;
    if (isBare && !this.isRails && SINATRA_VERBS.test(word) && block !== NONE) {
      const path = textIn(this.to, first);
      if (path.startsWith('/') || path === '*') {
        this.#add(node, first, [`${word.toUpperCase()} ${front}${path}`], block);
        return;
      }
    }
    const inner = isBare && !this.isRails && word === 'namespace' ? front + textIn(this.to, first) : front;
    this.within(node, inner);
  }

  /** @returns whether it was looked through. */
  #rails(node: NodeId, word: string, front: string, first: NodeId, rest: readonly NodeId[]): boolean {
    const { to } = this;
    const name = writtenName(to, first) || textIn(to, first) || this.#keyOf(first);
    const block = to.part(node, 'block');
    if (word === 'namespace' || (word === 'scope' && name !== '')) {
      this.within(block, join(front, name));
      return true;
    }
    if (word === 'resources' || word === 'resource') {
      if (name === '') return false;
      const of = join(front, name);
      const one = word === 'resource' ? of : `${of}/:id`;
      const chosen = ACTIONS.filter(
        ([action]) => this.#isChosen(action, rest) && (word === 'resources' || action !== 'index'),
      );
      const names = chosen.map(
        ([, method, path]) => `${method} ${of}${word === 'resource' ? path.replace('/:id', '') : path}`,
      );
      this.#add(node, first, names, null);
      for (const inner of to.tree.children(to.part(block, 'body'))) this.#member(inner, of, one, name, word);
      return true;
    }
    if (!RAILS_VERBS.test(word)) return false;
    const method = word === 'root' ? 'GET' : word === 'match' ? 'ALL' : word.toUpperCase();
    const path = word === 'root' ? '/' : name;
    if (path === '') return false;
    this.#add(node, first, [`${method} ${join(front, path)}`], null);
    return true;
  }

  /** What stands in the block of `resources`: `member do`, `collection do`, resources of one. */
  #member(node: NodeId, all: string, one: string, name: string, word: string): void {
    const { to } = this;
    const method = to.tree.textOf(to.part(node, 'method'));
    const body = to.part(to.part(node, 'block'), 'body');
    if (method === 'member') this.within(body, one);
    else if (method === 'collection') this.within(body, all);
    else if (to.tree.kind(node) === 'call') {
      const parent = word === 'resources' ? `${all}/:${name.replace(/ies$/, 'y').replace(/s$/, '')}_id` : all;
      this.#call(node, /^resources?$/.test(method) ? parent : this.#on(node) === 'collection' ? all : one);
    }
  }

  /** `get :x, on: :collection` */
  #on(node: NodeId): string {
    return /\bon:\s*:(\w+)/.exec(this.to.tree.textOf(node))?.[1] ?? '';
  }

  /** `get 'a' => 'b#c'` */
  #keyOf(node: NodeId): string {
    return this.to.tree.kind(node) === 'pair' ? textIn(this.to, this.to.part(node, 'key')) : '';
  }

  /** Whether `only:` and `except:` leave an action. */
  #isChosen(action: string, given: readonly NodeId[]): boolean {
    const { tree } = this.to;
    for (const one of given) {
      const key = tree.textOf(this.to.part(one, 'key')).replace(/:$/, '');
      if (key !== 'only' && key !== 'except') continue;
      const names: readonly string[] = tree.textOf(this.to.part(one, 'value')).match(/\w+/g) ?? [];
      if (names.includes(action) !== (key === 'only')) return false;
    }
    return true;
  }

  #add(node: NodeId, head: NodeId, names: readonly string[], block: NodeId | null): void {
    if (names.length === 0) return;
    const { text, tree } = this.to;
    const [start, end] = [tree.start(node), tree.end(node)];
    const routes = [...new Set(names)].map((name) => {
      const ordinal = (this.#ordinals.get(name) ?? 0) + 1;
      this.#ordinals.set(name, ordinal);
      return { name, ordinal };
    });
    const fact: RouteFact = {
      routes,
      signature: text.signature(start, tree.end(head)),
      span: text.span(start, end),
      body: block === null ? null : text.span(tree.start(block), tree.end(block)),
      handlers: [],
      named: [],
    };
    this.facts.routes.push(fact);
  }
}

function join(front: string, path: string): string {
  return `${front}/${path.replace(/^\/|\/$/g, '')}`.replace(/\/$/, '') || '/';
}
