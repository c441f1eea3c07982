// Runs command lines one after the other in one process, as each would run in one of its own: what starts a process costs
// more than most commands. Told over IPC: { args, cwd, env }; answers { code, stdout, stderr }.
import { readFileSync } from 'node:fs';

const outputs = JSON.parse(readFileSync(new URL('../../dist/.outputs.json', import.meta.url), 'utf8'));
const [file] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === 'cli/program.ts') ?? [];
const { run } = await import(new URL(`../../${file}`, import.meta.url).href);

// Every command listens to signals.
for (const one of [process, process.stdout, process.stderr]) one.setMaxListeners(0);
process.on('message', async ({ args, cwd, env }) => {
  const told = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'])
    process[name].write = (chunk, ...rest) => {
      told[name] += chunk;
      rest.find((one) => typeof one === 'function')?.();
      return true;
    };
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  process.exitCode = undefined;
  const code = await run(args).catch((error) => {
    told.stderr += error.stack;
    return 1;
  });
  process.send({ code: code === 0 ? (process.exitCode ?? 0) : code, ...told });
});
process.on('disconnect', () => process.exit());
process.send('ready');
