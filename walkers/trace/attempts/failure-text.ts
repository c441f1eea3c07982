/** Characters of one passage: what agents and hooks pass on of a failing output is about as long. */
const PASSAGE = 2000;
/** Passages of one output that are looked at, half from either end: what failed stands at the start or at the end. */
const MOST_PASSAGES = 16;

/*
 * Lines in which an output says what went wrong and where, in the words that compilers, interpreters, test runners and
 * shells share: failures, errors and exceptions by name, `path:line`, ids of tests, and the marks of runners.
 */
/** In lower case: looking for both cases at once takes several times as long. */
const TELLING_WORDS = new RegExp(
  [
    String.raw`\b(?:fail(?:ed|ures?|s|ing)?|errors?|exceptions?|panic(?:ked)?|assert\w*|traceback|fatal)\b`,
    String.raw`\b(?:cannot|can't|could not|not found|no such|undefined|expected|unexpected|missing|denied|invalid|refused|in use)\b`,
    String.raw`\w(?:error|exception|warning)\b`,
  ].join('|'),
);
const TELLING_MARKS = /^\s*(?:E\s|>\s|[×✗✘✕●❯✖]|_{3,} )|\.\w{1,8}:\d|", line \d|::/u;

/** A failing output taken apart: the lines that tell what went wrong, and all others (code, progress, reports). */
export interface FailureText {
  readonly telling: string;
  readonly rest: string;
}

/** Takes a text apart, line by line. */
export function failureText(text: string): FailureText {
  const telling: string[] = [];
  const rest: string[] = [];
  for (const line of text.split('\n')) (isTelling(line) ? telling : rest).push(line);
  return { telling: telling.join('\n'), rest: rest.join('\n') };
}

function isTelling(line: string): boolean {
  return TELLING_MARKS.test(line) || TELLING_WORDS.test(line.toLowerCase());
}

/**
 * A long text as passages that overlap by half. A query is a piece of an output: it is compared with pieces of its
 * own size, or a long output would seem unlike each of its parts.
 */
export function passagesOf(text: string): string[] {
  if (text.length <= PASSAGE) return [text];
  const starts: number[] = [];
  for (let at = 0; at < text.length - PASSAGE; at += PASSAGE / 2) starts.push(at);
  starts.push(text.length - PASSAGE);
  const half = MOST_PASSAGES / 2;
  const kept = starts.length > MOST_PASSAGES ? [...starts.slice(0, half), ...starts.slice(-half)] : starts;
  return kept.map((at) => text.slice(at, at + PASSAGE));
}
