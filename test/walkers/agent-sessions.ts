import type { OpenGraph } from '../../index.js';
import type { EventKind } from '../../schema/index.js';
import { EtgLogEvent } from '../../walkers/trace/etg-log-event.js';
import { TraceIngest } from '../../walkers/trace/trace-ingest.js';

/** Parameters of a tool, fields of a payload. */
export type Params = Record<string, unknown>;

/** A small project: a function, who calls it, its test, and a file that stands alone. */
export const CART = {
  'package.json': '{"name": "cart", "type": "module"}',
  'src/price.js': `export function applyDiscount(total, pct) {
  return total - total * pct;
}

export function formatPrice(n) {
  return '$' + n.toFixed(2);
}
`,
  'src/cart.js': `import { applyDiscount, formatPrice } from './price.js';

export class Cart {
  items = [];
  total(pct = 0) {
    return applyDiscount(this.items.length, pct);
  }
  receipt() {
    return formatPrice(this.total());
  }
}
`,
  'src/alone.js': 'export const alone = 1;\n',
  'test/cart.test.js': `import test from 'node:test';
import { applyDiscount } from '../src/price.js';

test('10 percent discount', () => {
  applyDiscount(20, 10);
});
`,
};
/** How the tests are run, and what they print as long as the discount is wrong. */
export const RUN = { command: 'node --test test/' };
/** See {@link RUN}. */
export const FAILURE = `TAP version 13
not ok 1 - 10 percent discount
  error: |-
    Expected values to be strictly equal:
    -180 !== 18
  code: 'ERR_ASSERTION'
# fail 1`;
/** The edit that fixes it. */
export const FIX = {
  file_path: 'src/price.js',
  old_string: '  return total - total * pct;',
  new_string: '  return total - (total * pct) / 100;',
};
/** What the first session was asked. */
export const FIRST_PROMPT =
  'The discount in src/price.js is wrong: applyDiscount gets a percentage like 10. Fix it and make the tests pass.';

/** The sessions of agents in one graph: what their hooks record, and what these answer. */
export class Sessions {
  readonly #graph: OpenGraph;
  #at = Date.now() - 30 * 60_000;

  constructor(graph: OpenGraph) {
    this.#graph = graph;
  }

  /** Logs one event, some seconds after the one before; the first was half an hour ago. */
  async log(kind: EventKind, payload: Params, session_id: string, more: Params = {}) {
    this.#at += 10_000;
    const ts = new Date(this.#at).toISOString();
    return (await this.#graph.spawn(EtgLogEvent, null, { kind, payload, session_id, ts, ...more })).output;
  }

  /** One use of a tool. @param failed What it printed where it failed. */
  async use(session: string, params: Params, failed?: string, tool_id = `call ${this.#at}`) {
    const tool_name = 'command' in params ? 'run_shell_command' : 'edit';
    const files_touched = typeof params.file_path === 'string' ? [params.file_path] : [];
    await this.log('tool_start', { tool_name, params_json: params, files_touched }, session, { tool_id });
    const outcome = { success: failed === undefined, stdout: failed ?? '' };
    await this.log('tool_end', { tool_name, ...outcome, files_touched }, session, { tool_id });
  }

  /** A session that met a failing test and fixed it. */
  async fixesDiscount(session = 's1') {
    await this.log('task_start', { user_prompt: FIRST_PROMPT }, session);
    await this.use(session, RUN, FAILURE);
    await this.use(session, FIX);
    await this.use(session, RUN);
    return (await this.log('task_end', { status: 'success' }, session)).task_id;
  }

  /** What the hook of a session answers at a moment; what it answers counts as delivered. */
  async answer(moment: string, more: Params = {}, session_id = 's2'): Promise<string | null> {
    const input = { events: [], question: { session_id, moment, ...more } } as never;
    return (await this.#graph.spawn(TraceIngest, null, input)).output.text;
  }
}
