import { z } from 'zod';
import { LIMITS } from '../schema/index.js';

/** The input field of a path: what no system could hold is refused before anything looks for it. */
export function pathField() {
  return z.string().min(1).max(LIMITS.pathText.max);
}
