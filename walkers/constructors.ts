import { parseId } from '../schema/index.js';

/** The names of methods that make an instance, of every language. */
const CONSTRUCTORS: ReadonlySet<string> = new Set(['constructor', '__init__']);

/** Whether an id is that of a method that makes an instance. */
export function isConstructorId(id: string): boolean {
  const { form, name } = parseId(id) ?? {};
  return form === 'm' && CONSTRUCTORS.has(name?.slice(name.lastIndexOf('.') + 1) ?? '');
}
