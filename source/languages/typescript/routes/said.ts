import { isFunction, stringOf, unwrapped } from '../literals.js';
import type { SyntaxNode } from '../syntax.js';
import { type Framework, isMethod, propertyOf, textProperty } from './frameworks.js';
import type { Router } from './routers.js';

/** A path as it stands in a registration. */
export interface WrittenPath {
  readonly text: string;
  /** Whether it is a pattern or a name, in front of which nothing can be put. */
  readonly isOpen: boolean;
}

/** What the arguments of a registration say. */
export interface Said {
  /** In upper case. */
  readonly methods: readonly string[];
  readonly paths: readonly WrittenPath[];
  /** Where the path ends; null where none is given. */
  readonly head: number | null;
  /** The arguments that say what is run. */
  readonly run: readonly SyntaxNode[];
  /** Functions among what is run. */
  readonly handlers: readonly SyntaxNode[];
  /** Names among what is run. */
  readonly named: readonly SyntaxNode[];
}

/**
 * What a call of a router's method registers; null where it registers nothing: another method, a setting that is read
 * (`app.get('env')`), a router of this file that is mounted.
 *
 * @param routerAt The router that an argument is.
 */
export function saidBy(
  name: string,
  router: Router,
  given: readonly SyntaxNode[],
  routerAt: (node: SyntaxNode) => Router | null,
): Said | null {
  const { framework, fixed } = router;
  if (framework === 'fastify' && name === 'route') return ofOptions(given[0]);
  if (framework === 'hono' && name === 'on') {
    const methods = textsOf(given[0]);
    return methods === null ? null : withPath(methods, given.slice(1), framework);
  }
  if (framework === 'hono' && name === 'openapi') return ofDescription(given);
  if (!isMethod(framework, name)) return null;
  if (name === 'use' && given.some((one) => routerAt(one) !== null)) return null;
  const method = name.toUpperCase();
  if (fixed) return ran([method], [{ text: '', isOpen: false }], null, given);
  if (name === 'use' && given[0] && pathsOf(given[0], framework).some(({ isOpen }) => isOpen)) return null;
  return withPath([method], given, framework);
}

function withPath(
  methods: readonly string[],
  [path, ...run]: readonly SyntaxNode[],
  framework: Framework,
): Said | null {
  const paths = path ? pathsOf(path, framework) : [];
  return path && paths.length > 0 ? ran(methods, paths, path.end, run) : null;
}

function ran(
  methods: readonly string[],
  paths: readonly WrittenPath[],
  head: number | null,
  run: readonly SyntaxNode[],
): Said | null {
  const held = run.flatMap((one) => (one.type === 'array' ? one.children.map(unwrapped) : [one]));
  const all = held.flatMap((one) => (one.type === 'object' ? [propertyOf(one, 'handler') ?? one] : [one]));
  const handlers = all.filter((one) => isFunction(one) || one.type === 'method_definition');
  const named = all.filter(({ type }) => NAMED_FUNCTIONS.has(type));
  return run.length === 0
    ? null
    : { methods: methods.map((one) => one.toUpperCase()), paths, head, run, handlers, named };
}

/** `fastify.route({ method: 'GET', url: '/x', handler })` */
function ofOptions(options: SyntaxNode | undefined): Said | null {
  if (options?.type !== 'object') return null;
  const methods = textsOf(propertyOf(options, 'method') ?? undefined);
  const path = propertyOf(options, 'url') ?? propertyOf(options, 'path');
  return methods === null || path === null ? null : withPath(methods, [path, options], 'fastify');
}

/** `app.openapi(createRoute({ method: 'get', path: '/x' }), handler)` */
function ofDescription([description, ...run]: readonly SyntaxNode[]): Said | null {
  const object = description?.type === 'call_expression' ? description.child('arguments')?.first : undefined;
  if (object?.type !== 'object') return null;
  const [method, path] = [textProperty(object, 'method'), propertyOf(object, 'path')];
  return method === null || path === null ? null : withPath([method], [path, ...run], 'hono');
}

/** A text, or the texts of a list; null for anything else. */
function textsOf(node: SyntaxNode | undefined): string[] | null {
  const texts = node?.type === 'array' ? node.children.map(stringOf) : [stringOf(node)];
  return texts.every((one) => one !== null) ? texts : null;
}

/** The paths that an argument gives; none where it can be no path. */
function pathsOf(node: SyntaxNode, framework: Framework): WrittenPath[] {
  if (node.type === 'array' && framework !== 'fastify')
    return node.children.flatMap((one) => pathsOf(unwrapped(one), framework));
  const text = stringOf(node) ?? (node.type === 'template_string' ? node.text.slice(1, -1) : null);
  if (text !== null) return [{ text, isOpen: text.startsWith('${') }];
  if (node.type === 'regex' && framework === 'express') return [{ text: node.text, isOpen: true }];
  return NAMES.has(node.type) ? [{ text: `\${${node.text}}`, isOpen: true }] : [];
}

const NAMED_FUNCTIONS = new Set(['identifier', 'member_expression', 'shorthand_property_identifier']);

/** What may stand for a path that is written elsewhere: a name, or names and texts put together. */
const NAMES = new Set(['identifier', 'member_expression', 'binary_expression']);
