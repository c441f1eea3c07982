import type { SecretSpan } from './span.js';
import { isPlaceholder, looks } from './value-look.js';

/** What may stand in a URL. */
const URL_END = /[\s"'`<>|^]/g;
const HOST = /^(?:[\w.-]{1,255}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?(?=$|[/?#,;:)\]}\\&*_!]|\.$)/i;

/** `scheme://user:password@host`, also with `@`, `/`, `?` or `#` in the password; and tokens in the user's place. */
export function urlSecrets(text: string): SecretSpan[] {
  const spans: SecretSpan[] = [];
  let [runEnd, lastAt] = [0, -1];
  for (let slashes = text.indexOf('://'); slashes >= 0; slashes = text.indexOf('://', slashes + 3)) {
    const start = slashes + 3;
    if (runEnd <= start) {
      URL_END.lastIndex = start;
      runEnd = URL_END.exec(text)?.index ?? text.length;
      lastAt = start + text.slice(start, runEnd).lastIndexOf('@');
    }
    if (lastAt <= start) continue;
    const span = userInfo(text, start, Math.min(runEnd, start + 1000));
    if (span) spans.push(span);
  }
  return spans;
}

function userInfo(text: string, start: number, end: number): SecretSpan | null {
  const run = text.slice(start, end);
  const next = run.indexOf('://');
  const own = next < 0 ? run : run.slice(0, next);
  const authority = /^[^/?#]*/.exec(own)?.[0] ?? '';
  let at = authority.lastIndexOf('@');
  if (at < 0 || !HOST.test(own.slice(at + 1))) at = laterHost(own, at);
  if (at < 0) return null;
  const info = own.slice(0, at);
  const colon = info.indexOf(':');
  if (colon < 0)
    return info.length >= 10 && looks(info, 'opaque')
      ? { start, end: start + at, name: 'token in a URL' }
      : null;
  const password = info.slice(colon + 1);
  if (looks(info.slice(0, colon), 'random')) return { start, end: start + at, name: 'token in a URL' };
  if (password === '' || isPlaceholder(password) || /^[%$]\w*$/.test(password)) return null;
  return { start: start + colon + 1, end: start + at, name: 'password in a URL' };
}

/** An `@` behind a password that has signs of paths and queries in it; not one of a path behind a host. */
function laterHost(own: string, from: number): number {
  const user = /^[^\s:/?#@]{0,100}:/.exec(own)?.[0];
  if (user === undefined || /^\d{1,5}(?:[/?#]|$)/.test(own.slice(user.length))) return -1;
  for (let at = own.lastIndexOf('@'), tries = 0; at > from && at > user.length && tries < 8; tries++) {
    if (HOST.test(own.slice(at + 1))) return at;
    at = own.lastIndexOf('@', at - 1);
  }
  return -1;
}
