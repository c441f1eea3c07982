import { SymbolReferencesSymbol } from '../../../schema/index.js';
import type { FileFacts, RouteFact, Span } from '../../../source/index.js';
import { type Link, link } from './code-graph.js';
import { type FileSymbols, holds } from './file-symbols.js';

/** The references of a file that name what its routes run, by index. */
export function runByRoutes({ routes, references }: FileFacts): Set<number> {
  const spans = new Map<number, Span[]>();
  for (const span of routes.flatMap(({ named }) => named)) {
    const known = spans.get(span.start_line);
    if (known) known.push(span);
    else spans.set(span.start_line, [span]);
  }
  const run = new Set<number>();
  if (spans.size > 0)
    for (const [index, place] of references.entries())
      if (spans.get(place.line)?.some((span) => holds(span, place))) run.add(index);
  return run;
}

/**
 * What routes lead to besides what is found for the symbol around a name: the functions that the file itself says they
 * run, which the framework calls, and for all routes of one registration what is said of the first.
 *
 * @param links Of the file's references.
 */
export function routeLinks(facts: FileFacts, symbols: FileSymbols, links: readonly Link[]): Link[] {
  if (facts.routes.length === 0) return [];
  const first = new Set(symbols.routes.flatMap(([id]) => id ?? []));
  const own = links.filter(({ from }) => first.has(from));
  const named = new Set(
    own.flatMap(({ from, to, edge }) =>
      edge.archetype === SymbolReferencesSymbol ? [`${from}\0${to}`] : [],
    ),
  );
  const run = handlerLinks(facts, symbols).filter(({ from, to }) => !named.has(`${from}\0${to}`));
  return [...run, ...sharedLinks([...own, ...run], symbols)];
}

/** Each registration's first route to the functions that are written in the call, or decorated. */
function handlerLinks({ routes }: FileFacts, symbols: FileSymbols): Link[] {
  return routes.flatMap((route, index) =>
    route.handlers.flatMap((handler) => {
      const [from, to] = [symbols.routes[index]?.[0], symbols.ids[handler]];
      if (from === undefined || to === undefined) return [];
      return [link(from, SymbolReferencesSymbol, to, { access: 'run', ...registered(route) })];
    }),
  );
}

/** How an edge to what a registration itself holds is found. */
function registered({ signature, span }: RouteFact) {
  const { start_line: line, start_column: column } = span;
  const evidence = [{ line, expression: signature }];
  return { resolution: 'exact' as const, confidence: 1, line, column, evidence };
}

function sharedLinks(links: readonly Link[], { routes }: FileSymbols): Link[] {
  const byFirst = new Map<string, Link[]>();
  for (const one of links) {
    const known = byFirst.get(one.from);
    if (known) known.push(one);
    else byFirst.set(one.from, [one]);
  }
  return routes.flatMap(([first, ...others]) =>
    others.flatMap((from) => (byFirst.get(first ?? '') ?? []).map((one) => ({ ...one, from }))),
  );
}
