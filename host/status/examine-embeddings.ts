import { configuredEmbedder } from '../configured-embedder.js';

/** Asked of an endpoint to see whether it answers. */
const WORD = 'codewalk';

/**
 * Whether whoever is configured to make embeddings does: what it gives for one word.
 *
 * @param root The project that holds the working directory.
 * @throws CodewalkError `EMBEDDINGS_FAILED`
 */
export async function examineEmbeddings(root: string, home: string): Promise<string> {
  const embedder = configuredEmbedder(root, { home })();
  const began = performance.now();
  const vector = (await embedder?.embedQuery?.(WORD)) ?? [];
  const took = performance.now() - began;
  return `vectors of ${vector.length} numbers from '${embedder?.model}', in ${took.toFixed(0)} ms`;
}
