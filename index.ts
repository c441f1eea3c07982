/**
 * Codewalk as a library: open a graph, spawn walkers on it, define your own.
 *
 * @packageDocumentation
 */
export { z } from 'zod';
export { type OpenGraph, type OpenOptions, openGraph, WalkerRegistry } from './host/index.js';
export * from './runtime/index.js';
export { CodewalkError, ERROR_CODES, type ErrorBody, type ErrorCode } from './schema/index.js';
