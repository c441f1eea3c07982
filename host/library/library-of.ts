import { LIMITS } from '../../schema/index.js';
import {
  codebaseMarkdown,
  GraphEmbed,
  LibraryExpand,
  LibraryGraph,
  LibraryStats,
  LibraryWrite,
  PackSnippets,
  packMarkdown,
  QueryCodebase,
} from '../../walkers/index.js';
import type { OpenGraph } from '../open-graph.js';
import type { BuildOptions, BuildStats, CodeLibrary, PackOptions } from './code-library.js';
import { QueryResult, SnippetPack } from './query-result.js';

/** What the library's functions stand on. */
export interface LibraryParts {
  readonly graph: Pick<OpenGraph, 'root' | 'spawn'>;
  /** The folder of the code graph's store; null in memory. */
  readonly store: string | null;
  /** What the configuration says of the files that an index takes. */
  readonly indexInput: () => Readonly<Record<string, unknown>>;
  /** Whether there is an embedder now. */
  readonly embeds: () => boolean;
}

/** The library's functions on an open graph: each spawns a walker. */
export function libraryOf({ graph, store, indexInput, embeds }: LibraryParts): CodeLibrary {
  const stats = async (needed = false): Promise<BuildStats> => {
    const { output } = await graph.spawn(LibraryStats, null, { needed });
    return { repo_root: graph.root, db_path: store, ...output };
  };
  const write: CodeLibrary['write'] = async (nodes, edges, { wipe = false } = {}) => {
    const { output } = await graph.spawn(LibraryWrite, null, { nodes: [...nodes], edges: [...edges], wipe });
    return output;
  };
  const clear = async () => void (await write([], [], { wipe: true }));
  const buildGraph = async ({ wipe = false }: BuildOptions = {}) => {
    if (wipe) await clear();
    await graph.spawn('graph_index_project', null, { mode: 'incremental', ...indexInput() });
    return stats();
  };
  const buildIndex = async ({ wipe = false }: BuildOptions = {}) => {
    await stats(true);
    if (wipe) await graph.spawn('project_texts');
    if (embeds()) await graph.spawn(GraphEmbed, null, { wipe });
    return stats();
  };
  const query: CodeLibrary['query'] = async (text, options = {}) => {
    const { output } = await graph.spawn(QueryCodebase, null, { q: text, ...asked(options) });
    return new QueryResult({ output, markdown: codebaseMarkdown(output) });
  };
  return {
    buildGraph,
    buildIndex,
    build: async (options) => {
      await buildGraph(options);
      return buildIndex(options);
    },
    stats: () => stats(),
    search: async (text, k) => {
      const { nodes } = await query(text, { hop: 0, ...(k === undefined ? {} : { k }) });
      return nodes.map(({ id, kind, name, qualname, module_path, seed_distance }, rank) => ({
        ...{ id, kind, name, qualname, module_path },
        distance: seed_distance,
        rank,
      }));
    },
    query,
    pack: async (text, options = {}) => {
      const input = { q: text, ...asked({ maxNodes: packNodes.max, ...options }) };
      const { output } = await graph.spawn(PackSnippets, null, input);
      return new SnippetPack({ output, markdown: packMarkdown(output) });
    },
    node: async (id) => {
      const { output } = await graph.spawn(LibraryGraph, null, { ids: [id], edges: false });
      return output.nodes[0] ?? null;
    },
    queryNodes: async ({ kinds, module } = {}) => {
      const input = { kinds: kinds ? [...kinds] : null, module: module ?? null, edges: false };
      return (await graph.spawn(LibraryGraph, null, input)).output.nodes;
    },
    edgesWithin: async (ids, rels) => {
      const input = { ids: [...ids], ...(rels ? { rels: [...rels] } : {}) };
      return (await graph.spawn(LibraryGraph, null, input)).output.edges;
    },
    expand: async (seeds, { hop, rels } = {}) => {
      const input = {
        seeds: [...seeds],
        ...(hop === undefined ? {} : { hop }),
        ...(rels ? { rels: [...rels] } : {}),
      };
      const { output } = await graph.spawn(LibraryExpand, null, input);
      return new Map(output.reached.map(({ id, ...way }) => [id, way]));
    },
    write,
    clear,
  };
}

const { packNodes, packTokens } = LIMITS;

/** Options as walkers spell them; what is left out is theirs to choose, but that a program wants whole answers. */
function asked({
  maxNodes,
  includeSymbols,
  maxTokens = packTokens.max,
  maxLines,
  rels,
  ...same
}: PackOptions) {
  const given = {
    ...same,
    rels: rels?.join(','),
    max_nodes: maxNodes,
    include_symbols: includeSymbols,
    max_tokens: maxTokens,
    max_lines: maxLines,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
