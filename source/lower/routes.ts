import type { Definition, RouteFact } from '../facts.js';
import type { SourceText } from './source-text.js';

/**
 * How routes are registered with a framework, as data: by calls of methods of its routers, and by decorators or
 * annotations of functions.
 */
export interface RouteRules {
  /** The module or package whose import says that a file uses it. */
  readonly module: RegExp;
  /** Its types that routers have, and its functions that make them. */
  readonly routers: readonly string[];
  /** Calls of the package itself, too, register routes. */
  readonly onPackage?: boolean;
  readonly calls?: readonly RouteCall[];
  readonly decorators?: readonly RouteDecorator[];
}

/** A call that registers a route, or opens a group of them. Arguments are counted from 0. */
export interface RouteCall {
  /** Names of methods. */
  readonly names: readonly string[];
  readonly does: 'route' | 'group' | 'mount';
  /**
   * The HTTP method of a route: the name itself, an argument, or one word for all. `pattern`: the first word of the
   * path, where it has two. `call`: the name of the function whose call the handler is: `get(handler)`.
   */
  readonly method?: 'name' | 'pattern' | 'call' | number | { readonly is: string };
  /** The argument that is the path, by place or by name; of a group without one -1. */
  readonly path: number | string;
  /** The argument that handles it, or of a group the function that registers its routes; -1: it gives the router. */
  readonly handler: number | string;
  /** Whether routes that stand in it are below its own. */
  readonly isNesting?: boolean;
  /** Whether all arguments in front of the last are parts of the path; where it gives the router, all. */
  readonly segments?: boolean;
}

/** A decorator of a function that handles a route, or of its class, for what goes in front of its routes. */
export interface RouteDecorator {
  readonly names: readonly string[];
  readonly does: 'route' | 'method' | 'path' | 'prefix';
  /** As of {@link RouteCall}; `argument`: the words after `.` in an argument of that name. */
  readonly method?: 'name' | { readonly is: string } | { readonly argument: string };
}

/** Where the value of an expression comes from: a name of a module; the module is null for one of the project. */
export interface Origin {
  readonly module: string | null;
  /** A type or a function; empty for the module itself. */
  readonly name: string;
}

/** A call that may register a route. */
export interface SeenCall {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** Where the arguments are, as offsets. */
  readonly arguments: readonly SeenArgument[];
  /** Where its receiver comes from; null where that is not known. */
  readonly receiver: Origin | null;
  /** What goes in front of its paths by the receiver itself: `v1 := r.Group("/v1")`. */
  readonly prefix: string | null;
  /** The innermost definition around it. */
  readonly from: number | null;
}

/** An argument of such a call: where it stands, and what it is. */
export interface SeenArgument {
  readonly start: number;
  readonly end: number;
  readonly is: 'text' | 'name' | 'function' | 'call' | 'other';
  /** Of one that is given by name. */
  readonly name?: string;
  /** Of a text what it says; of a name its last part; of a call the last name of what it calls. */
  readonly value: string;
}

/** A decorator that may register a route. */
export interface SeenDecorator {
  readonly start: number;
  readonly end: number;
  /** As written, without its mark. */
  readonly text: string;
  /** The definition that it decorates. */
  readonly definition: number;
}

/** What routes of a file are made from. */
export interface RouteSources {
  readonly text: SourceText;
  readonly definitions: readonly Definition[];
  /** Modules that the file imports. */
  readonly modules: readonly string[];
  readonly calls: readonly SeenCall[];
  readonly decorators: readonly SeenDecorator[];
}

/** A route before it is numbered. */
interface FoundRoute {
  readonly names: readonly string[];
  readonly start: number;
  readonly end: number;
  readonly head: number;
  readonly body: readonly [start: number, end: number] | null;
  readonly handlers: readonly number[];
  readonly named: readonly SeenArgument[];
}

/** The routes that a file registers, in the order of the text. */
export function routesOf(sources: RouteSources, rules: readonly RouteRules[]): RouteFact[] {
  const used = rules.filter(({ module }) => sources.modules.some((one) => module.test(one)));
  const found = [
    ...callRoutes(sources, rules, used),
    ...used.flatMap((one) => decoratorRoutes(sources, one.decorators ?? [])),
  ];
  const ordinals = new Map<string, number>();
  return found
    .sort((a, b) => a.start - b.start)
    .map(({ names, start, end, head, body, handlers, named }) => ({
      routes: [...new Set(names)].map((name) => {
        const ordinal = (ordinals.get(name) ?? 0) + 1;
        ordinals.set(name, ordinal);
        return { name, ordinal };
      }),
      signature: sources.text.signature(start, head).replace(body ? /[^)]$/ : /$^/, '$&)'),
      span: sources.text.span(start, end),
      body: body && sources.text.span(...body),
      handlers: [...handlers],
      named: named.map((one) => sources.text.span(one.start, one.end)),
    }));
}

/** Calls */

function callRoutes(
  { calls, definitions }: RouteSources,
  rules: readonly RouteRules[],
  used: readonly RouteRules[],
): FoundRoute[] {
  const found: FoundRoute[] = [];
  // Groups around the call, innermost last: what they put in front goes for all calls in their function.
  const groups: { end: number; prefix: string }[] = [];
  const mounts = new Map<string, string | null>();
  const registrations: { call: SeenCall; rule: RouteCall }[] = [];
  for (const each of [...calls].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const rule = ruleOf(each, rules, used);
    if (rule === null) continue;
    const call = rule.segments ? inOnePath(each, rule) : each;
    registrations.push({ call, rule });
    const path = argumentAt(call, rule.path);
    const mounted = argumentAt(call, rule.handler);
    if (rule.does === 'mount' && path?.is === 'text' && mounted?.is === 'call')
      mounts.set(mounted.value, mounts.has(mounted.value) ? null : path.value);
  }
  for (const { call, rule } of registrations) {
    while (groups.length > 0 && (groups[groups.length - 1]?.end ?? 0) <= call.start) groups.pop();
    const path = argumentAt(call, rule.path);
    const handler = argumentAt(call, rule.handler);
    const mount = call.from === null ? null : mounts.get(definitions[call.from]?.name ?? '');
    const around = groups[groups.length - 1]?.prefix ?? mount ?? '';
    const prefix = joined(around, call.prefix ?? '');
    if (rule.does === 'group') {
      if (handler) groups.push({ end: call.end, prefix: joined(prefix, path?.value ?? '') });
      continue;
    }
    const last = call.arguments[call.arguments.length - 1];
    if (rule.does === 'mount' || !path || !handler || !last) continue;
    const [methods, written] = methodsOf(call, rule, path);
    const full = joined(prefix, written);
    if (rule.isNesting) groups.push({ end: call.end, prefix: full });
    found.push({
      names: methods.map((method) => `${method} ${full || '/'}`),
      start: call.start,
      end: call.end,
      head: path.end,
      body: [handler.start, last.end],
      handlers: [],
      named: call.arguments.slice(call.arguments.indexOf(handler)).filter(({ is }) => is === 'name'),
    });
  }
  return found;
}

/** A call with its path as one argument, which it gives in parts. */
function inOnePath(call: SeenCall, { handler }: RouteCall): SeenCall {
  const count = call.arguments.length - (handler === -1 ? 0 : 1);
  const parts = call.arguments.slice(0, count);
  const value = parts.map((one) => (one.is === 'text' ? one.value : `{${one.value}}`)).join('/');
  const path: SeenArgument = {
    start: parts[0]?.start ?? call.start,
    end: parts[parts.length - 1]?.end ?? call.arguments[count]?.start ?? call.end,
    is: 'text',
    value: value === '' || value.startsWith('/') ? value : `/${value}`,
  };
  return { ...call, arguments: [path, ...call.arguments.slice(count)] };
}

/** The rule of a call, where what it is called on is a router, or may be one that another file makes. */
function ruleOf(call: SeenCall, rules: readonly RouteRules[], used: readonly RouteRules[]): RouteCall | null {
  const { receiver } = call;
  const known =
    receiver?.module == null ? null : rules.find(({ module }) => module.test(receiver.module ?? ''));
  if (receiver?.module != null) {
    const isRouter = receiver.name === '' ? known?.onPackage : known?.routers.includes(receiver.name);
    return isRouter ? (known?.calls?.find((one) => fits(call, one)) ?? null) : null;
  }
  for (const one of used) {
    const rule = one.calls?.find((each) => fits(call, each));
    // A type that is imported with all others of its module.
    if (rule && receiver && one.routers.includes(receiver.name)) return rule;
    const path = rule && argumentAt(call, rule.path);
    if (!rule || path?.is !== 'text') continue;
    // A path in parts begins with none of its own slashes; what a client asks for is none.
    if (rule.segments ? !path.value.includes('://') : rule.isNesting || /^(?:[A-Z]+ )?\//.test(path.value))
      return rule;
  }
  return null;
}

/** An argument of a call by its place or its name. */
function argumentAt(call: SeenCall, key: number | string): SeenArgument | undefined {
  return typeof key === 'number' ? call.arguments[key] : call.arguments.find(({ name }) => name === key);
}

function fits(call: SeenCall, rule: RouteCall): boolean {
  if (!rule.names.includes(call.name)) return false;
  if (rule.segments) return rule.handler === -1 || (call.arguments.at(-1)?.is ?? 'text') !== 'text';
  const isThere = (key: number | string) => key === -1 || argumentAt(call, key) !== undefined;
  if (!isThere(rule.path) || !isThere(rule.handler)) return false;
  const handler = argumentAt(call, rule.handler);
  if (rule.does === 'route') return (handler?.is ?? 'text') !== 'text';
  return rule.handler === -1 || rule.does === 'mount' || handler?.is !== 'text';
}

/** The methods of a route, and its path without one. */
function methodsOf(call: SeenCall, { method, handler }: RouteCall, path: SeenArgument): [string[], string] {
  const written = path.is === 'text' ? path.value : `{${path.value}}`;
  const split = /^([A-Z]+) +(\S.*)$/.exec(written);
  if (split && method !== 'name') return [[split[1] ?? ''], split[2] ?? ''];
  if (typeof method === 'object') return [[method.is], written];
  if (typeof method === 'number') {
    const { is, value } = call.arguments[method] ?? { is: 'other', value: '' };
    // `http.MethodGet`
    const word = is === 'name' ? value.replace(/^Method/, '') : value;
    return [[/^[A-Za-z]+$/.test(word) ? word.toUpperCase() : 'ALL'], written];
  }
  if (method === 'call') {
    const { is, value } = argumentAt(call, handler) ?? { is: 'other', value: '' };
    return [[is === 'call' ? value.toUpperCase() : 'ALL'], written];
  }
  return [[method === 'name' ? call.name.toUpperCase() : 'ALL'], written];
}

/** Decorators */

function decoratorRoutes(
  { definitions, decorators }: RouteSources,
  rules: readonly RouteDecorator[],
): FoundRoute[] {
  if (rules.length === 0) return [];
  const byDefinition = new Map<number, { seen: SeenDecorator; rule: RouteDecorator }[]>();
  for (const seen of decorators) {
    const name = /^[\w.:\\]+/.exec(seen.text)?.[0].replace(/^.*[.:\\]/, '') ?? '';
    for (const rule of rules)
      if (rule.names.includes(name))
        byDefinition.set(seen.definition, [...(byDefinition.get(seen.definition) ?? []), { seen, rule }]);
  }
  const found: FoundRoute[] = [];
  for (const [definition, given] of byDefinition) {
    const one = definitions[definition];
    if (one?.form !== 'function' && one?.form !== 'method') continue;
    const route = given.find(({ rule }) => rule.does === 'route');
    const verbs = given.filter(({ rule }) => rule.does === 'method');
    const place = route ?? verbs[0];
    if (!place) continue;
    const around = one.parent === null ? [] : (byDefinition.get(one.parent) ?? []);
    const front = around.filter(({ rule }) => rule.does === 'prefix' || rule.does === 'path');
    const back = route ?? given.find(({ rule }) => rule.does === 'path');
    const fronts = front.length === 0 ? [''] : front.flatMap(({ seen }) => pathsIn(seen.text));
    const methods = route
      ? verbsIn(route.seen.text, route.rule)
      : verbs.flatMap((each) => verbsIn(each.seen.text, each.rule));
    const paths = back ? pathsIn(back.seen.text) : [''];
    found.push({
      names: methods.flatMap((method) =>
        fronts.flatMap((prefix) => paths.map((path) => `${method} ${joined(prefix, path) || '/'}`)),
      ),
      start: place.seen.start,
      end: place.seen.end,
      head: place.seen.end,
      body: null,
      handlers: [definition],
      named: [],
    });
  }
  return found;
}

/** What a path is made of in a decorator: texts, names, and what is between. */
const PATH_PARTS =
  /"((?:[^"\\]|\\.)*)(?:"|\\?$)|'((?:[^'\\]|\\.)*)'|(\w+\s*(?:=(?!=)|:(?!:))\s*[{[]?)|([\w.]+)|([,}\]+])/gs;

/** The paths that a decorator is given; what is no text is written in brackets. Arguments of other names are passed over. */
function pathsIn(text: string): string[] {
  const paths: string[] = [];
  let isPath = true;
  let isSum = false;
  for (const [, double, single, argument, name, mark] of text
    .slice(text.indexOf('(') + 1 || text.length)
    .matchAll(PATH_PARTS)) {
    if (argument !== undefined) isPath = /^(?:value|path)\b/.test(argument);
    const part = double ?? single ?? (name === undefined ? undefined : `{${name}}`);
    if (isPath && part !== undefined) paths.push(isSum ? `${paths.pop() ?? ''}${part}` : part);
    isSum = mark === '+';
  }
  return paths.length === 0 ? [''] : paths;
}

/** An argument by name, with a name or a list. */
const ARGUMENT = /\b(\w+)\s*[=:]\s*(\{[^{}]*\}|\[[^[\]]*\]|[\w.]+|'[^']*'|"[^"]*")/g;

function verbsIn(text: string, { method, names }: RouteDecorator): string[] {
  if (typeof method === 'object' && 'is' in method) return [method.is];
  if (typeof method === 'object') {
    const given = [...text.matchAll(ARGUMENT)].find(([, name]) => name === method.argument);
    const verbs = [...(given?.[2] ?? '').matchAll(/\b[A-Z]+\b/g)].map(([verb]) => verb);
    return verbs.length === 0 ? ['ALL'] : verbs;
  }
  return [names[0]?.toUpperCase() ?? 'ALL'];
}

/** Two paths, one behind the other, with one slash between them. */
export function joined(front: string, back: string): string {
  if (front === '') return back === '' || back.startsWith('/') ? back : `/${back}`;
  let head = front.endsWith('/*') ? front.slice(0, -1) : front;
  while (head.endsWith('/')) head = head.slice(0, -1);
  if (back === '' || back === '/') return `${head}${back}` || '/';
  return `${head.startsWith('/') ? head : `/${head}`}/${back.replace(/^\/+/, '')}`;
}
