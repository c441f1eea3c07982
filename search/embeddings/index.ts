export { embeddedTexts } from './checked-vectors.js';
export type { Embedder, Vector } from './embedder.js';
export { EMBEDDER, type EmbedderSource } from './embedder-resource.js';
export { RemoteEmbedder } from './remote-embedder.js';
export { type SemanticContext, type SemanticHit, type SemanticHits, semanticHits } from './semantic-hits.js';
export { EMBEDDED_KINDS, type EmbeddedKind, textKey } from './stored-vector.js';
export { vectorFigures } from './vector-figures.js';
export { type NewVector, VectorWriter } from './vector-writer.js';
export { withSemantic } from './with-semantic.js';
