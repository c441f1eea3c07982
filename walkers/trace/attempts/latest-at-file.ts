import { compareText } from '../../../runtime/index.js';
import { touching } from './links.js';
import type { KnownAttempt } from './rank.js';
import { AttemptShelf, type ShelfContext } from './stored/attempt-shelf.js';

/** The attempts that touched a file, the latest first; ties by id. Of a file that very many touched not all old ones. */
export async function latestAtFile(path: string, context: ShelfContext): Promise<KnownAttempt[]> {
  const shelf = new AttemptShelf(context);
  const ids = (await touching(shelf, [path])).get(path) ?? [];
  const summaries = await shelf.summaries([...ids]);
  return [...summaries]
    .map(([id, summary]) => ({ id, ...summary }))
    .sort((a, b) => compareText(b.created_at, a.created_at) || compareText(a.id, b.id));
}
