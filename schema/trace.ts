import { z } from 'zod';
import { anyObject } from './any-object.js';
import { defineNode } from './archetype.js';

/*
 * The execution trace: what agents did, and what came of it (S3.C). Durable. `<field>_raw` keeps a value that
 * the enum does not know (ruling X-13).
 */

/** How a task stands (S3-25). */
export const TASK_STATUSES = ['planned', 'running', 'success', 'failed', 'aborted'] as const;
/** One of {@link TASK_STATUSES}. */
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** What a step is for (S3-26). */
export const STEP_ROLES = ['planning', 'reading', 'editing', 'testing', 'refactoring', 'docs'] as const;
/** One of {@link STEP_ROLES}. */
export type StepRole = (typeof STEP_ROLES)[number];

/** What kind of failure an error is (S3-29). */
export const ERROR_TYPES = ['test_failure', 'compile_error', 'tool_error', 'runtime_error'] as const;
/** One of {@link ERROR_TYPES}. */
export type ErrorType = (typeof ERROR_TYPES)[number];

const text = z.string();
const optionalText = text.nullable().default(null);
const texts = z.array(text).default([]);
const count = z.number().int().min(0);
/** Bytes that were cut off long texts. */
const truncated_bytes = count.default(0);
/** ISO 8601. */
const time = text;
const optionalTime = time.nullable().default(null);

/** The parsed output of what failed, as `Failure` of the failures package; null: nothing failed. */
const failure = anyObject.nullable().default(null);
/** Ids of the tool invocations that fixed it, in the order of time. Empty: nothing was seen to fix it. */
const resolved_by = texts;
/** The same for each failing test by its name, where several failed. */
const fixes = z.record(text, z.array(text)).default({});

/** One thing that a person asked an agent for. */
export const Task = defineNode(
  'Task',
  {
    created_at: time,
    user_prompt: text.default(''),
    project_id: text.default('project:'),
    status: z.enum(TASK_STATUSES).default('running'),
    status_raw: optionalText,
    /** What the agent said at the end. */
    summary: text.default(''),
    tags: texts,
    ended_at: optionalTime,
    /** The client's own name for the conversation. */
    session_id: optionalText,
    /** Which agent: `claude`, `codex`, `qwen`, `gemini`… */
    client: optionalText,
    /** Every path that its tools touched, sorted (S3-32). */
    files_touched: texts,
    truncated_bytes,
  },
  { indexes: ['created_at', 'status', 'session_id'], doc: 'One thing that a person asked an agent for.' },
);

/** One stretch of work within a task. */
export const Step = defineNode(
  'Step',
  {
    /** Within its task, from 0. */
    order: count,
    role: z.enum(STEP_ROLES).nullable().default(null),
    role_raw: optionalText,
    llm_summary: text.default(''),
    /** The sub agent whose work it is; null: the agent's own. */
    agent: optionalText,
    started_at: optionalTime,
    ended_at: optionalTime,
    files_touched: texts,
    truncated_bytes,
  },
  { indexes: ['started_at'], doc: 'One stretch of work within a task.' },
);

/** One use of a tool. */
export const ToolInvocation = defineNode(
  'ToolInvocation',
  {
    tool_name: text,
    params_json: anyObject.nullable().default(null),
    started_at: optionalTime,
    ended_at: optionalTime,
    duration_ms: z.number().min(0).nullable().default(null),
    /** Null while it runs, and where a person stopped it. */
    success: z.boolean().nullable().default(null),
    stdout: text.default(''),
    stderr: text.default(''),
    failure,
    resolved_by,
    fixes,
    truncated_bytes,
  },
  { indexes: ['tool_name', 'started_at'], doc: 'One use of a tool.' },
);

/** A state of the work that can be gone back to. */
export const CheckpointNode = defineNode(
  'CheckpointNode',
  { checkpoint_file: text, created_at: time },
  { indexes: ['created_at'], doc: 'A state of the work that can be gone back to.' },
);

/** Something that went wrong. The archetype's name is `Error`. */
export const TraceError = defineNode(
  'Error',
  {
    error_type: z.enum(ERROR_TYPES).default('runtime_error'),
    error_type_raw: optionalText,
    message: text,
    raw_log_excerpt: text.default(''),
    /** Names of the tests that failed, as their runner says them. */
    tests: texts,
    /** The id of the ToolInvocation that met it. */
    tool_id: optionalText,
    created_at: optionalTime,
    /** Of the first test by name, if any, and the message without numbers, paths and addresses: equal for the same failure. */
    fingerprint: optionalText,
    failure,
    resolved_by,
    fixes,
    truncated_bytes,
  },
  { indexes: ['error_type', 'fingerprint', 'created_at'], doc: 'Something that went wrong in a step.' },
);
