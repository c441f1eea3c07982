import { configuredEmbedder } from '../configured-embedder.js';
import { type Check, check } from './examine.js';

/** Asked of an endpoint to see whether it answers. */
const WORD = 'codewalk';

/**
 * Tries whether whoever is configured to make embeddings does: what it gives for one word.
 *
 * @param root The project that holds the working directory.
 */
export function examineEmbeddings(root: string, home: string): Promise<Check> {
  return check('embeddings', () => vectorOfWord(root, home));
}

async function vectorOfWord(root: string, home: string): Promise<string> {
  const embedder = configuredEmbedder(root, { home })();
  const began = performance.now();
  const vector = (await embedder?.embedQuery?.(WORD)) ?? [];
  const took = performance.now() - began;
  return `vectors of ${vector.length} numbers from '${embedder?.model}', in ${took.toFixed(0)} ms`;
}
