import type { WalkerType } from '../runtime/index.js';
import { GraphIndexProject } from './code/graph-index-project.js';

/** The built-in walkers. Adding one is adding its file and a line here. */
export const WALKERS: readonly WalkerType[] = [GraphIndexProject];
