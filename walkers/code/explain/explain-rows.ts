import { z } from 'zod';
import { ACCESSES, CALL_TYPES, EvidenceProps, parseId, RESOLUTIONS } from '../../../schema/index.js';
import type { Named } from '../../find-symbol.js';
import { qualifiedName } from '../../query/parts/code-node.js';

const count = z.number().int();

/** One end of a question: a node that a name led to. */
export const EndRow = z.object({
  id: z.string(),
  name: z.string(),
  qualified_name: z.string(),
  kind: z.string(),
  /** Null for what is outside the project. */
  path: z.string().nullable(),
  line: count.nullable(),
});
export type EndRow = z.infer<typeof EndRow>;

/** One place that an edge stands for. */
export const PlaceRow = z.object({
  /** Null for edges that stand in no file: what a trace touched. */
  path: z.string().nullable(),
  line: count,
  expression: z.string(),
  /** The whole line as it is in the file; null where the file changed since it was indexed. */
  text: z.string().nullable(),
});
export type PlaceRow = z.infer<typeof PlaceRow>;

/** One edge, and what it rests on. */
export const EdgeRow = z.object({
  kind: z.string(),
  from: z.string(),
  to: z.string(),
  /** By what it was resolved; null for edges that need no resolution. */
  resolution: z.enum(RESOLUTIONS).nullable(),
  confidence: z.number().nullable(),
  call_type: z.enum(CALL_TYPES).nullable(),
  access: z.enum(ACCESSES).nullable(),
  places: z.array(PlaceRow),
});
export type EdgeRow = z.infer<typeof EdgeRow>;

/** One step of a path from one end to the other. */
export const StepRow = z.object({ kind: z.string(), from: z.string(), to: z.string(), line: count });
export type StepRow = z.infer<typeof StepRow>;

/** What `explain` answers. */
export const ExplainOutput = z.object({
  /** Whether the graph has an edge from the one to the other that it holds for a fact. */
  exists: z.boolean(),
  /** What each name led to; several where it is ambiguous. */
  from: z.array(EndRow),
  to: z.array(EndRow),
  edges: z.array(EdgeRow),
  /** Candidates of calls that could not be told apart: no facts. */
  candidates: z.array(EdgeRow),
  /** Edges the other way round. */
  reverse: z.array(EdgeRow),
  /** The shortest way by calls, else by imports of their files; null where there is a direct edge, or none at all. */
  path: z.array(StepRow).nullable(),
  /** Where there is no edge: what stands in its place, in sentences. */
  why_not: z.array(z.string()),
  summary: z.string(),
});
export type ExplainOutput = z.infer<typeof ExplainOutput> & {
  state?: {
    cut: string[];
    unresolved: number;
    /** Files that were cited, and are on disk otherwise than the graph has them. */
    changed: string[];
  };
};

/** What edges of the code graph may have; each type has a part of it. */
export const EdgeProps = z.object({
  line: count.default(0),
  resolution: z.enum(RESOLUTIONS).nullable().default(null),
  confidence: z.number().nullable().default(null),
  call_type: z.enum(CALL_TYPES).nullable().default(null),
  access: z.enum(ACCESSES).nullable().default(null),
  evidence: z.array(EvidenceProps).default([]),
});

/** A node as one end. */
export function endRow(node: Named): EndRow {
  const { id } = node;
  const path = parseId(id)?.path ?? null;
  const kind = 'kind' in node ? String(node.subkind ?? node.kind) : node.archetype.name.toLowerCase();
  const line = 'start_line' in node ? Number(node.start_line) : path === null ? null : 1;
  return { id, name: shortName(id), qualified_name: qualifiedName(node), kind, path, line };
}

/** What tells a node apart for a reader: `Auth.login`, or the path of a file. */
export function shortName(id: string): string {
  const parsed = parseId(id);
  return parsed?.name ?? parsed?.path ?? id;
}
