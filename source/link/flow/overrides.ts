import { CONFIDENCE } from '../../resolution/found-target.js';
import type { ResolutionKind, ResolvedOverride } from '../../resolution/resolution.js';
import type { Sym, UnitView } from '../unit-view.js';
import { ancestorsOf, isClass, ownMember } from './classes.js';
import type { FlowContext } from './context.js';

/**
 * What the methods of a file's classes override: of each the nearest method of its name behind the class by its method
 * resolution order. A class that is not known ends the search: what lies behind it is not known.
 */
export function overriddenByFlow(ctx: FlowContext, view: UnitView): ResolvedOverride[] {
  const found: ResolvedOverride[] = [];
  for (let row = 0; row < view.unit.symbols.length; row += 1) {
    const owner = view.symbol(row);
    if (!isClass(owner) || view.basesOf(row).length === 0) continue;
    for (const name of view.scopeNames(view.unit.symbols.body[row] ?? -1).keys()) {
      const method = ownMember(owner, name);
      const override = method && canOverride(method) ? overridden(ctx, owner, method, name) : null;
      if (override) found.push(override);
    }
  }
  return found;
}

function overridden(ctx: FlowContext, owner: Sym, method: Sym, name: string): ResolvedOverride | null {
  let via: ResolutionKind = 'exact';
  for (const ancestor of ancestorsOf(ctx, owner)) {
    if (!ancestor) return null;
    // As sure as the least sure step of the way: it lies behind those before it.
    if (ancestor.view !== owner.view) via = 'import';
    const target = ownMember(ancestor, name);
    if (!target) continue;
    if (!canOverride(target)) return null;
    const definition = method.view.facts.definitions[method.row];
    return {
      file: method.view.path,
      definition: method.row,
      target: { file: target.view.path, definition: target.row },
      resolution: via,
      confidence: CONFIDENCE[via],
      evidence: { line: definition?.name_line ?? 0, column: null, expression: name },
    };
  }
  return null;
}

/** Names that are mangled are their class's alone. */
function canOverride({ view, row }: Sym): boolean {
  const definition = view.facts.definitions[row];
  return definition?.form === 'method' && !view.rules.flow?.ownMethods.test(definition.name);
}
