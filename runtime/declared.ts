import type { z } from 'zod';
import { CodewalkError, issuesText } from '../schema/index.js';
import { shown } from './locations.js';
import type { WalkerType } from './walker.js';

/**
 * Holds what a walker gives against what it declared: tools list these schemas, and clients refuse what differs.
 * Schemas describe the value as it is given: one that transforms is applied to the outcome of its own transformation.
 *
 * @param what What the value is, for the message: `output`.
 * @throws CodewalkError `WALKER_FAILED` naming the walker, the field and the value.
 */
export function checkDeclared(
  walker: WalkerType,
  schema: z.ZodType | null,
  value: unknown,
  what: 'report' | 'output' | 'answer',
): void {
  const parsed = schema?.safeParse(value);
  if (!parsed || parsed.success) return;
  const field = parsed.error.issues[0]?.path ?? [];
  const found = field.reduce<unknown>((at, key) => Object(at)[key], value);
  throw new CodewalkError(
    'WALKER_FAILED',
    `the ${what} of the walker '${walker.name}' does not fit its schema: ${issuesText(parsed.error)} (given: ${shown(found)})`,
    { suggestion: 'Change the schema that it declares, or what it gives.' },
  );
}
