export { type Answer, AnswerState, answer, answerSchema } from './answer.js';
export { DEFAULT_LIMITS, type OpenGraph, type OpenOptions, openGraph } from './open-graph.js';
export { WalkerRegistry } from './registry.js';
