import type { Target } from '../target.js';
import { failures } from './failures.js';
import { hooks } from './hooks.js';
import { masker } from './masker.js';
import { planted } from './planted.js';

/** Everything that is tried. */
export const TARGETS: readonly Target[] = [masker, failures, hooks, planted];
