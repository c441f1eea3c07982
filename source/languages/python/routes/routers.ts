import type { Definition, ImportFact } from '../../../facts.js';
import { assignmentsOf, child, dottedPath, firstName, lastName, unwrapped } from '../expressions.js';
import { writtenParameters } from '../parameters.js';
import type { Scope } from '../scopes.js';
import type { Syntax } from '../syntax.js';
import type { SourceText } from '../text.js';
import { givenTo, textOf } from './arguments.js';
import type { FoundNodes, Placed } from './found.js';

/** The frameworks whose applications and routers register routes. */
export type Framework = 'flask' | 'fastapi';

/** What routes are registered with. */
export interface Router {
  readonly framework: Framework;
  /** The path that it was made with. */
  readonly prefix: string;
  /** Where this file mounts it, with the path that is given there. Only of one place is it told what is in front. */
  readonly mounts: { readonly on: Router; readonly path: string | null }[];
}

/** Classes of routers. Their names are unmistakable: a framework's own files import them from beside. */
const CLASSES: Readonly<Record<string, Framework>> = {
  Flask: 'flask',
  Quart: 'flask',
  APIFlask: 'flask',
  Blueprint: 'flask',
  APIBlueprint: 'flask',
  FastAPI: 'fastapi',
  APIRouter: 'fastapi',
};

/** Mounts in mounts are followed no further. */
const DEEPEST = 50;

/** What the file of routers is told from. */
export interface RouterSources {
  readonly found: FoundNodes;
  readonly text: SourceText;
  readonly imports: readonly ImportFact[];
  readonly definitions: readonly Definition[];
}

/** The applications, blueprints and routers that a file makes or says the type of, by their names. */
export class Routers {
  readonly #text: SourceText;
  readonly #imported = new Set<string>();
  /** Classes of the file that are routers by what they extend. */
  readonly #classes = new Map<string, Framework>();
  readonly #named = new Map<Scope, Map<string, Router>>();
  /** `self.app`. */
  readonly #fields = new Map<string, Router>();

  constructor({ found, text, imports, definitions }: RouterSources) {
    this.#text = text;
    for (const { names } of imports)
      for (const { local } of names) if (local !== null) this.#imported.add(local);
    for (const { form, name, bases } of definitions) {
      const framework = bases.map((base) => CLASSES[lastName(base.name)]).find((one) => one !== undefined);
      if (form === 'class' && framework) this.#classes.set(name, framework);
    }
    for (const one of found.functions) this.#readParameters(one);
    for (const one of found.assignments) this.#readAssignment(one);
    for (const one of found.calls) this.#readMount(one);
  }

  /** The router that an expression is; null for any other. */
  at(node: Syntax, scope: Scope): Router | null {
    const path = dottedPath(unwrapped(node), this.#text);
    if (path === null) return null;
    if (path.includes('.')) return this.#fields.get(path) ?? null;
    const binding = scope.lookup(path);
    return (binding && this.#named.get(binding.scope)?.get(path)) ?? null;
  }

  /**
   * Whether a name may be that of a router that another file makes: it is imported, handed in, or made by a function.
   * What a test stands in for a server is none.
   */
  mayBe(node: Syntax, scope: Scope): boolean {
    const path = dottedPath(unwrapped(node), this.#text);
    if (path === null || STAND_INS.test(lastName(path))) return false;
    const binding = scope.lookup(firstName(path));
    return binding !== null || firstName(path) === scope.self;
  }

  /** What is in front of the paths of a router, as far as this file tells. */
  prefixOf(router: Router, depth = 0): string {
    const [mount, ...others] = router.mounts;
    if (mount === undefined || others.length > 0 || depth > DEEPEST) return router.prefix;
    const front = this.prefixOf(mount.on, depth + 1);
    // A blueprint that is registered under a path is not under its own.
    if (router.framework === 'flask') return joined(router.framework, front, mount.path ?? router.prefix);
    return front + (mount.path ?? '') + router.prefix;
  }

  #readParameters({ node, scope }: Placed): void {
    for (const { target, type } of writtenParameters(child(node, 'parameters'))) {
      const framework = type && this.#typed(this.#text.of(type));
      if (framework && target.kind === 'identifier')
        this.#name(target, scope, { framework, prefix: '', mounts: [] });
    }
  }

  #readAssignment({ node, scope }: Placed): void {
    for (const { target, type, value } of assignmentsOf(node)) {
      const router =
        (value && this.#made(unwrapped(value))) ?? (type && this.#ofType(this.#typed(this.#text.of(type))));
      if (router) this.#name(target, scope, router);
    }
  }

  #made(value: Syntax): Router | null {
    const [callee] = value.children;
    if (value.kind !== 'call' || !callee) return null;
    const path = dottedPath(callee, this.#text);
    const framework = path === null ? null : this.#class(path);
    if (framework === null) return null;
    const { named } = givenTo(value, this.#text);
    const prefix = textOf(named.get(framework === 'flask' ? 'url_prefix' : 'prefix'), this.#text);
    return { framework, prefix: prefix ?? '', mounts: [] };
  }

  #ofType(framework: Framework | null): Router | null {
    return framework && { framework, prefix: '', mounts: [] };
  }

  #typed(type: string): Framework | null {
    return this.#class(/^["']?([\w.]+)/.exec(type)?.[1] ?? '');
  }

  #class(path: string): Framework | null {
    const own = this.#classes.get(path);
    if (own) return own;
    const name = lastName(path);
    return Object.hasOwn(CLASSES, name) && this.#imported.has(firstName(path))
      ? (CLASSES[name] ?? null)
      : null;
  }

  /** `app.register_blueprint(bp, url_prefix='/x')`, `app.include_router(router, prefix='/x')` */
  #readMount({ node, scope }: Placed): void {
    const [callee] = node.children;
    const [object, method] = callee?.kind === 'attribute' ? callee.children : [];
    if (!object || !method) return;
    const key = MOUNTS.get(this.#text.of(method));
    if (key === undefined) return;
    const { passed, named } = givenTo(node, this.#text);
    const on = this.at(object, scope);
    const child = passed[0] && this.at(passed[0], scope);
    if (on === null || !child || child === on) return;
    child.mounts.push({ on, path: textOf(named.get(key), this.#text) });
  }

  #name(target: Syntax, scope: Scope, router: Router): void {
    const path = dottedPath(target, this.#text);
    if (path === null) return;
    if (path.includes('.')) {
      this.#fields.set(path, router);
      return;
    }
    const binding = scope.lookup(path);
    if (binding === null) return;
    const names = this.#named.get(binding.scope) ?? new Map<string, Router>();
    this.#named.set(binding.scope, names.set(path, router));
  }
}

/** Methods that mount a router, by the argument that gives the path. */
const MOUNTS = new Map([
  ['register_blueprint', 'url_prefix'],
  ['include_router', 'prefix'],
]);

/** What is mocked or asked, and not served. */
const STAND_INS = /mock|respx|responses|httpretty|client|session|requests/i;

/** A path behind what is in front of it, as the framework puts them together. */
export function joined(framework: Framework | null, front: string, path: string): string {
  if (framework !== 'flask' || front === '' || path === '') return front + path;
  return `${front.replace(/(?<!\/)\/+$/, '')}/${path.replace(/^\/+/, '')}`;
}
