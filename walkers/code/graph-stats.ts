import { z } from 'zod';
import { Counter, indexProgress, storedProject, unfinishedState } from '../../graphs/code/index.js';
import { countsLine, markdownTable } from '../../present/index.js';
import { compareText, defineWalker, isA, type ReadContext } from '../../runtime/index.js';
import { CodeSymbol, File, nodeArchetype, SymbolCallsSymbol, Unresolved } from '../../schema/index.js';
import { lastOf, once } from '../explore/once.js';

const count = z.number().int();

/** What the statistics answer. */
const StatsOutput = z.object({
  nodes: count,
  edges: count,
  nodes_by_type: z.record(z.string(), count),
  edges_by_type: z.record(z.string(), count),
  languages: z.array(
    z.object({ language: z.string(), files: count, extracted: count, not_extracted: count, symbols: count }),
  ),
  /** Calls of what packages have. */
  package_calls: count,
  /** Calls of nothing known. */
  unresolved_calls: count,
  /** Files whose symbols could not be read in full. */
  syntax_errors: z.array(z.string()),
  /** Build files of which not all could be read. */
  damaged_manifests: z.array(z.string()),
  /** False while an index run is not finished: edges are missing. */
  complete: z.boolean(),
  generation: count,
});

/** Counts what the graph holds, per archetype and per language. */
export const GraphStats = defineWalker('graph_stats', {
  description:
    'Count what the code graph holds: nodes and edges by type, files and symbols per language, whether each language is extracted.',
  input: {},
  output: StatsOutput,
  examples: [{ title: 'What is in the graph', input: {} }],
  run: async (_here, context) => {
    const progress = await indexProgress(context);
    const project = await storedProject(context);
    const counts = await once(context, COUNTS, context.codeRevision, () => countsIn(context));
    const { nodes, edges, calls, languages, broken } = counts;
    return {
      nodes: nodes.total,
      edges: edges.total,
      nodes_by_type: nodes.sorted(),
      edges_by_type: edges.sorted(),
      languages: [...languages]
        .map(([language, f]) => ({ language, ...f, not_extracted: f.files - f.extracted }))
        .sort((a, b) => b.files - a.files || compareText(a.language, b.language)),
      package_calls: calls.ofPackages,
      unresolved_calls: calls.unresolved,
      syntax_errors: broken.toSorted(),
      damaged_manifests: (project?.manifests ?? []).flatMap(({ path, problem }) => (problem ? [path] : [])),
      complete: progress.complete,
      generation: progress.generation,
      state: unfinishedState(progress),
    };
  },
  markdown: (stats) => {
    const columns = ['language', 'files', 'extracted', 'not_extracted', 'symbols'] as const;
    const rows = stats.languages.map((row) => columns.map((column) => row[column]));
    return [
      `${stats.nodes} nodes, ${stats.edges} edges${stats.complete ? '' : ' (an index run did not finish)'}`,
      '',
      `Nodes: ${countsLine(stats.nodes_by_type)}`,
      `Edges: ${countsLine(stats.edges_by_type)}`,
      `Calls: ${stats.package_calls} of packages, ${stats.unresolved_calls} unresolved`,
      '',
      markdownTable(
        columns.map((column) => column.replace('_', ' ')),
        rows,
      ),
      ...(stats.syntax_errors.length > 0 ? ['', `Syntax errors in: ${stats.syntax_errors.join(', ')}`] : []),
      ...(stats.damaged_manifests.length > 0
        ? ['', `Not all could be read of: ${stats.damaged_manifests.join(', ')}`]
        : []),
      '',
    ].join('\n');
  },
});

type Counts = Awaited<ReturnType<typeof countsIn>>;
/** Going over the whole graph takes long: whoever looks again at the same one gets what was counted. */
const COUNTS = lastOf<Counts>('counts of the graph');

/** What all nodes and edges of the code come to. */
async function countsIn(context: ReadContext) {
  const nodes = new Counter();
  const edges = new Counter();
  const languages = new Map<string, { files: number; extracted: number; symbols: number }>();
  const broken: string[] = [];
  /** Stubs of what packages have. */
  const outside = new Set<string>();
  for await (const page of context.storedNodes('derived'))
    for (const { id, type, props } of page) {
      nodes.add(type);
      if (type === Unresolved.name && typeof props.package === 'string') outside.add(id);
      const archetype = nodeArchetype(type);
      if (!archetype || typeof props.language !== 'string') continue;
      const figures = languages.get(props.language) ?? { files: 0, extracted: 0, symbols: 0 };
      languages.set(props.language, figures);
      if (isA(archetype, CodeSymbol)) figures.symbols++;
      if (!isA(archetype, File)) continue;
      figures.files++;
      if (props.extracted === true) figures.extracted++;
      if (Array.isArray(props.syntax_errors) && props.syntax_errors.length > 0)
        broken.push(String(props.path));
    }
  const calls = { unresolved: 0, ofPackages: 0 };
  for await (const page of context.storedEdges('derived'))
    for (const { type, to } of page) {
      edges.add(type);
      if (type === SymbolCallsSymbol.name && to.startsWith('sym:'))
        calls[outside.has(to) ? 'ofPackages' : 'unresolved']++;
    }
  return { nodes, edges, calls, languages, broken };
}
