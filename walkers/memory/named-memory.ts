import { compareText, type NodeRef, type ReadContext } from '../../runtime/index.js';
import { CodewalkError, Memory } from '../../schema/index.js';
import { shownLine } from '../shown-text.js';
import { didYouMean, isNear } from '../suggestion.js';

/** Ids that a suggestion names at most. */
const MOST_SUGGESTIONS = 3;

type Look = Pick<ReadContext, 'nodesOf' | 'findIds'>;

/**
 * The memory with this id, or the only one whose id begins so.
 *
 * @param field What the caller calls it, for the message.
 * @throws CodewalkError `NODE_NOT_FOUND` with the nearest ids.
 */
export async function memoryNamed(
  context: Look,
  given: string,
  field = 'memory_id',
): Promise<NodeRef<typeof Memory>> {
  const [exact] = await context.nodesOf(Memory, [given]);
  if (exact && !exact.gone) return exact;
  const ids = await context.findIds(Memory);
  const begun = given.length < SHORTEST ? [] : ids.filter((id) => id.startsWith(given));
  const [only] = begun.length === 1 ? await context.nodesOf(Memory, begun) : [];
  if (only) return only;
  const near = (begun.length > 0 ? begun : ids.filter((id) => isNear(given, id))).sort(compareText);
  const why = begun.length > 1 ? `${begun.length} ids begin with` : 'there is no memory';
  throw new CodewalkError('NODE_NOT_FOUND', `${field}: ${why} '${shownLine(given, 100)}'`, {
    input: given,
    suggestion: `${didYouMean(near.slice(0, MOST_SUGGESTIONS))}memory_search finds memories by words, tags and types.`,
  });
}

/** Characters of an id that may stand for it. */
const SHORTEST = 6;
