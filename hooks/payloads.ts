import { stripVTControlCharacters } from 'node:util';
import { bothEnds } from '../failures/index.js';
import type { Agents } from '../host/index.js';
import { type Agent, type AgentReport, type Call, hasFailed, momentOf, printedBy } from './agent.js';
import { agentNamed } from './agents/index.js';
import { eventsOf, failureOf, taskId } from './events.js';
import { reportOf } from './lifecycle.js';
import { absolutePath, readPayload } from './payload.js';

/** Characters of a failure's output, of a prompt and of an edit's texts that are asked with. */
const MOST = 10_000;

/** What reads agents' own payloads: see {@link Agents}. */
export const agents: Agents = {
  eventsOf(recorded) {
    const agent = agentNamed(recorded.client);
    if (!agent) return null;
    const report = read(recorded.payload, agent);
    return report ? eventsOf(report, recorded) : [];
  },
  questionOf({ client, payload }) {
    const agent = agentNamed(client);
    const report = agent && read(payload, agent);
    const moment = report && momentOf(report.events[0], agent);
    if (!moment) return null;
    const { session, prompt, event } = report;
    const task = prompt === null ? {} : { task_id: taskId(client, prompt) };
    const input = { session_id: session, moment, ...task, ...subjectOf(report) };
    return { input, wrap: (said) => agent.wrap(event, said) };
  },
};

function read(bytes: Uint8Array, { dialect }: Agent): AgentReport | null {
  const payload = readPayload(bytes);
  return payload && reportOf(payload, dialect);
}

/** What a question is about. */
function subjectOf({ events: [event] }: AgentReport): Record<string, unknown> {
  switch (event?.kind) {
    case 'prompt':
      return { prompt: bothEnds(event.text, MOST) };
    case 'begin':
      return { ...callFields(event.call), ...fileFields(event.call.files) };
    case 'done': {
      const { call, outcome } = event;
      if (!hasFailed(outcome)) return { ...callFields(call), ...fileFields(call.files) };
      const { tests, frames } = failureOf(call, outcome).failure;
      const named = [...tests, ...frames].flatMap(({ file }) => file ?? []);
      return {
        ...callFields(call),
        ...fileFields([...call.files, ...named.map((file) => absolutePath(file, call.cwd))]),
        output: stripVTControlCharacters(bothEnds(printedBy(outcome), MOST)),
      };
    }
    default:
      return {};
  }
}

function callFields({ id, command, edits }: Call): Record<string, unknown> {
  const [first] = edits;
  // Several replacements in one file are one edit of it.
  const edit = first && {
    file: first.file,
    old: bothEnds(edits.map(({ old }) => old).join('\n'), MOST),
    now: bothEnds(edits.map(({ now }) => now).join('\n'), MOST),
  };
  return {
    ...(id === null ? {} : { tool_id: id }),
    ...(command === null ? {} : { command: bothEnds(command, MOST) }),
    ...(edit ? { edit } : {}),
  };
}

function fileFields(files: readonly string[]): Record<string, unknown> {
  return files.length === 0 ? {} : { file_paths: [...new Set(files)] };
}
