import type { Findings, FoundUse } from '../findings.js';
import { calleeOf, isFunction, stringOf, unwrapped } from '../literals.js';
import type { Scope } from '../scopes.js';
import { annotationOf } from '../signature.js';
import type { SyntaxNode } from '../syntax.js';
import { type Framework, Frameworks, isChained, textProperty } from './frameworks.js';

/** What routes are registered with: an application, a router, an instance that a plugin is given. */
export interface Router {
  readonly framework: Framework;
  /** Where it was mounted in this file, each with the path. Only of one place is it told what is in front. */
  readonly mounts: { readonly on: Router; readonly path: string }[];
  /** The router that this one is with a path in front: `app.basePath('/api')`. */
  readonly base?: { readonly on: Router; readonly path: string };
  /** The path of Express's `router.route('/x')`, with whose methods no path is given. */
  readonly fixed?: boolean;
}

/** Longer chains are not followed to their beginning. Each link of a router's own chain is known when the next is asked for. */
const LONGEST = 50;
/** What stands in more than these is not looked for in what is around it. */
const MOST_AROUND = 500;

/** The routers of one file: told by what makes them, by types, and by what they are handed to. */
export class Routers {
  readonly #found: Findings;
  readonly #frameworks: Frameworks;
  readonly #named = new Map<Scope, Map<string, Router>>();
  /** By the path as written: `this.app`. */
  readonly #fields = new Map<string, Router>();
  readonly #made = new Map<SyntaxNode, Router | null>();
  readonly #plugins = new Map<SyntaxNode, Router | null>();
  /** The functions and classes at the top of the file, by name; the first of each. */
  readonly #atTop = new Map<string, SyntaxNode>();

  constructor(found: Findings) {
    this.#found = found;
    this.#frameworks = new Frameworks(found);
    this.#readTypes();
    for (const use of found.uses) if (use.kind === 'call' || use.kind === 'new') this.#readMade(use);
    for (const use of found.uses) if (use.kind === 'call') this.#readMount(use);
  }

  /** The router that an expression is; null for any other. */
  at(node: SyntaxNode, scope: Scope, depth = 0): Router | null {
    const one = unwrapped(node);
    if (depth > LONGEST) return null;
    switch (one.type) {
      case 'identifier':
        return this.#byName(one, scope);
      case 'member_expression':
        return this.#fields.get(one.text.replace(/\s+/g, '')) ?? null;
      case 'await_expression':
        return one.first && this.at(one.first, scope, depth);
      case 'new_expression':
      case 'call_expression':
        return this.#made.get(one) ?? this.#remember(one, this.#ofCall(one, scope, depth));
      default:
        return null;
    }
  }

  /** What is in front of the paths of a router, as far as this file tells. */
  prefixOf(router: Router, depth = 0): string {
    const mount = router.base ?? router.mounts[0];
    if (mount === undefined || (!router.base && router.mounts.length > 1) || depth > LONGEST) return '';
    return joined(this.prefixOf(mount.on, depth + 1), mount.path);
  }

  #readTypes(): void {
    for (const { fact, scope } of this.#found.types) {
      const framework = fact.source === 'constructor' ? null : this.#frameworks.typed(fact.type);
      if (framework === null) continue;
      if (fact.target.startsWith('this.')) this.#fields.set(fact.target, { framework, mounts: [] });
      else this.#name(fact.target, scope, { framework, mounts: [] });
    }
    for (const { fact } of this.#found.definitions) {
      const framework = fact.value_type === null ? null : this.#frameworks.typed(fact.value_type);
      if (framework !== null && fact.scope === 'class')
        this.#fields.set(`this.${fact.name}`, { framework, mounts: [] });
    }
  }

  /** A router that is made, and the name that it gets. */
  #readMade({ node, scope }: FoundUse): void {
    const framework = this.#frameworks.madeBy(node, scope);
    if (framework === null || this.#made.has(node)) return;
    const router = this.#remember(node, { framework, mounts: [] });
    let whole = node;
    let made: Router | null = router;
    // `new Hono().basePath('/api')`, `(await fastify()).register(…)`: the name is given to what comes of the chain.
    for (let parent = whole.parent; parent !== null; parent = whole.parent) {
      const isChain = parent.type === 'member_expression' && parent.first === whole;
      const isCall = parent.type === 'call_expression' && parent.first === whole;
      if (!isChain && !isCall && !THROUGH.has(parent.type)) break;
      if (isCall && whole.type === 'member_expression') {
        made = made && this.#remember(parent, this.#ofChain(parent, made));
        if (made === null) return;
      }
      whole = parent;
    }
    if (made !== null) this.#assign(whole, scope, made);
  }

  /** Gives a value the names that it is assigned to: `const app = module.exports = express()`. */
  #assign(value: SyntaxNode, scope: Scope, router: Router, depth = 0): void {
    const { parent } = value;
    if (depth > LONGEST) return;
    if (parent !== null && THROUGH.has(parent.type)) this.#assign(parent, scope, router, depth + 1);
    if (parent === null || parent.last !== value) return;
    const target = parent.first;
    if (parent.type === 'variable_declarator' || parent.type === 'assignment_expression') {
      if (target?.type === 'identifier') this.#name(target.text, scope, router);
      else if (target?.type === 'member_expression')
        this.#fields.set(target.text.replace(/\s+/g, ''), router);
      if (parent.type === 'assignment_expression') this.#assign(parent, scope, router, depth + 1);
    } else if (FIELDS.has(parent.type)) {
      const name = parent.child('property_identifier', 'private_property_identifier');
      if (name !== null) this.#fields.set(`this.${name.text}`, router);
    }
  }

  /** `app.use('/api', router)`, `app.route('/api', sub)`, `app.register(plugin, { prefix: '/v1' })` */
  #readMount({ name, node, scope }: FoundUse): void {
    if (name !== 'use' && name !== 'route' && name !== 'register') return;
    const on = this.#receiver(node, scope);
    const given = argumentsOf(node);
    if (on === null) return;
    const path = stringOf(given[0]);
    if (on.framework === 'fastify') {
      const [plugin, options] = given;
      if (name !== 'register' || plugin === undefined) return;
      const prefix = options?.type === 'object' ? (textProperty(options, 'prefix') ?? '') : '';
      this.#mountPlugin(unwrapped(plugin), on, prefix, scope);
    } else if ((on.framework === 'hono') === (name === 'route'))
      for (const one of path === null ? given : given.slice(1)) {
        const child = one.type === 'spread_element' ? null : this.at(one, scope);
        if (child !== null && child !== on) child.mounts.push({ on, path: path ?? '' });
      }
  }

  #mountPlugin(plugin: SyntaxNode, on: Router, path: string, scope: Scope): void {
    const wrapped = plugin.type === 'call_expression' ? argumentsOf(plugin)[0] : undefined;
    const given = wrapped ?? plugin;
    const held = given.type === 'identifier' ? this.#functionNamed(given.text, scope) : given;
    if (held === null || !(isFunction(held) || held.type.endsWith('function_declaration'))) return;
    const known = this.#plugins.get(held) ?? { framework: 'fastify', mounts: [] };
    known.mounts.push({ on, path });
    this.#plugins.set(held, known);
  }

  /** The function of this file that a name at the top stands for. */
  #functionNamed(name: string, scope: Scope): SyntaxNode | null {
    if (scope.lookup(name) !== 'module') return null;
    if (this.#atTop.size === 0)
      for (const [node, index] of this.#found.defined) {
        const fact = this.#found.definitions[index]?.fact;
        if (fact?.parent === null && !this.#atTop.has(fact.name)) this.#atTop.set(fact.name, node);
      }
    return this.#atTop.get(name) ?? null;
  }

  #byName(node: SyntaxNode, scope: Scope): Router | null {
    const name = node.text;
    const binding = scope.binding(name);
    if (binding === null) return null;
    const known = this.#named.get(binding)?.get(name);
    if (known) return known;
    if (scope.lookup(name) !== 'local') return null;
    const router = this.#parameter(name, node);
    if (router !== null) this.#name(name, scope, router);
    return router;
  }

  /** What the first parameter of a Fastify plugin is: the function is registered, typed, or names it after the framework. */
  #parameter(name: string, node: SyntaxNode): Router | null {
    let steps = 0;
    for (let one = node.parent; one !== null && steps < MOST_AROUND; one = one.parent) {
      steps += 1;
      if (!FUNCTIONS.has(one.type)) continue;
      const list = one.child('formal_parameters');
      const first = list === null ? one.first : list.first;
      if (first === null || nameOf(first) !== name) continue;
      const known = this.#plugins.get(one);
      if (known) return known;
      const { parent } = one;
      const type = parent?.type === 'variable_declarator' ? annotationOf(parent) : null;
      const isPlugin = name === 'fastify' || (type !== null && this.#frameworks.isPlugin(type));
      return isPlugin ? { framework: 'fastify', mounts: [] } : null;
    }
    return null;
  }

  #receiver(node: SyntaxNode, scope: Scope): Router | null {
    const callee = calleeOf(node);
    const member = callee && unwrapped(callee);
    return member?.type === 'member_expression' && member.first ? this.at(member.first, scope) : null;
  }

  #ofCall(node: SyntaxNode, scope: Scope, depth: number): Router | null {
    const framework = this.#frameworks.madeBy(node, scope);
    if (framework !== null) return { framework, mounts: [] };
    const callee = calleeOf(node);
    if (callee?.type !== 'member_expression' || callee.first === null) return null;
    const on = this.at(callee.first, scope, depth + 1);
    return on && this.#ofChain(node, on);
  }

  /** What a method of a router gives. */
  #ofChain(call: SyntaxNode, on: Router): Router | null {
    const name = calleeOf(call)?.last?.text ?? '';
    const path = stringOf(argumentsOf(call)[0]);
    if (on.framework === 'hono' && name === 'basePath' && path !== null)
      return { framework: 'hono', mounts: [], base: { on, path } };
    if (on.framework === 'express' && name === 'route' && path !== null)
      return { framework: 'express', mounts: [], base: { on, path }, fixed: true };
    return isChained(on.framework, name) ? on : null;
  }

  #remember<R extends Router | null>(node: SyntaxNode, router: R): R {
    this.#made.set(node, router);
    return router;
  }

  #name(name: string, scope: Scope, router: Router): void {
    const binding = scope.binding(name);
    if (binding === null) return;
    const names = this.#named.get(binding) ?? new Map<string, Router>();
    this.#named.set(binding, names.set(name, router));
  }
}

const THROUGH = new Set([
  'parenthesized_expression',
  'as_expression',
  'satisfies_expression',
  'non_null_expression',
  'await_expression',
]);
const FIELDS = new Set(['public_field_definition', 'field_definition']);
const FUNCTIONS = new Set([
  'arrow_function',
  'function_expression',
  'function_declaration',
  'generator_function',
  'method_definition',
]);

function nameOf(parameter: SyntaxNode): string {
  const pattern = parameter.type === 'identifier' ? parameter : parameter.child('identifier');
  return pattern?.text ?? '';
}

/** The arguments of a call, without what says their types. */
export function argumentsOf(call: SyntaxNode): readonly SyntaxNode[] {
  return (call.child('arguments')?.children ?? []).map(unwrapped);
}

/** A path behind another, with one slash between them. */
export function joined(prefix: string, path: string): string {
  if (prefix === '') return path;
  const front = prefix.replace(/(?<!\/)\/+$/, '');
  const rest = path.replace(/^\/+/, '');
  if (rest === '') return front === '' ? '/' : front;
  return `${front}/${rest}`;
}
