import { of } from './limit.js';

const MIB = 1024 * 1024;

/** What bounds a Cypher query: its text, its run and its answer. */
export const CYPHER_LIMITS = {
  cypherRows: of({ default: 50, min: 1, max: 1000 }, 'rows', 'S0-19', 'query_cypher.limit'),
  cypherQuery: of({ max: MIB }, 'characters', 'own', 'Text of a Cypher query'),
  cypherNesting: of({ max: 200 }, 'levels', 'own', 'How deep brackets of a Cypher query may be nested'),
  cypherParts: of(
    { max: 400 },
    'items',
    'own',
    'Clauses, nodes, relationships and columns that a Cypher query may have in all',
  ),
  cypherHeight: of({ max: 600 }, 'levels', 'own', 'How deep the parts of a Cypher query may hold each other'),
  cypherListItems: of({ max: 4_000_000 }, 'items', 'own', 'Items of one list that a Cypher query makes'),
  cypherTextLength: of(
    { max: 8 * MIB },
    'characters',
    'own',
    'Length of one text that a Cypher query makes or searches',
  ),
  cypherPatternSize: of(
    { max: 2000 },
    'characters',
    'own',
    'Size of one pattern of =~, its counted repeats written out',
  ),
  cypherPatternWork: of(
    { max: 4_000_000 },
    'characters',
    'own',
    'Size of a pattern of =~ times the length of a text that it is held against',
  ),
  cypherTime: of({ default: 10_000, min: 1 }, 'ms', 'own', 'Deadline of a Cypher query'),
  cypherMemory: of(
    { default: 256 * MIB },
    'bytes',
    'own',
    'What a Cypher query may hold back: groups, sorted rows, lists, paths',
  ),
  cypherHops: of(
    { default: 32 },
    'hops',
    'own',
    'How far a Cypher pattern without an upper bound is followed; an answer that was cut by it says so',
  ),
  cypherCounted: of(
    { max: 10_000 },
    'rows',
    'own',
    'Rows beyond `limit` that are counted; `total_count` is then at least as many',
  ),
  cypherPlans: of({ max: 200 }, 'items', 'own', 'Cypher queries whose plans are kept, the last used ones'),
  cypherPlanText: of({ max: 500_000 }, 'characters', 'own', 'Text of all queries whose plans are kept'),
} as const;
