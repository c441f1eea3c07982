import { stripHidden } from '../../present/index.js';
import { compareText, type NodeRef, type ReadContext } from '../../runtime/index.js';
import { CodewalkError, TraceError } from '../../schema/index.js';
import { firstLine, shownLine } from '../shown-text.js';
import { fingerprintOf } from './fingerprint.js';
import { tellingLine } from './telling-line.js';

type ErrorRef = NodeRef<typeof TraceError>;
type Look = Pick<ReadContext, 'find'>;

/** Characters that a part of what was said has at least: fewer say nothing. */
const LEAST_PART = 10;
/** Failures that a suggestion names. */
const MOST_NAMED = 3;
/** Characters of a failure in a suggestion. */
const SHOWN = 60;

/** All errors of the failure that one of them is, as the list of errors has it; the latest first. */
export async function sameFailure(error: ErrorRef, { find }: Look): Promise<ErrorRef[]> {
  const { fingerprint, error_type } = error;
  const all = await find(TraceError, fingerprint === null ? { error_type } : { fingerprint });
  return all.filter((one) => failureKey(one) === failureKey(error)).sort(byLatest);
}

/** What errors that are one failure have in common. */
export function failureKey({ fingerprint, error_type, message }: ErrorRef): string {
  return fingerprint ?? `${error_type}\0${message}`;
}

/** The order of errors: the latest first. */
export function byLatest(a: ErrorRef, b: ErrorRef): number {
  return compareText(b.created_at ?? '', a.created_at ?? '') || compareText(a.id, b.id);
}

/**
 * The errors that said something: given by their fingerprint or its beginning, by the message, by the line of it that
 * lists show (between quotes, on two lines, cut with `…`), or by a part of what was printed that only one failure has.
 *
 * @throws CodewalkError `NODE_NOT_FOUND` where a part is of several failures.
 */
export async function errorsSaying(said: string, { find }: Look): Promise<ErrorRef[]> {
  const prints = [said.trim(), fingerprintOf(said) ?? ''].filter((one) => one !== '');
  for (const fingerprint of prints) {
    const alike = await find(TraceError, { fingerprint });
    if (alike.length > 0) return alike.sort(byLatest);
  }
  const all = (await find(TraceError, {})).sort(byLatest);
  const wanted = plain(said);
  const isCut = wanted.length >= LEAST_PART && /…[`'"\s]*$/u.test(said);
  const shown = all.filter((error) =>
    linesOf(error).some((line) => wanted !== '' && (line === wanted || (isCut && line.startsWith(wanted)))),
  );
  if (shown.length > 0) return shown;
  const parts = all.filter(
    (error) =>
      prints.some((one) => one.length >= LEAST_PART && error.fingerprint?.startsWith(one)) ||
      (wanted.length >= LEAST_PART && printedBy(error).includes(wanted)),
  );
  const failures = new Map(parts.map((error) => [failureKey(error), error]));
  if (failures.size <= 1) return parts;
  const named = [...failures.values()].slice(0, MOST_NAMED);
  throw new CodewalkError('NODE_NOT_FOUND', `${failures.size} failures say '${shownLine(said, SHOWN)}'`, {
    input: said,
    suggestion: `Give the id of one: ${named.map(({ id }) => id).join(', ')}; 'codewalk errors' lists them.`,
  });
}

/** A message as it is, and the lines of it that people and agents are shown. */
function linesOf({ message }: ErrorRef): string[] {
  return [message, tellingLine(message), firstLine(message, message.length)].map(plain);
}

function printedBy({ message, raw_log_excerpt, tests }: ErrorRef): string {
  return plain([message, raw_log_excerpt, ...tests].join('\n'));
}

/** Without what showing a text adds, takes or breaks: white space, quotes, a cut. */
function plain(text: string): string {
  return stripHidden(text)
    .toLowerCase()
    .replace(/[\s`'"]+/gu, '')
    .replace(/…$/u, '');
}
