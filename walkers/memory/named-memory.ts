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
  const begun = ids.filter((id) => id.startsWith(given));
  const isEnough = given.length >= SHORTEST && begun.length === 1;
  const [only] = isEnough ? await context.nodesOf(Memory, begun) : [];
  if (only) return only;
  const near = (begun.length > 0 ? begun : ids.filter((id) => isNear(given, id))).sort(compareText);
  const shown = shownLine(given, 100);
  const some = begun.length === 1 ? 'one id begins' : `${begun.length} ids begin`;
  const why = begun.length > 0 ? `${some} with` : 'there is no memory';
  const least = given.length < SHORTEST ? `, at least ${SHORTEST} characters` : '';
  const more = begun.length > 0 ? `Give more of it${least}. ` : '';
  throw new CodewalkError('NODE_NOT_FOUND', `${field}: ${why} '${shown}'`, {
    input: given,
    suggestion: `${didYouMean(near.slice(0, MOST_SUGGESTIONS))}${more}memory_search (codewalk memory search) finds memories by words, tags and types.`,
  });
}

/** Characters of an id that may stand for it. */
const SHORTEST = 4;
