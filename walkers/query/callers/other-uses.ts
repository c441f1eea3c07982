import type { ReadContext } from '../../../runtime/index.js';
import { SymbolOverridesSymbol, SymbolReferencesSymbol } from '../../../schema/index.js';
import { isNamed } from '../../find-symbol.js';
import { plural } from '../../markdown.js';
import { callersOf } from '../parts/calls.js';
import { qualifiedName } from '../parts/code-node.js';

/**
 * What an answer says of symbols that nothing is known to call: how often they are used otherwise, and who calls the
 * methods that they override, which may come to them. Empty where there is neither.
 */
export async function otherUses(
  context: Pick<ReadContext, 'q' | 'nodes' | 'entries'>,
  targets: readonly string[],
): Promise<string[]> {
  const references = (await context.entries(targets, 'in', SymbolReferencesSymbol)).flat().length;
  const notes =
    references === 0
      ? []
      : [`${plural(references, 'reference')} without a call (passed, decorated, read): explain tells how.`];
  const overridden = (await context.nodes(await context.q(targets).out(SymbolOverridesSymbol).ids())).filter(
    (node) => node !== undefined && isNamed(node),
  );
  for (const node of overridden) {
    const callers = (await callersOf(context, [node.id])).length;
    if (callers > 0)
      notes.push(`It overrides ${qualifiedName(node)}, which has ${plural(callers, 'caller')}.`);
  }
  return notes;
}
