import type { Target } from '../lib.js';
import { cypher } from './cypher.js';
import { failures } from './failures.js';
import { hookEnds } from './hook-ends.js';
import { hooks } from './hooks.js';
import { importing } from './import.js';
import { indexTwice } from './index-twice.js';
import { masker } from './masker.js';
import { mcp, tools } from './server.js';
import { settings } from './settings.js';
import { source } from './source.js';
import { stores } from './stores.js';

export const TARGETS: readonly Target[] = [
  masker,
  failures,
  hooks,
  hookEnds,
  mcp,
  tools,
  cypher,
  source,
  indexTwice,
  settings,
  importing,
  stores,
];
