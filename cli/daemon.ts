import { parseArgs } from 'node:util';
import { agents } from '../hooks/index.js';
import { runDaemon, toLog } from '../host/index.js';

// The daemon's process: `node daemon.js --home DIR [--idle-ms N]`. What goes wrong is in the home's daemon.log.
const { values } = parseArgs({
  options: { home: { type: 'string' }, 'idle-ms': { type: 'string' } },
});
process.umask(0o077);
process.title = 'codewalk-daemon';
try {
  const idleMs = values['idle-ms'] === undefined ? {} : { idleMs: Number(values['idle-ms']) };
  await runDaemon({ home: values.home ?? '', script: new URL(import.meta.url), agents, ...idleMs });
  process.exit(0);
} catch (thrown) {
  toLog(thrown, 'DAEMON_FAILED');
  process.exit(1);
}
