import { z } from 'zod';
import type { Payload } from './payload.js';

/*
 * Payloads of lifecycle hooks. All fields are optional and none can fail: a value of another type is read as what it can
 * stand for, or as left out.
 */

const text = z.union([z.string(), z.number(), z.boolean()]).transform(String).optional().catch(undefined);
/** Milliseconds; no call takes months, and what would begin before all time could not be recorded. */
const duration = z.coerce.number().min(0).max(10_000_000_000).optional().catch(undefined);
const flag = z.union([z.boolean(), z.stringbool()]).optional().catch(undefined);

const LifecycleFields = z.object({
  hook_event_name: text,
  session_id: text,
  /** The conversation's own file, named after the session. */
  transcript_path: text,
  cwd: text,
  /** ISO 8601. */
  timestamp: text,
  /** Of the prompt at work. */
  prompt_id: text,
  turn_id: text,
  agent_id: text,
  prompt: text,
  submitted_prompt: text,
  tool_name: text,
  tool_input: z.unknown().optional(),
  tool_use_id: text,
  tool_call_id: text,
  tool_response: z.unknown().optional(),
  tool_result: z.unknown().optional(),
  tool_calls: z.array(z.unknown()).optional().catch(undefined),
  error: z.unknown().optional(),
  is_interrupt: flag,
  duration_ms: duration,
  last_assistant_message: text,
  prompt_response: text,
  checkpoint_file: text,
});
/** The fields that clients with lifecycle hooks share. */
export type LifecycleFields = z.infer<typeof LifecycleFields>;

/** The fields of a payload, also where a version spells their names otherwise (`sessionId`, `Session-Id`). */
export function lifecycleFields(payload: Payload): LifecycleFields {
  const spelled = new Map(Object.entries(payload).map(([key, value]) => [spelling(key), value]));
  const found = Object.keys(LifecycleFields.shape).flatMap((field) => {
    const value = Object.hasOwn(payload, field) ? payload[field] : spelled.get(spelling(field));
    return value === undefined || value === null ? [] : [[field, value] as const];
  });
  return LifecycleFields.parse(Object.fromEntries(found));
}

function spelling(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/gu, '');
}
