import { ownHello } from '../daemon/hello.js';
import type { Hello } from '../daemon/lines.js';

/** The daemon's script, as it is built beside this file. */
export const DAEMON_SCRIPT = new URL('./daemon.js', import.meta.url);

/** What this program says of itself to a daemon. */
export function daemonHello(): Hello {
  return ownHello(DAEMON_SCRIPT);
}
