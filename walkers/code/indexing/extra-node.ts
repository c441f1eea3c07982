import type { NodeDraft } from '../../../runtime/index.js';
import { ConfigSymbol, knownNode, RouteSymbol, TestSymbol } from '../../../schema/index.js';
import { type Span, symbolName } from '../../../source/index.js';
import type { ExtraSymbol } from './file-symbols.js';
import type { DefinitionSite } from './symbol-node.js';

/** The Symbol node of what is no definition: the name of a test is its title. */
export function extraNode(
  site: Omit<DefinitionSite, 'facts'>,
  extra: ExtraSymbol,
  isTop: boolean,
): NodeDraft {
  const { id } = extra;
  switch (extra.as) {
    case 'test': {
      const { title, qualname, ordinal, signature, is_async, span } = extra.fact;
      const own = {
        name: title,
        qualified_name: symbolName(site.module, qualname),
        signature,
        is_async,
        ordinal,
      };
      return knownNode(TestSymbol, { ...own, ...placed(site, span, isTop) }, id);
    }
    case 'route': {
      const { name, ordinal } = extra.route;
      const { signature, span } = extra.fact;
      const own = { name, qualified_name: symbolName(site.module, name), signature, ordinal };
      return knownNode(RouteSymbol, { ...own, ...placed(site, span, isTop) }, id);
    }
    case 'key': {
      const { name, ordinal, signature, span } = extra.fact;
      const own = { name, qualified_name: symbolName(site.module, name), signature, ordinal };
      return knownNode(ConfigSymbol, { ...own, ...placed(site, span, isTop) }, id);
    }
  }
}

function placed({ path, language }: Omit<DefinitionSite, 'facts'>, span: Span, isTop: boolean) {
  return {
    path,
    language,
    start_line: span.start_line,
    end_line: span.end_line,
    start_column: span.start_column,
    name_line: span.start_line,
    top_level: isTop,
    line_count: span.end_line - span.start_line + 1,
  };
}
