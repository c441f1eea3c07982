// The events of a storm: what several agents would report of their work at once, and the order they are sent in.

/** Agents that work at the same time. */
const AGENTS = 12;
/** Milliseconds from one event to the next: no two have one time. */
const STEP_MS = 37;
const FIRST = Date.UTC(2026, 0, 5);
const TOOLS = ['read', 'edit', 'bash', 'search'];
const ROLES = ['planning', 'reading', 'editing', 'testing'];
const THINGS = [
  'basket',
  'ledger',
  'parser',
  'router',
  'cache',
  'mailer',
  'cursor',
  'banner',
  'worker',
  'clock',
];
const FAULTS = ['is undefined', 'timed out', 'has no default', 'was closed twice', 'does not match'];
// Prompts that name concepts would be joined to those that the graph has at that moment.
const PROMPT = 'Work on';

/**
 * Events in the order of their times. Every one has an identity, a time and a text of its own (`n17`).
 *
 * @param count how many
 * @param random numbers from 0 to 1
 */
export function eventsOf(count, random) {
  const agents = Array.from({ length: AGENTS }, (_, at) => ({ at, session: 0, left: [] }));
  const events = [];
  for (let n = 0; n < count; n += 1) {
    const agent = agents[Math.floor(random() * agents.length)];
    if (agent.left.length === 0) {
      agent.session += 1;
      agent.left = workOf(random);
    }
    const { kind, payload } = agent.left.shift()(`n${n}`);
    const at = FIRST + n * STEP_MS;
    events.push({
      event_id: `storm-${n}`,
      session_id: `agent-${agent.at}-${agent.session}`,
      ts: n % 2 === 0 ? at : new Date(at).toISOString(),
      kind,
      payload,
    });
  }
  return events;
}

/** What one agent does in one session: one to three prompts, each with steps and the tools that they use. */
function workOf(random) {
  const pick = (list) => list[Math.floor(random() * list.length)];
  const some = (least, most) => least + Math.floor(random() * (most - least + 1));
  const file = () => `src/${pick(THINGS)}-${some(1, 9)}.ts`;
  const work = [];
  const add = (kind, payloadOf) => work.push((mark) => ({ kind, payload: payloadOf(mark) }));
  for (let prompts = some(1, 3); prompts > 0; prompts -= 1) {
    const thing = pick(THINGS);
    add('task_start', (mark) => ({ user_prompt: `${PROMPT} ${thing} ${mark}`, tags: [thing] }));
    for (let order = 1, steps = some(1, 3); order <= steps; order += 1) {
      const role = pick(ROLES);
      add('step', (mark) => ({ order, role, llm_summary: `${role} ${thing} ${mark}` }));
      for (let uses = some(1, 5); uses > 0; uses -= 1) {
        const [tool, touched, success] = [pick(TOOLS), [file()], random() < 0.8];
        const fault = pick(FAULTS);
        add('tool_start', (mark) => ({ tool_name: tool, params_json: { mark }, files_touched: touched }));
        add('tool_end', (mark) => ({ tool_name: tool, success, stdout: mark, files_touched: touched }));
        if (!success)
          add('error', (mark) => ({
            error_type: 'tool_error',
            message: `${thing} ${fault}`,
            raw_log_excerpt: mark,
          }));
      }
      if (random() < 0.3) add('checkpoint', (mark) => ({ checkpoint_file: `${mark}.patch` }));
    }
    const status = pick(['success', 'failed', 'aborted']);
    add('task_end', () => ({ status }));
  }
  return work;
}

/**
 * The order in which events are sent: a share of them later than their time, a share of them twice.
 *
 * @param events in the order of their times
 * @param random numbers from 0 to 1
 * @param share of the events that are late, and of those that are sent again
 */
export function deliveriesOf(events, random, share = 0.05) {
  const reach = Math.max(10, Math.floor(events.length / 20));
  const later = () => 1 + random() * reach;
  const placed = events.flatMap((event, at) => {
    const first = random() < share ? at + later() : at;
    return [{ event, at: first }, ...(random() < share ? [{ event, at: first + later() }] : [])];
  });
  return placed.sort((a, b) => a.at - b.at).map(({ event }) => event);
}
