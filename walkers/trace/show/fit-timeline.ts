import { cutText, type DetailAt } from '../../../present/index.js';
import { shortMend } from '../mend-row.js';
import type { EventRow, StepRow } from './timeline-rows.js';

/** How long the texts and lists of a step may be: shorter ones are tried where the longer do not fit. */
const SIZES = [
  { text: 500, items: 20 },
  { text: 200, items: 5 },
  { text: 80, items: 2 },
] as const;
type Size = (typeof SIZES)[number];
/** Events of a step that stay where even short ones do not fit: the last ones, and the failures before. */
const LAST_EVENTS = 10;

/** What steps say shorter before they fall (P-02): texts and lists first, then what went well. */
export const TIMELINE_LESS: readonly DetailAt[] = [
  ...SIZES.map((size) => ({ of: 'steps', what: 'Texts and lists', shorter: shortened(size) })),
  { of: 'steps', what: 'Uses of tools that went well', shorter: withFewEvents },
];

function shortened(size: Size): (step: StepRow) => StepRow {
  return (step) => ({
    ...step,
    summary: cutText(step.summary, size.text),
    events: step.events.map((event) => shortEvent(event, size)),
  });
}

function shortEvent(event: EventRow, { text, items }: Size): EventRow {
  if (event.kind === 'checkpoint') return event;
  if (event.kind === 'error')
    return {
      ...event,
      message: cutText(event.message, text),
      tests: event.tests.slice(0, items),
      resolved_by: event.resolved_by && shortMend(event.resolved_by, items),
    };
  return {
    ...event,
    command: event.command && cutText(event.command, text),
    said: cutText(event.said, text),
    files: event.files.slice(0, items),
    symbols: event.symbols.slice(0, items),
  };
}

function withFewEvents(step: StepRow): StepRow {
  const before = step.events.length - LAST_EVENTS;
  const events = step.events.filter((event, at) => at >= before || isFailure(event));
  return { ...step, events, left_out: step.left_out + step.events.length - events.length };
}

function isFailure(event: EventRow): boolean {
  return event.kind === 'error' || (event.kind === 'tool' && event.success === false);
}
