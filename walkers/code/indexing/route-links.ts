import { SymbolReferencesSymbol } from '../../../schema/index.js';
import type { FileFacts } from '../../../source/index.js';
import { type Link, link } from './code-graph.js';
import type { FileSymbols } from './file-symbols.js';

/**
 * What routes lead to besides what is found for the symbol around a name: the functions that the file itself says they
 * run, and for all routes of one registration what is said of the first.
 *
 * @param links Of the file's references.
 */
export function routeLinks(facts: FileFacts, symbols: FileSymbols, links: readonly Link[]): Link[] {
  if (facts.routes.length === 0) return [];
  const first = new Set(symbols.routes.flatMap(([id]) => id ?? []));
  const own = links.filter(({ from }) => first.has(from));
  const run = handlerLinks(facts, symbols).filter(
    ({ from, to }) => !own.some((one) => one.from === from && one.to === to && isReference(one)),
  );
  return [...run, ...sharedLinks([...own, ...run], symbols)];
}

function isReference({ edge }: Link): boolean {
  return edge.archetype.name === SymbolReferencesSymbol.name;
}

/** Each registration's first route to the functions that are written in the call, or decorated. */
function handlerLinks({ routes, definitions }: FileFacts, symbols: FileSymbols): Link[] {
  return routes.flatMap(({ handlers }, index) =>
    handlers.flatMap((handler) => {
      const [from, to, at] = [symbols.routes[index]?.[0], symbols.ids[handler], definitions[handler]];
      if (from === undefined || to === undefined || at === undefined) return [];
      const { name_line: line, span, signature } = at;
      const column = line === span.start_line ? span.start_column : 0;
      const evidence = [{ line, expression: signature }];
      const props = { access: 'pass', resolution: 'exact', confidence: 1, line, column, evidence } as const;
      return [link(from, SymbolReferencesSymbol, to, props)];
    }),
  );
}

function sharedLinks(links: readonly Link[], { routes }: FileSymbols): Link[] {
  return routes.flatMap(([first, ...others]) =>
    others.flatMap((from) => links.filter((one) => one.from === first).map((one) => ({ ...one, from }))),
  );
}
