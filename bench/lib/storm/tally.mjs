// What was answered in a storm: calls by whom, errors by code.

/** Who was killed, or whose server was, gets no answer: that is no error. */
export const NO_ANSWER = 'NO_ANSWER';

/** What may be answered while daemons are killed, threads end, much is asked at once, and the first index is not made. */
const EXCUSED = new Set(['BUSY', 'DAEMON_FAILED', 'WALKER_KILLED', 'PROJECT_NOT_INDEXED']);

/** Counts calls, and keeps one example of each error. */
export class Tally {
  calls = {};
  errors = {};
  examples = {};

  /** @param code null for an answer */
  add(who, code = null, example = '') {
    this.calls[who] = (this.calls[who] ?? 0) + 1;
    if (code === null) return;
    const name = `${who} ${code}`;
    this.errors[name] = (this.errors[name] ?? 0) + 1;
    this.examples[name] ??= example.slice(0, 600);
  }

  /** Of the calls that a host was asked for. */
  share(code) {
    const calls = Object.values(this.calls).reduce((sum, one) => sum + one, 0);
    const those = Object.entries(this.errors).filter(([name]) => name.endsWith(` ${code}`));
    return calls === 0 ? 0 : those.reduce((sum, [, one]) => sum + one, 0) / calls;
  }

  /** Errors that a storm does not excuse: with another code, or one that no page has. */
  inexcusable(documented) {
    const isFine = (code) => code === NO_ANSWER || (EXCUSED.has(code) && documented.includes(code));
    return Object.keys(this.errors).filter((name) => !isFine(name.slice(name.lastIndexOf(' ') + 1)));
  }
}
