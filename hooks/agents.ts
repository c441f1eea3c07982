import type { Agents } from '../host/index.js';
import { eventsOf } from './events/events-of.js';
import { questionOf } from './question-of.js';
import { readPayload } from './read-payload.js';
import { AGENTS } from './registry.js';

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
