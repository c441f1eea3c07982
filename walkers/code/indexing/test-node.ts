import type { NodeDraft } from '../../../runtime/index.js';
import { knownNode, TestSymbol } from '../../../schema/index.js';
import { symbolName } from '../../../source/index.js';
import type { TestCase } from './file-symbols.js';
import type { DefinitionSite } from './symbol-node.js';

/** The Symbol node of a test that is a call: `it('adds', …)`. Its name is its title. */
export function testNode(
  site: Omit<DefinitionSite, 'facts'>,
  { fact, id }: TestCase,
  isTop: boolean,
): NodeDraft {
  const { title, qualname, ordinal, signature, is_async, span } = fact;
  const props = {
    name: title,
    qualified_name: symbolName(site.module, qualname),
    path: site.path,
    language: site.language,
    start_line: span.start_line,
    end_line: span.end_line,
    start_column: span.start_column,
    name_line: span.start_line,
    signature,
    is_async,
    top_level: isTop,
    ordinal,
    line_count: span.end_line - span.start_line + 1,
  };
  return knownNode(TestSymbol, props, id);
}
