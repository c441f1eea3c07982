export { EMBEDDER, type Embedder, type EmbedderSource, embeddedTexts, type Vector } from './embedder.js';
export { RemoteEmbedder } from './remote-embedder.js';
export { type SemanticContext, type SemanticHits, semanticHits, withSemantic } from './semantic-hits.js';
export { VectorWriter } from './vector-writer.js';
export {
  EMBEDDED_KINDS,
  type EmbeddedKind,
  forgetVectors,
  textKey,
  VectorCache,
  vectorFigures,
  vectorName,
} from './vectors.js';
