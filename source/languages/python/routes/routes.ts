import { append } from '../../../../schema/index.js';
import type { ImportFact, RouteFact } from '../../../facts.js';
import { isInTestFolder } from '../../test-folder.js';
import type { Definitions } from '../definitions.js';
import { assignmentsOf, dottedPath, lastName, unwrapped } from '../expressions.js';
import type { Scopes } from '../scopes.js';
import { endOf, type Syntax, startOf } from '../syntax.js';
import type { SourceText } from '../text.js';
import { givenTo, pathOf } from './arguments.js';
import { foundNodes } from './found.js';
import { isName, type Registration, RegistrationReader } from './registrations.js';
import { Routers } from './routers.js';

/** Where a pattern stands: under the path of an `include`, or in the list that a name stands for. */
type Around = { readonly in: Around | null; readonly path: string } | { readonly list: string } | null;

const PATTERNS = new Set(['path', 're_path', 'url']);
/** Includes in includes are followed no further. */
const DEEPEST = 50;

/**
 * Django's URL patterns: each call of `path`, `re_path` or `url` with a view. It takes requests of every method. What
 * stands in front of an included list is told where this file includes it once.
 */
class PatternReader {
  /** Names that Django's functions have here. */
  readonly #functions = new Map<string, string>();
  readonly #included = new Map<string, Around[]>();
  readonly #patterns: { readonly call: Syntax; readonly around: Around }[] = [];

  constructor(
    root: Syntax,
    private readonly text: SourceText,
    imports: readonly ImportFact[],
  ) {
    for (const { module, names } of imports)
      if (/^django\.(?:urls|conf\.urls)$/.test(module))
        for (const { imported, local } of names) if (local !== null) this.#functions.set(local, imported);
    if (this.#functions.size > 0) for (const one of root.children) this.#visit(one, null);
  }

  /** In the order of the text. */
  registrations(): Registration[] {
    return this.#patterns.flatMap(({ call, around }) => {
      const { all, passed, named } = givenTo(call, this.text);
      const [path, view = named.get('view')] = passed;
      const [, first] = all;
      const last = all[all.length - 1];
      if (!path || !first || !last) return [];
      const { text, isOpen } = pathOf(path, this.text);
      const full = isOpen ? text : this.#full(around, text);
      return {
        names: [`ALL ${full}`],
        start: call.start,
        end: call.end,
        head: path.end,
        body: [startOf(first), endOf(last)],
        handlers: [],
        named: view && isName(view) ? view : null,
      };
    });
  }

  #visit(node: Syntax, around: Around): void {
    const name = node.kind === 'call' ? this.#function(node) : null;
    if (node.kind === 'assignment') this.#assignment(node);
    else if (name !== null && PATTERNS.has(name)) this.#pattern(name, node, around);
    else for (const one of node.children) this.#visit(one, around);
  }

  #assignment(node: Syntax): void {
    for (const { target, value } of assignmentsOf(node).slice(0, 1))
      if (value) this.#visit(value, target.kind === 'identifier' ? { list: this.text.of(target) } : null);
  }

  #pattern(name: string, call: Syntax, around: Around): void {
    const { passed, named } = givenTo(call, this.text);
    const [path, second] = passed;
    const view = second ?? named.get('view');
    // Only the oldest of them takes the name of a view.
    if (!path || !view || (view.kind === 'string' && name !== 'url')) return;
    if (view.kind === 'call' && this.#function(view) === 'include') {
      const { text } = pathOf(path, this.text);
      this.#include(givenTo(view, this.text).passed[0], { in: around, path: text });
    } else if (!MOUNTED.test(this.text.of(view))) this.#patterns.push({ call, around });
  }

  /** `include('shop.urls')`, `include(patterns)`, `include((patterns, 'name'))`, `include([path(…)])` */
  #include(node: Syntax | undefined, around: Around): void {
    const given = node && unwrapped(node);
    const list = given?.kind === 'tuple' ? given.children[0] : given;
    if (list?.kind === 'identifier') {
      const name = this.text.of(list);
      append(this.#included, name, around);
    } else if (list) this.#visit(list, around);
  }

  #function(call: Syntax): string | null {
    const path = call.children[0] ? dottedPath(call.children[0], this.text) : null;
    if (path === null) return null;
    const own = this.#functions.get(path);
    if (own !== undefined) return own;
    // `from django import urls` is not read: `urls.path` is rare.
    return this.#functions.has('*') ? lastName(path) : null;
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

/** The patterns of an application that is mounted: `admin.site.urls`, `router.urls`. */
const MOUNTED = /^[\w.]+\.urls$/;

/** What registers a route, as text: nearly no file has it, and it costs the least to ask. */
const NAMED =
  /\.(?:route|api_route|websocket|get|post|put|patch|delete|head|options|trace|add_url_rule|add_api_route)\s*\(|\bdjango\b/;

/** What the routes of a file are read from. */
export interface RouteSources {
  readonly path: string;
  readonly isTest: boolean;
  readonly root: Syntax;
  readonly text: SourceText;
  readonly definitions: Definitions;
  readonly scopes: Scopes;
  readonly imports: readonly ImportFact[];
}

/**
 * The routes that a file registers with Flask, FastAPI or Django, in the order of the text. A test's own application is
 * part of the test.
 */
export function routesOf(sources: RouteSources): RouteFact[] {
  const { path, isTest, root, text, definitions, scopes, imports } = sources;
  if (isTest || isInTestFolder(path) || !NAMED.test(text.text)) return [];
  const found = foundNodes(root, scopes);
  const routers = new Routers({ found, text, imports, definitions: definitions.list });
  const reader = new RegistrationReader(text, routers, definitions);
  const registrations = [
    ...found.decorations.map((one) => reader.ofDecoration(one)),
    ...found.calls.map((one) => reader.ofCall(one)),
    ...new PatternReader(root, text, imports).registrations(),
  ];
  return numbered(
    registrations.filter((one) => one !== null),
    text,
  );
}

function numbered(registrations: readonly Registration[], text: SourceText): RouteFact[] {
  const ordinals = new Map<string, number>();
  return [...registrations]
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
      named: named === null ? [] : [text.span(startOf(named), endOf(named))],
    }));
}
