import { of } from './limit.js';

/** What bounds searches in the code, and packs. */
export const SEARCH_LIMITS = {
  searchRows: of.rows({ default: 20, min: 1, max: 50 }, 'search_code.limit', 'T'),
  searchFilterNodes: of.nodes(
    { max: 20_000 },
    'Nodes that a structure_filter of search_code may give; of more the first are searched',
  ),
  searchFiles: of.rows({ max: 10 }, 'Files that search_code names beside its hits'),
  codebaseSeeds: of.rows({ default: 8, min: 1, max: 100 }, 'query_codebase.k: seeds found by text', 'S2-25'),
  codebaseHops: of.hops(
    { default: 1, min: 0, max: 5 },
    'query_codebase.hop: expansion around the seeds',
    'S2-25',
  ),
  codebaseNodes: of.nodes({ default: 25, min: 1, max: 100 }, 'query_codebase.max_nodes in tools', 'S2-33'),
  codebaseReach: of.nodes(
    { max: 5000 },
    'Nodes that query_codebase and pack_snippets come by; farther ones are left out, and it is said',
  ),
  packNodes: of.nodes(
    { default: 15, min: 1, max: 50 },
    'pack_snippets.max_nodes in tools; 50 in the library',
    'S2-33',
  ),
  snippetContext: of.lines(
    { default: 5, min: 0, max: 50 },
    'pack_snippets.context: lines around a span',
    'S2-33',
  ),
  snippetLines: of.lines({ default: 60, min: 1, max: 400 }, 'pack_snippets.max_lines', 'S2-33'),
  snippetGap: of.lines({ max: 2 }, 'Spans of a file as near as this count as one in a pack', 'S2-32'),
} as const;
