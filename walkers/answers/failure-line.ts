import { type Attempt, type AttemptEvent, idOf } from '../../graphs/trace/index.js';
import { firstLine } from '../shown-text.js';
import { failureText } from '../trace/attempts/failure-text.js';
import { quoted } from './shown-record.js';

/** Characters of what failed, and tests that are named. */
const FAILED = 160;
const MOST_TESTS = 2;

/**
 * Lines of a failing output that say most, the best kind first: what a runner marks as the error, an error by its name,
 * and what failed by its name.
 */
const TELLING: readonly RegExp[] = [
  /^E\s+\S*(?:Error|Exception|assert|Failed)/u,
  /^\s*(?:\[?(?=([\w.]*(?:Error|Exception|Warning)\b))\1[^(:]*:|fatal:|error(?:\[\w+\]| TS\d+)?:|npm ERR!|panic:)\s*[^\s|].*\p{L}{2}/u,
  /: (?:command not found|No such file|Permission denied)|error TS\d+/u,
  /^(?:FAILED|FAIL|ERROR)\b|^\s*(?:not ok \d|[×✗✘✕✖●]\s)|--- FAIL/u,
];

/** The failure that an attempt is best told by: a command that failed rather than an edit that did not fit. */
export function mainFailure({ events }: Attempt): string | null {
  const failed = events.filter(isFailure);
  const command = failed.find((event) => event.kind === 'tool' && event.use.command !== null);
  const [first] = failed;
  return command ? idOf(command) : first ? idOf(first) : null;
}

/** Whether an event tells that something went wrong. */
export function isFailure(event: AttemptEvent): boolean {
  return event.kind === 'error' || event.ok === false;
}

/**
 * What failed, in one line, as {@link quoted}: the tests by name and what was wrong. Empty where nothing failed.
 *
 * @param source The failing invocation or error.
 */
export function failureLine({ events }: Attempt, source: string | null): string {
  const at = events.findIndex((event) => idOf(event) === source);
  const failed = events[at];
  if (!failed) return '';
  const error = failed.kind === 'error' ? failed.error : errorOf(events, at, failed.tool.id);
  const tool = failed.kind === 'tool' ? failed.tool : toolOf(events, failed.error.tool_id);
  const printed = tool ? [tool.stderr, tool.stdout].join('\n') : '';
  const said = error ? firstLine(error.message, FAILED) : '';
  // A message that is the output's own first line was not chosen by anybody.
  const chosen = said !== '' && said !== firstLine(printed, FAILED);
  const line = chosen ? said : tellingLine([error?.raw_log_excerpt ?? '', printed]) || said;
  const tests = (error?.tests ?? []).slice(0, MOST_TESTS).filter((test) => !line.includes(test));
  return quoted([tests.join(', '), line].filter((part) => part !== '').join(': '), FAILED);
}

function tellingLine(texts: readonly string[]): string {
  for (const text of texts) {
    const lines = text.split('\n');
    for (const kind of TELLING) {
      const line = lines.find((one) => kind.test(one));
      if (line !== undefined) return line;
    }
  }
  const printed = texts.join('\n');
  return firstLine(failureText(printed).telling || printed, FAILED);
}

type ErrorRef = Extract<AttemptEvent, { kind: 'error' }>['error'];
type ToolRef = Extract<AttemptEvent, { kind: 'tool' }>['tool'];

/** The error that was recorded of a tool's use: it names the tool, or comes next and names none. */
function errorOf(events: readonly AttemptEvent[], at: number, tool: string): ErrorRef | null {
  const named = events.find((event) => event.kind === 'error' && event.error.tool_id === tool);
  if (named?.kind === 'error') return named.error;
  const next = events[at + 1];
  return next?.kind === 'error' && next.error.tool_id === null ? next.error : null;
}

function toolOf(events: readonly AttemptEvent[], id: string | null): ToolRef | null {
  const found = events.find((event) => event.kind === 'tool' && event.tool.id === id);
  return found?.kind === 'tool' ? found.tool : null;
}
