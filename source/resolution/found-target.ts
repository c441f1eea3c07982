import type { Meaning } from './meaning.js';
import type { ResolutionKind, Target } from './resolution.js';

/** How sure a result is by the way it was found: a type can be narrowed or overridden, an import rebound. */
export const CONFIDENCE: Readonly<Record<ResolutionKind, number>> = {
  exact: 1,
  import: 0.95,
  type: 0.85,
  name: 0,
};

/** What a meaning is as a target, how it was found, and how sure that is. */
export function foundTarget(
  meaning: Meaning | null,
  name: string,
): { target: Target; resolution: ResolutionKind; confidence: number } {
  const target = meaning && targetOf(meaning);
  if (!meaning || !target) return { target: { unresolved: name }, resolution: 'name', confidence: 0 };
  return { target, resolution: meaning.via, confidence: CONFIDENCE[meaning.via] };
}

/** A value of which only the type is known is not what its name refers to. */
function targetOf(meaning: Meaning): Target | null {
  switch (meaning.kind) {
    case 'definition':
      return { file: meaning.file, definition: meaning.definition };
    case 'file':
      return { module: meaning.file };
    case 'external':
      return { external: { package: meaning.package, name: meaning.name } };
    default:
      return null;
  }
}
