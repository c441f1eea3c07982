import { of } from './limit.js';

/** What bounds searches in the code, and packs. */
export const SEARCH_LIMITS = {
  searchRows: of({ default: 20, min: 1, max: 50 }, 'rows', 'T', 'search_code.limit'),
  searchFilterNodes: of(
    { max: 20_000 },
    'nodes',
    'own',
    'Nodes that a structure_filter of search_code may give; of more the first are searched',
  ),
  searchFiles: of({ max: 10 }, 'rows', 'own', 'Files that search_code names beside its hits'),
  codebaseSeeds: of(
    { default: 8, min: 1, max: 100 },
    'rows',
    'S2-25',
    'query_codebase.k: seeds found by text',
  ),
  codebaseHops: of(
    { default: 1, min: 0, max: 5 },
    'hops',
    'S2-25',
    'query_codebase.hop: expansion around the seeds',
  ),
  codebaseNodes: of({ default: 25, min: 1, max: 100 }, 'nodes', 'S2-33', 'query_codebase.max_nodes in tools'),
  codebaseReach: of(
    { max: 5000 },
    'nodes',
    'own',
    'Nodes that query_codebase and pack_snippets come by; farther ones are left out, and it is said',
  ),
  packNodes: of(
    { default: 15, min: 1, max: 50 },
    'nodes',
    'S2-33',
    'pack_snippets.max_nodes in tools; 50 in the library',
  ),
  snippetContext: of(
    { default: 5, min: 0, max: 50 },
    'lines',
    'S2-33',
    'pack_snippets.context: lines around a span',
  ),
  snippetLines: of({ default: 60, min: 1, max: 400 }, 'lines', 'S2-33', 'pack_snippets.max_lines'),
  snippetGap: of({ max: 2 }, 'lines', 'S2-32', 'Spans of a file as near as this count as one in a pack'),
} as const;
