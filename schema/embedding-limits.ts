import { of } from './limit.js';

const MIB = 1024 * 1024;

/** What is asked of an embeddings endpoint, where somebody configured one. */
export const EMBEDDING_LIMITS = {
  embeddingText: of({ max: 4000 }, 'characters', 'own', 'A longer text is cut before it is embedded'),
  embeddingBatch: of({ max: 64 }, 'items', 'own', 'Texts in one request, and vectors in one commit'),
  embeddingWait: of({ max: 30_000 }, 'ms', 'own', 'What the endpoint gets for one request of an index'),
  embeddingTries: of({ max: 3 }, 'items', 'own', 'Requests for one batch while the endpoint fails'),
  embeddingPause: of(
    { default: 250, max: 5_000 },
    'ms',
    'own',
    'Wait before the second request for a batch, doubled before each further one',
  ),
  embeddingQueryWait: of(
    { max: 1500 },
    'ms',
    'own',
    'What the endpoint gets for the query of a search, which then goes on without it',
  ),
  embeddingRest: of(
    { max: 30_000 },
    'ms',
    'own',
    'An endpoint that failed a search is not asked by searches for as long',
  ),
  embeddingDelay: of(
    { default: 3_000 },
    'ms',
    'own',
    'Rest after the last change of a graph before its new texts are embedded',
  ),
  embeddingAnswer: of({ max: 32 * MIB }, 'bytes', 'own', 'A longer answer of the endpoint is not read'),
  embeddingDimension: of({ max: 8192 }, 'items', 'own', 'Numbers in one vector'),
  vectorsInMemory: of(
    { max: 256 * MIB },
    'bytes',
    'own',
    'Vectors of one layer that stay in memory; where there are more, each search reads them from the store',
  ),
  embeddingQueries: of({ max: 256 }, 'items', 'own', 'Queries whose vectors are kept in memory'),
} as const;
