import type { Findings } from '../findings.js';
import { importedBy } from '../imports.js';
import { calleeOf, stringOf, unwrapped } from '../literals.js';
import type { Scope } from '../scopes.js';
import type { SyntaxNode } from '../syntax.js';

/** The frameworks whose routes are known. */
export type Framework = 'express' | 'hono' | 'fastify';

/** Methods that register a handler under an HTTP method of their name; of Express those of Node's `METHODS`. */
const METHODS: Readonly<Record<Framework, ReadonlySet<string>>> = {
  express: new Set(
    (
      'get post put patch delete head options trace connect all use copy lock mkcol move purge propfind proppatch ' +
      'unlock report mkactivity checkout merge m-search notify subscribe unsubscribe search link unlink'
    ).split(' '),
  ),
  hono: new Set('get post put patch delete options all use'.split(' ')),
  fastify: new Set('get post put patch delete head options trace all'.split(' ')),
};

/** Other methods of a router that give the router itself back. */
const CHAINED: Readonly<Record<Framework, ReadonlySet<string>>> = {
  express: new Set(['set', 'engine', 'enable', 'disable', 'param']),
  hono: new Set(['on', 'route', 'mount', 'onError', 'notFound', 'openapi']),
  fastify: new Set(['register', 'route', 'decorate', 'addHook', 'withTypeProvider', 'after', 'addSchema']),
};

/** Whether a framework's method registers a route by its name. */
export function isMethod(framework: Framework, name: string): boolean {
  return METHODS[framework].has(name);
}

/** Whether a framework's method gives the router that it is called on. */
export function isChained(framework: Framework, name: string): boolean {
  return METHODS[framework].has(name) || CHAINED[framework].has(name);
}

const EXPRESS = /^(?:express|express-promise-router|express-serve-static-core)$/;
const HONO = /^(?:Hono|OpenAPIHono)$/;

/** What a name of this file is in the module that it comes from. */
interface Imported {
  readonly module: string;
  readonly name: string;
}

/** What the imports of a file tell of frameworks: names that make routers, and types that are routers. */
export class Frameworks {
  readonly #imported = new Map<string, Imported>();

  constructor({ imports }: Findings) {
    for (const { fact } of imports)
      for (const { imported, local } of fact.names)
        if (local !== null) this.#imported.set(local, { module: fact.module, name: imported });
  }

  /** The framework whose router a call or construction makes; null for any other. */
  madeBy(node: SyntaxNode, scope: Scope): Framework | null {
    const callee = node.type === 'new_expression' ? node.first : calleeOf(node);
    const called = callee && unwrapped(callee);
    if (!called) return null;
    if (called.type === 'member_expression') {
      const [object, property] = [called.first, called.last];
      if (object === null || property?.text !== 'Router') return null;
      return this.#isExpress(unwrapped(object), scope) ? 'express' : null;
    }
    if (called.type === 'call_expression') return moduleFramework(importedBy(called)?.module);
    if (called.type !== 'identifier' || scope.lookup(called.text) !== 'import') return null;
    const imported = this.#imported.get(called.text);
    if (imported === undefined) return null;
    const { module, name } = imported;
    // Inside a framework's own repository it comes from beside.
    if (HONO.test(name)) return 'hono';
    if (EXPRESS.test(module)) return WHOLE.has(name) || name === 'Router' ? 'express' : null;
    if (module === 'fastify') return WHOLE.has(name) || /^fastify$/i.test(name) ? 'fastify' : null;
    if (!WHOLE.has(name) || !module.startsWith('.')) return null;
    return moduleFramework(called.text.toLowerCase());
  }

  /** The framework whose router a written type is; null for any other. */
  typed(type: string): Framework | null {
    const [, path = ''] = /^([\w$.]+)/.exec(type) ?? [];
    const [root = '', member] = path.split('.');
    const imported = this.#imported.get(root);
    if (imported === undefined) return null;
    const name = member ?? imported.name;
    if (HONO.test(name)) return 'hono';
    if (name === 'FastifyInstance') return 'fastify';
    return EXPRESS.test(imported.module) && EXPRESS_TYPES.has(name) ? 'express' : null;
  }

  /** Whether a written type is that of a function that Fastify gives an instance. */
  isPlugin(type: string): boolean {
    const [, name = ''] = /^([\w$]+)/.exec(type) ?? [];
    return FASTIFY_PLUGINS.test(this.#imported.get(name)?.name ?? '');
  }

  #isExpress(object: SyntaxNode, scope: Scope): boolean {
    if (object.type === 'call_expression') return moduleFramework(importedBy(object)?.module) === 'express';
    if (object.type !== 'identifier' || scope.lookup(object.text) !== 'import') return false;
    const imported = this.#imported.get(object.text);
    if (imported === undefined || !WHOLE.has(imported.name)) return false;
    return EXPRESS.test(imported.module) || (imported.module.startsWith('.') && object.text === 'express');
  }
}

/** How a module as a whole is imported. */
const WHOLE = new Set(['default', '*']);
const EXPRESS_TYPES = new Set(['Express', 'Application', 'Router', 'IRouter']);
const FASTIFY_PLUGINS = /^FastifyPlugin(?:Async|Callback)?(?:\w*)$/;

function moduleFramework(module: string | undefined): Framework | null {
  return module === 'express' || module === 'fastify' ? module : null;
}

/** The text of a property of an object literal; null where it is not written as a text. */
export function textProperty(object: SyntaxNode, name: string): string | null {
  return stringOf(propertyOf(object, name));
}

/** The value of a property of an object literal, the property itself where it is a method or a short name. */
export function propertyOf(object: SyntaxNode, name: string): SyntaxNode | null {
  for (const member of object.children) {
    if (member.type === 'shorthand_property_identifier' && member.text === name) return member;
    const key = member.first;
    if (member.type === 'method_definition' && member.child('property_identifier')?.text === name)
      return member;
    if (member.type !== 'pair' || key === null || member.last === null) continue;
    if (key.text === name || stringOf(key) === name) return unwrapped(member.last);
  }
  return null;
}
