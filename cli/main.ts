import { EXIT } from './failure-text.js';
import { leave } from './leave.js';

const argv = process.argv.slice(2);
if (argv[0] === 'record') {
  // A hook waits for it: nothing else is loaded.
  const { record } = await import('./commands/record.js');
  process.exitCode = record(argv.slice(1));
} else if (argv[0] === 'hook') {
  // As an agent's hook runs it.
  await import('./hook.js');
} else await start();

async function start(): Promise<void> {
  const code = (await served()) ?? (await (await import('./run.js')).run(argv));
  // A command that answered may have said by itself that not all is well.
  if (code !== 0) process.exitCode = code;
  // Whatever still holds the process has had its time, but for a reader of our answer.
  const end = () => {
    if (process.stdout.writableLength > 0) setTimeout(end, 100);
    else leave();
  };
  if (code === EXIT.interrupted) end();
  else setTimeout(end, 1000).unref();
}

/** An agent waits for its server: the parser of the program is loaded only where it has to explain something. */
async function served(): Promise<number | null> {
  return argv[0] === 'mcp' ? (await import('./serve-mcp.js')).servePlainly(argv) : null;
}
