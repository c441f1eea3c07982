import { of } from './limit.js';

const MIB = 1024 * 1024;

/** What is asked of an embeddings endpoint, where somebody configured one. */
export const EMBEDDING_LIMITS = {
  embeddingText: of.characters({ max: 4000 }, 'A longer text is cut before it is embedded'),
  embeddingBatch: of.items({ max: 64 }, 'Texts in one request, and vectors in one commit'),
  embeddingWait: of.ms({ max: 30_000 }, 'What the endpoint gets for one request of an index'),
  embeddingTries: of.items({ max: 3 }, 'Requests for one batch while the endpoint fails'),
  embeddingPause: of.ms(
    { default: 250, max: 5_000 },
    'Wait before the second request for a batch, doubled before each further one',
  ),
  embeddingQueryWait: of.ms(
    { max: 1500 },
    'What the endpoint gets for the query of a search, which then goes on without it',
  ),
  embeddingRest: of.ms(
    { max: 30_000 },
    'An endpoint that failed a search is not asked by searches for as long',
  ),
  embeddingDelay: of.ms(
    { default: 3_000 },
    'Rest after the last change of a graph before its new texts are embedded',
  ),
  embeddingAnswer: of.bytes({ max: 32 * MIB }, 'A longer answer of the endpoint is not read'),
  embeddingDimension: of.items({ max: 8192 }, 'Numbers in one vector'),
  vectorsInMemory: of.bytes(
    { max: 256 * MIB },
    'Vectors of one layer that stay in memory; where there are more, each search reads them from the store',
  ),
  embeddingQueries: of.items({ max: 256 }, 'Queries whose vectors are kept in memory'),
} as const;
