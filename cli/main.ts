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
  // An agent waits for its server: the parser of the program is loaded only where it has to explain something.
  const served = argv[0] === 'mcp' ? await (await import('./serve-mcp.js')).servePlainly(argv) : null;
  const code = served ?? (await (await import('./program.js')).run(argv));
  // A command that answered may have said by itself that not all is well.
  if (code !== 0) process.exitCode = code;
  // What still holds the process has had its time, but for a reader of our answer.
  const end = () => {
    if (process.stdout.writableLength > 0) setTimeout(end, 100);
    else process.exit();
  };
  const isInterrupted = code === 130;
  if (isInterrupted) end();
  else setTimeout(end, 1000).unref();
}
