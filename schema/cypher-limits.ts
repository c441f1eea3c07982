import { of } from './limit.js';

const MIB = 1024 * 1024;

/** What bounds a Cypher query: its text, its run and its answer. */
export const CYPHER_LIMITS = {
  cypherRows: of.rows({ default: 50, min: 1, max: 1000 }, 'query_cypher.limit', 'S0-19'),
  cypherQuery: of.characters({ max: MIB }, 'Text of a Cypher query'),
  cypherNesting: of.levels({ max: 200 }, 'How deep brackets of a Cypher query may be nested'),
  cypherParts: of.items(
    { max: 400 },
    'Clauses, nodes, relationships and columns that a Cypher query may have in all',
  ),
  cypherHeight: of.levels({ max: 600 }, 'How deep the parts of a Cypher query may hold each other'),
  cypherListItems: of.items({ max: 4_000_000 }, 'Items of one list that a Cypher query makes'),
  cypherTextLength: of.characters(
    { max: 8 * MIB },
    'Length of one text that a Cypher query makes or searches',
  ),
  cypherPatternSize: of.characters(
    { max: 2000 },
    'Size of one pattern of =~, its counted repeats written out',
  ),
  cypherPatternWork: of.characters(
    { max: 4_000_000 },
    'Size of a pattern of =~ times the length of a text that it is held against',
  ),
  cypherTime: of.ms({ default: 10_000, min: 1 }, 'Deadline of a Cypher query'),
  cypherMemory: of.bytes(
    { default: 256 * MIB },
    'What a Cypher query may hold back: groups, sorted rows, lists, paths',
  ),
  cypherHops: of.hops(
    { default: 32 },
    'How far a Cypher pattern without an upper bound is followed; an answer that was cut by it says so',
  ),
  cypherCounted: of.rows(
    { max: 10_000 },
    'Rows beyond `limit` that are counted; `total_count` is then at least as many',
  ),
  cypherPlans: of.items({ max: 200 }, 'Cypher queries whose plans are kept, the last used ones'),
  cypherPlanText: of.characters({ max: 500_000 }, 'Text of all queries whose plans are kept'),
} as const;
