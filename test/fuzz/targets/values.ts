import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { agents } from '../../../hooks/index.js';
import {
  directHost,
  ingestOn,
  Journal,
  journalCounts,
  rebuildHistory,
  recordEntry,
} from '../../../host/index.js';
import { jsonText } from '../json-text.js';
import { codedError, libraryIn, linesOf } from '../product.js';
import { writeProject } from '../project.js';
import { brief, demand, type Target } from '../target.js';

const READS: readonly (readonly [walker: string, input: Record<string, unknown>])[] = [
  ['tasks', {}],
  ['errors', {}],
  ['etg_query_similar_attempts', { query: 'x is undefined' }],
  ['query_cypher', { query: 'MATCH (n:ToolInvocation) RETURN n, properties(n), n.params_json LIMIT 1000' }],
  ['memory_export', {}],
];

/** Any JSON value that events, hooks and tools bring: recorded, read, exported, and rebuilt from event records. */
export const values: Target = {
  name: 'values',
  weight: 2,
  async open(place) {
    const { openGraph } = await libraryIn(place);
    const root = writeProject(join(place.scratch, 'shop'));
    const template = join(place.scratch, 'template');
    {
      await using graph = await openGraph(root, { home: template });
      await graph.spawn('graph_index_project', null, {});
    }
    let nth = 0;
    return {
      generate: (random) => random.times(random.between(1, 6), () => jsonText(random)),
      async run(input) {
        const texts = (Array.isArray(input) ? input : []).filter(isJson);
        if (texts.length === 0) return;
        const home = join(place.scratch, `v${nth++}`);
        cpSync(template, home, { recursive: true });
        for (const [at, text] of texts.entries())
          for (const [client, payload] of payloadsWith(text, `s${at}`))
            recordEntry({ home, root, client, cwd: root }, [Buffer.from(payload)]);
        await using host = directHost(home);
        await using journal = new Journal({ home, ingest: ingestOn(host), agents });
        const { failure, aside } = await journal.drain();
        const counts = journalCounts(home);
        demand(failure === null, 'recorded', () => `${failure?.code}: ${failure?.message}`);
        demand(aside === 0 && counts.pending === 0, 'recorded', () => brief(counts));
        await host.close();
        const exported = async (): Promise<string> => {
          await using graph = await openGraph(root, { home });
          for (const [at, text] of texts.entries()) {
            await sound(() => graph.spawn('show', null, { task: `t${at}` }));
            const params: unknown = JSON.parse(text);
            const payload = { tool_name: 'own', params_json: { v: params } };
            const event = { kind: 'tool_start', payload, task_id: `t${at}`, event_id: `own${at}` };
            await sound(() => graph.spawn('etg_log_event', null, event));
            const asked = { query: 'RETURN $v AS v', parameters: { v: params } };
            await codedError(() => graph.spawn('query_cypher', null, asked));
          }
          for (const [walker, given] of READS) await sound(() => graph.spawn(walker, null, given));
          const { derived, durable } = graph.damaged;
          demand(derived.size + durable.size === 0, 'whole', () => brief([...durable]));
          return (await linesOf(graph, 'graph_export', { layer: 'durable' })).join('\n');
        };
        const before = await exported();
        const made = await rebuildHistory(root, { release: async () => undefined }, { home });
        demand(made.damaged + made.refused === 0 && made.old_store, 'mended', () => brief({ ...made }));
        const after = await exported();
        demand(after === before, 'mended', () => `of ${brief(before)}\nthere is ${brief(after)}`);
        rmSync(home, { recursive: true, force: true });
      },
    };
  },
};

/** What recorders are given: an event of a tool with a value in it, and hooks of two clients. */
function payloadsWith(value: string, session: string): [client: string | null, payload: string][] {
  const event = `"session_id":"${session}","task_id":"${session.replace('s', 't')}"`;
  const hook = `"session_id":"${session}","cwd":"/x","tool_name":"Bash","tool_input":{"command":"ls","v":${value}}`;
  return [
    [null, `{"kind":"task_start",${event},"payload":{"user_prompt":"x","more":${value}}}`],
    [
      null,
      `{"kind":"tool_start",${event},"payload":{"tool_name":"t","params_json":{"v":${value}},"w":${value}}}`,
    ],
    [
      null,
      `{"kind":"tool_start",${event},"payload":{"tool_name":"__proto__","params_json":${value.startsWith('{') ? value : '{}'}}}`,
    ],
    [
      null,
      `{"kind":"error",${event},"payload":{"error_type":"toString","message":"x is undefined"},"v":${value}}`,
    ],
    ['claude', `{"hook_event_name":"PreToolUse",${hook}}`],
    ['claude', `{"hook_event_name":"PostToolUse",${hook},"tool_response":{"stdout":"x","v":${value}}}`],
    ['qwen', `{"hook_event_name":"PostToolUseFailure",${hook},"error":${value}}`],
  ];
}

/** @throws Fault where it fails. */
async function sound(work: () => Promise<unknown>): Promise<void> {
  const error = await codedError(work);
  demand(error === null, 'read', () => `${error?.code}: ${error?.message}`);
}

function isJson(text: unknown): text is string {
  try {
    return typeof text === 'string' && JSON.parse(text) !== undefined;
  } catch {
    return false;
  }
}
