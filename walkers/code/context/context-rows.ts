import { z } from 'zod';
import { RememberedRow } from '../../../graphs/memory/index.js';
import type { NodeRef } from '../../../runtime/index.js';
import { type CodeSymbol, ERROR_TYPES, STEP_ROLES, TASK_STATUSES } from '../../../schema/index.js';
import { STANDINGS } from './asked-file.js';

const count = z.number().int();

/** How a symbol came into the context: the file's own, or by which edge of a nearer one. */
export const RELATIONS = [
  'own',
  'caller',
  'callee',
  'base',
  'derived',
  'interface',
  'implementation',
  'referrer',
  'referenced',
] as const;
/** One of {@link RELATIONS}. */
export type Relation = (typeof RELATIONS)[number];

/** How a relation reads from the row's side. */
const PHRASES: Readonly<Record<Relation, string>> = {
  own: '',
  caller: 'calls',
  callee: 'called by',
  base: 'base of',
  derived: 'extends',
  interface: 'implemented by',
  implementation: 'implements',
  referrer: 'uses',
  referenced: 'used by',
};

/** A relation to a nearer symbol: `calls it`. */
export function relationText(relation: Relation): string {
  return `${PHRASES[relation]} it`;
}

/** A link to a nearer symbol, and the line where it is written. */
export function linkText(relation: Relation, nearer: string, line: number): string {
  return `${PHRASES[relation]} ${nearer} at ${line}`;
}

/** Links that one row shows: enough to see how it hangs together with the files. */
export const MAX_LINKS = 8;

/** One symbol of a context. */
export const SymbolRow = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.string(),
  qualified_name: z.string(),
  path: z.string(),
  start_line: count,
  end_line: count,
  signature: z.string().optional(),
  docstring: z.string().nullable().optional(),
  /** Hops from the files asked for; 0 is their own. */
  distance: count,
  /** The closest of its relations. */
  relation: z.enum(RELATIONS),
  /** How it is joined to nearer symbols, `calls Auth.login at 12`; at most {@link MAX_LINKS}. The files' own have none. */
  links: z.array(z.string()).optional(),
});
export type SymbolRow = z.infer<typeof SymbolRow>;

/** One file or symbol near the files asked for, with why it is named. */
export const RelatedRow = z.object({
  id: z.string(),
  name: z.string(),
  path: z.string(),
  /** Of a file, the nearest symbol in it, by its name there; of the nearest files only. */
  symbol: z.string().nullable().optional(),
  /** The first line of the symbol; of a test file the first line that speaks of the files asked for. */
  line: count.nullable(),
  /** Larger is nearer, within one answer: sums ranks by all kinds of evidence. */
  score: z.number(),
  why: z.string(),
  /** Of a file with a symbol: why that one; `why` is the file's. */
  symbol_why: z.string().optional(),
});
export type RelatedRow = z.infer<typeof RelatedRow>;

/** One test file that may tell whether the files asked for still work. */
export const TestRow = RelatedRow.omit({ name: true, symbol: true, symbol_why: true }).extend({
  /** Its symbols that exercise the files asked for, the closest first. */
  cases: z.array(z.string()),
});
export type TestRow = z.infer<typeof TestRow>;

/** One concept that the files mention. */
export const ConceptRow = z.object({
  id: z.string(),
  label: z.string(),
  source: z.string(),
  path: z.string(),
});
export type ConceptRow = z.infer<typeof ConceptRow>;

/** One step of an earlier task that touched the files. */
export const StepRow = z.object({
  id: z.string(),
  /** Within its task. */
  order: count,
  role: z.enum(STEP_ROLES).nullable(),
  summary: z.string(),
  /** The file that it touched. */
  path: z.string(),
  /** ISO 8601. */
  started_at: z.string().nullable(),
  task: z.object({ id: z.string(), prompt: z.string(), status: z.enum(TASK_STATUSES) }).nullable(),
  /** What failed there. */
  errors: z.array(z.object({ type: z.enum(ERROR_TYPES), message: z.string() })),
  /** The step after which it was better: null where nothing failed, or nothing is known to have mended it. */
  resolved_by: z.object({ id: z.string(), summary: z.string() }).nullable(),
});
export type StepRow = z.infer<typeof StepRow>;

/** One name that a file asked for passes on from another. */
export const ReExportRow = z.object({
  /** `*`: all that the other file offers. */
  name: z.string(),
  id: z.string(),
  path: z.string(),
});
export type ReExportRow = z.infer<typeof ReExportRow>;

/** One file that was asked for. */
export const FileRow = z.object({
  path: z.string(),
  /** Whether its symbols are in the graph, and if not, why. */
  standing: z.enum(STANDINGS),
  /** What happened to it on disk since it was indexed; null for nothing. */
  change: z.enum(['changed', 'deleted']).nullable(),
  /** It is in no graph any more, but traces end on it. */
  gone: z.literal(true).optional(),
  /** What it passes on from other files; absent where it passes on nothing. */
  re_exports: z.array(ReExportRow).optional(),
});

/** The answer of `graph_context_for_files` (S3-14). */
export const ContextOutput = z.object({
  context_pack: z.object({
    related: z.array(RelatedRow).optional(),
    tests: z.array(TestRow).optional(),
    /** What is remembered of the files and what is in them; absent where there is nothing. */
    memories: z.array(RememberedRow).optional(),
    etg_steps: z.array(StepRow),
    symbols: z.array(SymbolRow),
    concepts: z.array(ConceptRow),
    summary: z.string(),
    files: z.array(FileRow),
  }),
  /** The first lines of the answer as Markdown: at most 600 characters. */
  returnDisplay: z.string(),
});
export type ContextOutput = z.infer<typeof ContextOutput> & {
  state?: {
    cut: string[];
    unresolved: number | null;
    /** Files that an index run which did not finish has still to write. */
    pending: number;
    /** Files that were asked for, and are on disk otherwise than the graph has them. */
    changed: string[];
  };
};

/** A symbol as a row. The docstring's first line is enough to know what it is for. */
export function symbolRow(node: NodeRef<typeof CodeSymbol>, distance: number, relation: Relation): SymbolRow {
  return {
    id: node.id,
    name: node.name,
    kind: node.subkind ?? node.kind,
    qualified_name: node.qualified_name,
    path: node.path,
    start_line: node.start_line,
    end_line: node.end_line,
    signature: node.signature,
    docstring: node.docstring?.split('\n', 1)[0] ?? null,
    distance,
    relation,
  };
}
