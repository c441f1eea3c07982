import type { FileFacts } from '../../facts.js';
import { type Lowering, NONE, type NodeId, type Scope } from '../../lower/index.js';
import { dottedPath, lastName, type SeenNode, type SeenNodes, unwrapped } from './state.js';
import { stringValue } from './text.js';

/** The arguments of a call: those by position, and the values of those by name. */
export interface Given {
  readonly all: readonly NodeId[];
  readonly passed: readonly NodeId[];
  readonly named: ReadonlyMap<string, NodeId>;
}

/** The arguments of a call. */
export function givenTo(to: Lowering, call: NodeId): Given {
  const { tree } = to;
  const all = tree.children(to.part(call, ':argument_list'));
  const passed: NodeId[] = [];
  const named = new Map<string, NodeId>();
  for (const one of all) {
    if (tree.kind(one) !== 'keyword_argument') passed.push(unwrapped(to, one));
    else named.set(tree.textOf(to.part(one, 'name')), unwrapped(to, to.part(one, 'value')));
  }
  return { all, passed, named };
}

/** The text that an expression is; null where it is not written as one. */
export function textOf(to: Lowering, node: NodeId = NONE): string | null {
  const { tree } = to;
  if (tree.kind(node) === 'string') return stringValue(tree.textOf(node));
  return tree.kind(node) === 'concatenated_string' ? (textsOf(to, node)?.join('') ?? null) : null;
}

/** The texts of a list of any kind; null where one of them is no text. */
export function textsOf(to: Lowering, list: NodeId): string[] | null {
  const texts = to.tree.children(list).map((one) => textOf(to, one));
  return texts.every((one) => one !== null) ? texts : null;
}

/** A path as it stands in a registration. */
export interface WrittenPath {
  readonly text: string;
  /** Whether it begins with what is written elsewhere: nothing can be put in front of it. */
  readonly isOpen: boolean;
}

/** The path that an argument is; of what is no plain text what is written. */
export function pathOf(to: Lowering, node: NodeId): WrittenPath {
  const plain = textOf(to, node);
  if (plain !== null) return { text: plain, isOpen: false };
  const written = to.tree.textOf(node);
  const inside = /^(?:[rR]?[fF]|[fF][rR])("""|'''|"|')([\s\S]*)\1$/.exec(written)?.[2];
  return { text: inside ?? `{${written}}`, isOpen: inside === undefined || inside.startsWith('{') };
}

/** How routes are put together by a framework whose applications and routers register them. */
interface Framework {
  /** The argument of a router that goes in front of its paths, and that of the method that mounts one. */
  readonly prefix: string;
  /** Whether a router that is mounted under a path is not under its own. */
  readonly isReplaced: boolean;
}

const FLASK: Framework = { prefix: 'url_prefix', isReplaced: true };
const FASTAPI: Framework = { prefix: 'prefix', isReplaced: false };

/** Methods that mount a router. */
const MOUNTS = new Map([
  ['register_blueprint', FLASK],
  ['include_router', FASTAPI],
]);

/** Classes of routers. Their names are unmistakable: a framework's own files import them from beside. */
const CLASSES = new Map([
  ...['Flask', 'Quart', 'APIFlask', 'Blueprint', 'APIBlueprint'].map((name) => [name, FLASK] as const),
  ...['FastAPI', 'APIRouter'].map((name) => [name, FASTAPI] as const),
]);

/** What routes are registered with. */
export interface Router {
  readonly framework: Framework;
  /** The path that it was made with. */
  readonly prefix: string;
  /** Where this file mounts it, with the path that is given there. Only of one place is it told what is in front. */
  readonly mounts: { readonly on: Router; readonly path: string | null }[];
}

/** Mounts in mounts are followed no further. */
const DEEPEST = 50;

/** What is mocked or asked, and not served. */
const STAND_INS = /mock|respx|responses|httpretty|client|session|requests/i;

/** The applications, blueprints and routers that a file makes or says the type of, by their names. */
export class Routers {
  readonly #imported = new Set<string>();
  /** Classes of the file that are routers by what they extend. */
  readonly #classes = new Map<string, Framework>();
  readonly #named = new Map<Scope, Map<string, Router>>();
  /** `self.app`. */
  readonly #fields = new Map<string, Router>();

  constructor(
    private readonly to: Lowering,
    seen: SeenNodes,
    { imports, definitions }: FileFacts,
  ) {
    for (const { names } of imports)
      for (const { local } of names) if (local !== null) this.#imported.add(local);
    for (const { form, name, bases } of definitions) {
      const framework = bases
        .map((base) => CLASSES.get(lastName(base.name)))
        .find((one) => one !== undefined);
      if (form === 'class' && framework) this.#classes.set(name, framework);
    }
    for (const one of seen.typed) this.#readType(one);
    for (const one of seen.assigned) this.#readAssignment(one);
    for (const one of seen.calls) this.#readMount(one);
  }

  /** The router that an expression is; null for any other. */
  at(node: NodeId, scope: Scope): Router | null {
    const path = dottedPath(this.to, unwrapped(this.to, node));
    if (path === null) return null;
    if (path.includes('.')) return this.#fields.get(path) ?? null;
    const found = this.to.scopes.find(path, scope);
    return (found && this.#named.get(found.scope)?.get(path)) ?? null;
  }

  /**
   * Whether a name may be that of a router that another file makes: it is imported, handed in, or made by a function.
   * What a test stands in for a server is none.
   */
  mayBe(node: NodeId, scope: Scope): boolean {
    const path = dottedPath(this.to, unwrapped(this.to, node));
    if (path === null || STAND_INS.test(lastName(path))) return false;
    return this.to.scopes.find(path.split('.')[0] ?? '', scope) !== null;
  }

  /** What is in front of the paths of a router, as far as this file tells. */
  prefixOf(router: Router, depth = 0): string {
    const [mount, ...others] = router.mounts;
    if (mount === undefined || others.length > 0 || depth > DEEPEST) return router.prefix;
    const front = this.prefixOf(mount.on, depth + 1);
    const { framework, prefix } = router;
    if (framework.isReplaced) return joined(framework, front, mount.path ?? prefix);
    return front + (mount.path ?? '') + prefix;
  }

  /** A parameter or variable whose type is written. */
  #readType({ node, target, scope }: SeenNode): void {
    const framework = this.#class(/^["']?([\w.]+)/.exec(this.to.tree.textOf(node))?.[1] ?? '');
    if (framework) this.#name(target, scope, { framework, prefix: '', mounts: [] });
  }

  #readAssignment({ node, target, scope }: SeenNode): void {
    const { to } = this;
    const value = unwrapped(to, node);
    const path = to.tree.kind(value) === 'call' ? dottedPath(to, to.part(value, 'function')) : null;
    const framework = path === null ? null : this.#class(path);
    if (framework === null) return;
    const prefix = textOf(to, givenTo(to, value).named.get(framework.prefix)) ?? '';
    this.#name(target, scope, { framework, prefix, mounts: [] });
  }

  #class(path: string): Framework | null {
    const own = this.#classes.get(path);
    if (own) return own;
    return this.#imported.has(path.split('.')[0] ?? '') ? (CLASSES.get(lastName(path)) ?? null) : null;
  }

  /** `app.register_blueprint(bp, url_prefix='/x')`, `app.include_router(router, prefix='/x')` */
  #readMount({ node, scope }: SeenNode): void {
    const { to } = this;
    const callee = to.part(node, 'function');
    const framework = MOUNTS.get(to.tree.textOf(to.part(callee, 'attribute')));
    if (framework === undefined) return;
    const { passed, named } = givenTo(to, node);
    const on = this.at(to.part(callee, 'object'), scope);
    const child = passed[0] === undefined ? null : this.at(passed[0], scope);
    if (on !== null && child !== null && child !== on)
      child.mounts.push({ on, path: textOf(to, named.get(framework.prefix)) });
  }

  #name(target: NodeId, scope: Scope, router: Router): void {
    const path = dottedPath(this.to, target);
    if (path === null) return;
    if (path.includes('.')) {
      this.#fields.set(path, router);
      return;
    }
    const found = this.to.scopes.find(path, scope);
    if (found === null) return;
    const names = this.#named.get(found.scope) ?? new Map<string, Router>();
    this.#named.set(found.scope, names.set(path, router));
  }
}

/** A path behind what is in front of it, as the framework puts them together. */
export function joined(framework: Framework | null, front: string, path: string): string {
  if (!framework?.isReplaced || front === '' || path === '') return front + path;
  return `${front.replace(/(?<!\/)\/+$/, '')}/${path.replace(/^\/+/, '')}`;
}
