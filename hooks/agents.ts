import { stripVTControlCharacters } from 'node:util';
import { bothEnds } from '../failures/index.js';
import type { Agents, HookQuestion } from '../host/index.js';
import type { Agent } from './agent.js';
import { eventsOf } from './events/events-of.js';
import { taskId } from './ids.js';
import { placed } from './placed.js';
import { readPayload } from './read-payload.js';
import { AGENTS } from './registry.js';
import { type Call, failureOf, hasFailed, printedBy, type Told } from './told.js';

/** Characters of a failure's output, of a prompt and of an edit's texts that are asked with. */
const MOST = 10_000;

/** What is known of agents' own payloads: see {@link Agents}. */
export const agents: Agents = {
  eventsOf(recorded) {
    const agent = AGENTS.find(({ name }) => name === recorded.client);
    if (!agent) return null;
    const payload = readPayload(recorded.payload);
    const told = payload && agent.tell(payload);
    return told ? eventsOf(told, recorded) : [];
  },
  questionOf({ client, payload }) {
    const agent = AGENTS.find(({ name }) => name === client);
    const read = agent && readPayload(payload);
    const told = read && agent.tell(read);
    return told ? questionOf(told, agent) : null;
  },
};

/** What a payload asks of the graph; null: nothing. */
function questionOf(told: Told, agent: Agent): HookQuestion | null {
  const moment = agent.momentOf(told);
  const about = moment === null ? null : aboutOf(told);
  if (about === null) return null;
  const input = {
    session_id: told.session,
    moment,
    ...(told.prompt === null ? {} : { task_id: taskId(agent.name, told.prompt) }),
    ...about,
  };
  return { input, wrap: (said) => agent.wrap(told, said) };
}

function aboutOf({ happenings: [happening] }: Told): Record<string, unknown> | null {
  switch (happening?.kind) {
    case 'session_start':
      return {};
    case 'prompt':
      return { prompt: bothEnds(happening.text, MOST) };
    case 'begin':
      return { ...callOf(happening.call), ...filesOf(happening.call.files) };
    case 'done': {
      const { call, outcome } = happening;
      if (!hasFailed(outcome)) return { ...callOf(call), ...filesOf(call.files) };
      const { tests, frames } = failureOf(call, outcome).failure;
      const named = [...tests, ...frames].flatMap(({ file }) => file ?? []);
      return {
        ...callOf(call),
        ...filesOf([...call.files, ...named.map((file) => placed(file, call.cwd ?? undefined))]),
        output: stripVTControlCharacters(bothEnds(printedBy(outcome), MOST)),
      };
    }
    default:
      return null;
  }
}

function callOf({ id, command, edits }: Call): Record<string, unknown> {
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

function filesOf(files: readonly string[]): Record<string, unknown> {
  return files.length === 0 ? {} : { file_paths: [...new Set(files)] };
}
