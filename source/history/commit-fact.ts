/** One commit as git tells it: text from outside, not cleaned. */
export interface CommitFact {
  readonly hash: string;
  readonly author: string;
  readonly subject: string;
  readonly body: string;
  /** What it touched, relative to the root, with `/`; sorted. */
  readonly paths: readonly string[];
}

/**
 * The commits of a log whose records begin with U+001E, whose five fields end with U+001F, and whose paths end with
 * NUL. A record that a message with such characters spoils is left out.
 */
export function readLog(text: string): CommitFact[] {
  return text.split('\x1e').flatMap((record) => {
    const [hash, author, subject, body, listed, ...more] = record.split('\x1f');
    if (!hash || !/^[0-9a-f]{40,64}$/.test(hash) || more.length > 0) return [];
    if (author === undefined || subject === undefined || body === undefined || listed === undefined)
      return [];
    const paths = listed
      .split('\0')
      .map((path) => path.replace(/^\n+/, '').normalize('NFC'))
      .filter((path) => path !== '');
    return [{ hash, author, subject, body, paths: [...new Set(paths)].sort() }];
  });
}
