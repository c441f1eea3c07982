import { compileLater } from './compile-later.js';
import { earlyFlags } from './early-flags.js';
import { isWatched, leave } from './watchdog/heartbeat.js';

const argv = process.argv.slice(2);
// A server lives for hours: it is worth optimising.
if (!argv.includes('mcp')) compileLater();
const { walkers, json, deadline } = earlyFlags(argv);
if (walkers.length > 0 && !isWatched()) {
  const { runWatched } = await import('./watchdog/watchdog.js');
  process.exitCode = await runWatched(argv, { deadlineMs: deadline === null ? null : deadline * 1000, json });
} else {
  const { run } = await import('./run.js');
  process.exitCode = await run(argv);
  // Whatever still holds the process has had its time, but for a reader of our answer.
  const end = () => {
    if (process.stdout.writableLength > 0) setTimeout(end, 100);
    else leave();
  };
  setTimeout(end, 1000).unref();
}
