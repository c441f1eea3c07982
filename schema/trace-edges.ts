import { z } from 'zod';
import { defineEdge } from './archetype.js';
import { CodeSymbol, Concept, File } from './code.js';
import { CheckpointNode, Step, Task, ToolInvocation, TraceError } from './trace.js';

/*
 * The edges of S3-30. Canonical order: events arrive twice and in any order (C-02), and a canonical edge is
 * unique per pair and takes no mark from arrival. What comes first is said by `order`.
 */

const trace = { layer: 'durable', order: 'canonical' } as const;
/** Whether Codewalk concluded it, rather than an event said so. */
const derived = z.boolean().default(true);

/** How a tool used a file; null when the tool does not tell. */
export const FILE_USES = ['read', 'write'] as const;

/** A task's steps in their order. */
export const TaskHasStep = defineEdge(
  'task_has_step',
  { order: z.number().int().min(0) },
  { ...trace, from: Task, to: Step, inline: ['order'], doc: 'A task went through a step.' },
);
/** The tools that a step used. */
export const StepInvokesTool = defineEdge(
  'step_invokes_tool',
  { order: z.number().int().min(0).default(0) },
  { ...trace, from: Step, to: ToolInvocation, inline: ['order'], doc: 'A step used a tool.' },
);
/** Ends on the very File of the code graph (S3-31). */
export const ToolTouchesFile = defineEdge(
  'tool_touches_file',
  { use: z.enum(FILE_USES).nullable().default(null) },
  { ...trace, from: ToolInvocation, to: File, inline: ['use'], doc: 'A tool read or wrote a file.' },
);
/** Ends on the very Symbol of the code graph, as the edited file itself has it. */
export const ToolTouchesSymbol = defineEdge(
  'tool_touches_symbol',
  {},
  { ...trace, from: ToolInvocation, to: CodeSymbol, doc: 'A tool changed lines of a symbol.' },
);
/** A checkpoint made in a step. */
export const StepHasCheckpoint = defineEdge(
  'step_has_checkpoint',
  {},
  { ...trace, from: Step, to: CheckpointNode, doc: 'A step made a checkpoint.' },
);
/** A failure met in a step. */
export const StepHasError = defineEdge(
  'step_has_error',
  {},
  { ...trace, from: Step, to: TraceError, doc: 'A step met an error.' },
);
/** The step of the last change that fixed a failure; see `resolved_by` of the error. */
export const ErrorResolvedByStep = defineEdge(
  'error_resolved_by_step',
  { derived },
  { ...trace, from: TraceError, to: Step, inline: ['derived'], doc: 'A step fixed what an error reports.' },
);
/** A step that needs an earlier one: same file, later order. */
export const StepDependsOnStep = defineEdge(
  'step_depends_on_step',
  { derived },
  { ...trace, from: Step, to: Step, inline: ['derived'], doc: 'A step builds on an earlier one.' },
);
/** A concept that a task is about. */
export const TaskRelatedToConcept = defineEdge(
  'task_related_to_concept',
  { derived },
  { ...trace, from: Task, to: Concept, inline: ['derived'], doc: 'A task is about a concept.' },
);
/** Undirected: two steps with the same files or failures. Connect it as an undirected edge. */
export const SimilarStep = defineEdge(
  'similar_step',
  { score: z.number().min(0).max(1).default(1), derived },
  {
    ...trace,
    from: Step,
    to: Step,
    inline: ['score', 'derived'],
    doc: 'Two steps are similar; undirected, computed when asked for.',
  },
);
