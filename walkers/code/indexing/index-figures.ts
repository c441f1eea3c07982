import { compareText } from '../../../runtime/index.js';
import { FileDependsOnFile, parseId, SymbolCallsSymbol } from '../../../schema/index.js';
import { type Discovery, SKIP_REASONS } from '../../../source/index.js';
import { Counter } from '../../counter.js';
import type { GraphPart } from './code-graph.js';
import type { FilePart } from './file-part.js';
import type { Written } from './graph-writer.js';
import type { IndexOutput } from './index-output.js';
import type { ProgramParts } from './program-parts.js';
import type { FileProblem } from './read-project.js';

/** What a finished run counted. */
export interface RunFacts {
  readonly discovery: Discovery;
  readonly problems: readonly FileProblem[];
  readonly parts: ProgramParts;
  readonly written: Written;
  /** Paths that this run extracted or read anew. */
  readonly changed: ReadonlySet<string>;
  /** Milliseconds. */
  readonly duration: number;
}

/** The figures of a run. Deterministic but for the duration. */
export function indexOutput({
  discovery,
  problems,
  parts,
  written,
  changed,
  duration,
}: RunFacts): IndexOutput {
  const edges = new Counter();
  const kinds = new Counter();
  const languages = new Map<string, { files: number; extracted: number; symbols: number }>();
  const calls = { resolved: 0, unresolved: 0 };
  let indexedSymbols = 0;
  const concepts = new Set<string>();
  let bytes = 0;
  countEdges(edges, calls, parts.shared);
  for (const { indexed, part } of parts.files) {
    const symbols = symbolsOf(part);
    for (const kind of symbols) kinds.add(kind);
    countEdges(edges, calls, part);
    const language = languages.get(indexed.file.language) ?? { files: 0, extracted: 0, symbols: 0 };
    language.files++;
    if (indexed.facts) language.extracted++;
    language.symbols += symbols.length;
    languages.set(indexed.file.language, language);
    bytes += indexed.file.size;
    if (!changed.has(indexed.file.path)) continue;
    indexedSymbols += symbols.length;
    for (const concept of part.concepts.keys()) concepts.add(concept);
  }
  return {
    files_indexed: changed.size,
    symbols_indexed: indexedSymbols,
    concepts_indexed: concepts.size,
    duration_ms: duration,
    files_removed: written.removed,
    files_total: parts.files.length,
    symbols_total: kinds.total,
    edges_total: edges.total,
    languages: [...languages]
      .map(([language, figures]) => ({ language, ...figures }))
      .sort((a, b) => b.files - a.files || compareText(a.language, b.language)),
    symbols_by_kind: kinds.sorted(),
    edges_by_type: edges.sorted(),
    calls,
    skipped: skippedByReason(discovery, problems),
    central_file: centralFile(parts),
    problems: [...problems, ...syntaxProblems(parts)].sort(byPath),
    bytes_total: bytes,
  };
}

/** The reason under which a file with syntax errors is named. */
export const SYNTAX_ERROR = 'syntax-error';

/** Files and folders that were left out, counted by reason: by discovery, or because they could not be read. */
export function skippedByReason(
  { skipped }: Discovery,
  problems: readonly FileProblem[],
): Record<string, number> {
  const counter = new Counter();
  for (const { reason } of [...skipped, ...problems]) if (reason in SKIP_REASONS) counter.add(reason);
  return counter.sorted();
}

/** The file that most others import or call: a good one to look at first. */
function centralFile({ files }: ProgramParts): string | null {
  const uses = new Counter();
  for (const { part } of files)
    for (const { to, edge } of part.links) if (edge.archetype.name === FileDependsOnFile.name) uses.add(to);
  const id = Object.keys(uses.sorted())[0];
  return id === undefined ? null : (parseId(id)?.path ?? null);
}

/** Orders problems by path, then reason. */
export function byPath(a: FileProblem, b: FileProblem): number {
  return compareText(a.path, b.path) || compareText(a.reason, b.reason);
}

function symbolsOf(part: FilePart): string[] {
  return part.nodes.flatMap(({ props }) =>
    'kind' in props && 'signature' in props ? [String(props.subkind ?? props.kind)] : [],
  );
}

function countEdges(
  edges: Counter,
  calls: { resolved: number; unresolved: number },
  { links }: GraphPart,
): void {
  for (const { to, edge } of links) {
    edges.add(edge.archetype.name);
    if (edge.archetype.name !== SymbolCallsSymbol.name) continue;
    if (to.startsWith('sym:')) calls.unresolved++;
    else calls.resolved++;
  }
}

function syntaxProblems({ files }: ProgramParts): FileProblem[] {
  return files.flatMap(({ indexed: { file, facts } }) => {
    if (!facts || facts.syntax_errors.length === 0) return [];
    const lines = facts.syntax_errors.slice(0, 5).join(', ');
    return [
      {
        path: file.path,
        reason: SYNTAX_ERROR,
        detail: `line ${lines}, as the grammar reads it; the rest of the file is indexed`,
      },
    ];
  });
}
