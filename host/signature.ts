import { z } from 'zod';
import type { Access, WalkerExample, WalkerType } from '../runtime/index.js';
import { answerSchema } from './answer.js';

/** JSON Schema as plain data. */
export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** A walker as plain data, all that a face needs to know of it: it crosses processes, and the build writes ours down. */
export interface WalkerSignature {
  readonly name: string;
  readonly description: string;
  readonly access: Access;
  /** Of its input, as callers write it: fields with a default are not required. */
  readonly input: JsonSchema;
  /** Of its whole answer, with `state`. */
  readonly output: JsonSchema;
  readonly examples: readonly WalkerExample[];
}

/** The signature of a walker. What JSON Schema cannot say of a field is left open. */
export function signatureOf(walker: WalkerType): WalkerSignature {
  const { name, description, access, examples } = walker;
  const input = z.toJSONSchema(walker.input, { io: 'input', unrepresentable: 'any' });
  const output = z.toJSONSchema(answerSchema(walker), { io: 'output', unrepresentable: 'any' });
  return { name, description, access, input, output, examples };
}
