import type { Resource } from '../../runtime/index.js';
import type { Embedder } from './embedder.js';

/**
 * The embedder of a graph, as it is configured now; null where there is none.
 *
 * @throws CodewalkError `EMBEDDINGS_FAILED` where what is configured cannot be used, `CONFIG_INVALID`.
 */
export type EmbedderSource = () => Embedder | null;

/** Who makes vectors for a graph. */
export const EMBEDDER: Resource<EmbedderSource> = { name: 'embedder', absent: () => null };
