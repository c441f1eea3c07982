import { FileDependsOnFile, parseId, SymbolCallsSymbol } from '../../schema/index.js';
import type { LookupKey, ResolutionProblem } from '../../source/index.js';
import { Counter } from './counter.js';
import type { FilePart } from './file-part.js';
import type { WrittenPart } from './file-state.js';
import type { IndexedFile } from './own-part.js';
import { sharedId } from './shared-nodes.js';

/** What is kept of a part that was written: enough to say what it brought, without making it again. */
export function writtenPart(
  { module, facts }: Pick<IndexedFile, 'module' | 'facts'>,
  { own, links, shared }: FilePart,
  looked: readonly LookupKey[],
  problem: ResolutionProblem | null,
): WrittenPart {
  const edges = new Counter();
  const symbols = new Counter();
  const calls = { resolved: 0, external: 0, unresolved: 0 };
  const external = new Set(
    shared.filter((node) => node.as === 'stub' && node.package !== null).map(sharedId),
  );
  const uses: string[] = [];
  for (const { to, edge } of [...own.links, ...links]) {
    const { name } = edge.archetype;
    edges.add(name);
    if (name === FileDependsOnFile.name) uses.push(parseId(to)?.path ?? '');
    if (name !== SymbolCallsSymbol.name) continue;
    if (external.has(to)) calls.external++;
    else if (to.startsWith('sym:')) calls.unresolved++;
    else calls.resolved++;
  }
  for (const { props } of own.nodes)
    if ('kind' in props && 'signature' in props) symbols.add(String(props.subkind ?? props.kind));
  return {
    module,
    looked: [...looked],
    shared: [...shared],
    symbols: symbols.sorted(),
    edges: edges.sorted(),
    calls,
    uses,
    syntax_errors: [...(facts?.syntax_errors ?? [])],
    problem,
  };
}
